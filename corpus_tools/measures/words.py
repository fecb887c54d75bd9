"""Turns texts into numbered words, each text once for each setting of the words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.measures.settings import WordSettings
from corpus_tools.measures.summary import Sentences
from corpus_tools.texts.stems import stem

ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
"""Other letters are no letters to ROUGE-1.5.5. ``str.lower`` would turn two of them into a-z."""

FIND = {"program": re.compile(r"[a-z0-9]+").findall, "unicode": re.compile(r"[^\W_]+").findall}


class Words(NamedTuple):
    """The numbered words of a text.

    ``ids``     int32 [words], the same number for the same word in all texts of an evaluation.
    ``bounds``  int32 [sentences + 1], where sentences begin and end.
    """

    ids: np.ndarray
    bounds: np.ndarray


def cut(sentences: Sentences, limit: int) -> Sentences:
    """Return the sentences up to the first ``limit`` words of the text, as white space divides."""
    left = limit
    kept = []
    for sentence in sentences:
        words = sentence.split()[:left]
        if words:
            kept.append(" ".join(words))
        left -= len(words)
    return tuple(kept)


def split_words(sentence: str, tokenizer: str) -> list[str]:
    """Return the words of a sentence, in lower case."""
    low = sentence.translate(ASCII_LOWER) if tokenizer == "program" else sentence.lower()
    return list(FIND[tokenizer](low))


def stemmer(name: str) -> Callable[[str], str]:
    """Return the function that gives a word's stem."""
    stemmers: dict[str, Callable[[str], str]] = {"none": str, "nltk": _nltk, "program": _nltk}
    return stemmers[name]


def _nltk(word: str) -> str:
    """Return NLTK's stem of a word; words of up to three letters are left as they are."""
    return stem(word) if len(word) > 3 else word


class Wording:
    """The words of all texts of an evaluation under one setting."""

    def __init__(self, settings: WordSettings) -> None:
        self.settings = settings
        self._stem = stemmer(settings.stem)
        self._numbers: dict[str, int] = {}
        self._stems: dict[str, str] = {}

    def form(self, word: str) -> str:
        """Return what is compared for a word; it is computed once."""
        if (known := self._stems.get(word)) is None:
            known = self._stems[word] = self._stem(word)
        return known

    def strings(self, sentences: Sentences) -> list[list[str]]:
        """Return the words of each sentence as they are compared: stems where there are any."""
        limit = self.settings.limit_words
        cut_off = sentences if limit is None else cut(sentences, limit)
        return [
            [self.form(word) for word in split_words(sentence, self.settings.tokenizer)]
            for sentence in cut_off
        ]

    def words(self, sentences: Sentences) -> Words:
        """Return the numbered words of a text."""
        numbers = self._numbers
        ids: list[int] = []
        bounds = [0]
        for words in self.strings(sentences):
            ids.extend([numbers.setdefault(word, len(numbers)) for word in words])
            bounds.append(len(ids))
        return Words(np.array(ids, np.int32), np.array(bounds, np.int32))


class Wordings:
    """The wordings of an evaluation, each made when it is first asked for."""

    def __init__(self) -> None:
        self._made: dict[WordSettings, Wording] = {}

    def __getitem__(self, settings: WordSettings) -> Wording:
        if settings not in self._made:
            self._made[settings] = Wording(settings)
        return self._made[settings]


class MeasuredText:
    """A summary or a reference, whose words are found once for each setting.

    Numbers of words may be compared between texts that share their ``Wordings``.
    """

    def __init__(self, sentences: Sequence[str], wordings: Wordings) -> None:
        self.sentences = tuple(sentences)
        self._wordings = wordings
        self._words: dict[WordSettings, Words] = {}

    def words(self, settings: WordSettings) -> Words:
        """Return the numbered words."""
        if settings not in self._words:
            self._words[settings] = self._wordings[settings].words(self.sentences)
        return self._words[settings]

    def strings(self, settings: WordSettings) -> list[list[str]]:
        """Return the words of each sentence as strings, for whoever compares them elsewhere."""
        return self._wordings[settings].strings(self.sentences)
