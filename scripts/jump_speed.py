"""Measure how long an E-step takes under each jump model.

usage: python scripts/jump_speed.py [--abstract WORDS] [--repeat N] [MODEL ...]

Prints milliseconds a pair, and the multiple of the relative model's time. Texts are random, with
the word frequencies of Zipf's law: documents of 511 and 1,230 words and abstracts of 128 (the
paper's, Tables 1 and 3), in sentences of 25 words under random trees with half as many phrases as
words, which is what parsers give. Jumps and null depend on the source, as in the default preset.
The models take turns. The time is that of the fastest of N runs, after one that compiles.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.trees import Trees
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.texts.brackets import Bracket
from jump_models.registry import JUMP_MODELS, jump_model
from rewrite_models.rewrite_model import BaseScore
from rewrite_models.run_kernels import runs
from semihmm.inference.batch_kernels import BatchLattice, Forwards, expect
from semihmm.inference.lattice_kernels import Lattice

SIZES = 511, 1230
SENTENCE = 25
PAIRS = 4
TYPES = 20_000
LABELS = ("NP", "VP", "PP", "S", "SBAR", "ADJP")


def _tree(rng: np.random.Generator, start: int, end: int, label: str) -> list[Bracket]:
    """Draw a tree over some words, with two to four children for each constituent."""
    brackets = [Bracket(label, start, end)]
    children = int(rng.choice((2, 2, 3, 4)))
    if end - start > 1:
        inner = rng.choice(range(start + 1, end), min(children, end - start) - 1, replace=False)
        boundaries = [start, *sorted(inner.tolist()), end]
        for left, right in pairwise(boundaries):
            brackets += _tree(rng, left, right, str(rng.choice(LABELS)))
    return brackets


def _sentences(rng: np.random.Generator, words: int) -> list[Sequence[Bracket]]:
    starts = range(0, words, SENTENCE)
    return [_tree(rng, start, min(start + SENTENCE, words), "ROOT") for start in starts]


def _words(rng: np.random.Generator, count: int) -> np.ndarray:
    """Draw word numbers by Zipf's law: int32 [count]."""
    return np.minimum(rng.zipf(1.2, count), TYPES).astype(np.int32)


def random_batch(words: int, abstract_words: int) -> Batch:
    """Make pairs of random texts with trees."""
    rng = np.random.default_rng(words)
    document = _words(rng, PAIRS * words)
    abstract = _words(rng, PAIRS * abstract_words)
    bounds = np.arange(PAIRS + 1)
    trees = Trees.of([_sentences(rng, words) for _ in range(PAIRS)])
    return Batch(
        tuple(f"pair-{number}" for number in range(PAIRS)),
        abstract,
        document,
        bounds * abstract_words,
        bounds * words,
        Vocabulary.empty(),
        trees,
    )


def lattice(batch: Batch) -> BatchLattice:
    """Make cells of identical runs, whose emission depends on their length only."""
    cells = runs(batch.abstract, batch.document, batch.abstract_offsets, batch.document_offsets)
    cells = cells[np.lexsort((cells[:, 2], cells[:, 0], cells[:, 1]))]
    a_start, a_end, d_start, d_end = (np.ascontiguousarray(column) for column in cells.T)
    no_base_score = BaseScore.none(batch)
    whole = Lattice(
        null=np.full(len(batch.abstract), 1e-3),
        a_start=a_start,
        a_end=a_end,
        d_start=d_start,
        d_end=d_end,
        emission=0.5 ** (d_end - d_start).astype(float),
        base_abstract=no_base_score.abstract,
        base_class=no_base_score.classes,
        base_document=no_base_score.document,
        null_jump=np.full(2, 0.2),
    )
    ends = np.searchsorted(a_end, batch.abstract_offsets, side="right")
    weights = np.zeros(len(batch))
    return BatchLattice(whole, batch.abstract_offsets, batch.document_offsets, ends, weights)


def milliseconds(
    names: list[str], words: int, abstract_words: int, repeat: int
) -> dict[str, float]:
    """Return the time of one pair's E-step under each model, without the evidence, made once."""
    batch = random_batch(words, abstract_words)
    cells = lattice(batch)
    classes = {name: jump_model(name) for name in names}
    models = {
        name: model.initial([batch], batch.vocabulary, model.Settings())
        for name, model in classes.items()
    }
    evidence = {name: model.evidence(batch) for name, model in models.items()}
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(repeat + 1):
        for name, model in models.items():
            began = time.perf_counter()
            counts, _ = expect(cells, model.scores(evidence[name]), Forwards.none(), np.inf)
            times[name].append(time.perf_counter() - began)
            models[name] = model.m_step(model.fold(evidence[name], counts.jump))
    return {name: 1000 * min(seconds[1:]) / PAIRS for name, seconds in times.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    models = [*JUMP_MODELS, "relative+syntax"]
    parser.add_argument("models", metavar="MODEL", nargs="*", default=models)
    parser.add_argument("--abstract", type=int, default=128, help="words of an abstract (128)")
    parser.add_argument("--repeat", type=int, default=10)
    options = parser.parse_args()
    names = list(dict.fromkeys(["relative", *options.models]))
    columns = [milliseconds(names, words, options.abstract, options.repeat) for words in SIZES]
    print(f"{'ms a pair':20}" + "".join(f"{words:>8} words  x relative" for words in SIZES))
    for name in names:
        cells = (f"{times[name]:14.2f}{times[name] / times['relative']:12.2f}" for times in columns)
        print(f"{name:20}" + "".join(cells))


if __name__ == "__main__":
    main()
