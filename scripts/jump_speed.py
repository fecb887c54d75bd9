"""How long an E-step takes under each jump model: milliseconds a pair, and how much of the relative model's time.

usage: python scripts/jump_speed.py [--abstract WORDS] [--repeat N] [MODEL ...]

Random texts with the word frequencies of Zipf's law, documents of 511 and 1,230 words and abstracts of 128 (the paper's,
Tables 1 and 3), sentences of 25 words under random trees with half as many phrases as words, as parsers make them; jumps and
null apart after null, as in the default preset. All models take turns; the time is that of the fastest of N runs, after
one that compiles.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise

import numpy as np

from corpus_tools.encoding.batch import Batch, labels_of
from corpus_tools.encoding.trees import Trees
from corpus_tools.encoding.vocabulary import Vocabulary
from jump_models.registry import JUMP_MODELS, jump_model
from rewrite_models.rewrite_model import BaseScore
from rewrite_models.run_kernels import runs
from semihmm.inference.batch_kernels import BatchLattice, expect
from semihmm.inference.lattice_kernels import Lattice

SIZES = 511, 1230
SENTENCE = 25
PAIRS = 4
LABELS = ("NP", "VP", "PP", "S", "SBAR", "ADJP")


def _tree(rng, start: int, end: int, label: str) -> list[tuple[str, int, int]]:
    rows, parts = [(label, start, end)], int(rng.choice((2, 2, 3, 4)))
    if end - start > 1:
        inner = rng.choice(range(start + 1, end), min(parts, end - start) - 1, replace=False)
        cuts = [start, *sorted(inner.tolist()), end]
        for a, b in pairwise(cuts):
            rows += _tree(rng, a, b, str(rng.choice(LABELS)))
    return rows


def _sentences(rng, words: int) -> list[list[tuple[str, int, int]]]:
    starts = range(0, words, SENTENCE)
    return [_tree(rng, start, min(start + SENTENCE, words), "ROOT") for start in starts]


def random_batch(words: int, abstract_words: int) -> Batch:
    """Pairs of random texts with trees."""
    rng = np.random.default_rng(words)
    document, abstract = (
        np.minimum(rng.zipf(1.2, PAIRS * size), 20_000).astype(np.int32)
        for size in (words, abstract_words)
    )
    offsets = (np.arange(PAIRS + 1) * size for size in (abstract_words, words))
    trees = Trees.of([_sentences(rng, words) for _ in range(PAIRS)])
    ids = tuple(f"pair-{number}" for number in range(PAIRS))
    return Batch(ids, abstract, document, *offsets, Vocabulary.empty(), trees)


def lattice(batch: Batch) -> BatchLattice:
    """Identical runs as cells, all as likely as their length makes them."""
    cells = runs(batch.abstract, batch.document, batch.abstract_offsets, batch.document_offsets)
    cells = cells[np.lexsort((cells[:, 2], cells[:, 0], cells[:, 1]))]
    emission = 0.5 ** (cells[:, 3] - cells[:, 2]).astype(float)
    columns = (np.ascontiguousarray(column) for column in cells.T)
    nothing = BaseScore.none(batch)
    null = np.full(len(batch.abstract), 1e-3)
    ends = np.searchsorted(cells[:, 1], batch.abstract_offsets, side="right")
    whole = Lattice(null, *columns, emission, *nothing, np.full(2, 0.2))
    return BatchLattice(whole, batch.abstract_offsets, batch.document_offsets, ends)


def milliseconds(
    names: list[str], words: int, abstract_words: int, repeat: int
) -> dict[str, float]:
    """The E-step of one pair under each model, with the preparation of the jumps."""
    batch = random_batch(words, abstract_words)
    cells = lattice(batch)
    settings = {"after_null": True, "own_end": True, "labels": labels_of([batch])}
    models = {name: jump_model(name).initial(settings) for name in names}
    times = {name: [] for name in names}
    for _ in range(repeat + 1):
        for name, model in models.items():
            began = time.perf_counter()
            counts = expect(cells, model.scores(batch))
            times[name].append(time.perf_counter() - began)
            models[name] = model.m_step(model.fold(counts.jump))
    return {name: 1000 * min(seconds[1:]) / PAIRS for name, seconds in times.items()}


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument(
        "models", metavar="MODEL", nargs="*", default=[*JUMP_MODELS, "relative+syntax"]
    )
    arguments.add_argument("--abstract", type=int, default=128, help="words of an abstract (128)")
    arguments.add_argument("--repeat", type=int, default=10)
    options = arguments.parse_args()
    names = list(dict.fromkeys(["relative", *options.models]))
    found = [milliseconds(names, words, options.abstract, options.repeat) for words in SIZES]
    print(f"{'ms a pair':20}" + "".join(f"{words:>8} words  x relative" for words in SIZES))
    for name in names:
        print(
            f"{name:20}"
            + "".join(
                f"{times[name]:14.2f}{times[name] / times['relative']:12.2f}" for times in found
            )
        )


if __name__ == "__main__":
    main()
