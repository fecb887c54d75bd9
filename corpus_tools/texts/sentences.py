"""Splits raw strings into sentences.

A full stop ends a sentence unless its neighbours forbid that: an abbreviation, an initial or a
number before it, a word in lower case after it. The rules are
similar to Punkt's (Kiss and Strunk 2006). Punkt learns abbreviations and words that begin
sentences; here the table of the language lists them. So the sentences of a string depend only on
the string and its language. ``scripts/research/sentence_ends.py`` measures the rules.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from corpus_tools.languages.language import (
    ENGLISH,
    Language,
    abbreviated,
    abbreviations_before_numbers,
    language,
)

TextSpan = tuple[int, int]
"""Characters ``[start, end)`` of a string."""

UNSPACED_STOPS = (
    "(?:[\u3002\uff61\uff01\uff1f\u0964\u0965\u061f\u06d4\u104b\u17d4\u17d5\u1362\u1367\u0589]"
    "|(?<![\uff21-\uff3a])\uff0e(?![0-9A-Za-z\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]))+"
)
"""The sentence ends of scripts with their own marks, which need no blank after them.

They are the marks of Chinese and Japanese, Hindi, Arabic and Urdu, Burmese, Khmer, Amharic and
Armenian. The full-width stop ends no sentence before a digit or a Latin letter, nor after a capital
letter. Thai and Lao have no such marks.
"""

UNSPACED_CLOSING = "[\u300d\u300f\uff09\u3011\u300b\u3009\u3015\uff3d\uff5d\u201d\u2019\u00bb\"')]"
"""The closing marks after ``UNSPACED_STOPS``."""

COMMAS = ",;:\u060c\u061b\u3001\uff0c\uff1a\uff1b"
"""Marks that begin no sentence."""

DOUBLE_QUOTE_MARKS = '"\u201c\u201d\u201e\u201f\u00ab\u00bb'
QUOTE_MARKS = f"{DOUBLE_QUOTE_MARKS}'\u2018\u2019\u201a\u2039\u203a"
"""Quotes. Some open in one language and close in another."""

STOP_RUN = re.compile(
    r"\.(?: \.){2,}+"
    "|[.?!\u2026\u3002\uff61\uff01\uff1f\uff0e\u0964\u0965\u061f\u06d4\u104b\u17d4\u17d5\u1362\u1367\u0589]+"
)
"""The places at which ``POSSIBLE_END`` may match. This pattern is faster."""

POSSIBLE_END = re.compile(
    rf"""
    {UNSPACED_STOPS}(?P<closing>{UNSPACED_CLOSING}*+)(?![{COMMAS}])
    |(?P<stops>\.(?:\ \.){{2,}}+|[.?!\u2026]++)
    (?:[{QUOTE_MARKS})\]}}]
    # In tokenized text, and in French.
    |[^\S\n](?:''|-R[RSC]B-|["'\u201c\u2019\u201d\u00bb)\]}}])(?!\S)
    # Notes of Wikipedia, of Markdown, and in raised digits.
    |\[\^?\d{{1,3}}\]|[\u00b9\u00b2\u00b3\u2070-\u2079]{{1,3}}+)*+
    (?=[*_]*[^\S\n]+  # Signs of Markdown are in the next sentence, where tokenizers part them.
    # Few of them: after each of many full stops, all marks up to the next word would be read.
    (?:(?:[{QUOTE_MARKS}(\[{{`\u00bf\u00a1*_\u2026\u2014\u2013-]+|,(?=\w)|\.(?:\ ?\.){{1,50}}+)
    [^\S\n]*){{0,20}}+
    (?P<next>\w+\.?|[^\s{COMMAS}.?!%)\]]))
    """,
    re.VERBOSE,
)
"""A possible end of a sentence, with its closing marks; ``next`` is the next word or sign."""

ITEM_NUMBER = re.compile(r"\(?\d{1,3}(?:\.\d{1,3}){0,9}")
"""The number of an item of a list. A full stop after it ends no sentence."""

HEADING_NUMBER = re.compile(r"[^\W\d_]{2,}\s(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6})")
"""The beginning of a heading: "Chapter 1", "Section 3.1", "Part II". No sentence ends after it."""

ORDINAL_NUMBER = re.compile(r"(?<![^\s(])(?:\d{1,3}|[IVXLC]+)\Z")
"""A number that a full stop makes an ordinal in many languages: a day, a century."""

YEAR_BEFORE_LETTER = re.compile(r"(?:\S+\s+){3}.*\d\s?\w")
"""What an abbreviation of a letter ends, as "Wyjechał we wrześniu 1990 r" in Polish.

Three words are before the year: "W 2019 r. Warszawa" has only begun.
"""

YEAR_FIRST_DATE = re.compile(r"\d{4}(?:\.\s?\d{1,2}){0,2}\Z")
"""A date in figures with the year first, as "2019. 5. 3." in Korean, up to one of its full stops.
"""

WORDS_BEFORE = re.compile(
    rf"(?:[^\s{COMMAS}{DOUBLE_QUOTE_MARKS}.?!()\[\]]+\.[^\S\n]?)*[^\s{COMMAS}{DOUBLE_QUOTE_MARKS}.?!()\[\]]*\Z"
)
"""A word, and words with full stops that may be parts of one abbreviation: "z. B" or "z.B"."""

LONGEST_ABBREVIATION = 40
"""The most characters of an abbreviation."""


def split_sentences(string: str, code: str = ENGLISH) -> list[TextSpan]:
    """Return the character spans ``[start, end)`` of the sentences of a raw string.

    ``code``  the code of the language (``corpus_tools.languages``).

    A line break always ends a sentence. Lines of white space have no sentences.
    """
    # Texts without a capital letter begin sentences in lower case.
    has_capitals = not string.islower()
    spans = []
    for line in re.finditer(r"[^\n]+", string):
        text = line.group()
        ends = _ends(text, language(code), has_capitals)
        for first, last in pairwise([0, *ends, len(text)]):
            part = text[first:last]
            if part.strip():
                start = line.start() + last - len(part.lstrip())
                spans.append((start, line.start() + first + len(part.rstrip())))
    return spans


def _ends(line: str, table: Language, has_capitals: bool) -> Iterator[int]:
    """Yield the end of each sentence of a line but the last."""
    for mark in table.question_marks:
        line = line.replace(mark, "?")
    begin = _after_blanks(line, 0)
    for match in _possible_ends(line):
        stop, end = match.span()
        if begin == stop or (match["stops"] and has_capitals and _goes_on(line, match)):
            is_end = False
        elif match["stops"] is None:
            is_end = not (match["closing"] and line.startswith(table.continuations, end))
        elif "?" in match["stops"] or "!" in match["stops"]:
            is_end = True
        else:
            is_end = _is_end(line, begin, match, table)
        if is_end:
            yield end
            begin = _after_blanks(line, end)


def _after_blanks(line: str, start: int) -> int:
    """Return the offset of the first character from ``start`` on that is no white space."""
    while line[start : start + 1].isspace():
        start += 1
    return start


def _possible_ends(line: str) -> Iterator[re.Match[str]]:
    """Yield the matches of ``POSSIBLE_END``. The last full stop needs text after it."""
    for stops in STOP_RUN.finditer(line):
        if match := POSSIBLE_END.match(line, stops.start()):
            yield match


def _goes_on(line: str, match: re.Match[str]) -> bool:
    """Tell whether a sentence goes on after a match of ``POSSIBLE_END``, in lower case.

    A name such as "iPhone" and an item such as "(b)" begin a sentence nevertheless.
    """
    word = match["next"]
    return word[0].isalpha() and word.islower() and not line.startswith(")", match.end("next"))


def _is_end(line: str, begin: int, match: re.Match[str], table: Language) -> bool:
    """Tell whether a full stop or an ellipsis ends the sentence from ``begin`` on.

    ``match``  a match of ``POSSIBLE_END``.
    """
    stop, following = match.start(), match["next"]
    first = max(begin, stop - LONGEST_ABBREVIATION)
    if date := YEAR_FIRST_DATE.search(line, first, stop):
        # A year may end a sentence, and a number may begin one: no month has a full stop then.
        has_month = "." in date.group() or (following[0].isdigit() and following[-1] == ".")
        if has_month and not following[0].isupper():
            return False
    is_heading = HEADING_NUMBER.fullmatch(line, begin, stop) is not None
    if is_heading and following[0].isalpha() and not following[0].islower():
        return False
    # "A" is an initial in "U.S. A. Smith", not a word that begins a sentence.
    word = following.rstrip(".") if len(following) > 2 else following
    starts = word[0].isupper() and word.lower() in table.sentence_starters
    is_ordinal = table.ordinals and ORDINAL_NUMBER.search(line, first, stop)
    if is_ordinal or ITEM_NUMBER.fullmatch(line, begin, stop):
        return table.ordinals and starts
    before = WORDS_BEFORE.search(line, first, stop)
    words = before.group().lower().replace(" ", "") if before else ""
    last = re.split(r"[.-]", words)[-1]
    without_elision = re.split("['\u2019]", last)[-1]
    if following[0].isdigit() and without_elision in abbreviations_before_numbers(table.code):
        return False
    if following[0].isupper() and words in table.closing:
        return len(words) > 1 or YEAR_BEFORE_LETTER.fullmatch(line, begin, stop) is not None
    is_short = (len(last) == 1 and last.isalpha()) or without_elision in abbreviated(table.code)
    return starts or (match["stops"] == "." and not is_short)
