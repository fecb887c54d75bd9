"""Reads what is known of a language: a table in TOML for each, in this folder.

A new language is one file, named by its code, and its code in ``CODES``. A language without a file
is ``UNKNOWN``: its texts are divided into words and sentences by the rules of Unicode alone.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from corpus_tools.base.errors import choose

ENGLISH = "en"
AUTO = "auto"
"""Stands for a language that is still to be detected."""

UNKNOWN = "und"
"""The code of BCP 47 for a language that is not determined."""

CODES = (
    *("en", "ar", "cs", "da", "de", "el", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it"),
    *("ja", "ko", "nb", "nl", "pl", "pt", "ro", "ru", "sv", "th", "tr", "uk", "vi", "zh"),
    *("bg", "ca", "ur"),
)
"""The codes of ISO 639-1. Of languages that a text has as many words of, it is in the first."""

FUNCTION_WORD_CLASSES = (
    *("determiner", "preposition", "conjunction", "auxiliary", "pronoun", "punctuation"),
)
NUMBER = "number"
"""The class of words that are numbers."""


@dataclass(frozen=True)
class Language:
    """What is known of a language. All words are in lower case.

    ``code``               of ISO 639-1, or ``UNKNOWN``.
    ``name``               in English.
    ``script``             of its letters, one of ``corpus_tools.languages.detection.SCRIPTS``.
    ``letters``            which it is written with, beside those of ASCII; empty where they do not
                           tell it from others.
    ``tokenizer``          that of raw text, one of ``corpus_tools.texts.tokenizers.TOKENIZERS``.
    ``wordnet``            whether WordNet and the list of paraphrases know its words.
    ``ordinals``           whether a number with a stop behind it is an ordinal, as in "3. Mai".
    ``noun_capitals``      whether all nouns have a capital letter, which so tells no names.
    ``elisions``           what stands with an apostrophe before a word and is a word by itself, as
                           ``l`` in "l'eau".
    ``abbreviations``      without their last stop. Words that also end sentences are left out.
    ``sentence_starters``  words that begin a sentence where they stand capitalized behind an
                           abbreviation; the function words if there is no list.
    ``numbered``           words behind which a stop ends no sentence if a number follows: "No. 1"
    ``continuations``      what a sentence goes on with behind a quotation, in scripts without
                           capitals.
    ``byline_words``       words that stand beside the name of who wrote a text, as "writes".
    ``classes``            the class of each function word (``FUNCTION_WORD_CLASSES``), and of each
                           word that is a ``NUMBER``.
    ``ignore_list``        words that scores may leave out; the function words and the marks of
                           ``UNKNOWN`` if there is no list.
    ``stop_words``         words that measures of summaries may leave out; the function words if
                           there is no list.
    ``definite_determiners``  determiners of phrases that refer to something known, as "the".
    ``referring_pronouns``    pronouns that refer to something known.
    ``skipped_by_initials``   words that initials leave out, as "of" in "Bank of England"; those of
                           ``UNKNOWN`` if there is no list.
    ``scales``             words that multiply a number before them, beside those of powers of ten.
    ``quantities``         lists of words around numbers (``semihmm.support.reading``): phrases have
                           ``_`` for blanks, and ``:`` before a value.
    ``short_forms``        what short forms of words and names are written out as, and names that
                           stand for others.
    """

    code: str
    name: str
    script: str = ""
    letters: frozenset[str] = frozenset()
    tokenizer: str = "unicode"
    wordnet: bool = False
    ordinals: bool = False
    noun_capitals: bool = False
    elisions: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    sentence_starters: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
    continuations: tuple[str, ...] = ()
    byline_words: frozenset[str] = frozenset()
    classes: Mapping[str, str] = field(default_factory=dict, hash=False)
    ignore_list: frozenset[str] = frozenset()
    stop_words: frozenset[str] = frozenset()
    definite_determiners: frozenset[str] = frozenset()
    referring_pronouns: frozenset[str] = frozenset()
    skipped_by_initials: frozenset[str] = frozenset()
    scales: Mapping[str, float] = field(default_factory=dict, hash=False)
    quantities: Mapping[str, str] = field(default_factory=dict, hash=False)
    short_forms: Mapping[str, str] = field(default_factory=dict, hash=False)

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Return the function words."""
        return frozenset(word for word, name in self.classes.items() if name != NUMBER)

    @classmethod
    def of_table(cls, code: str, table: dict[str, Any]) -> Language:
        """Make a language of its table, in which a list of words is one string."""
        words = table.pop("words", {})
        classes = {word: name for name, listed in words.items() for word in listed.split()}
        function = cls(code, table["name"], classes=classes).function_words
        lists: dict[str, Any] = {"sentence_starters": function, "stop_words": function}
        pairs = (row.partition(":") for row in table.pop("short_forms", "").split())
        lists["short_forms"] = {short: whole.replace("_", " ") for short, _, whole in pairs}
        if code != UNKNOWN:
            unknown = language(UNKNOWN)
            lists["ignore_list"] = function | unknown.ignore_list
            lists["skipped_by_initials"] = unknown.skipped_by_initials
        for name in cls.__dataclass_fields__.keys() & table.keys():
            if cls.__dataclass_fields__[name].type == "frozenset[str]":
                lists[name] = frozenset(table.pop(name).split())
        lists["continuations"] = tuple(table.pop("continuations", "").split())
        lists["letters"] = frozenset("").union(*lists.get("letters", ()))
        return cls(code, classes=classes, **table, **lists)


@cache
def language(code: str) -> Language:
    """Return a language by its code. Raises ``BadUsage`` for one that there is not."""
    known = choose("language", code, (*CODES, UNKNOWN))
    table = (Path(__file__).parent / f"{known}.toml").read_text(encoding="utf-8")
    return Language.of_table(code, tomllib.loads(table))


def require_language(code: str | None) -> None:
    """Raise ``BadUsage`` for an unknown language. ``None`` and ``AUTO`` look at each pair."""
    if code is not None:
        choose("language", code, (AUTO, *CODES, UNKNOWN))


def commonest(codes: Iterable[str] | Mapping[str, int]) -> str:
    """Return the code that occurs most, the first of several; English where there is none.

    ``codes``  codes, or how often each occurs.
    """
    counts = Counter(codes)
    return max(counts, key=counts.__getitem__, default=ENGLISH)
