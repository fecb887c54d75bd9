"""What people judged of abstracts, and simpler ways to see what an abstract has of its document."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.pairs.pair import Pair
from semihmm.applications.support.conflicts import Findings
from semihmm.applications.support.pair_features import NO_WORD, PairFeatures

CORRECT = {"correct", ""}
"""The types of errors of a summary without any."""

_FUNCTION_WORDS = """
    a an the and or but if of to in on at by for with from as is are was were be been being has have
    had do does did will would can could may might shall should must not no nor so than that this
    these those it its he she they him his their i you we my your our who whom which what when
    where why how there here also very s t"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Links of these alone make no source."""

SIDES = ("abstract", "document")


class Scored(NamedTuple):
    """A pair as people judged it, with its numbers."""

    row: dict[str, Any]
    pair: Pair
    features: PairFeatures
    findings: Findings


# Judgements


def source_judgements(pair: dict[str, Any]) -> np.ndarray:
    """Return bool [A, D], the pairs of sentences that have a proposition in common."""
    right = np.zeros((len(pair["abstract"]), len(pair["document"])), dtype=bool)
    for link in pair.get("sentence_links", ()):
        right[np.ix_(link["abstract"], link["document"])] = True
    if "links" not in pair:
        return right
    tokens = {side: [token for one in pair[side] for token in one] for side in SIDES}
    sentence = {side: [n for n, one in enumerate(pair[side]) for _ in one] for side in SIDES}
    for link in pair["links"]:
        abstract, document = (
            {sentence[side][token] for token in link[side] if is_content(tokens[side][token])}
            for side in SIDES
        )
        right[np.ix_(sorted(abstract), sorted(document))] = True
    return right


def is_content(token: str) -> bool:
    return any(map(str.isalnum, token)) and token.lower() not in FUNCTION_WORDS


class JudgedWords(NamedTuple):
    """Words of an abstract that people judged.

    ``places``  int64 [tokens], the word that each token is a part of; -1 for none.
    ``right``   bool [n], whether each word is supported.
    """

    places: np.ndarray
    right: np.ndarray

    def least(self, tokens: np.ndarray, of_tokens: np.ndarray) -> np.ndarray:
        """Return float64 [n], the least score of the subtokens of each word.

        ``tokens``  int64 [M], the token of each subtoken, ``of_tokens`` float64 [M], its score.
        """
        least = np.full(len(self.right), np.inf)
        places = self.places[tokens]
        np.minimum.at(least, places[places >= 0], of_tokens[places >= 0])
        return least


def judged_words(case: Scored) -> JudgedWords:
    """Return what people said of words: at white space (XSum), or of spans of characters."""
    row, text = case.row, case.pair.abstract
    characters = text.characters or ()
    said = np.array([any(map(str.isalnum, token)) for token in text.tokens])
    if "hallucinated" in row:
        ends = np.cumsum([len(word) + 1 for word in row["words"]])
        places = np.searchsorted(ends, [one.start for one in characters], side="right")
        # Marks count only where they are words by themselves.
        alone = ~np.isin(places, places[said])
        right = np.array(row["hallucinated"]) == 0
        return JudgedWords(np.where(said | alone, places, -1), right)
    spans = marked_spans(row)
    wrong = [any(one.start < end and one.end > start for start, end in spans) for one in characters]
    known = spans or row["types"] in CORRECT
    places = np.where(said & bool(known), np.cumsum(said) - 1, -1)
    return JudgedWords(places, ~np.array(wrong)[said & bool(known)])


def marked_spans(row: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the characters that people marked; CLIFF has the marked strings."""
    if isinstance(row["spans"], list):
        return [(start, end) for start, end in row["spans"]]
    strings = ast.literal_eval(row["spans"] or "[]")
    starts = [(row["abstract"].find(one), one) for one in strings if one]
    return [(start, start + len(one)) for start, one in starts if start >= 0]


class JudgedText(NamedTuple):
    """A text that people called right or wrong, and the sentences of the abstract that it has."""

    case: Scored
    sentences: Sequence[int]
    right: bool


def judged_sentences(row: dict[str, Any]) -> Iterator[tuple[int, bool]]:
    """Give the number of each sentence that people judged, and whether most call it right."""
    for number, votes in enumerate(row["votes"]):
        if votes:
            yield number, 2 * sum(votes) > len(votes)


def judged_texts(case: Scored) -> Iterator[JudgedText]:
    """Give the sentences that people judged, or the whole abstract, without what claims nothing."""
    abstract = case.features.abstract
    claims = {*abstract.sentence[abstract.stems != NO_WORD].tolist()}
    if "votes" in case.row:
        for number, right in judged_sentences(case.row):
            if number in claims:
                yield JudgedText(case, [number], right)
    else:
        yield JudgedText(case, sorted(claims), case.row["types"] in CORRECT)


# Other ways to see what an abstract has of its document


def run_share(features: PairFeatures) -> np.ndarray:
    """Return float64 [A, D], the share of each abstract sentence that is in greedy runs there.

    The longest run that both have in common is taken first, then the next of what is left.
    """
    abstract, document = features.abstract, features.document
    share = np.zeros((len(abstract.spans), len(document.spans)))
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(document.forms.tolist())
    for sentence, (start, end) in enumerate(abstract.spans):
        left = abstract.forms[start:end].copy()
        while True:
            matcher.set_seq1(left.tolist())
            word, place, length = matcher.find_longest_match()
            if not length:
                break
            # No word of the document has this number.
            left[word : word + length] = -1
            share[sentence, document.sentence[place]] += length / (end - start)
    return share


def bags(stems: np.ndarray) -> list[Counter[Any]]:
    """Return the unigrams and the bigrams of some words."""
    words = stems.tolist()
    return [Counter(words), Counter(pairwise(words))]


def rouge(reference: list[Counter[Any]], chosen: list[Counter[Any]]) -> float:
    """Return ROUGE-1 + ROUGE-2, F1, of bags of n-grams."""
    both = zip(reference, chosen, strict=True)
    return sum(2 * (r & c).total() / max(1, r.total() + c.total()) for r, c in both)


def rouge_of_sentences(features: PairFeatures) -> np.ndarray:
    """Return float64 [A, D], ROUGE-1 + ROUGE-2 of each two sentences."""
    abstract, document = (
        [bags(side.stems[slice(*span)]) for span in side.spans]
        for side in (features.abstract, features.document)
    )
    return np.array([[rouge(own, other) for other in document] for own in abstract])


def oracle(features: PairFeatures) -> np.ndarray:
    """Return bool [D], the sentences that greedily raise ROUGE-1 + ROUGE-2 of the abstract.

    It is what extractors are usually trained on (Nallapati, Zhai and Zhou 2017).
    """
    reference = bags(features.abstract.stems)
    sentences = [bags(features.document.stems[slice(*span)]) for span in features.document.spans]
    chosen = bags(np.zeros(0))
    taken = np.zeros(len(sentences), dtype=bool)
    best = 0.0
    while True:
        with_each = [[a + b for a, b in zip(chosen, one, strict=True)] for one in sentences]
        scores = np.array([rouge(reference, one) for one in with_each]) * ~taken
        if scores.max() <= best:
            return taken
        best = float(scores.max())
        taken[scores.argmax()] = True
        chosen = with_each[int(scores.argmax())]


def precision(text: JudgedText, size: int) -> float:
    """Return the share of the n-grams of a text's words that the document has."""
    features = text.case.features
    document = features.document.forms[features.document.stems != NO_WORD]
    known = {*ngrams(document, size)}
    found: list[bool] = []
    for number in text.sentences:
        place = slice(*features.abstract.spans[number])
        own = features.abstract.forms[place][features.abstract.stems[place] != NO_WORD]
        found += [one in known for one in ngrams(own, size)]
    return sum(found) / max(len(found), 1)


def ngrams(words: np.ndarray, size: int) -> list[tuple[int, ...]]:
    listed = words.tolist()
    return [*zip(*(listed[start:] for start in range(size)), strict=False)]
