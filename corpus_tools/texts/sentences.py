"""Splits raw strings into sentences.

A full stop ends a sentence unless its neighbours forbid that: an abbreviation, an initial or a
number before it, a word in lower case after it, brackets or a title around it. The rules are
similar to Punkt's (Kiss and Strunk 2006). Punkt learns abbreviations and words that begin
sentences; here the table of the language lists them. So the sentences of a string depend only on
the string and its language. ``scripts/research/sentence_ends.py`` measures the rules.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpus_tools.languages.language import (
    ENGLISH,
    Language,
    abbreviations_before_numbers,
    language,
    shared_abbreviations,
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

POINTS_INWARD = re.compile(r"(?<!\S)\u00bb\w|\S\u00ab(?!\w)")
"""Guillemets as in German. Guillemets between blanks are read as in French."""

GUILLEMETS_AS_QUOTES = str.maketrans("\u00bb\u00ab", "\u201e\u201d")

BRACKETED_TEXT = re.compile(
    r"\([^()]{1,200}\)|\[[^\[\]]{1,200}\]|\uff08[^\uff08\uff09]{1,200}\uff09"
    r"|\u300a[^\u300a\u300b]{1,200}\u300b"
    r"|(?<=\w)[\u300c\u300e][^\u300c-\u300f]{1,200}[\u300d\u300f]"
)
"""Text in brackets, or in Japanese quotes after a word.

No sentence ends within brackets that are inside a sentence.
"""

OPENING_BRACKETS = "([\uff08\u300a\u300c\u300e"
"""The first characters of ``BRACKETED_TEXT``, which are found faster than the pattern."""

QUOTED_TITLE = re.compile(
    rf"[{DOUBLE_QUOTE_MARKS}](?<=\w\s.)(?=[\w\u00bf\u00a1])[^{DOUBLE_QUOTE_MARKS}]{{1,60}}"
    rf"(?<!,)[{DOUBLE_QUOTE_MARKS}](?![\w,])"
)
"""Text in quotes after a word, without a mark around it: no sentence ends within it.

The greatest length was chosen by hand: longer quotes are speech, which has sentences of its own.
"""

ITEM_NUMBER = re.compile(r"\(?\d{1,3}(?:\.\d{1,3}){0,9}")
"""The number of an item of a list. A full stop after it ends no sentence."""

HEADING_NUMBER = re.compile(r"[^\W\d_]{2,}\s(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6})")
"""The beginning of a heading: "Chapter 1", "Section 3.1", "Part II". No sentence ends after it."""

ORDINAL_NUMBER = re.compile(r"(?<![^\s(])(?:\d{1,3}|[IVXLC]+)\Z")
"""A number that a full stop makes an ordinal in many languages: a day, a century."""

NUMBER_AND_LETTER = re.compile(r"\d\s?\w\Z")
"""A number with an abbreviation of one letter, as "1990 r" in Polish."""

FEWEST_WORDS_BEFORE_YEAR = 4
"""The fewest words of a sentence that such an abbreviation ends."""

YEAR_FIRST_DATE = re.compile(r"\d{4}(?P<month>\.\s?\d{1,2}(?:\.\s?\d{1,2})?)?\Z")
"""A date with the year first, as "2019. 5. 3." in Korean, up to its year, month or day."""

WORDS_BEFORE = re.compile(
    rf"(?:[^\s{COMMAS}{DOUBLE_QUOTE_MARKS}.?!()\[\]]+\.[^\S\n]?)*[^\s{COMMAS}{DOUBLE_QUOTE_MARKS}.?!()\[\]]*\Z"
)
WORDS_AFTER = re.compile(r"(?:[^\S\n]\w+\.)*")
"""Words, each with a full stop, that may be parts of one abbreviation: "z. B." or "z.B."."""

LONGEST_ABBREVIATION, MOST_ABBREVIATION_WORDS = 40, 4
"""The characters and the words of the longest abbreviation."""

LONGEST_UNLISTED = 4
"""The most characters of a word that may be an unlisted abbreviation, as "et." and "Bros.".

It ends no sentence before a word in lower case. Chosen by hand.
"""


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
    if not line.isascii() and POINTS_INWARD.search(line):
        line = line.translate(GUILLEMETS_AS_QUOTES)
    for mark in table.question_marks:
        line = line.replace(mark, "?")
    matches = [*_possible_ends(line)]
    if not matches:
        return
    has_brackets = any(map(line.__contains__, OPENING_BRACKETS))
    brackets = [match.span() for match in BRACKETED_TEXT.finditer(line)] if has_brackets else []
    titles = [match.span() for match in QUOTED_TITLE.finditer(line)]
    begin = _after_blanks(line, 0)
    for match in matches:
        stop, end = match.span()
        if begin == stop or _around(brackets, stop) > begin or _around(titles, end) > begin:
            continue
        if match["stops"] is None:
            is_end = not (match["closing"] and line.startswith(table.continuations, end))
        elif has_capitals and _goes_on(line, begin, match):
            is_end = False
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
    end = 0
    for stops in STOP_RUN.finditer(line):
        stop = stops.start()
        if stop >= end and (match := POSSIBLE_END.match(line, stop)):
            yield match
            end = match.end()


def _around(spans: Sequence[TextSpan], offset: int) -> int:
    """Return the start of the span that contains an offset; -1 if no span does.

    ``spans``  the spans in order, without overlaps.
    """
    place = bisect_left(spans, (offset, 0)) - 1
    return spans[place][0] if place >= 0 and offset < spans[place][1] else -1


def _goes_on(line: str, begin: int, match: re.Match[str]) -> bool:
    """Tell whether a sentence goes on after a match of ``POSSIBLE_END``, in lower case.

    A full stop after a longer word ends a sentence nevertheless. So does one before a name such
    as "iPhone", an item such as "(b)", or a word such as "'s" before a capital letter.
    """
    start, end = match.span("next")
    word, after = match["next"], line[end : end + 2]
    if not (word[0].isalpha() and word.islower()) or after.startswith(")"):
        return False
    if line[start - 1] in "'\u2019" and len(word) == 1 and after[1:].isupper():
        return False
    is_plain = match["stops"] == "." and match.end() == match.end("stops")
    first = max(begin, match.start() - LONGEST_UNLISTED - 1)
    word_start = max(first, line.rfind(" ", first, match.start()) + 1)
    return not is_plain or match.start() - word_start <= LONGEST_UNLISTED


def _is_end(line: str, begin: int, match: re.Match[str], table: Language) -> bool:
    """Tell whether a full stop or an ellipsis ends the sentence from ``begin`` on.

    ``match``  a match of ``POSSIBLE_END``.
    """
    stop, following = match.start(), match["next"]
    first = max(begin, stop - LONGEST_ABBREVIATION)
    # Most stops are of this kind. The rules below would read the same, but they take long.
    is_single = match["stops"] == "." and following[-1] != "."
    is_before_number = following[0].isdigit()
    first_of_date = max(begin, stop - LONGEST_ABBREVIATION)
    date = YEAR_FIRST_DATE.search(line, first_of_date, stop)
    has_month = date is not None and (date["month"] or (is_before_number and following[-1] == "."))
    if has_month and not following[0].isupper():
        return False
    if is_single and not is_before_number and _follows_plain_word(line, first, stop, table):
        return True
    is_heading = HEADING_NUMBER.fullmatch(line, begin, stop) is not None
    if is_heading and following[0].isalpha() and not following[0].islower():
        return False
    # "A" is an initial in "U.S. A. Smith", not a word that begins a sentence.
    word = following.rstrip(".") if len(following) > 2 else following
    starts = word[0].isupper() and word.lower() in table.sentence_starters
    is_ordinal = table.ordinals and ORDINAL_NUMBER.search(line, first, stop)
    if is_ordinal or ITEM_NUMBER.fullmatch(line, begin, stop):
        return table.ordinals and starts
    before = _words(WORDS_BEFORE.search(line, first, stop))
    after = _words(WORDS_AFTER.match(line, stop + 1, stop + LONGEST_ABBREVIATION))
    if before:
        elision, _, word_after = before[-1].replace("\u2019", "'").rpartition("'")
        before[-1] = word_after if elision in table.elisions else before[-1]
    last = before[-1] if before else ""
    if is_before_number and last in abbreviations_before_numbers(table.code):
        return False
    listed = shared_abbreviations(table.code)
    forms = [before[-n:] for n in range(1, min(len(before), MOST_ABBREVIATION_WORDS) + 1)]
    longer = ([*form, *after[:n]] for form in forms for n in range(1, MOST_ABBREVIATION_WORDS))
    if after and any(".".join(words) in listed for words in longer):
        return False
    is_initial = len(last) == 1 and last.isalpha()
    is_listed = any(".".join(words) in listed for words in forms)
    if is_listed and following[0].isupper() and _closes(line, begin, stop, forms, table):
        return True
    return starts or not (match["stops"] != "." or is_initial or is_listed)


def _closes(
    line: str, begin: int, stop: int, forms: Sequence[Sequence[str]], table: Language
) -> bool:
    """Tell whether an abbreviation before a capital letter ends its sentence."""
    closing_forms = [".".join(words) for words in forms if ".".join(words) in table.closing]
    if not closing_forms:
        return False
    if len(closing_forms[-1]) > 1:
        return True
    # "W 2019 r. Warszawa" has only begun.
    is_long = len(line[begin:stop].split()) >= FEWEST_WORDS_BEFORE_YEAR
    return is_long and NUMBER_AND_LETTER.search(line, begin, stop) is not None


def _follows_plain_word(line: str, first: int, stop: int, table: Language) -> bool:
    """Tell whether what precedes is a word, no number, initial or part of an abbreviation."""
    start = line.rfind(" ", first, stop) + 1
    word = line[start:stop]
    is_alone = start > first + 1 and line[start - 2] != "."
    # Words in capital letters may be Roman numbers.
    if not is_alone or len(word) < 2 or not word.isalpha() or word.isupper():
        return False
    form = word.lower()
    return form not in shared_abbreviations(table.code)


def _words(match: re.Match[str] | None) -> list[str]:
    """Return the words of a match in lower case."""
    return re.findall(r"[^\s.-]+", match.group().lower()) if match else []
