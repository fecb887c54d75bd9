"""Scores one summary as the package rouge-score does, under its names.

Users of that package can change one import, ``from rouge_score import rouge_scorer``:

>>> from corpus_tools.measures import rouge_scorer
>>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"])
>>> scorer.score("the cat sat", "the cat ran")["rouge1"].recall
0.6666666666666666

Figures are those of rouge-score, not of ROUGE-1.5.5: its words, NLTK's stems, no rounding, of
several references the one with the best F. ``evaluation.measure`` has what the program computes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from corpus_tools.measures.measure import f_measure
from corpus_tools.measures.ngram_kernels import ngram_hits
from corpus_tools.measures.sequence_kernels import clip, sequence_length, union_marks
from corpus_tools.measures.stems import make_stemmer
from corpus_tools.measures.words import Words

FIND_WORDS = re.compile(r"[a-z0-9]+").findall


class Tokenizer(Protocol):
    """Whatever splits a text into tokens."""

    def tokenize(self, text: str) -> Sequence[str]:
        """Return the tokens of a text."""
        ...


class Score(NamedTuple):
    """The figures of a summary, in the order of rouge-score."""

    precision: float
    recall: float
    fmeasure: float


class _Pair(NamedTuple):
    """A prediction and a target as numbered words: the whole texts, and their lines."""

    prediction: np.ndarray
    target: np.ndarray
    prediction_lines: Words
    target_lines: Words


class RougeScorer:
    """Scores summaries against references.

    ``rouge_types``      ``rouge1`` to ``rouge9``, ``rougeL`` (one sequence), ``rougeLsum`` (union
                         over lines).
    ``use_stemmer``      whether words of four letters and more are stemmed.
    ``split_summaries``  whether ``rougeLsum`` splits texts into sentences, instead of lines.
    ``tokenizer``        what splits texts into words; by default a-z and 0-9 in lower case.
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._split = _sentences if split_summaries else _lines
        self._tokenizer = tokenizer
        self._stem = make_stemmer("nltk" if use_stemmer else "none")
        self._numbers: dict[str, int] = {}
        self._by_stem: dict[str, int] = {}
        self._needs_lines = "rougeLsum" in rouge_types

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Score a summary against several references: for each type the one with the best F.

        Raises ``ValueError`` for an unknown type.
        """
        each = [self.score(target, prediction) for target in targets]
        return {
            name: max((scores[name] for scores in each), key=lambda score: score.fmeasure)
            for name in self.rouge_types
        }

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a summary against a reference.

        Raises ``ValueError`` for an unknown type.
        """
        empty = Words(np.empty(0, np.int32), np.zeros(1, np.int32))
        pair = _Pair(
            self._numbered([prediction]).ids,
            self._numbered([target]).ids,
            self._numbered(self._split(prediction)) if self._needs_lines else empty,
            self._numbered(self._split(target)) if self._needs_lines else empty,
        )
        return {name: _scored(name, pair) for name in self.rouge_types}

    def _numbered(self, texts: Iterable[str]) -> Words:
        """Return the words of texts, each a sentence."""
        ids: list[int] = []
        bounds = [0]
        for text in texts:
            if self._tokenizer is None:
                ids += [self._number(word) for word in FIND_WORDS(text.lower())]
            else:
                tokens = self._tokenizer.tokenize(text)
                ids += [self._by_stem.setdefault(word, len(self._by_stem)) for word in tokens]
            bounds.append(len(ids))
        return Words(np.array(ids, np.int32), np.array(bounds, np.int32))

    def _number(self, word: str) -> int:
        """Return the number of a word's stem; each word is stemmed once."""
        number = self._numbers.get(word)
        if number is None:
            number = self._by_stem.setdefault(self._stem(word), len(self._by_stem))
            self._numbers[word] = number
        return number


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def _sentences(text: str) -> list[str]:
    from nltk.tokenize import sent_tokenize

    return [sentence for sentence in sent_tokenize(text) if sentence]


def _ngrams(n: int) -> Callable[[_Pair], Score]:
    def scored(pair: _Pair) -> Score:
        before = n - 1
        hits = ngram_hits(pair.prediction, pair.target, n)
        return _figures(hits, len(pair.target) - before, len(pair.prediction) - before)

    return scored


def _sequence(pair: _Pair) -> Score:
    hits = sequence_length(pair.prediction, pair.target)
    return _figures(hits, len(pair.target), len(pair.prediction))


def _union(pair: _Pair) -> Score:
    prediction, target = pair.prediction_lines, pair.target_lines
    marked = union_marks(*prediction, *target)
    hits = int(clip(prediction.ids, target.ids, marked).sum())
    return _figures(hits, len(target.ids), len(prediction.ids))


TYPES: dict[str, Callable[[_Pair], Score]] = {
    **{f"rouge{n}": _ngrams(n) for n in range(1, 10)},
    "rougeL": _sequence,
    "rougeLsum": _union,
}


def _scored(name: str, pair: _Pair) -> Score:
    if name not in TYPES:
        raise ValueError(f"unknown rouge type {name!r}. Known: {', '.join(TYPES)}")
    return TYPES[name](pair)


def _figures(hits: int, of_target: int, of_prediction: int) -> Score:
    recall = hits / max(of_target, 1)
    precision = hits / max(of_prediction, 1)
    return Score(precision, recall, f_measure(recall, precision, 1.0))
