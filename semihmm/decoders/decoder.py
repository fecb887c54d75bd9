"""Defines what a decoder is, and what most are made of: the posterior of every word link."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.named_arrays import numbers_within, ranges
from corpus_tools.plugins.options import Options
from corpus_tools.plugins.registry import Plugin
from rewrite_models.runs import have_equal_keys
from semihmm.model.semi_hmm import Encoded, SemiHmm

Phrase = tuple[int, int, int, int]
"""A phrase pair: a_start, a_end, d_start, d_end, offsets over the batch."""


BASE_SCORE_THRESHOLD = 1e-3
"""Word links that only the base score explains count from this posterior on.

The base score links every word with every word. Almost all of these links are below the threshold,
and none of those is one that a decoder would choose.
"""


@dataclass(frozen=True)
class Decoder(Plugin, ABC):
    """A way to turn what the model says about a batch into phrase links.

    Subclasses are frozen dataclasses. ``settings`` are of the class ``Settings``.
    """

    settings: Any = field(default_factory=Options)

    @abstractmethod
    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[Phrase, float]]:
        """Return the phrase links of a batch with their probabilities, sorted by abstract offset.

        Their abstract phrases do not overlap.
        """


class WordLinks(NamedTuple):
    """Word links with their posteriors, float64 [L].

    ``abstract`` and ``document`` are offsets over the batch, int [L].
    """

    abstract: np.ndarray
    document: np.ndarray
    posterior: np.ndarray


class Links(NamedTuple):
    """Posteriors over a batch.

    ``abstract``     int64 [L], the abstract word of each link, its offset over the batch.
    ``document``     int64 [L], the document word likewise. Links are sorted by abstract word, then
                     by document word.
    ``probability``  float64 [L], p(the two words are linked).
    ``phrases``      int32 [F, 4], the phrase pairs of several words that are not alike word by
                     word.
    ``claims``       float64 [N], how many abstract phrases are expected to be rewrites of each
                     document word.
    ``null``         float64 [M], p(the abstract word comes from null by itself).
    """

    abstract: np.ndarray
    document: np.ndarray
    probability: np.ndarray
    phrases: np.ndarray
    claims: np.ndarray
    null: np.ndarray


def are_alike(batch: Batch, cells: np.ndarray) -> np.ndarray:
    """Tell which phrase pairs link on the diagonal: bool [C].

    They are of the same length, and their words have the same stems, one by one.
    """
    stems = batch.vocabulary.stem_of
    return have_equal_keys(cells, stems[batch.abstract], stems[batch.document])


def in_words(cells: np.ndarray, posteriors: np.ndarray, alike: np.ndarray) -> WordLinks:
    """Turn phrase pairs into word links, each with its phrase pair's posterior.

    ``alike`` bool [C] says which link on the diagonal (``are_alike``), before all others.
    """
    order = np.argsort(~alike, kind="stable")
    cells, alike = cells[order], alike[order]
    height, width = cells[:, 1] - cells[:, 0], cells[:, 3] - cells[:, 2]
    # On the diagonal a word has one link, elsewhere one with each word of the other phrase.
    size = np.where(alike, height, height * width)
    row, column = np.divmod(numbers_within(size), np.repeat(np.where(alike, 1, width), size))
    column = np.where(np.repeat(alike, size), row, column)
    return WordLinks(
        np.repeat(cells[:, 0], size) + row,
        np.repeat(cells[:, 2], size) + column,
        np.repeat(posteriors[order], size),
    )


def link_posteriors(model: SemiHmm, encoded: Encoded) -> Links:
    """Compute the posterior of every word link of a batch that has any evidence, and of null."""
    batch = encoded.batch
    posteriors = model.posteriors(encoded, BASE_SCORE_THRESHOLD)
    null = posteriors.counts.null
    of_null = model.null_links(encoded, null)
    cells = np.concatenate([encoded.cells.cells, posteriors.base_cells, of_null.cells])
    of_cells = np.concatenate([posteriors.cells, posteriors.base_posteriors, of_null.posteriors])
    alike = are_alike(batch, cells)
    links = in_words(cells, of_cells, alike)
    words = len(batch.document)
    keys, index = np.unique(
        links.abstract.astype(np.int64) * words + links.document, return_inverse=True
    )
    probability = np.bincount(index, links.posterior, len(keys))
    height, width = cells[:, 1] - cells[:, 0], cells[:, 3] - cells[:, 2]
    longer = (np.maximum(height, width) > 1) & ~alike & (of_cells > BASE_SCORE_THRESHOLD)
    return Links(
        *np.divmod(keys, words),
        # Sums of rounded numbers may end a hair above one.
        np.minimum(probability, 1.0),
        cells[longer],
        np.bincount(ranges(cells[:, 2], width), np.repeat(of_cells, width), words),
        of_null.left_over(null),
    )
