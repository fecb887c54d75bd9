"""Tells which language a text is in, by the script of its letters and by its function words.

Function words are a third of a news text, and two languages share few: some fifty of each language
are enough to tell the language of a paragraph. Letters are stronger evidence: a letter that a
language lacks, or a letter of one language alone, such as "ß". A text of a few words counts as
English if English has all its letters.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain, repeat
from string import ascii_letters

from corpus_tools.languages.language import CODES, ENGLISH, UNKNOWN, Language, language

LATIN = "Latin"
SCRIPTS = {
    "Greek": "\u0370-\u03ff\u1f00-\u1fff",
    "Cyrillic": "\u0400-\u052f",
    "Armenian": "\u0531-\u058f",
    "Hebrew": "\u0590-\u05ff",
    "Arabic": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "Devanagari": "\u0900-\u097f",
    "Indic": "\u0980-\u0dff",
    "Thai": "\u0e00-\u0e7f",
    "Lao": "\u0e80-\u0eff",
    "Burmese": "\u1000-\u109f",
    "Georgian": "\u10a0-\u10ff",
    "Hangul": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "Ethiopic": "\u1200-\u137f",
    "Khmer": "\u1780-\u17ff",
    "Kana": "\u3040-\u30ff\uff66-\uff9f",
    "Han": "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
}
"""The letters of scripts other than Latin, as ranges of a regular expression."""

LATIN_LETTERS_PER_SIGN = {"Hangul": 2, "Kana": 2, "Han": 3}
"""The weight of a letter in scripts whose letters stand for a syllable or a word."""

SAMPLE_CHARACTERS = 600
"""The language is detected from this number of characters at the beginning: some hundred words."""

CLEARLY_ENGLISH_SHARE = 0.3
"""A text with this share of English function words is English, whatever words it has of others.

Dutch and Portuguese texts share up to a seventh of their words with the English list.
"""

FEWEST_WORDS_TO_EXCLUDE = 10
"""A text of this number of words without function words of a language is not in that language."""

FEWEST_WORDS_FOR_SHARE = 15
LEAST_FUNCTION_WORD_SHARE = 0.08
"""A text with this number of words is in a language only if it has this share of function words."""

MARGIN_OVER_ENGLISH = 1.5
"""Another language than English needs this multiple of the share of English function words."""

FEWEST_TELLING_WORDS = 3
"""Another language than English needs this number of different function words.

Two are too few: "met" and "in" are Dutch words, too.
"""

FEWEST_LETTERS_OF_SCRIPT = 20
"""A text with this number of letters is in their script: a shorter one may be a foreign name."""

MOST_FOREIGN_SHARE = 0.05
"""A text in a language has at most this share of words with letters that the language lacks.

Foreign names keep their letters, so capitalized words do not count, nor does a single word.
"""

LETTER_RUN = re.compile(r"[^\W\d_]+")
LONGER_WORD = re.compile(r"[^\W\d_]{2,}")
"""A word of two letters or more. Single letters are rarely words, as in "U.S."."""

ADDRESS = re.compile(r"(?<![!-~])(?=[!-~]*?(?:://|@|[a-z\d]\.[a-z]{2}))[!-~]+")
"""An address of the Web or of mail: "com" in it is no Portuguese word."""

STOP_WITHIN_WORD = re.compile(r"\.[a-z]{2}")
"""A part of most addresses, which is found sooner than they are."""

OTHER_LETTERS = re.compile(f"[{''.join(SCRIPTS.values())}]+")


def sample(strings: Iterable[str]) -> str:
    """Return the beginning of a text up to the end of a word.

    ``strings``  the parts of the text.
    """
    parts = []
    characters = SAMPLE_CHARACTERS
    for string in strings:
        end = string.find(" ", characters) if characters < len(string) else -1
        parts.append(string if end < 0 else string[:end])
        characters -= len(string)
        if characters <= 0:
            break
    return " ".join(parts)


def letters_by_script(text: str) -> Counter[str]:
    """Count the letters of a text by script. Letters outside ``SCRIPTS`` count as Latin."""
    counts: Counter[str] = Counter()
    latin = text if text.isascii() else OTHER_LETTERS.sub("", text)
    for name, letters in SCRIPTS.items() if latin != text else ():
        counts[name] = len(re.findall(f"[{letters}]", text))
    counts[LATIN] = sum(map(str.isalpha, latin))
    return counts


def detect_language(text: str) -> str:
    """Return the code of a text's language; ``UNKNOWN`` for a language without a table.

    Candidates are the languages in the script of most letters that have all letters of the text.
    The candidate with the most function words and letters of its own is chosen.
    """
    text = normalized(text)
    script = main_script(text)
    words = LONGER_WORD.findall(text.lower())
    english = _share(words, language(ENGLISH)) if script == LATIN else 0.0
    if english >= CLEARLY_ENGLISH_SHARE:
        return ENGLISH
    candidates = [table for table in _of_script(script) if not _lacks(table, text)]
    if not candidates:
        return UNKNOWN
    # One look at each word counts the function words of all languages.
    counts = Counter(chain.from_iterable(map(_codes_of_words().get, words, repeat(()))))
    with_own = [_share_with_own_letters(table, text) for table in candidates]
    shares = [
        counts[table.code] / max(len(words), 1) + more
        for table, more in zip(candidates, with_own, strict=True)
    ]
    best = shares.index(max(shares))
    likeliest = candidates[best]
    if script != LATIN:
        return likeliest.code
    if len(words) >= FEWEST_WORDS_FOR_SHARE and shares[best] < LEAST_FUNCTION_WORD_SHARE:
        return UNKNOWN
    # Two words are enough without any of English or as many of a third language.
    is_alone = english == 0 and shares.count(shares[best]) == 1
    evidence = _evidence(words, likeliest)
    is_told = with_own[best] > 0 or evidence >= FEWEST_TELLING_WORDS - is_alone
    if shares[best] >= MARGIN_OVER_ENGLISH * english and is_told:
        return likeliest.code
    # A long text has function words of its language. In a short one other words must speak against
    # English: names and headlines have none.
    is_long = len(words) >= FEWEST_WORDS_FOR_SHARE
    may_be_english = (
        english >= LEAST_FUNCTION_WORD_SHARE if is_long else english > 0 or evidence < 2
    )
    return ENGLISH if candidates[0].code == ENGLISH and may_be_english else UNKNOWN


def normalized(text: str) -> str:
    """Return a text with letters for ligatures, and blanks for addresses.

    In Latin script, quotations in another one become blanks, too.
    """
    if STOP_WITHIN_WORD.search(text) or "://" in text or "@" in text:
        text = ADDRESS.sub(" ", text)
    text = unicodedata.normalize("NFKC", text)
    return OTHER_LETTERS.sub(" ", text) if main_script(text) == LATIN else text


def _lacks(table: Language, text: str) -> bool:
    """Tell whether a language lacks letters of the lower-case words of a text."""
    if not table.letters or text.isascii():
        return False
    letters = table.letters.union(ascii_letters)
    if not any(map(str.isalpha, set(text) - letters)):
        return False
    words = _in_lower_case(text)
    foreign = {word for word in words if not letters.issuperset(word)}
    return len(foreign) > max(MOST_FOREIGN_SHARE * len(words), len(words) >= FEWEST_WORDS_FOR_SHARE)


def _in_lower_case(text: str) -> list[str]:
    return [word for word in LETTER_RUN.findall(text) if word == word.lower()]


def _share_with_own_letters(table: Language, text: str) -> float:
    """Return the share of lower-case words that have letters of this language alone."""
    alone = _own_letters()[table.code]
    # Every Latin language has the letters of ASCII.
    if text.isascii() or alone.isdisjoint(text):
        return 0.0
    words = _in_lower_case(text)
    with_own = sum(not alone.isdisjoint(word) for word in words)
    return with_own / max(len(words), 1)


def _evidence(words: list[str], table: Language) -> int:
    """Count the different words that are function words or have letters that English lacks."""
    more = table.letters - language(ENGLISH).letters
    return sum(word in table.function_words or not more.isdisjoint(word) for word in {*words})


@cache
def _codes_of_words() -> dict[str, list[str]]:
    """Return for each function word the codes of its languages."""
    codes: dict[str, list[str]] = {}
    for code in CODES:
        for word in language(code).function_words:
            codes.setdefault(word, []).append(code)
    return codes


@cache
def _own_letters() -> dict[str, frozenset[str]]:
    """Return for each language by its code the letters that no other language has."""
    counts = Counter(letter for code in CODES for letter in language(code).letters)
    alone = {letter for letter, number in counts.items() if number == 1}
    return {code: language(code).letters & alone for code in CODES}


def outweighs(code: str, other_code: str, text: str) -> bool:
    """Tell whether a text is beyond doubt in one language rather than in another.

    ``code``, ``other_code``  the codes of the two languages.

    The text has letters that the other language lacks. Or it has more than twice as many function
    words of the first language, and these are ``FEWEST_TELLING_WORDS`` different ones or the text
    has next to no function words of the other language.
    """
    text = normalized(text)
    table, other_table = language(code), language(other_code)
    if other_table.script and main_script(text) != other_table.script:
        return True
    words = LONGER_WORD.findall(text.lower())
    shares = _share(words, table), _share(words, other_table)
    is_not_the_other = (
        len(words) >= FEWEST_WORDS_TO_EXCLUDE and shares[1] < LEAST_FUNCTION_WORD_SHARE
    )
    if code == UNKNOWN:
        return is_not_the_other
    is_told = _evidence(words, table) >= FEWEST_TELLING_WORDS or is_not_the_other
    return (is_told and shares[0] > 2 * shares[1]) or _lacks(other_table, text)


def are_in_two_languages(first: str, second: str) -> bool:
    """Tell whether two texts are beyond doubt in different languages.

    Each has more than twice as many function words of its own language as of the other's, or some
    words in another script.
    """
    scripts = {main_script(first), main_script(second)}
    # Short Japanese texts may have Chinese characters alone.
    if len(scripts) == 2 and scripts != {"Kana", "Han"}:
        return all(
            sum(map(str.isalpha, text)) >= FEWEST_LETTERS_OF_SCRIPT
            and detect_language(text) != UNKNOWN
            for text in (first, second)
        )
    words: dict[str, list[str]] = {}
    # The shorter text is the first to tell that there are too few words.
    for text in sorted((first, second), key=len):
        words[text] = LONGER_WORD.findall(normalized(text).lower())
        if len(words[text]) < FEWEST_WORDS_FOR_SHARE:
            return False
    # Most pairs are English: no look at other languages.
    english = language(ENGLISH)
    if all(_share(tokens, english) >= CLEARLY_ENGLISH_SHARE for tokens in words.values()):
        return False
    # An unknown language has no function words, and no language has more than itself.
    first_table, second_table = map(language, map(detect_language, (first, second)))
    return _share(words[first], first_table) > 2 * _share(words[first], second_table) and _share(
        words[second], second_table
    ) > 2 * _share(words[second], first_table)


def main_script(text: str) -> str:
    """Return the script of most letters, by weight (``LATIN_LETTERS_PER_SIGN``)."""
    if text.isascii() or not OTHER_LETTERS.search(text):
        return LATIN
    counts = letters_by_script(text)
    if counts["Kana"]:
        # Japanese is written with Chinese characters too; Chinese has no kana.
        counts["Kana"] += counts.pop("Han")
    weighed = {name: count * LATIN_LETTERS_PER_SIGN.get(name, 1) for name, count in counts.items()}
    best = max(weighed, key=weighed.__getitem__)
    return best if weighed[best] > weighed[LATIN] else LATIN


@lru_cache
def _of_script(script: str) -> tuple[Language, ...]:
    return tuple(table for table in map(language, CODES) if table.script == script)


def _share(words: list[str], table: Language) -> float:
    """Return the share of words that are function words of a language."""
    return sum(map(table.function_words.__contains__, words)) / max(len(words), 1)


MOSTLY_LATIN = 0.9
"""A text in Latin script has at least this share of Latin letters."""


def is_latin(texts: Iterable[str]) -> bool:
    """Tell whether the share of Latin letters in some texts is at least ``MOSTLY_LATIN``."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts += letters_by_script(text)
    return counts[LATIN] >= MOSTLY_LATIN * counts.total()
