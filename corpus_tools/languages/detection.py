"""Tells which language a text is in, by the script of its letters and by its function words.

Function words are a third of a text of news, and few are shared by languages: some fifty of each
language are enough to tell a paragraph's. Words alone tell nothing of a text of a few words, which
is taken for English if its letters are Latin.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

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

FEWEST_WORDS = 15
LEAST_SHARE = 0.08
"""Of so many words, so many must be function words of a language that there is a table of."""

MARGIN = 1.5
"""A text is English unless another language has so many times the function words in it."""

FEWEST_FOUND = 2
"""One word alone tells no language: names of one language are words of others."""

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

    The script with the most letters decides, and of the languages that are written in it the one
    with the most function words in the text.
    """
    script = main_script(text)
    words = WORD.findall(text.translate(APOSTROPHES).lower())
    english = _share(words, language(ENGLISH)) if script == LATIN else 0.0
    candidates = _of_script(script)
    if english >= CLEAR:
        return ENGLISH
    if not candidates:
        return UNKNOWN
    shares = [_share(words, candidate) for candidate in candidates]
    best = max(shares)
    if script == LATIN and len(words) >= FEWEST_WORDS and best < LEAST_SHARE:
        return UNKNOWN
    if script == LATIN and (best < MARGIN * english or best * len(words) < FEWEST_FOUND):
        return ENGLISH
    return candidates[shares.index(best)].code


APOSTROPHES = str.maketrans("'\u2019", "  ")
"""Parts of words that an apostrophe divides are words here, as those of "l'eau"."""


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
