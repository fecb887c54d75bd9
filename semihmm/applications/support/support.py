"""Says of an abstract where each word and sentence comes from, and how far it is supported."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TextIO

import numpy as np
from scipy.special import expit

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import NoWordNet
from corpus_tools.base.files import json_line
from corpus_tools.pairs.pair import Pair
from rewrite_models.wordnet_reader import WordNetReader, shared_wordnet
from semihmm.applications.support.calibration import Thresholds
from semihmm.applications.support.conflicts import Conflict, Findings, find_unsupported
from semihmm.applications.support.pair_features import NO_WORD, PairFeatures
from semihmm.applications.support.report import MIN_SUPPORT, SentenceSupport, Support, WordSupport
from semihmm.applications.support.sources import compared, source_shares, sources_of

INTERCEPT = -1.09
LEAST = 3.88
COPIED = 2.2
"""The weights of the support of a sentence (``text_features``).

They were fitted on summaries and sentences that people had judged, and on abstracts by people with
their own document and with another (``scripts/research/uses.py --fit``). The intercept is that of
sets of which two thirds are correct, as the judged ones are.
"""

BOUND = 0.2
"""The most support of what is in a conflict, and of unknown numbers and names.

About one in five is none for people.
"""
DOUBTFUL = 0.45
"""The most support of a sentence with an unknown number or name.

Of such summaries people call .1 to .5 correct.
"""


def support_of(pair: Pair, alignment: Alignment, wordnet: WordNetReader | None) -> Support:
    """Compute the support of an abstract by its document.

    ``alignment``  that of the pair, best with large extracts.
    ``wordnet``    tells names from other words with a capital letter.
    """
    spans = [*pairwise(pair.abstract.boundaries)]
    if not len(pair.abstract):
        texts = (SentenceSupport(_text(pair, span), None, (), ()) for span in spans)
        return Support(pair, None, tuple(texts), ())
    features = PairFeatures(pair, alignment)
    # Without words of a document nothing has support.
    highest = float(np.any(features.document.stems != NO_WORD))
    shares = source_shares(features)
    sources = [sources_of(features, *row) for row in enumerate(shares)]
    findings = find_unsupported(pair, features, compared(shares), wordnet)
    supported = word_support(features) * highest
    doubtful = bounded(supported, features, findings)
    sentences = []
    for number, ((start, end), own) in enumerate(zip(spans, sources, strict=True)):
        here = tuple(
            conflict for conflict in findings.conflicts if start <= conflict.abstract[0] < end
        )
        most = BOUND if here else DOUBTFUL if doubtful[number] else highest
        support = sentence_support(features, supported, number, most)
        if support is None:
            supported[slice(*features.abstract.spans[number])] = 1.0
            own = ()
        named = findings.named[number]
        text = _text(pair, (start, end))
        sentences.append(SentenceSupport(text, support, own, here, named=named))
    known = [sentence.support for sentence in sentences if sentence.support is not None]
    whole = float(np.prod(known)) if known else None
    of_tokens = np.ones(len(pair.abstract))
    np.minimum.at(of_tokens, features.abstract.tokens, supported)
    return Support(pair, whole, tuple(sentences), _words(pair, of_tokens, findings.conflicts))


# The support of words: the posterior of a word alone says little. Where the document lacks the word
# a link is a guess, and where it has the word it may have it elsewhere. So the words around it
# count too: whether they are together in the document. A logistic regression joins the features.


def bounded(supported: np.ndarray, features: PairFeatures, findings: Findings) -> np.ndarray:
    """Lower the support of conflicts, and of unknown numbers and names, to the bound.

    ``supported``  float64 [M], which is changed.

    Returns bool [A], which sentences have such subtokens.
    """
    doubtful = np.zeros(len(supported), dtype=bool)
    doubtful[findings.unknown] = True
    for conflict in findings.conflicts:
        doubtful[slice(*features.abstract.of_tokens(conflict.abstract))] = True
    supported[doubtful] = np.minimum(supported[doubtful], BOUND)
    sentences = np.zeros(len(features.abstract.spans), dtype=bool)
    sentences[features.abstract.sentence[doubtful]] = True
    return sentences


def sentence_support(
    features: PairFeatures, supported: np.ndarray, number: int, most: float
) -> float | None:
    """Return the support of a sentence of the abstract, at ``most``; ``None`` of one without words.

    Where no word is supported it is no greater than that of the best: no source was found.
    """
    of_text = text_features(features, supported, number)
    if of_text is None:
        return None
    best = float(supported[slice(*features.abstract.spans[number])].max())
    most = min(most, best) if best < MIN_SUPPORT else most
    return min(float(expit(INTERCEPT + of_text @ np.array([LEAST, COPIED]))), most)


def text_features(features: PairFeatures, supported: np.ndarray, number: int) -> np.ndarray | None:
    """Return float64 [2], the figures of a sentence; ``None`` of one without words.

    The least support of its words, and the square of the share of its trigrams that the document
    has. Few trigrams say nothing, for an abstract in its own words has few.

    ``supported``  float64 [M], the support of the subtokens of the abstract.
    """
    start, end = features.abstract.spans[number]
    words = features.abstract.stems[start:end] != NO_WORD
    if not words.any():
        return None
    return np.array([supported[start:end][words].min(), features.copied[number] ** 2])


def _text(pair: Pair, span: tuple[int, int]) -> str:
    return pair.abstract.passage(*span).text


def _words(
    pair: Pair, supports: np.ndarray, conflicts: Sequence[Conflict]
) -> tuple[WordSupport, ...]:
    kinds = {token: conflict.kind for conflict in conflicts for token in range(*conflict.abstract)}
    characters = pair.abstract.characters or [None] * len(supports)
    rows = zip(pair.abstract.tokens, characters, supports.tolist(), strict=True)
    return tuple(WordSupport(*row, kinds.get(token)) for token, row in enumerate(rows))


def write_support(
    matched: Iterable[tuple[Pair, Alignment]], stream: TextIO, thresholds: Thresholds | None = None
) -> None:
    """Write the support of abstracts as JSON lines, one object a pair (``Support.as_dict``).

    ``thresholds``  say the verdicts of sentences, if there are any.
    """
    supports = supports_of(matched)
    if thresholds is not None:
        supports = map(thresholds.judged, supports)
    stream.writelines(json_line(support.as_dict()) for support in supports)


def write_labels(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write training data for extractors as JSON lines (``Support.labels``)."""
    stream.writelines(json_line(support.labels()) for support in supports_of(matched))


def supports_of(matched: Iterable[tuple[Pair, Alignment]]) -> Iterator[Support]:
    """Give the support of abstracts, one after the other."""
    wordnet = installed_wordnet()
    for pair, alignment in matched:
        yield support_of(pair, alignment, wordnet)


def installed_wordnet() -> WordNetReader | None:
    """Open WordNet, if it is installed."""
    try:
        return shared_wordnet(None)
    except NoWordNet:
        return None


AROUND_SENTENCE = 4
"""Words on each side of which the best two sentences should hold many."""

LONG_RUN = 10
"""Copied runs of more words are as good as those of so many."""

WORD_WEIGHTS = {
    "copied": 0.98,
    "around": 2.04,
    "linked": 2.29,
    "run": 0.61,
    "repeated": -0.92,
    "place": -0.49,
}
"""The weights of the support of a word.

They were fitted on words of summaries that people marked as supported or not, and on abstracts with
their own document and with another (``scripts/research/uses.py --fit`` makes them).

``copied``    the share of the trigrams of its sentence that the document has.
``around``    the greatest share of the content words around it (``AROUND_SENTENCE``) that two
              successive sentences of the document have.
``linked``    the mean probability of the links of its sentence.
``run``       the logarithm of 1 + the length of the longest copied run through it.
``repeated``  whether it is a content word that the abstract has before.
``place``     where in its sentence it is, from 0 to 1.
"""

WORD_INTERCEPT = -2.06


def word_support(features: PairFeatures) -> np.ndarray:
    """Return float64 [M], the probability that each subtoken of the abstract is supported."""
    weights = np.array(list(WORD_WEIGHTS.values()))
    return expit(word_features(features) @ weights + WORD_INTERCEPT)


def word_features(features: PairFeatures) -> np.ndarray:
    """Return float64 [M, 6], the ``WORD_WEIGHTS`` of the subtokens of the abstract."""
    abstract = features.abstract
    of_sentences = [_in_sentence(features, number) for number in range(len(abstract.spans))]
    copied, around, linked, place = np.concatenate(of_sentences, axis=1)
    columns = [
        copied,
        around,
        linked,
        np.log1p(np.minimum(features.runs, LONG_RUN)),
        abstract.content & _repeated(abstract.forms),
        place,
    ]
    return np.stack(columns, axis=1).astype(float)


def _in_sentence(features: PairFeatures, number: int) -> np.ndarray:
    """Return float64 [4, m], the features that a sentence of m subtokens gives them."""
    start, end = features.abstract.spans[number]
    size = end - start
    content = features.abstract.content[start:end].astype(float)
    held = features.held(start, end)
    held[:, :-1] |= held[:, 1:]
    around, of_content = _near(held, content, AROUND_SENTENCE)
    linked = features.linked[start:end].sum() / max(size, 1)
    return np.stack(
        [
            np.full(size, features.copied[number]),
            around.max(axis=1, initial=0.0) / np.maximum(of_content, 1.0),
            np.full(size, linked),
            np.arange(size) / max(size, 1),
        ]
    )


def _near(held: np.ndarray, weights: np.ndarray, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """Sum the weights of the words near each word of a sentence, itself included.

    ``held``     bool [m, D], whether two document sentences, from each on, hold the m words.
    ``weights``  float64 [m], of the words.
    ``reach``    how many words on each side are near.

    Returns float64 [m, D], the weights that each two document sentences hold, and [m], all of them.
    """
    size = len(weights)
    first = np.maximum(np.arange(size) - reach, 0)
    after = np.minimum(np.arange(size) + reach + 1, size)
    columns = np.column_stack([held * weights[:, None], weights])
    sums = np.vstack([np.zeros(columns.shape[1]), columns.cumsum(axis=0)])
    near = sums[after] - sums[first]
    return near[:, :-1], near[:, -1]


def _repeated(forms: np.ndarray) -> np.ndarray:
    """Return for each word whether its form occurs before it."""
    repeated = np.ones(len(forms), dtype=bool)
    repeated[np.unique(forms, return_index=True)[1]] = False
    return repeated
