"""Reads the table of a language: a TOML file in this folder with its words and letters.

A new language is one file, named by its code, and its code in ``CODES``. A language without a file
is ``UNKNOWN``: the rules of Unicode divide its texts into words and sentences.

Each table lists the abbreviations of its language. Titles and references to figures are the same in
many languages ("Prof.", "fig."), so a word that some tables list is one in the others, too.
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
"""The value of a setting that asks for detection of the language."""

UNKNOWN = "und"
"""The code of BCP 47 for a language that is not determined."""

CODES = (
    *("en", "ar", "cs", "da", "de", "el", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it"),
    *("ja", "ko", "nb", "nl", "pl", "pt", "ro", "ru", "sv", "th", "tr", "uk", "vi", "zh"),
    *("bg", "ca", "ur"),
)
"""The codes of ISO 639-1. If a text fits several languages equally well, the first is chosen."""

FUNCTION_WORD_CLASSES = (
    *("determiner", "preposition", "conjunction", "auxiliary", "pronoun", "punctuation"),
)
NUMBER_CLASS = "number"
"""The class of words that are numbers."""


@dataclass(frozen=True)
class Language:
    """The table of a language. All words are in lower case.

    ``code``               the code of ISO 639-1, or ``UNKNOWN``.
    ``name``               the English name.
    ``script``             the script, one of ``corpus_tools.languages.detection.SCRIPTS``.
    ``letters``            its letters other than ASCII's; empty if they do not distinguish it.
    ``tokenizer``          the tokenizer of raw text, one of
                           ``corpus_tools.texts.tokenizers.TOKENIZERS``.
    ``wordnet``            whether WordNet and the list of paraphrases have its words.
    ``ordinals``           whether a number with a full stop is an ordinal, as in "3. Mai".
    ``noun_capitals``      whether all nouns have a capital letter, so that it marks no names.
    ``elisions``           words before an apostrophe within a string, as ``l`` in "l'eau".
    ``abbreviations``      abbreviations without their last full stop. Words that also end sentences
                           are not listed.
    ``sentence_starters``  words that, with a capital letter, begin a sentence after an
                           abbreviation; by default the function words.
    ``numbered``           words whose full stop ends no sentence before a number, as in "No. 1".
    ``continuations``      strings after a quotation that continue its sentence, for scripts without
                           capitals.
    ``closing``            abbreviations that end a sentence before a capital letter, as "etc.";
                           those of one letter do so after a number, as "r." of Polish years.
    ``question_marks``     signs that end questions, other than "?": ";" of Greek.
    ``classes``            the class of each function word (``FUNCTION_WORD_CLASSES``) and of each
                           number word (``NUMBER_CLASS``).
    ``ignore_list``        words that scores may leave out; by default the function words and the
                           marks of ``UNKNOWN``.
    ``stop_words``         words that measures of summaries may leave out; by default the function
                           words.
    ``definite_determiners``  determiners of phrases that refer to something known, as "the".
    ``referring_pronouns``    pronouns that refer to something known.
    ``skipped_by_initials``   words without a letter in initials, as "of" in "Bank of England"; by
                           default the words of ``UNKNOWN``.
    ``traits``             ``both_orders``: the month of a date in figures may be its first or its
                           second number.
    ``scales``             words that multiply a number before them and are no powers of ten.
    ``quantities``         lists of words around numbers
                           (``semihmm.applications.support.quantities``): phrases
                           have ``_`` for blanks, and ``:`` before a value.
    ``short_forms``        short words and names with their full forms; other names for the same.
    ``frames``             lists of words around the claims of answers by language models
                           (``corpus_tools.texts.layout``): phrases have ``_`` for blanks.
    ``titles``             words before the name of a person, also without their full stops.
    ``longest_case``       the letters of the longest ending of a case that names have.
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
    question_marks: str = ""
    closing: frozenset[str] = frozenset()
    classes: Mapping[str, str] = field(default_factory=dict, hash=False)
    ignore_list: frozenset[str] = frozenset()
    stop_words: frozenset[str] = frozenset()
    definite_determiners: frozenset[str] = frozenset()
    referring_pronouns: frozenset[str] = frozenset()
    skipped_by_initials: frozenset[str] = frozenset()
    traits: frozenset[str] = frozenset()
    scales: Mapping[str, float] = field(default_factory=dict, hash=False)
    quantities: Mapping[str, str] = field(default_factory=dict, hash=False)
    short_forms: tuple[tuple[str, str], ...] = ()
    frames: Mapping[str, str] = field(default_factory=dict, hash=False)
    titles: frozenset[str] = frozenset()
    longest_case: int = 0

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Return the function words."""
        return frozenset(word for word, name in self.classes.items() if name != NUMBER_CLASS)

    @classmethod
    def of_table(cls, code: str, table: dict[str, Any]) -> Language:
        """Make a language from its table, in which a list of words is one string."""
        words = table.pop("words", {})
        classes = {word: name for name, listed in words.items() for word in listed.split()}
        function = cls(code, table["name"], classes=classes).function_words
        lists: dict[str, Any] = {"sentence_starters": function, "stop_words": function}
        pairs = (row.partition(":") for row in table.pop("short_forms", "").split())
        lists["short_forms"] = tuple((short, whole.replace("_", " ")) for short, _, whole in pairs)
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
    """Return a language by its code. Raises ``BadUsage`` for an unknown code."""
    checked_code = choose("language", code, (*CODES, UNKNOWN))
    table = (Path(__file__).parent / f"{checked_code}.toml").read_text(encoding="utf-8")
    return Language.of_table(code, tomllib.loads(table))


def require_language(code: str | None) -> None:
    """Raise ``BadUsage`` for an unknown language. ``None`` and ``AUTO`` are allowed."""
    if code is not None:
        choose("language", code, (AUTO, *CODES, UNKNOWN))


def commonest(codes: Iterable[str] | Mapping[str, int]) -> str:
    """Return the most frequent code, the first of equally frequent ones; English without codes.

    ``codes``  codes, or the number of occurrences of each.
    """
    counts = Counter(codes)
    return max(counts, key=counts.__getitem__, default=ENGLISH)


# Abbreviations that several languages share, and those of months and days

FEWEST_TABLES = 2
"""The fewest tables that list an abbreviation of all languages."""


@cache
def abbreviated(code: str) -> frozenset[str]:
    """Return the words of the abbreviations of a language, as "ee" of "EE. UU.".

    ``code``  the code of the language. Those that several others of its script share are in it,
              too. The list of English is complete, so it gets no others.

    Words of one letter are left out.
    """
    table = language(code)
    counts = Counter[str]() if code == ENGLISH else _counts(table.script)
    shared = {word for word, number in counts.items() if number >= FEWEST_TABLES}
    listed = table.abbreviations | (shared - table.classes.keys())
    return frozenset(word for form in listed for word in form.split(".") if len(word) > 1)


@cache
def abbreviations_before_numbers(code: str) -> frozenset[str]:
    """Return the words whose full stop ends no sentence before a number: "fig. 3", "5. Jan. 2019".

    They are the abbreviations of all languages of the script, and months and days in CLDR. Those of
    the language itself end no sentence anyway.
    """
    table = language(code)
    if code == ENGLISH:
        return table.numbered
    return table.numbered | (
        _counts(table.script).keys() - table.classes.keys() | calendar_words(code)
    )


@cache
def _counts(script: str) -> Counter[str]:
    """Count the tables that list each abbreviation; of all scripts for a language without one."""
    tables = [language(code) for code in CODES]
    return Counter(
        word
        for table in tables
        if script in ("", table.script)
        for word in table.abbreviations | table.numbered
    )


@cache
def calendar_words(code: str) -> frozenset[str]:
    """Return CLDR's abbreviations of months and days, in lower case, without their full stops."""
    if code == UNKNOWN:
        return frozenset().union(*map(calendar_words, CODES))
    from babel import Locale  # slow to import

    locale = Locale.parse(code)
    names = (locale.months, locale.days)
    return frozenset(
        word.rstrip(".").lower()
        for calendar in names
        for form in calendar.values()
        for word in form["abbreviated"].values()
    )
