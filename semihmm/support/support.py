"""Says of each word and sentence of an abstract where it comes from, and whether it is supported.

All is made of a pair and its alignment (``support_of``): the support of words, the sources of
sentences, and conflicts. An abstract is supported if all of its words are, so what counts is how
many are expected not to be.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TextIO

import numpy as np
from scipy.special import expit, logit

from corpus_tools.alignments.alignment import Alignment, phrase_word_links
from corpus_tools.errors import NoWordNet
from corpus_tools.pairs.pair import Pair, can_be_aligned
from rewrite_models.wordnet_reader import WordNetReader, shared_wordnet
from semihmm.support.conflicts import Conflict, Link, find_conflicts
from semihmm.support.evidence import Evidence
from semihmm.support.report import SentenceSupport, Source, Support, WordSupport
from semihmm.support.sources import source_shares
from semihmm.support.words import word_support

LEAST_SHARE = 0.01
"""Less likely sources are left out: two thirds of all, for .002 of average precision."""

INTERCEPT = 2.01
MEAN = 0.57
NOVEL = -0.9
"""The weights of the support of a text: of the logit of its words' mean, and of novel words.

Of these, content words that are in no copied run of two words or more, counts the root of the
number. Fitted on summaries in which people had marked errors (``scripts/uses.py --fit``).
"""

SHORTEST_RUN = 2
"""A word alone may stand anywhere in the document: so many in a row are copied."""

BOUND = 0.2
"""The most support of what is in a conflict: about one in five is none for people."""


def support_of(pair: Pair, alignment: Alignment, wordnet: WordNetReader | None) -> Support:
    """Compute the support of an abstract by its document.

    ``alignment``  that of the pair, best of its whole document.
    ``wordnet``    what conflicts are found with; without it those of numbers alone are found.
    """
    spans = list(pairwise(pair.abstract.boundaries))
    if not can_be_aligned(pair):
        # Without a document nothing has support; without words there is nothing to support.
        support = 0.0 if len(pair.abstract) else 1.0
        texts = (SentenceSupport(_text(pair, span), support, (), ()) for span in spans)
        return Support(pair, support, tuple(texts), _words(pair, np.zeros(len(pair.abstract)), ()))
    evidence = Evidence(pair, alignment)
    rows = enumerate(source_shares(evidence))
    sources = [_sources(evidence, number, shares) for number, shares in rows]
    conflicts = find_conflicts(
        pair.document,
        pair.abstract,
        [[(source.sentence, source.share) for source in own] for own in sources],
        _likeliest_links(pair, alignment),
        wordnet,
    )
    supported = word_support(evidence)
    for conflict in conflicts:
        words = supported[slice(*conflict.abstract)]
        np.minimum(words, BOUND, out=words)
    novel = evidence.abstract.content & (evidence.runs < SHORTEST_RUN)
    sentences = []
    for (start, end), own in zip(spans, sources, strict=True):
        here = tuple(one for one in conflicts if start <= one.abstract[0] < end)
        support = _of_text(supported[start:end], novel[start:end], here)
        sentences.append(SentenceSupport(_text(pair, (start, end)), support, own, here))
    whole = _of_text(supported, novel, conflicts)
    return Support(pair, whole, tuple(sentences), _words(pair, supported, conflicts))


def text_features(supported: np.ndarray, novel: np.ndarray) -> np.ndarray:
    """Return float64 [2]: the logit of the words' mean support, and the root of the novel words.

    ``supported``  float64 [n], the support of the words of a text.
    ``novel``      bool [n], those that are content words in no copied run.
    """
    mean = supported.mean() if len(supported) else 0.5
    return np.array([logit(mean), np.sqrt(novel.sum())])


def _of_text(supported: np.ndarray, novel: np.ndarray, conflicts: Sequence[Conflict]) -> float:
    """Return the support of a text by that of its words. A conflict bounds it."""
    weights = np.array([MEAN, NOVEL])
    support = float(expit(INTERCEPT + text_features(supported, novel) @ weights))
    return min(support, BOUND) if conflicts else support


def _text(pair: Pair, span: tuple[int, int]) -> str:
    return pair.abstract.passage(*span).text


def _words(
    pair: Pair, supports: np.ndarray, conflicts: Sequence[Conflict]
) -> tuple[WordSupport, ...]:
    kinds = {token: one.kind for one in conflicts for token in range(*one.abstract)}
    characters = pair.abstract.characters or [None] * len(supports)
    rows = zip(pair.abstract.tokens, characters, supports.tolist(), strict=True)
    return tuple(WordSupport(*row, kinds.get(token)) for token, row in enumerate(rows))


def _sources(evidence: Evidence, sentence: int, shares: np.ndarray) -> tuple[Source, ...]:
    """Return the likely sources of an abstract sentence, the likeliest first."""
    order = np.argsort(-shares, kind="stable")
    return tuple(
        Source(number, float(shares[number]), _common_spans(evidence, sentence, number))
        for number in order.tolist()
        if shares[number] >= LEAST_SHARE
    )


def _common_spans(evidence: Evidence, sentence: int, source: int) -> tuple[tuple[int, int], ...]:
    """Return what a document sentence has in common with an abstract sentence.

    These are words that are linked to it, or content words with the stem of one of its. Function
    words between two of them belong to a span.
    """
    abstract, document = evidence.abstract, evidence.document
    first, last = abstract.spans[sentence]
    start, end = document.spans[source]
    common = np.isin(document.stems[start:end], abstract.stems[first:last])
    common &= document.content[start:end]
    for link in evidence.phrases:
        if first <= link.abstract[0] < last and start <= link.document[0] < end:
            common[link.document[0] - start : link.document[1] - start] = True
    spans: list[tuple[int, int]] = []
    for token in (np.flatnonzero(common) + start).tolist():
        if spans and not document.content[spans[-1][1] : token].any():
            spans[-1] = (spans[-1][0], token + 1)
        else:
            spans.append((token, token + 1))
    return tuple(spans)


def _likeliest_links(pair: Pair, alignment: Alignment) -> list[Link]:
    """Return the most probable word link of each abstract word."""
    links = [Link(None, 0.0)] * len(pair.abstract)
    for phrase in alignment.phrases:
        words = phrase_word_links(phrase, pair.document.tokens, pair.abstract.tokens)
        for document, abstract in words:
            if phrase.probability > links[abstract].probability:
                links[abstract] = Link(document, phrase.probability)
    return links


def write_support(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write the support of abstracts as JSON lines, one object a pair (``Support.as_dict``)."""
    _write_rows((one.as_dict() for one in _supports(matched)), stream)


def write_labels(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write training data for extractors as JSON lines (``Support.labels``)."""
    _write_rows((one.labels() for one in _supports(matched)), stream)


def _supports(matched: Iterable[tuple[Pair, Alignment]]) -> Iterator[Support]:
    wordnet = installed_wordnet()
    for pair, alignment in matched:
        yield support_of(pair, alignment, wordnet)


def _write_rows(rows: Iterable[dict[str, Any]], stream: TextIO) -> None:
    stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def installed_wordnet() -> WordNetReader | None:
    """Open WordNet, if it is installed."""
    try:
        return shared_wordnet(None)
    except NoWordNet:
        return None
