"""Makes the t-table of the lexical model. Daumé III and Marcu (2005), sections 4.2.4 to 4.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


def shares_of(document: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the share of each entry in the counts of its document phrase, float64 [E]."""
    shares: np.ndarray = counts / np.bincount(document, weights=counts)[document]
    return shares


def table_of_fakes(
    abstract_phrases: Phrases, document_phrases: Phrases, corpus: Sequence[Batch]
) -> Table:
    """Make the table at the mode of its prior (section 4.4).

    Its entries are the phrases that share a pair of texts and have fake counts: single words, and
    phrases that are identical or have the same stems.
    """
    longest = min(len(abstract_phrases.levels), len(document_phrases.levels)) + 1
    kinds: list[list[np.ndarray]] = [[], [], []]
    for batch in corpus:
        numbers = np.arange(len(batch.vocabulary))
        # Words with equal keys are alike: all of them, the same ones, those of one stem.
        alike = (np.zeros_like(numbers), 1), (numbers, longest), (batch.vocabulary.stem_of, longest)
        for keys, (key_of, most) in zip(kinds, alike, strict=True):
            keys.append(_alike(abstract_phrases, document_phrases, batch, key_of, most))
    keys = [np.unique(np.concatenate(kind)) for kind in kinds]
    merged, index = np.unique(np.concatenate(keys), return_inverse=True)
    fake = np.bincount(
        index, weights=np.repeat([SINGLETON, SAME_WORDS, SAME_STEMS], [len(kind) for kind in keys])
    )
    document, abstract = np.divmod(merged, len(abstract_phrases))
    return Table(document, abstract, shares_of(document, fake), fake)


def _alike(
    abstract_phrases: Phrases,
    document_phrases: Phrases,
    batch: Batch,
    key_of: np.ndarray,
    longest: int,
) -> np.ndarray:
    """Return the pairs of phrases of a batch whose words have equal keys, as numbers, int64.

    ``key_of``  int [V], the key of each word. The numbers are in the order of the table.
    """
    from rewrite_models.run_kernels import runs

    offsets = batch.abstract_offsets, batch.document_offsets
    cells = runs(key_of[batch.abstract], key_of[batch.document], *offsets, longest)
    a_start, a_end, d_start, _ = cells.T
    abstract = abstract_phrases.number(batch.abstract, batch.abstract_offsets)
    document = document_phrases.number(batch.document, batch.document_offsets)
    length = a_end - a_start - 1
    numbers = document[length, d_start] * len(abstract_phrases) + abstract[length, a_start]
    return np.unique(numbers)
