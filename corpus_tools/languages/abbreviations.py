"""Abbreviations that several languages share, and those of months and days.

The table of a language lists its own abbreviations. Titles and references to figures are the same
in many languages ("Prof.", "fig."), so a word that some tables list is one in the others, too.
"""

from collections import Counter
from functools import cache

from corpus_tools.languages.language import CODES, ENGLISH, UNKNOWN, language

FEWEST_TABLES = 2
"""The fewest tables that list an abbreviation of all languages."""


@cache
def shared_abbreviations(code: str) -> frozenset[str]:
    """Return the abbreviations of a language and those that several others of its script share.

    ``code``  the code of the language. The list of English is complete, so it gets no others.
    """
    table = language(code)
    if code == ENGLISH:
        return table.abbreviations
    counts = _counts(table.script)
    shared = {word for word, number in counts.items() if number >= FEWEST_TABLES}
    return table.abbreviations | (shared - table.classes.keys())


@cache
def abbreviations_before_numbers(code: str) -> frozenset[str]:
    """Return the words whose full stop ends no sentence before a number: "fig. 3", "5. Jan. 2019".

    They are the abbreviations of all languages of the script, and months and days in CLDR.
    """
    table = language(code)
    if code == ENGLISH:
        return table.numbered | table.abbreviations
    words = _counts(table.script).keys() - table.classes.keys()
    return table.numbered | table.abbreviations | words | calendar_words(code)


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
        if word.rstrip(".").isalpha()
    )
