"""Decoders: from the posteriors of a batch, or its best path, to phrase links.

A new decoder is a class with a line in ``DECODERS``. Most decoders use the posterior of every word
link.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.base.arrays import numbers_within, ranges, selected, sums_over, without_repeats
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.plugins.options import Options, option
from corpus_tools.plugins.registry import Plugin, Registry
from rewrite_models.concepts import is_function_word
from rewrite_models.ngrams import have_equal_keys
from semihmm.model.memory import largest_lattice, reserved
from semihmm.model.semi_hmm import Encoded, SemiHmm

PhraseSpan = tuple[int, int, int, int]
"""A phrase pair: a_start, a_end, d_start, d_end, offsets over the batch."""


BACKGROUND_THRESHOLD = 1e-3
"""The least posterior of a word link that only the background emission explains.

The background emission links every word with every word. Almost all of these links are below the
threshold, and no decoder would choose one of them.
"""


@dataclass(frozen=True)
class Decoder(Plugin, ABC):
    """A way to choose the phrase links of a batch.

    Subclasses are frozen dataclasses. ``settings`` are of the class ``Settings``.
    """

    settings: Any = field(default_factory=Options)

    @abstractmethod
    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
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
    others, other_posteriors = spans[~alike], posteriors[~alike]
    height, width = others[:, 1] - others[:, 0], others[:, 3] - others[:, 2]
    size = height * width
    row, column = np.divmod(numbers_within(size), np.repeat(width, size))
    links = (
        np.repeat(others[:, 0], size) + row,
        np.repeat(others[:, 2], size) + column,
        np.repeat(other_posteriors, size),
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


# Posterior decoding

FUNCTION_WORD_ODDS = 0.5
"""The factor of the odds of links with a function word.

The model trusts such links too much, above all if much of an abstract has no source. The factor was
chosen on the development corpora, together with the threshold.
"""

MOST_POSTERIOR = 1.0 - 1e-9
"""Posteriors are at most this before odds are computed: the odds of 1 would be infinite."""

GAIN_TIE = 1e-9
"""A phrase replaces an earlier choice only if its gain is larger by more than this.

A phrase of two words that are both linked to the same word has the same gain as the two words.
Rounding errors must not decide between them.
"""


@dataclass(frozen=True)
class PosteriorSettings(Options):
    """``threshold``: a link needs a higher posterior; chosen on the development data.

    The odds of links of function words are multiplied by ``FUNCTION_WORD_ODDS`` first.
    """

    threshold: float = option(
        0.35,
        "posterior decoding: links need a higher posterior than this",
        metavar="P",
        least=0.0,
        most=MOST_POSTERIOR,
        after_training=True,
    )


class _Candidates(NamedTuple):
    """The phrase pairs of a positive gain, C of them, sorted by where they end in the abstract.

    ``phrases``      int64 [C, 4].
    ``gain``         float64 [C], the sum over their word links of (share - threshold).
    ``probability``  float64 [C], the mean posterior of their word links.
    """

    phrases: np.ndarray
    gain: np.ndarray
    probability: np.ndarray


@dataclass(frozen=True)
class Posterior(Decoder):
    """Choose the phrases of greatest total gain: the sum over their word links of (p - threshold).

    A phrase may be a single word. The threshold .5 minimizes the expected error; a lower threshold
    has more recall. In the model any number of abstract phrases may rewrite one document word,
    while people link words one to one. So p is not the posterior of a link, but its share among the
    links that compete for a document word (``_shares``).
    """

    settings: PosteriorSettings = field(default_factory=PosteriorSettings)
    name = "posterior"
    Settings = PosteriorSettings

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
        """Return the chosen phrases; the probability of a phrase is the mean of its word links'."""
        links = link_posteriors(model, encoded)
        shares = _shares(links, _have_function_words(links, encoded.batch))
        candidates = _candidates(links, shares, self.settings.threshold)
        return _segment(candidates, len(encoded.batch.abstract))


def _have_function_words(links: LinkPosteriors, batch: Batch) -> np.ndarray:
    """Tell which links have a function word: bool [L]."""
    forms, code = batch.vocabulary.forms, batch.vocabulary.code
    words = np.append(batch.abstract, batch.document)
    numbers, place = np.unique(words, return_inverse=True)
    function = [is_function_word(forms[number], code) for number in numbers.tolist()]
    has = np.array(function, dtype=bool)[place]
    return has[links.abstract] | has[len(batch.abstract) + links.document]


def _shares(links: LinkPosteriors, function: np.ndarray) -> np.ndarray:
    """Return float64 [L], the posteriors of links that compete for one rewrite of a document word.

        odds_l  = p_l / (1 - p_l), times ``FUNCTION_WORD_ODDS`` for a function word
        share_l = odds_l / (odds_l + max(1, the sum of the odds of its rivals))

    The 1 stands for null. The rivals of a link are the other links of its document word.

    ``function``  bool [L], which links have a function word.
    """
    posterior = np.minimum(links.probability, MOST_POSTERIOR)
    odds = posterior / (1.0 - posterior) * np.where(function, FUNCTION_WORD_ODDS, 1.0)
    words = len(links.claims)
    # The words of one abstract phrase are no rivals of each other: together they claim a document
    # word once. claims / linked is the expected number of claims for each expected word link.
    linked = np.bincount(links.document, links.probability, words)
    claims = links.claims / np.where(linked > 0.0, linked, 1.0)
    rivals = (np.bincount(links.document, odds, words) * claims)[links.document] - odds
    return odds / (odds + np.maximum(1.0, rivals))


def _candidates(links: LinkPosteriors, shares: np.ndarray, threshold: float) -> _Candidates:
    """List the phrases whose mean share exceeds the threshold, longer ones and single words.

        gain(phrase) = (mean share of its word links - threshold) * number of its word links

    They are sorted by their abstract end. Among those with the same end the longest come first,
    then those further left in the document.

    ``shares``  float64 [L], of the links (``_shares``).
    """
    longer = without_repeats(links.phrases).astype(np.int64)
    a, d = longer[:, 0], longer[:, 2]
    heights, widths = longer[:, 1] - a, longer[:, 3] - d
    # The word links of each phrase: each abstract word with each document word. As one number, word
    # pair = abstract * width + document, they are found among the sorted links.
    rows = ranges(a, heights)
    repeated = np.repeat(widths, heights)
    width = len(links.claims)
    keys = links.abstract.astype(np.int64) * width + links.document
    words = np.repeat(rows, repeated) * width + ranges(np.repeat(d, heights), repeated)
    inside = np.searchsorted(keys, words)
    # The means over the word links of each phrase.
    sizes = heights * widths
    phrase = np.repeat(np.arange(len(longer)), sizes)
    posterior, share = (
        np.bincount(phrase, values[inside], len(longer)) / sizes
        for values in (links.probability, shares)
    )
    likely = np.flatnonzero(share > threshold)
    # Single words. Texts that repeat words have many links, but few above the threshold.
    above = np.flatnonzero(shares > threshold)
    a, d = links.abstract[above], links.document[above]
    phrases = np.concatenate([longer[likely], np.stack([a, a + 1, d, d + 1], axis=1)])
    gain = np.append((share[likely] - threshold) * sizes[likely], shares[above] - threshold)
    probability = np.append(posterior[likely], links.probability[above])
    # The sort is stable: the order within one abstract end stays.
    order = np.argsort(phrases[:, 1], kind="stable")
    return _Candidates(phrases[order], gain[order], probability[order])


def _segment(candidates: _Candidates, words: int) -> list[tuple[PhraseSpan, float]]:
    """Choose the phrases that do not overlap in the abstract and have the greatest total gain.

        best(t) = max(best(t - 1), max over phrases from s to t of best(s) + gain(phrase))

    ``words``  the number of abstract words.
    """
    phrases, gains, _ = candidates
    best = [0.0] * (words + 1)
    chosen = [-1] * (words + 1)
    last = 0
    rows = zip(phrases[:, 0].tolist(), phrases[:, 1].tolist(), gains.tolist(), strict=True)
    for number, (start, end, gain) in enumerate(rows):
        # Between two ends there is no phrase: the best total stays.
        best[last + 1 : end + 1] = [best[last]] * (end - last)
        last = end
        total = best[start] + gain
        if total > best[end] + GAIN_TIE:
            best[end] = total
            chosen[end] = number
    # Trace the choices back from the last word to the first.
    taken = []
    t = words
    while t > 0:
        number = chosen[t]
        if number < 0:
            t -= 1
        else:
            taken.append(number)
            t = int(phrases[number, 0])
    taken.reverse()
    return _with_probabilities(phrases[taken], candidates.probability[taken])


# Viterbi decoding


@dataclass(frozen=True)
class Viterbi(Decoder):
    """Choose the best path. Daumé III and Marcu (2005), section 3.5."""

    name = "viterbi"

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
        """Return the phrases of the best path, each with the posterior of exactly this phrase.

        A word of null may have a link too (``NullFactor.links``). It is kept if its probability,
        given that the word comes from null, exceeds one half.
        """
        from semihmm.inference.batch_kernels import best_paths

        with reserved(largest_lattice(encoded.batch)):
            lattices, jumps, _ = model.probabilities(encoded)
            paths = best_paths(lattices, jumps)
        fusions = encoded.fusions
        # The best fusion of each unit; the first one if only the last digits differ.
        order = np.lexsort((-np.round(paths.log_probabilities, 9), fusions.unit))
        best = order[np.unique(fusions.unit[order], return_index=True)[1]]
        rows, _ = selected(paths.starts, best)
        phrases = paths.phrases[rows]
        posteriors = _posteriors(model, encoded, phrases)
        of_null = _null_links(model, encoded, phrases)
        return sorted(_with_probabilities(phrases, posteriors) + of_null)


def _null_links(
    model: SemiHmm, encoded: Encoded, phrases: np.ndarray
) -> list[tuple[PhraseSpan, float]]:
    """Return the links of null words, which are in no phrase of the path, int [P, 4]."""
    # Given the path, p(null) is 1 for these words and 0 for all others.
    null = np.ones(len(encoded.batch.abstract))
    for a, a_end, _, _ in phrases.tolist():
        null[a:a_end] = 0.0
    links = model.null_links(encoded, null)
    # Above one half no other link of the same word, nor the lack of a link, is as probable.
    likely = links.posteriors > 0.5
    return _with_probabilities(links.spans[likely], links.posteriors[likely])


def _with_probabilities(
    phrases: np.ndarray, probabilities: np.ndarray
) -> list[tuple[PhraseSpan, float]]:
    """Return phrases, int32 [P, 4], as tuples with their probabilities, float64 [P]."""
    rows = [(a, a_end, d, d_end) for a, a_end, d, d_end in phrases.tolist()]
    return list(zip(rows, probabilities.tolist(), strict=True))


def _posteriors(model: SemiHmm, encoded: Encoded, phrases: np.ndarray) -> np.ndarray:
    """Return float64 [F], the posteriors of phrase pairs, summed over all fusions."""
    posteriors = model.posteriors(encoded, 0.0)
    spans = np.concatenate([encoded.candidates.spans, posteriors.background.spans])
    span_posteriors = np.concatenate([posteriors.candidates, posteriors.background.posteriors])
    # Equal phrase pairs get the same number, by which the posteriors are added up.
    together = np.concatenate([phrases, spans])
    _, index = np.unique(together, axis=0, return_inverse=True)
    index = index.ravel()
    sums = np.bincount(index[len(phrases) :], span_posteriors, int(index.max(initial=-1)) + 1)
    return sums[index[: len(phrases)]]


DECODERS: Registry[type[Decoder]] = Registry.of_classes(
    "decoder", Decoder, (Posterior, Viterbi), "semihmm.model.decoders"
)
"""The decoders by name."""
