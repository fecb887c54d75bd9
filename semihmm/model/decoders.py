"""Decoders: from what a model says about a batch to phrase links.

A new one is a class, and a name in ``DECODERS``. Most decoders are made of the posterior of every
word link.
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
"""Word links that only the background emission explains count from this posterior on.

The background emission links every word with every word. Almost all of these links are below the
threshold, and none of those is one that a decoder would choose.
"""


@dataclass(frozen=True)
class Decoder(Plugin, ABC):
    """A way to turn what the model says about a batch into phrase links.

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


def are_alike(batch: Batch, spans: np.ndarray) -> np.ndarray:
    """Tell which phrase pairs link on the diagonal: bool [C].

    They are of the same length, and their words have the same stems, one by one.
    """
    stems = batch.vocabulary.stem_of
    return have_equal_keys(spans, stems[batch.abstract], stems[batch.document])


def in_words(spans: np.ndarray, posteriors: np.ndarray, alike: np.ndarray) -> WordLinks:
    """Turn phrase pairs into word links, each with its phrase pair's posterior.

    ``alike`` bool [C] says which link on the diagonal (``are_alike``). Their links come first, each
    once: identical texts have phrase pairs by the square of their words, and these have links by
    the cube.
    """
    others, of_others = spans[~alike], posteriors[~alike]
    height, width = others[:, 1] - others[:, 0], others[:, 3] - others[:, 2]
    size = height * width
    row, column = np.divmod(numbers_within(size), np.repeat(width, size))
    links = (
        np.repeat(others[:, 0], size) + row,
        np.repeat(others[:, 2], size) + column,
        np.repeat(of_others, size),
    )
    diagonal = _on_diagonals(spans[alike], posteriors[alike])
    return WordLinks(*map(np.concatenate, zip(diagonal, links, strict=True)))


def _on_diagonals(spans: np.ndarray, posteriors: np.ndarray) -> WordLinks:
    """Return the word links of phrase pairs that link on the diagonal, each once."""
    a, a_end, d, _ = spans.T.astype(np.int64)
    if not len(a):
        return WordLinks(a, d, posteriors)
    # A number for each place of each diagonal, in order.
    base, room = (d - a).min(), a_end.max() + 1
    first = (d - a - base) * room + a
    begins, ends = _blocks(first, a_end - a)
    before = np.append(0, np.cumsum(ends - begins))
    block = np.searchsorted(begins, first, side="right") - 1
    first += (before[:-1] - begins)[block]
    sums = sums_over(first, a_end - a, posteriors, int(before[-1]))
    diagonal, abstract = np.divmod(ranges(begins, ends - begins), room)
    return WordLinks(abstract, abstract + diagonal + base, sums)


def _blocks(first: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the blocks of ranges that touch or overlap begin and end, int64, in order."""
    order = np.argsort(first, kind="stable")
    in_order = first[order]
    end = np.maximum.accumulate(in_order + sizes[order])
    opens = np.append(0, 1 + np.flatnonzero(in_order[1:] > end[:-1]))
    return in_order[opens], end[np.append(opens[1:] - 1, -1)]


class PhrasePosteriors(NamedTuple):
    """The phrase pairs of a batch that have any features.

    ``spans``      int32 [C, 4].
    ``posterior``  float64 [C].
    ``alike``      bool [C], which link on the diagonal (``are_alike``).
    ``null``       float64 [M], p(the abstract word comes from null by itself).
    """

    spans: np.ndarray
    posterior: np.ndarray
    alike: np.ndarray
    null: np.ndarray

    def in_shares(self) -> WordLinks:
        """Return word links, of which a phrase pair shares out its posterior.

        With ``null``, those of an abstract word add up to 1, but for what the threshold left out.
        """
        width = np.where(self.alike, 1, self.spans[:, 3] - self.spans[:, 2])
        return in_words(self.spans, self.posterior / width, self.alike)


def phrase_posteriors(model: SemiHmm, encoded: Encoded) -> PhrasePosteriors:
    """Compute the posteriors of the phrase pairs of a batch, and of null."""
    posteriors = model.posteriors(encoded, BACKGROUND_THRESHOLD)
    null = posteriors.counts.null
    of_null = model.emission.null_links(encoded.null, null)
    spans = np.concatenate([encoded.candidates.spans, posteriors.background.spans, of_null.spans])
    of_spans = np.concatenate(
        [posteriors.candidates, posteriors.background.posteriors, of_null.posteriors]
    )
    alike = are_alike(encoded.batch, spans)
    return PhrasePosteriors(spans, of_spans, alike, of_null.left_over(null))


def link_posteriors(model: SemiHmm, encoded: Encoded) -> LinkPosteriors:
    """Compute the posterior of every word link of a batch that has any features, and of null."""
    return links_of(phrase_posteriors(model, encoded), len(encoded.batch.document))


def links_of(phrases: PhrasePosteriors, words: int) -> LinkPosteriors:
    """Return the word links of phrase pairs, with their posteriors.

    ``words``  how many the documents of the batch have.
    """
    spans, of_spans, alike, null = phrases
    links = in_words(spans, of_spans, alike)
    keys, index = np.unique(
        links.abstract.astype(np.int64) * words + links.document, return_inverse=True
    )
    probability = np.bincount(index, links.posterior, len(keys))
    height, width = spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2]
    longer = (np.maximum(height, width) > 1) & ~alike & (of_spans > BACKGROUND_THRESHOLD)
    return LinkPosteriors(
        *np.divmod(keys, words),
        # Sums of rounded numbers may end a hair above one.
        np.minimum(probability, 1.0),
        spans[longer],
        sums_over(spans[:, 2].astype(np.int64), width, of_spans, words),
        null,
    )


# Posterior decoding

FUNCTION_WORD_ODDS = 0.5
"""The part of its odds that a link with a function word competes with.

The model trusts such links too much, most of all where much of an
abstract has no source. Chosen on the development corpora, together with the threshold.
"""

MOST_POSTERIOR = 1.0 - 1e-9
"""The greatest posterior whose odds are told apart from those of others."""

GAIN_TIE = 1e-9
"""A phrase is chosen over others that come before it if its gain is larger by more than this.

A phrase of two words has the very gain of both, where both are linked with the same word: the last
digit of a sum must not decide.
"""


@dataclass(frozen=True)
class PosteriorSettings(Options):
    """``threshold``: what a link's posterior must exceed; chosen on the development data.

    Links of function words compete with a part of their odds (``FUNCTION_WORD_ODDS``).
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
    """The phrase pairs worth choosing, C of them, sorted by where they end in the abstract.

    ``phrases``      int64 [C, 4].
    ``gain``         float64 [C], how far the mean share of their word links exceeds the threshold,
                     times the number of these links.
    ``probability``  float64 [C], the mean posterior of their word links.
    """

    phrases: np.ndarray
    gain: np.ndarray
    probability: np.ndarray


@dataclass(frozen=True)
class Posterior(Decoder):
    """Choose the phrases of greatest expected gain: how far their posteriors exceed a threshold.

    A phrase may be a single word. With a threshold of one half these are the links of least
    expected error; a lower one gives more recall. The model lets any number of abstract phrases
    claim a document word while its neighbours stay free, but people link one to one. So the links
    of a document word compete for one rewrite, by their odds.
    """

    settings: PosteriorSettings = field(default_factory=PosteriorSettings)
    name = "posterior"
    Settings = PosteriorSettings

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
        """Return the chosen phrases; the probability of a phrase is the mean of its word links'."""
        links = link_posteriors(model, encoded)
        shares = _shares(links, _with_function_words(links, encoded.batch))
        candidates = _candidates(links, shares, self.settings.threshold)
        return _segment(candidates, len(encoded.batch.abstract))


def _with_function_words(links: LinkPosteriors, batch: Batch) -> np.ndarray:
    """Tell which links have a function word: bool [L]."""
    forms, code = batch.vocabulary.forms, batch.vocabulary.code
    words = np.append(batch.abstract, batch.document)
    numbers, place = np.unique(words, return_inverse=True)
    function = [is_function_word(forms[number], code) for number in numbers.tolist()]
    has = np.array(function, dtype=bool)[place]
    return has[links.abstract] | has[len(batch.abstract) + links.document]


def _shares(links: LinkPosteriors, function: np.ndarray) -> np.ndarray:
    """Return float64 [L], the posteriors of links that compete for one rewrite of a document word.

    The odds of a link are those against null or against its rivals, whichever are stronger.

    ``function``  bool [L], which links have a function word.
    """
    posterior = np.minimum(links.probability, MOST_POSTERIOR)
    odds = posterior / (1.0 - posterior) * np.where(function, FUNCTION_WORD_ODDS, 1.0)
    words = len(links.claims)
    # The words of an abstract phrase are no rivals: together they claim a document word once.
    linked = np.bincount(links.document, links.probability, words)
    claims = links.claims / np.where(linked > 0.0, linked, 1.0)
    rivals = (np.bincount(links.document, odds, words) * claims)[links.document] - odds
    return odds / (odds + np.maximum(1.0, rivals))


def _candidates(links: LinkPosteriors, shares: np.ndarray, threshold: float) -> _Candidates:
    """List the phrases whose share exceeds the threshold (``_shares``).

    Those of one abstract end come longest first, and from the left of the document.
    """
    longer = without_repeats(links.phrases).astype(np.int64)
    a, d = longer[:, 0], longer[:, 2]
    heights, widths = longer[:, 1] - a, longer[:, 3] - d
    rows = ranges(a, heights)
    repeated = np.repeat(widths, heights)
    width = len(links.claims)
    keys = links.abstract.astype(np.int64) * width + links.document
    words = np.repeat(rows, repeated) * width + ranges(np.repeat(d, heights), repeated)
    inside = np.searchsorted(keys, words)
    sizes = heights * widths
    phrase = np.repeat(np.arange(len(longer)), sizes)
    means = [np.bincount(phrase, own[inside], len(longer)) / sizes for own in (links[2], shares)]
    likely = np.flatnonzero(means[1] > threshold)
    # Few links exceed it, of the many that words make which both sides repeat.
    above = np.flatnonzero(shares > threshold)
    a, d = links.abstract[above], links.document[above]
    phrases = np.concatenate([longer[likely], np.stack([a, a + 1, d, d + 1], axis=1)])
    gain = np.append((means[1][likely] - threshold) * sizes[likely], shares[above] - threshold)
    probability = np.append(means[0][likely], links.probability[above])
    order = np.argsort(phrases[:, 1], kind="stable")
    return _Candidates(phrases[order], gain[order], probability[order])


def _segment(candidates: _Candidates, words: int) -> list[tuple[PhraseSpan, float]]:
    """Choose the phrases that do not overlap in the abstract and have the greatest total gain."""
    phrases, gains, _ = candidates
    best = [0.0] * (words + 1)
    chosen = [-1] * (words + 1)
    last = 0
    rows = zip(phrases[:, 0].tolist(), phrases[:, 1].tolist(), gains.tolist(), strict=True)
    for number, (start, end, gain) in enumerate(rows):
        best[last + 1 : end + 1] = [best[last]] * (end - last)
        last = end
        total = best[start] + gain
        if total > best[end] + GAIN_TIE:
            best[end] = total
            chosen[end] = number
    # Back from the last word to the first.
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

        A word that the path takes from null is linked if null rather links it than not, with the
        probability of this, given that it comes from null.
        """
        from semihmm.inference.batch_kernels import best_paths

        with reserved(largest_lattice(encoded.batch)):
            lattices, jumps, _ = model.probabilities(encoded)
            paths = best_paths(lattices, jumps)
        fusions = encoded.fusions
        # Of fusions that differ in the last digits alone, the first.
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
    """Return the links of null among the words that no phrase of the path holds, int [P, 4]."""
    null = np.ones(len(encoded.batch.abstract))
    for a, a_end, _, _ in phrases.tolist():
        null[a:a_end] = 0.0
    links = model.emission.null_links(encoded.null, null)
    # No other link of the same word can be as probable.
    likely = links.posteriors > 0.5
    return _with_probabilities(links.spans[likely], links.posteriors[likely])


def _with_probabilities(
    phrases: np.ndarray, probabilities: np.ndarray
) -> list[tuple[PhraseSpan, float]]:
    """Return phrases, int32 [P, 4], as tuples with their probabilities, float64 [P]."""
    rows = [(a, a_end, d, d_end) for a, a_end, d, d_end in phrases.tolist()]
    return list(zip(rows, probabilities.tolist(), strict=True))


def _posteriors(model: SemiHmm, encoded: Encoded, phrases: np.ndarray) -> np.ndarray:
    """Return float64 [F], the posteriors of phrase pairs, which other fusions may have too."""
    posteriors = model.posteriors(encoded, 0.0)
    spans = np.concatenate([encoded.candidates.spans, posteriors.background.spans])
    of_spans = np.concatenate([posteriors.candidates, posteriors.background.posteriors])
    together = np.concatenate([phrases, spans])
    _, index = np.unique(together, axis=0, return_inverse=True)
    index = index.ravel()
    sums = np.bincount(index[len(phrases) :], of_spans, int(index.max(initial=-1)) + 1)
    return sums[index[: len(phrases)]]


DECODERS: Registry[type[Decoder]] = Registry.of_classes(
    "decoder", Decoder, (Posterior, Viterbi), "semihmm.model.decoders"
)
"""The decoders by name."""
