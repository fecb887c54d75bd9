"""Quality on the development data: train, align and score every corpus under several settings, in one table.

usage: python scripts/quality.py --data DIR [--corpora rte2,edinburgh,cnn] [--json FILE] CONFIGURATION ...

A CONFIGURATION is `greedy` or a preset with changes behind it: default, paper, "default farthest=3 extract=5",
"default rewrite=identity+stem". Training sees the text of the scored file, never its links. DIR holds rte2/dev.jsonl,
edinburgh/train.jsonl and cnn-articles/ with the tool that scores its points (../tools/score_points.py, beside DIR).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import time
from pathlib import Path

from corpus_tools.alignments.alignment import write_alignments
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.scores.score_report import score
from semihmm.aligner import Aligner
from semihmm.baselines import greedy
from semihmm.configuration import read_configuration

GOLD = {"rte2": "rte2/dev.jsonl", "edinburgh": "edinburgh/train.jsonl"}
POINTS = {"cnn": "cnn-articles"}


def _align(configuration: str, pairs):
    """The alignments under a configuration, and the seconds that training and aligning took."""
    began = time.perf_counter()
    if configuration == "greedy":
        found = [greedy.align(pair) for pair in pairs]
        return found, 0.0, time.perf_counter() - began
    preset, changes = read_configuration(configuration)
    aligner = Aligner(preset, **changes).fit(pairs)
    trained = time.perf_counter()
    return aligner.align(pairs), trained - began, time.perf_counter() - trained


def _points(data: Path, folder: Path, alignments) -> dict[str, float]:
    tool = data.parent / "tools" / "score_points.py"
    spec = importlib.util.spec_from_file_location("score_points", tool)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "alignments.jsonl"
        write_alignments(alignments, path)
        return module.score(folder / "points.jsonl", folder / "pairs.jsonl", path)


def measure(configuration: str, corpus: str, data: Path) -> dict[str, float]:
    """The figures of one configuration on one corpus."""
    path = data / (GOLD[corpus] if corpus in GOLD else f"{POINTS[corpus]}/pairs.jsonl")
    pairs = read_pairs(path, "whitespace")
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
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--corpora", default="rte2,edinburgh,cnn")
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("configurations", nargs="*", default=["greedy", "paper", "default"])
    options = arguments.parse_args()
    if not options.data.is_dir():
        sys.exit(f"quality.py: {options.data} is not there: nothing to measure on")
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
