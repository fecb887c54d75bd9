"""Makes the t-table of the lexical model. Daumé III and Marcu (2005), sections 4.2.4 and 4.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Annotated

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.plugins.declared_arrays import amounts, indices, require, shares
from rewrite_models.phrases import Phrases

SINGLETON = 2.0
"""Fake counts of two single words (section 4.3)."""
SAME_WORDS = 4.0
"""Fake counts of two identical phrases (section 4.3)."""
SAME_STEMS = 3.0
"""Fake counts of two phrases with the same stems (section 4.3). They add up: equal words have 9."""

Texts = list[tuple[np.ndarray, np.ndarray]]
"""Word numbers and offsets of one side, batch by batch."""


@dataclass(frozen=True)
class Table:
    """The E entries of the t-table, sorted by document phrase, then by abstract phrase.

    ``document``     int64 [E], numbers of document phrases.
    ``abstract``     int64 [E], numbers of abstract phrases.
    ``probability``  float64 [E], p(abstract phrase | document phrase).
    ``fake``         float64 [E], fake counts of the prior.
    """

    document: Annotated[np.ndarray, indices("E", below=inf)]
    abstract: Annotated[np.ndarray, indices("E", below=inf)]
    probability: Annotated[np.ndarray, shares("E")]
    fake: Annotated[np.ndarray, amounts("E")]

    def row_starts(self, phrases: int) -> np.ndarray:
        """Return int64 [phrases + 1], the first entry of each document phrase, and the end."""
        return np.searchsorted(self.document, np.arange(phrases + 1))

    def require_sorted(self, abstract_phrases: int, document_phrases: int) -> None:
        """Raise ``BadArray`` unless the numbers are below these, and the entries are sorted."""
        for name, limit in (("document", document_phrases), ("abstract", abstract_phrases)):
            below = bool((getattr(self, name) < limit).all())
            require(below, f"table.{name}", f"has numbers beyond the {limit} phrases")
        keys = self.document * abstract_phrases + self.abstract
        require(bool((np.diff(keys) > 0).all()), "table.document", "its entries are not sorted")


def abstracts_of(corpus: Sequence[Batch]) -> Texts:
    """Return the abstracts of a corpus."""
    return [(batch.abstract, batch.abstract_offsets) for batch in corpus]


def documents_of(corpus: Sequence[Batch]) -> Texts:
    """Return the documents of a corpus."""
    return [(batch.document, batch.document_offsets) for batch in corpus]


def _distinct(phrases: Phrases, texts: Texts) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct phrases of each pair, laid end to end, and where each pair begins."""
    distinct = []
    for words, offsets in texts:
        numbers = phrases.number(words, offsets)
        of_pairs = [np.unique(numbers[:, start:end]) for start, end in pairwise(offsets)]
        distinct += [of_pair[of_pair >= 0] for of_pair in of_pairs]
    return np.concatenate(distinct), np.cumsum([0, *map(len, distinct)])


def count_cooccurring(
    abstract_phrases: Phrases, document_phrases: Phrases, corpus: Sequence[Batch]
) -> np.ndarray:
    """Count the abstract words and phrases that share a pair with each document phrase.

    Returns float64 [document phrases, 2].
    """
    from rewrite_models.lexical_kernels import cooccurring

    a, a_starts = _distinct(abstract_phrases, abstracts_of(corpus))
    d, d_starts = _distinct(document_phrases, documents_of(corpus))
    pair = np.repeat(np.arange(len(d_starts) - 1), np.diff(d_starts))
    order = np.argsort(d, kind="stable")
    starts = np.searchsorted(d[order], np.arange(len(document_phrases) + 1))
    counts: np.ndarray = cooccurring(
        a, a_starts, abstract_phrases.size, len(abstract_phrases), pair[order], starts
    )
    return counts


def alike_entries(
    abstract_phrases: Phrases, document_phrases: Phrases, corpus: Sequence[Batch]
) -> Table:
    """Make entries for the phrases that share a pair and are identical or have the same stems.

    The entries have their fake counts, no probabilities.
    """
    width = len(abstract_phrases)
    keys = []
    fakes = []
    for batch in corpus:
        abstract = abstract_phrases.number(batch.abstract, batch.abstract_offsets)
        document = document_phrases.number(batch.document, batch.document_offsets)
        longest = min(len(abstract), len(document))
        for fake, cells in ((SAME_WORDS, _same_words(batch)), (SAME_STEMS, _same_stems(batch))):
            length = cells[:, 1] - cells[:, 0]
            cells, length = cells[length <= longest], length[length <= longest]
            d = document[length - 1, cells[:, 2]]
            a = abstract[length - 1, cells[:, 0]]
            keys.append(np.unique(d * width + a))
            fakes.append(np.full(len(keys[-1]), fake))
    return _add_up_fakes(np.concatenate(keys), np.concatenate(fakes), width)


def _same_words(batch: Batch) -> np.ndarray:
    from rewrite_models.run_kernels import runs

    cells: np.ndarray = runs(
        batch.abstract, batch.document, batch.abstract_offsets, batch.document_offsets
    )
    return cells


def _same_stems(batch: Batch) -> np.ndarray:
    from rewrite_models.run_kernels import runs

    stems = batch.vocabulary.stem_of
    cells: np.ndarray = runs(
        stems[batch.abstract],
        stems[batch.document],
        batch.abstract_offsets,
        batch.document_offsets,
    )
    return cells


def _add_up_fakes(keys: np.ndarray, fakes: np.ndarray, width: int) -> Table:
    """Make one entry a key. Each fake count of a key counts once, however many batches have it."""
    distinct = np.unique(np.stack([keys, fakes.astype(np.int64)]), axis=1)
    merged, index = np.unique(distinct[0], return_inverse=True)
    fake = np.bincount(index, weights=distinct[1].astype(float), minlength=len(merged))
    return Table(merged // width, merged % width, np.zeros(len(merged)), fake)
