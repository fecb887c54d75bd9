"""The posteriors of the phrase pairs and the word links of a batch, and of null."""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.arrays import numbers_within, ranges, sums_over
from corpus_tools.model_parts.encoding import Batch
from rewrite_models.ngrams import have_equal_keys
from semihmm.model.semi_hmm import Encoded, SemiHmm

BACKGROUND_THRESHOLD = 1e-3
"""The least posterior of a word link that only the background emission explains.

The background emission links every word with every word. Almost all of these links are below the
threshold, and no decoder would choose one of them.
"""


class WordLinks(NamedTuple):
    """Word links with their posteriors, float64 [L].

    ``abstract`` and ``document`` are offsets over the batch, int [L].
    """

    abstract: np.ndarray
    document: np.ndarray
    posterior: np.ndarray


class LinkPosteriors(NamedTuple):
    """Posteriors over a batch.

    ``abstract``     int64 [L], the abstract word of each link, its offset over the batch.
    ``document``     int64 [L], the document word likewise. Links are sorted by abstract word, then
                     by document word.
    ``probability``  float64 [L], p(the two words are linked).
    ``phrases``      int32 [F, 4], the phrase pairs of several words, except those ``are_alike``.
    ``claims``       float64 [N], the expected number of abstract phrases that are rewrites of each
                     document word.
    ``null``         float64 [M], p(the abstract word comes from null without a link).
    """

    abstract: np.ndarray
    document: np.ndarray
    probability: np.ndarray
    phrases: np.ndarray
    claims: np.ndarray
    null: np.ndarray


def are_alike(batch: Batch, spans: np.ndarray) -> np.ndarray:
    """Tell which phrase pairs have the same stems in the same order: bool [C].

    They link on the diagonal: the first word with the first, the second with the second.
    """
    stems = batch.vocabulary.stem_of
    return have_equal_keys(spans, stems[batch.abstract], stems[batch.document])


def in_words(spans: np.ndarray, posteriors: np.ndarray, alike: np.ndarray) -> WordLinks:
    """Turn phrase pairs into word links, each with its phrase pair's posterior.

    ``alike``  bool [C], which link on the diagonal (``are_alike``). Their word links come first. A
               word link of several such pairs is listed once, with the sum of their posteriors:
               otherwise identical texts of n words would have n^3 links.
    """
    # All other pairs link each abstract word with each document word of the phrases.
    boxes, box_posteriors = spans[~alike], posteriors[~alike]
    height, width = boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 2]
    size = height * width
    row, column = np.divmod(numbers_within(size), np.repeat(width, size))
    links = (
        np.repeat(boxes[:, 0], size) + row,
        np.repeat(boxes[:, 2], size) + column,
        np.repeat(box_posteriors, size),
    )
    diagonal = _on_diagonals(spans[alike], posteriors[alike])
    return WordLinks(*map(np.concatenate, zip(diagonal, links, strict=True)))


def _on_diagonals(spans: np.ndarray, posteriors: np.ndarray) -> WordLinks:
    """Return the word links of phrase pairs that link on the diagonal, each once."""
    a, a_end, d, _ = spans.T.astype(np.int64)
    if not len(a):
        return WordLinks(a, d, posteriors)
    # The number of a word pair is (diagonal d - a) * stride + abstract word. So a phrase pair is a
    # range of numbers, and the posterior of a word pair is the sum of the posteriors of all ranges
    # over it.
    lowest, stride = (d - a).min(), a_end.max() + 1
    first = (d - a - lowest) * stride + a
    # Most numbers are in no range: move the blocks of ranges together.
    begins, ends = _blocks(first, a_end - a)
    before = np.append(0, np.cumsum(ends - begins))
    block = np.searchsorted(begins, first, side="right") - 1
    first += (before[:-1] - begins)[block]
    sums = sums_over(first, a_end - a, posteriors, int(before[-1]))
    # Convert the numbers to diagonals and words.
    diagonal, abstract = np.divmod(ranges(begins, ends - begins), stride)
    return WordLinks(abstract, abstract + diagonal + lowest, sums)


def _blocks(first: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Join ranges that touch or overlap; return the begins and ends of the blocks, int64."""
    order = np.argsort(first, kind="stable")
    in_order = first[order]
    # A block opens where a range begins after the end of all ranges before it.
    end = np.maximum.accumulate(in_order + sizes[order])
    opens = np.append(0, 1 + np.flatnonzero(in_order[1:] > end[:-1]))
    return in_order[opens], end[np.append(opens[1:] - 1, -1)]


class PhrasePosteriors(NamedTuple):
    """The phrase pairs of a batch with their posteriors, and null.

    ``spans``      int32 [C, 4], the candidates, the links of the background emission from
                   ``BACKGROUND_THRESHOLD`` on, and the links of null words.
    ``posterior``  float64 [C], the posterior of each.
    ``alike``      bool [C], which link on the diagonal (``are_alike``).
    ``null``       float64 [M], p(the abstract word comes from null without a link).
    """

    spans: np.ndarray
    posterior: np.ndarray
    alike: np.ndarray
    null: np.ndarray

    def in_shares(self) -> WordLinks:
        """Return word links: a phrase pair divides its posterior among those of an abstract word.

        The posteriors of an abstract word's links and its ``null`` add up to 1, except for links
        below the threshold.
        """
        width = np.where(self.alike, 1, self.spans[:, 3] - self.spans[:, 2])
        return in_words(self.spans, self.posterior / width, self.alike)


def phrase_posteriors(model: SemiHmm, encoded: Encoded) -> PhrasePosteriors:
    """Compute the posteriors of the phrase pairs of a batch, and of null."""
    posteriors = model.posteriors(encoded, BACKGROUND_THRESHOLD)
    null = posteriors.counts.null
    # Null words may be linked too (``NullFactor.links``).
    of_null = model.null_links(encoded, null)
    spans = np.concatenate([encoded.candidates.spans, posteriors.background.spans, of_null.spans])
    span_posteriors = np.concatenate(
        [posteriors.candidates, posteriors.background.posteriors, of_null.posteriors]
    )
    alike = are_alike(encoded.batch, spans)
    return PhrasePosteriors(spans, span_posteriors, alike, of_null.left_over(null))


def link_posteriors(model: SemiHmm, encoded: Encoded) -> LinkPosteriors:
    """Compute the posteriors of the word links of a batch, and of null."""
    return links_of(phrase_posteriors(model, encoded), len(encoded.batch.document))


def links_of(phrases: PhrasePosteriors, words: int) -> LinkPosteriors:
    """Return the word links of phrase pairs, with their posteriors.

    ``words``  the number of words of the documents of the batch.
    """
    spans, span_posteriors, alike, null = phrases
    links = in_words(spans, span_posteriors, alike)
    # p(a and d are linked) = the sum of the posteriors of all phrase pairs that link them.
    keys, index = np.unique(
        links.abstract.astype(np.int64) * words + links.document, return_inverse=True
    )
    probability = np.bincount(index, links.posterior, len(keys))
    height, width = spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2]
    longer = (np.maximum(height, width) > 1) & ~alike & (span_posteriors > BACKGROUND_THRESHOLD)
    return LinkPosteriors(
        *np.divmod(keys, words),
        # Rounding errors may make the sum greater than 1.
        np.minimum(probability, 1.0),
        spans[longer],
        sums_over(spans[:, 2].astype(np.int64), width, span_posteriors, words),
        null,
    )
