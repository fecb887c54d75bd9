"""Tells which language a text is in, by the script of its letters and by its function words.

Function words are a third of a text of news, and few are shared by languages: some fifty of each
language are enough to tell a paragraph's. Letters tell more: one that a language lacks, or that no
other has, as "ß". A text of a few words is taken for English if it has no letters that English
lacks.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
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
"""The letters of other scripts than Latin, as in a set of a regular expression."""

SYLLABLES = {"Hangul": 2, "Kana": 2, "Han": 3}
"""For so many Latin letters a letter of a script stands that has one for a syllable or a word."""

SAMPLE = 600
"""Characters of the beginning of a text that are looked at: some hundred words."""

CLEAR = 0.3
"""A text with this share of English function words is English, without a look at others.

Dutch and Portuguese texts share up to a seventh of their words with the English list.
"""

FEWEST_TO_DECIDE = 10
"""So many words without function words of one of two languages are in the other one."""

FEWEST_WORDS = 15
LEAST_SHARE = 0.08
"""A text of ``FEWEST_WORDS`` words in a known language has this share of its function words."""

MARGIN = 1.5
"""A text is English unless another language has so many times the function words in it."""

FEWEST_FOUND = 3
"""So many different words tell a language that is not English: "met" and "in" are Dutch too."""

FOREIGN = 0.05
"""A text with this share of words that have letters which a language lacks is not in it.

Names are quoted with their letters, so that words in capitals do not count, nor does one word.
"""

LETTERS = re.compile(r"[^\W\d_]+")
WORD = re.compile(r"[^\W\d_]{2,}")
"""Single letters are names of things more often than words, as those of "U.S."."""

OTHER_LETTERS = re.compile(f"[{''.join(SCRIPTS.values())}]+")


def sample(strings: Iterable[str]) -> str:
    """Return the beginning of a text, which is given in parts, up to the end of a word."""
    parts = []
    left = SAMPLE
    for string in strings:
        end = string.find(" ", left) if left < len(string) else -1
        parts.append(string if end < 0 else string[:end])
        left -= len(string)
        if left <= 0:
            break
    return " ".join(parts)


def letters_by_script(text: str) -> Counter[str]:
    """Count the letters of a text by script. Others than ``SCRIPTS`` are Latin."""
    others = "" if text.isascii() else "".join(OTHER_LETTERS.findall(text))
    counts: Counter[str] = Counter()
    for name, letters in SCRIPTS.items() if others else ():
        counts[name] = len(re.findall(f"[{letters}]", others))
    # Signs of vowels are no letters to Python, and are among the others.
    counts[LATIN] = max(sum(map(str.isalpha, text)) - len(others), 0)
    return counts


def detect_language(text: str) -> str:
    """Return the code of a text's language, ``UNKNOWN`` for one that there is no table of.

    The script with the most letters decides. Of the languages that are written in it and lack none
    of the text's letters, it is the one with the most function words and letters of its own.
    """
    text = normalized(text)
    script = main_script(text)
    if script == LATIN:
        # Quotations in another script tell nothing.
        text = OTHER_LETTERS.sub(" ", text)
    words = WORD.findall(text.lower())
    english = _share(words, language(ENGLISH)) if script == LATIN else 0.0
    # Enough English words and no letters of others: no look at these.
    if english >= CLEAR:
        return ENGLISH
    candidates = [own for own in _of_script(script) if not _lacks(own, text)]
    if not candidates:
        return UNKNOWN
    with_own = [_share_with_own_letters(own, text) for own in candidates]
    shares = [_share(words, own) + more for own, more in zip(candidates, with_own, strict=True)]
    best = shares.index(max(shares))
    found = candidates[best]
    if script != LATIN:
        return found.code
    if len(words) >= FEWEST_WORDS and shares[best] < LEAST_SHARE:
        return UNKNOWN
    is_told = with_own[best] > 0 or _evidence(words, found) >= FEWEST_FOUND
    # So long a text without English function words is not English either.
    is_told |= len(words) >= FEWEST_WORDS and english < LEAST_SHARE
    if shares[best] >= MARGIN * english and is_told:
        return found.code
    return ENGLISH if candidates[0].code == ENGLISH else UNKNOWN


def normalized(text: str) -> str:
    """Return a text without ligatures, in which words that an apostrophe divides are two."""
    return unicodedata.normalize("NFKC", text).translate(APOSTROPHE_TABLE)


APOSTROPHE_TABLE = str.maketrans("'\u2019", "  ")


def _lacks(own: Language, text: str) -> bool:
    """Tell whether a language lacks letters of the words of a text that are in lower case."""
    if not own.letters or text.isascii():
        return False
    letters = own.letters.union(ascii_letters)
    if not any(letter.isalpha() for letter in set(text) - letters):
        return False
    words = _in_lower_case(text)
    foreign = {word for word in words if not letters.issuperset(word)}
    return len(foreign) > max(FOREIGN * len(words), len(words) >= FEWEST_WORDS)


def _in_lower_case(text: str) -> list[str]:
    return [word for word in LETTERS.findall(text) if word == word.lower()]


def _share_with_own_letters(own: Language, text: str) -> float:
    """Return the share of words in lower case with letters that no other language has."""
    alone = _own_letters()[own.code]
    if alone.isdisjoint(text):
        return 0.0
    words = _in_lower_case(text)
    with_own = sum(not alone.isdisjoint(word) for word in words)
    return with_own / max(len(words), 1)


def _evidence(words: list[str], own: Language) -> int:
    """Count the different words that are function words or have letters that English lacks."""
    more = own.letters - language(ENGLISH).letters
    return sum(word in own.function_words or not more.isdisjoint(word) for word in {*words})


@cache
def _own_letters() -> dict[str, frozenset[str]]:
    """Return the letters that only one language has, by its code."""
    counts = Counter(letter for code in CODES for letter in language(code).letters)
    alone = {letter for letter, number in counts.items() if number == 1}
    return {code: language(code).letters & alone for code in CODES}


def outweighs(code: str, other: str, text: str) -> bool:
    """Tell whether a text is in the language of a code rather than in the other one beyond doubt.

    It has letters that the other one lacks, or twice as many function words as of the other one:
    three different ones, or some where the other one has next to none.
    """
    text = normalized(text)
    own, against = language(code), language(other)
    if against.script and main_script(text) != against.script:
        return True
    words = WORD.findall(text.lower())
    shares = _share(words, own), _share(words, against)
    is_not_the_other = len(words) >= FEWEST_TO_DECIDE and shares[1] < LEAST_SHARE
    if code == UNKNOWN:
        return is_not_the_other
    is_told = _evidence(words, own) >= FEWEST_FOUND or is_not_the_other
    return (is_told and shares[0] > 2 * shares[1]) or _lacks(against, text)


def are_in_two_languages(first: str, second: str) -> bool:
    """Tell whether two texts are in different languages beyond doubt.

    Each has twice the function words of its own language that it has of the other one's.
    """
    words = [WORD.findall(normalized(text).lower()) for text in (first, second)]
    if min(map(len, words)) < FEWEST_WORDS:
        return False
    found = detect_language(first), detect_language(second)
    if UNKNOWN in found or found[0] == found[1]:
        return False
    own, other = map(language, found)
    return (own.script != other.script) or (
        _share(words[0], own) > 2 * _share(words[0], other)
        and _share(words[1], other) > 2 * _share(words[1], own)
    )


def main_script(text: str) -> str:
    """Return the script of most of the text."""
    if text.isascii() or not OTHER_LETTERS.search(text):
        return LATIN
    counts = letters_by_script(text)
    if counts["Kana"]:
        # Japanese is written with Chinese characters too; Chinese has no kana.
        counts["Kana"] += counts.pop("Han")
    weighed = {name: count * SYLLABLES.get(name, 1) for name, count in counts.items()}
    best = max(weighed, key=weighed.__getitem__)
    return best if weighed[best] > weighed[LATIN] else LATIN


@lru_cache
def _of_script(script: str) -> tuple[Language, ...]:
    return tuple(table for table in map(language, CODES) if table.script == script)


def _share(words: list[str], table: Language) -> float:
    """Return the share of function words of a language among words."""
    return sum(map(table.function_words.__contains__, words)) / max(len(words), 1)


MOSTLY_LATIN = 0.9
"""With a smaller share of Latin letters, a text is not taken for one in Latin script."""


def is_latin(texts: Iterable[str]) -> bool:
    """Tell whether nine of ten letters of some texts are Latin."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts += letters_by_script(text)
    return counts[LATIN] >= MOSTLY_LATIN * counts.total()
