"""The settings of measures, and the numbered words of texts by these settings."""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import regex

from corpus_tools.languages.language import AUTO, ENGLISH, language
from corpus_tools.plugins import Options, language_option, option
from semihmm.applications.measure.stems import make_stemmer
from semihmm.applications.measure.summaries import Choice, Sentences

MEASURE_TOKENIZERS = {
    AUTO: "program for English, unicode for other languages",
    "program": "as ROUGE-1.5.5: runs of a-z and 0-9 in lower case",
    "unicode": "runs of letters and digits of any script; Chinese characters one by one",
    "whitespace": "words between blanks, as a segmenter of the language writes them",
}
STEMMERS = {
    AUTO: "program for English, none for other languages",
    "program": "as ROUGE-1.5.5: Porter (1980) with its changes, and WordNet's exceptions",
    "nltk": "NLTK's Porter, as rouge-score",
    "none": "no stems",
}
REFERENCE_COMBINATIONS = {
    "best": "the reference with the best recall",
    "sum": "counts summed over the references",
    "mean": "the mean over the references",
    "jackknife": "the mean, over the references, of the best among the others",
}
ROUGE_FORMULAS = {"program": "as ROUGE-1.5.5 computes it", "paper": "as Lin (2004) prints it"}


WORD_SETTINGS = ("language", "tokenizer", "stem", "stop_words", "limit_words")
"""The names of the settings on which the words of a text depend."""


@dataclass(frozen=True)
class MeasureSettings(Options):
    """The settings of measures. The name of a measure holds its other parameters."""

    language: str = language_option()
    tokenizer: str = option(AUTO, "how texts are split into words", names=MEASURE_TOKENIZERS)
    stem: str = option(AUTO, "stemmer", names=STEMMERS)
    stop_words: bool = option(False, "leave out the stop words of the language")
    limit_words: int | None = option(
        None,
        "read only the first N words of each text, split at white space (default: all)",
        metavar="N",
        kind=int,
        least=1,
    )
    several: str = option(
        "best", "how several references are combined", names=REFERENCE_COMBINATIONS
    )
    formula: str = option("program", "definition of ROUGE", names=ROUGE_FORMULAS)
    beta: float = option(
        1.0, "weight of recall in F, relative to precision", metavar="B", least=0, most=math.inf
    )

    def in_language(self, code: str) -> MeasureSettings:
        """Return the settings for texts in a language: no setting is ``auto`` any more.

        ROUGE-1.5.5 drops all letters that are not ASCII: its words and stems are for English.
        """
        chosen = code if self.language == AUTO else self.language
        tokenizer, stem = ("program", "program") if chosen == ENGLISH else ("unicode", "none")
        return replace(
            self,
            language=chosen,
            tokenizer=tokenizer if self.tokenizer == AUTO else self.tokenizer,
            stem=stem if self.stem == AUTO else self.stem,
        )


# Words of a sentence

UNSPACED_SCRIPTS = r"\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

WORD_PATTERNS: Mapping[str, Any] = {
    # It is matched before lower-casing: ``str.lower`` turns two letters that are not ASCII into
    # a-z.
    "program": re.compile(r"[A-Za-z0-9]+"),
    # Letters and digits, each with its marks (accents, vowel signs). Letters of scripts that write
    # no spaces are words one by one. On ASCII texts these words are those of the program.
    "unicode": regex.compile(
        rf"[[{UNSPACED_SCRIPTS}]&&\p{{L}}]\p{{M}}*"
        rf"|(?:[[\p{{L}}\p{{N}}]--[{UNSPACED_SCRIPTS}]]\p{{M}}*)+",
        regex.V1,
    ),
    # Words with a letter or a digit.
    "whitespace": re.compile(r"(?<!\S)[^\w\s]*+\w\S*"),
}
"""A word, by the name of a tokenizer; other characters separate words."""

WHITE_SPACE = re.compile(r"\s+", re.ASCII)


def cut(sentences: Sentences, limit: int) -> Sentences:
    """Return the sentences with the first ``limit`` words of the text, split at white space.

    As in ROUGE-1.5.5, white space at the start of a sentence counts as a word.
    """
    first_words = []
    for sentence in sentences:
        words = WHITE_SPACE.split(sentence.rstrip())[:limit]
        limit -= len(words)
        if words:
            first_words.append(" ".join(words))
    return tuple(first_words)


def split_words(sentence: str, tokenizer: str) -> list[str]:
    """Return the words of a sentence, in lower case."""
    pattern = WORD_PATTERNS[tokenizer]
    if tokenizer == "program":
        # One call of ``lower`` is faster than one for each word.
        return " ".join(pattern.findall(sentence)).lower().split()
    return list(pattern.findall(unicodedata.normalize("NFC", sentence.lower())))


# Numbered words

STOP_WORD_NUMBER = -1
"""The number of a stop word, which is then left out."""


class Words(NamedTuple):
    """The numbered words of a text.

    ``ids``     int32 [words], the same number for the same word in all texts of an evaluation.
    ``bounds``  int32 [sentences + 1], where sentences begin and end.
    """

    ids: np.ndarray
    bounds: np.ndarray

    def as_one_sentence(self) -> Words:
        """Return the words without the ends of sentences between them."""
        return Words(self.ids, np.array([0, len(self.ids)], np.int32))


Tokenizer = Callable[[str], Iterable[str]]
"""A function of the caller that returns the words of a sentence."""


class WordIndex(dict[str, int]):
    """A number for each word of all texts of an evaluation, for one setting (``in_language``).

    It is a dictionary from words to numbers. Words of one stem have the same number; a stop word
    has ``STOP_WORD_NUMBER``. A word is numbered when it is first looked up.

    ``tokenizer``  the function that splits sentences; ``None``: that of the settings.
    ``forms``      the stems, or the words if they are not stemmed, with their numbers.
    """

    def __init__(self, settings: MeasureSettings, tokenizer: Tokenizer | None = None) -> None:
        super().__init__()
        self.settings = settings
        self._split = tokenizer or functools.partial(split_words, tokenizer=settings.tokenizer)
        self.forms: dict[str, int] = {}
        self._stem = make_stemmer(settings.stem)
        stop_words = language(settings.language).stop_words
        # Stop words are compared with words, not with stems.
        self._stop_words = stop_words if settings.stop_words else frozenset()

    def __missing__(self, word: str) -> int:
        if word in self._stop_words:
            number = STOP_WORD_NUMBER
        else:
            number = self.forms.setdefault(self._stem(word), len(self.forms))
        self[word] = number
        return number

    def words(self, sentences: Sentences) -> Words:
        """Return the numbered words of a text."""
        limit = self.settings.limit_words
        ids: list[int] = []
        bounds = [0]
        for sentence in sentences if limit is None else cut(sentences, limit):
            numbers = [self[word] for word in self._split(sentence)]
            ids += [number for number in numbers if number != STOP_WORD_NUMBER]
            bounds.append(len(ids))
        return Words(np.array(ids, np.int32), np.array(bounds, np.int32))


class WordIndexes(dict[MeasureSettings, WordIndex]):
    """The word indexes of an evaluation by setting, each made when it is first looked up.

    ``code``       the code of the texts' language, for settings with ``auto``.
    ``tokenizer``  as in ``WordIndex``.
    """

    def __init__(self, code: str = ENGLISH, tokenizer: Tokenizer | None = None) -> None:
        super().__init__()
        self.code = code
        self._tokenizer = tokenizer

    def __missing__(self, settings: MeasureSettings) -> WordIndex:
        self[settings] = WordIndex(settings.in_language(self.code), self._tokenizer)
        return self[settings]


class MeasuredText:
    """A summary or a reference. Its words are split and numbered once for each setting.

    Numbers of words may be compared between texts that share their ``WordIndexes``.

    ``choice``  for a compression, the words of its source that it has.
    """

    def __init__(
        self, sentences: Sequence[str], indexes: WordIndexes, choice: Choice | None = None
    ) -> None:
        self.sentences = tuple(sentences)
        self.choice = choice
        self._indexes = indexes
        self._words: dict[MeasureSettings, Words] = {}

    @property
    def language(self) -> str:
        """Return the code of the language of the evaluation's texts."""
        return self._indexes.code

    def words(self, settings: MeasureSettings) -> Words:
        """Return the numbered words."""
        if settings not in self._words:
            self._words[settings] = self._indexes[settings].words(self.sentences)
        return self._words[settings]

    def strings(self, settings: MeasureSettings) -> list[list[str]]:
        """Return the words of each sentence as the strings that are compared."""
        ids, bounds = self.words(settings)
        forms = list(self._indexes[settings].forms)
        chosen = [forms[number] for number in ids.tolist()]
        return [chosen[start:end] for start, end in pairwise(bounds.tolist())]
