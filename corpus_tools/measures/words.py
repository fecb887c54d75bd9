"""Turns texts into numbered words, each text once for each setting of the words."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus_tools.measures.compressions import Sentences
from corpus_tools.measures.settings import WordSettings
from corpus_tools.measures.stems import make_stemmer
from corpus_tools.storage.files import open_text

if TYPE_CHECKING:
    from corpus_tools.measures.compressions import Choice

ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
"""Other letters are no letters to ROUGE-1.5.5. ``str.lower`` would turn two of them into a-z."""

FIND_PROGRAM = re.compile(r"[a-z0-9]+").findall
UNICODE_WORD = r"[\p{Han}\p{Hiragana}]\p{M}*|(?:[[\p{L}\p{N}]--[\p{Han}\p{Hiragana}]]\p{M}*)+"
"""A word: letters and digits, each with its marks (accents, vowel signs).

Chinese characters and hiragana are words one by one, since nothing divides words there. On ASCII
texts these words are those of the program.
"""

BLANK = re.compile(r"\s+", re.ASCII)

STOP_WORDS = Path(__file__).parents[1] / "data" / "stop_words.txt"
"""The stop list of ROUGE-1.5.5."""

REMOVED = -1
"""The number of a stop word."""


class Words(NamedTuple):
    """The numbered words of a text.

    ``ids``     int32 [words], the same number for the same word in all texts of an evaluation.
    ``bounds``  int32 [sentences + 1], where sentences begin and end.
    """

    ids: np.ndarray
    bounds: np.ndarray


def cut(sentences: Sentences, limit: int) -> Sentences:
    """Return the sentences up to the first ``limit`` words of the text, as white space divides.

    As in ROUGE-1.5.5, white space at the start of a sentence counts as a word.
    """
    left = limit
    kept = []
    for sentence in sentences:
        words = BLANK.split(sentence.rstrip())[:left]
        if words:
            kept.append(" ".join(words))
        left -= len(words)
    return tuple(kept)


def split_words(sentence: str, tokenizer: str) -> list[str]:
    """Return the words of a sentence, in lower case."""
    if tokenizer == "program":
        low = sentence.lower() if sentence.isascii() else sentence.translate(ASCII_LOWER)
        return list(FIND_PROGRAM(low))
    composed = unicodedata.normalize("NFC", sentence.lower())
    return _find_unicode()(composed)


@functools.cache
def _find_unicode() -> Callable[[str], list[str]]:
    """Compile the pattern when it is first needed."""
    import regex

    return regex.compile(UNICODE_WORD, regex.V1).findall


@functools.cache
def stop_words() -> frozenset[str]:
    """Return the words of the stop list, in lower case; they are compared before stemming."""
    with open_text(STOP_WORDS) as lines:
        return frozenset(line.strip() for line in lines if not line.startswith("#"))


class _Numbers(dict[str, int]):
    """The numbers of raw words by word: that of the stem, or ``REMOVED``.

    A word that is looked up for the first time gets its number then.
    """

    def __init__(self, settings: WordSettings) -> None:
        self._stem = make_stemmer(settings.stem)
        self._stop_words = stop_words() if settings.stop_words else frozenset()
        self._by_stem: dict[str, int] = {}
        self.forms: list[str] = []

    def __missing__(self, word: str) -> int:
        if word in self._stop_words:
            number = REMOVED
        else:
            form = self._stem(word)
            number = self._by_stem.setdefault(form, len(self.forms))
            if number == len(self.forms):
                self.forms.append(form)
        self[word] = number
        return number


class Wording:
    """The words of all texts of an evaluation under one setting.

    ``forms`` are what is compared, by number: stems, where there are any.
    """

    def __init__(self, settings: WordSettings) -> None:
        self.settings = settings
        self._numbers = _Numbers(settings)

    @property
    def forms(self) -> Sequence[str]:
        """The strings that are compared, by number."""
        return self._numbers.forms

    def words(self, sentences: Sentences) -> Words:
        """Return the numbered words of a text."""
        settings = self.settings
        limit = settings.limit_words
        numbers = self._numbers
        ids: list[int] = []
        bounds = [0]
        for sentence in sentences if limit is None else cut(sentences, limit):
            found = [numbers[word] for word in split_words(sentence, settings.tokenizer)]
            if settings.stop_words:
                found = [number for number in found if number != REMOVED]
            ids += found
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

    ``choice``  for a compression, which words of its source it has.
    """

    def __init__(
        self, sentences: Sequence[str], wordings: Wordings, choice: Choice | None = None
    ) -> None:
        self.sentences = tuple(sentences)
        self.choice = choice
        self._wordings = wordings
        self._words: dict[WordSettings, Words] = {}

    def words(self, settings: WordSettings) -> Words:
        """Return the numbered words."""
        known = self._words.get(settings)
        if known is None:
            known = self._words[settings] = self._wordings[settings].words(self.sentences)
        return known

    def strings(self, settings: WordSettings) -> list[list[str]]:
        """Return the words of each sentence as strings, for whoever compares them elsewhere."""
        ids, bounds = self.words(settings)
        forms = self._wordings[settings].forms
        chosen = [forms[number] for number in ids.tolist()]
        ends = bounds.tolist()
        return [chosen[start:end] for start, end in itertools.pairwise(ends)]
