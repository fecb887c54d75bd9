"""Says of each word and sentence of an abstract where it comes from, and whether it is supported.

All is made of a pair and its alignment (``support_of``): the support of words, the sources of
sentences, and conflicts. A sentence is as good as its worst word, and an abstract is supported if
all of its sentences are: its support is the product of theirs. A sentence that claims nothing has
none.
"""

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
from semihmm.applications.support.word_support import word_support

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
