"""Train the general model that comes with the program, on all unlabelled text at hand.

usage: python scripts/make_general_model.py --data DIR [--preset neural] [--output DIR]

DIR holds cnn-articles/, rte2/, edinburgh/ and scitldr/. The preset is trained on the texts of all
pairs, never on hand alignments. Then the vocabulary is cut down to the words that occur ``ENOUGH``
times in abstracts. The same texts, WordNet, list of paraphrases and versions give the same bytes.

Prints the sizes, and the scores on the corpora with hand alignments before and after the cut.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import script_options

from corpus_tools.model_parts.model_part import declared_fields
from corpus_tools.model_parts.text_arrays import Vocabulary
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.forms import normal_form
from semihmm.aligner import Aligner
from semihmm.applications.score.score_report import score
from semihmm.model.saving import GENERAL_MODEL, NEURAL_GENERAL_MODEL
from semihmm.model.semi_hmm import SemiHmm

TEXTS = (
    "cnn-articles/pairs.jsonl",
    "rte2/dev.jsonl",
    "edinburgh/train.jsonl",
    "scitldr/pairs.jsonl",
)
GOLD = ("rte2/dev.jsonl", "edinburgh/train.jsonl")
OUTPUTS = {"default": GENERAL_MODEL, "neural": NEURAL_GENERAL_MODEL}
ENOUGH = 10
"""How often a word occurs in abstracts, at least, to be in the vocabulary.

Chosen on the corpora with hand alignments, rte2/dev and edinburgh/train. SoftF by the least number:

    at least        1     2     3     5    10
    words      14,807 7,151 4,914 3,134 1,614
    rte2        .8596 .8609 .8611 .8613 .8620
    edinburgh   .8750 .8750 .8750 .8750 .8750
"""


def of_fewer_words(part: Any, kept: np.ndarray) -> Any:
    """Return a part for a smaller vocabulary, whose other words are unseen words.

    ``kept``  int64, the numbers of the words that stay, ascending.
    """
    arrays = {}
    for name, spec in declared_fields(part.__class__).items():
        if spec.shape == ("V",):
            arrays[name] = getattr(part, name)[kept]
        elif spec.shape == ("V+1",):
            arrays[name] = values_of_fewer_words(getattr(part, name), kept, spec.most)
    return replace(part, **arrays)


def values_of_fewer_words(values: np.ndarray, kept: np.ndarray, most: float) -> np.ndarray:
    """Return the values of a smaller vocabulary, float64 [W + 1].

    ``values``  float64 [V + 1], a value for each word; the last is the value of unseen words.
    ``kept``    int64 [W], the numbers of the words that stay.
    ``most``    the upper bound of the values.

    Unseen words get the mean value of the words of abstracts that are dropped, since they now
    include these. The sum of the values stays the same, but for the bound.
    """
    # Words that occur only in documents have the value of unseen words, and are left out.
    dropped = values > values[-1]
    dropped[kept] = False
    unseen = values[dropped].mean() if dropped.any() else values[-1]
    fewer = np.append(values[kept], unseen)
    return np.minimum(fewer * (values.sum() / fewer.sum()), most)


def _print_scores(what: str, aligner: Aligner, gold: Mapping[str, Sequence[Pair]]) -> None:
    for name, pairs in gold.items():
        alignments = {alignment.id: alignment for alignment in aligner.align_all(pairs)}
        scores = score(pairs, alignments).scores["all_words"]
        shown = "  ".join(
            f"{scores[one].value:.4f}" for one in ("soft_precision", "recall", "soft_f")
        )
        print(f"{what:20} {name:24} SoftP, Recall, SoftF: {shown}")


def general_model(pairs: Sequence[Pair], preset: str) -> Aligner:
    """Train on the pairs and cut the vocabulary down."""
    aligner = Aligner(preset, start="none").fit(pairs)
    cut(aligner, pairs)
    return aligner


def cut(aligner: Aligner, pairs: Iterable[Pair]) -> None:
    """Cut the vocabulary down to the words that the pairs' abstracts have often enough."""
    counts = Counter(normal_form(token) for pair in pairs for token in pair.abstract.tokens)
    model, words = aligner.model, aligner.model.vocabulary
    forms = words.forms
    kept = np.flatnonzero([counts[form] >= ENOUGH for form in forms])
    parts = {name: of_fewer_words(part, kept) for name, part in model.parts.items()}
    components = tuple(of_fewer_words(one, kept) for one in model.rewrite.components)
    parts["rewrite"] = replace(model.rewrite, components=components)
    fewer = replace(Vocabulary.empty(), code=words.code).with_forms(forms[n] for n in kept)
    model = replace(SemiHmm.from_parts(fewer, parts), counts=model.counts)
    aligner.state = replace(aligner.trained, model=model, name="")


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, cut and save the model."""
    parser = script_options.parser(__doc__)
    parser.add_argument(
        "--data", type=script_options.folder, required=True, help="where the corpora are"
    )
    parser.add_argument("--preset", choices=OUTPUTS, default="default")
    parser.add_argument("--output", type=Path, help="the model's directory")
    options = parser.parse_args(arguments)
    output = options.output or OUTPUTS[options.preset]
    read = {name: read_pairs(str(options.data / name)) for name in TEXTS}
    pairs = [pair for name in TEXTS for pair in read[name]]
    aligner = Aligner(options.preset, start="none").fit(pairs)
    if aligner.settings.as_json()["wordnet"] is not None:
        sys.exit("make_general_model.py: the general model is trained with WordNet: install it")
    gold = {name: read[name] for name in GOLD}
    _print_scores("all words", aligner, gold)
    cut(aligner, pairs)
    _print_scores(f"{len(aligner.model.vocabulary)} words", aligner, gold)
    aligner.save(output)
    size = sum(file.stat().st_size for file in output.iterdir() if file.is_file())
    print(f"{len(pairs)} pairs, {size} bytes in {output}")


if __name__ == "__main__":
    main()
