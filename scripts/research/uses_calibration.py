"""Measures whether `semihmm support --calibrate` keeps its promise on sentences that people judged.

usage: python scripts/research/uses_calibration.py --data DATA [--error 0.1]

Half of the documents of a set are judged, the other half is new: mean of many such halves. In the
last rows a whole other set is judged, which the promise does not cover.
"""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from uses import FILES
from uses_judged import judged_sentences

from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text_table import Table
from semihmm import Aligner
from semihmm.applications.support.calibration import LOOK, NOT_SUPPORTED, SUPPORTED, calibrated

SETS = ("qags cnndm", "qags xsum", "memerag en", "memerag de")
HALVES = 200
Judged = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Of sentences: float64 supports, bool whether right, int64 documents."""


def judged(path: Path) -> Judged:
    """Return the sentences of a file that people judged."""
    rows = map(json.loads, path.open(encoding="utf-8"))
    supports = Aligner.load().support(read_pairs(str(path)))
    found = [
        (said.sentences[number].support, right, document)
        for document, (row, said) in enumerate(zip(rows, supports, strict=True))
        for number, right in judged_sentences(row)
        if said.sentences[number].support is not None
    ]
    values, right, documents = zip(*found, strict=True)
    return np.array(values), np.array(right), np.array(documents)


def shares(old: Judged, new: Judged, error: float) -> list[float]:
    """Return the shares of wrong sentences that pass, of right ones that fail, and to look at."""
    thresholds = calibrated(old[0].tolist(), old[1].tolist(), error)
    verdicts = np.array([thresholds.verdict(one) for one in new[0].tolist()])
    passed = (verdicts == SUPPORTED)[~new[1]].mean()
    failed = (verdicts == NOT_SUPPORTED)[new[1]].mean()
    return [float(one) for one in (passed, failed, (verdicts == LOOK).mean())]


def in_halves(own: Judged, error: float) -> list[float]:
    generator = np.random.default_rng(0)
    found = []
    for _ in range(HALVES):
        chosen = generator.permutation(own[2].max() + 1) < (own[2].max() + 1) // 2
        old, new = (tuple(one[chosen[own[2]] == half] for one in own) for half in (True, False))
        found.append(shares(old, new, error))
    return np.mean(found, axis=0).tolist()


def rows(sets: dict[str, Judged], error: float) -> Iterator[list[str]]:
    yield ["judged", "new", "unsupported that pass", "supported that fail", "to be looked at"]
    for name, own in sets.items():
        found = in_halves(own, error)
        yield [f"half of {name}", "the other half", *(f"{one:.3f}" for one in found)]
    for name, own in sets.items():
        for other, new in sets.items():
            if name != other:
                yield [name, other, *(f"{one:.3f}" for one in shares(own, new, error))]


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--error", type=float, default=0.1)
    given = parser.parse_args()
    sets = {name: judged(given.data / FILES[name]) for name in SETS}
    print(Table([*rows(sets, given.error)]).markdown())


if __name__ == "__main__":
    main()
