"""Train, align and score every corpus of the development data under several settings, in one table.

usage: python scripts/quality.py --data DIR [--corpora rte2,edinburgh,cnn] [--json FILE]
           CONFIGURATION ...

A CONFIGURATION is ``greedy``, or a preset with changes: default, paper,
"default extract=5", "default rewrite=identity+stem". Models are trained on the texts of
the scored file, never on its links. DIR holds rte2/dev.jsonl, edinburgh/train.jsonl,
wiki-words/dev.jsonl and cnn-articles/. The tool that scores the points of the CNN articles is
../tools/score_points.py, next to DIR. The corpora are rte2, edinburgh, wiki, cnn, and joined: every
six pairs of edinburgh as one document and its abstract, the document's sentences shuffled.
"""

import importlib.util
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from pathlib import Path

import script_options

from corpus_tools.alignments.alignment import Alignment, write_alignments
from corpus_tools.base.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text import Text
from semihmm.aligner import Aligner
from semihmm.applications.score.score_report import score
from semihmm.applications.score.systems import greedy_alignment
from semihmm.model.settings import read_configuration

GOLD = {
    "rte2": "rte2/dev.jsonl",
    "edinburgh": "edinburgh/train.jsonl",
    "wiki": "wiki-words/dev.jsonl",
    "joined": "edinburgh/train.jsonl",
}
POINTS = {"cnn": "cnn-articles"}


def joined(pairs: Sequence[Pair], size: int = 6, seed: int = 0) -> list[Pair]:
    """Make one pair of every so many, whose document has their sentences in a random order.

    It is as long as real documents, so that there is much to choose from. Pairs left over are left
    out.
    """
    draw = random.Random(seed)
    return [_joined(pairs[n : n + size], draw) for n in range(0, len(pairs) - size + 1, size)]


def _joined(group: Sequence[Pair], draw: random.Random) -> Pair:
    sentences = [
        [(number, d) for d in range(start, end)]
        for number, pair in enumerate(group)
        for start, end in pairwise(pair.document.boundaries)
    ]
    draw.shuffle(sentences)
    place = {word: at for at, word in enumerate(chain.from_iterable(sentences))}
    before = list(accumulate((len(pair.abstract) for pair in group), initial=0))

    def links(name: str) -> frozenset[tuple[int, int]]:
        return frozenset(
            (place[number, d], before[number] + a)
            for number, pair in enumerate(group)
            for d, a in getattr(pair, name) or ()
        )

    words = [[group[number].document.tokens[d] for number, d in one] for one in sentences]
    abstract = [sentence for pair in group for sentence in pair.abstract.sentences()]
    sides = Text.from_sentences(words), Text.from_sentences(abstract)
    return Pair(f"{group[0].id} and others", *sides, links("sure"), links("possible"))


def _align(configuration: str, pairs: Sequence[Pair]) -> tuple[list[Alignment], float, float]:
    """Return the alignments under a configuration, and the seconds of training and of aligning."""
    began = time.perf_counter()
    if configuration == "greedy":
        alignments = [greedy_alignment(pair) for pair in pairs]
        return alignments, 0.0, time.perf_counter() - began
    preset, changes = read_configuration(configuration)
    aligner = Aligner(preset, **changes).fit(pairs)
    trained = time.perf_counter()
    alignments = list(aligner.align_all(pairs))
    return alignments, trained - began, time.perf_counter() - trained


def _points(data: Path, folder: Path, alignments: Sequence[Alignment]) -> dict[str, float]:
    """Score alignments against points of correspondence, with the tool that comes with the data."""
    tool = data.parent / "tools" / "score_points.py"
    spec = importlib.util.spec_from_file_location("score_points", tool)
    if spec is None or spec.loader is None:
        sys.exit(f"quality.py: {tool} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "alignments.jsonl"
        write_alignments(alignments, path)
        figures: dict[str, float] = module.score(
            folder / "points.jsonl", folder / "pairs.jsonl", path
        )
    return figures


def measure(configuration: str, corpus: str, data: Path) -> dict[str, float]:
    """Return the figures of one configuration on one corpus, under the names that are printed."""
    path = data / (GOLD[corpus] if corpus in GOLD else f"{POINTS[corpus]}/pairs.jsonl")
    pairs = read_pairs(path, "whitespace")
    if corpus == "joined":
        pairs = joined(pairs)
    alignments, training, aligning = _align(configuration, pairs)
    seconds = {"train s": training, "align s": aligning}
    if corpus in GOLD:
        figures = score(pairs, {row.id: row for row in alignments}).scores["all_words"]
        names = {"SoftP": "soft_precision", "Recall": "recall", "SoftF": "soft_f"}
        values = {shown: figures[name].value for shown, name in names.items()}
        return values | {"low": figures["soft_f"].low, "high": figures["soft_f"].high} | seconds
    points = _points(data, path.parent, alignments)
    return {
        "point recall": points["point_recall"],
        "in source": points["links_in_source_sentences"],
    } | seconds


def main() -> None:
    """Print the table."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--data", type=script_options.folder, required=True)
    parser.add_argument("--corpora", default="rte2,edinburgh,cnn")
    parser.add_argument("--json", type=Path)
    parser.add_argument("configurations", nargs="*", default=["greedy", "paper", "default"])
    options = parser.parse_args()
    rows = []
    for corpus in options.corpora.split(","):
        print(f"\n{corpus}", flush=True)
        for configuration in options.configurations:
            try:
                figures = measure(configuration, corpus, options.data)
            except BadUsage as error:
                sys.exit(f"quality.py: {configuration}: {error}")
            rows.append({"corpus": corpus, "configuration": configuration} | figures)
            shown = "  ".join(f"{name} {value:7.3f}" for name, value in figures.items())
            print(f"  {configuration:44} {shown}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
