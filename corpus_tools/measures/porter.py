"""Computes the stems of ROUGE-1.5.5: Porter (1980) with the program's own step 4.

Steps 1 to 3 and 5 are Porter's, with ``bli`` for ``abli``, ``logi``, and an initial y as a
consonant. In step 4 the program tries ``ment`` and then ``ent`` on what the other endings left,
even where one of these was there and stayed: "agreement" becomes "agreem".
"""

from __future__ import annotations

import re

SHORTEST = 4
"""Shorter words are not stemmed."""

STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
STEP_3 = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


def porter(word: str) -> str:
    """Return the stem of a word of a-z and 0-9; of a short one, the word."""
    if len(word) < SHORTEST:
        return word
    # A Y is a consonant wherever it stands.
    marked = "Y" + word[1:] if word[0] == "y" else word
    for step in (_plurals, _past, _final_y, _step_2, _step_3, _step_4, _final_e):
        marked = step(marked)
    return marked.replace("Y", "y")


def _shape(stem: str) -> str:
    """Write v for each vowel and c for each consonant; a y after a consonant is a vowel."""
    shape = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """Return Porter's m, the number of times that consonants follow vowels."""
    return _shape(stem).count("vc")


def _ends_short(stem: str) -> bool:
    """Whether the stem is consonants, a vowel and a consonant other than w, x and y."""
    return re.fullmatch("c+vc", _shape(stem)) is not None and stem[-1] not in "wxy"


def _without(word: str, ending: str) -> str | None:
    """Return what is before the ending, or ``None`` where there is none."""
    return word[: -len(ending)] if word.endswith(ending) else None


def _plurals(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if re.search("[^s]s$", word) else word


def _past(word: str) -> str:
    if (stem := _without(word, "eed")) is not None:
        return word[:-1] if _measure(stem) > 0 else word
    ending = "ed" if word.endswith("ed") else "ing"
    stem = _without(word, ending)
    if stem is None or "v" not in _shape(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if re.search(r"([^aeiouylsz])\1$", stem):
        return stem[:-1]
    return stem + "e" if _ends_short(stem) else stem


def _final_y(word: str) -> str:
    stem = _without(word, "y")
    return stem + "i" if stem is not None and "v" in _shape(stem) else word


def _replaced(word: str, endings: dict[str, str]) -> str:
    """Replace the longest of the endings, where vowels and consonants stand before it."""
    for ending in sorted(endings, key=len, reverse=True):
        if (stem := _without(word, ending)) is not None:
            return stem + endings[ending] if _measure(stem) > 0 else word
    return word


def _step_2(word: str) -> str:
    return _replaced(word, STEP_2)


def _step_3(word: str) -> str:
    return _replaced(word, STEP_3)


def _dropped(word: str, endings: tuple[str, ...]) -> str:
    """Drop the longest of the endings, where vowels and consonants stand before it twice."""
    for ending in sorted(endings, key=len, reverse=True):
        if (stem := _without(word, ending)) is not None:
            return stem if _measure(stem) > 1 else word
    return word


def _step_4(word: str) -> str:
    for endings in (STEP_4, ("ment",)):
        word = _dropped(word, endings)
    if word.endswith("ent"):
        return _dropped(word, ("ent",))
    if word.endswith(("sion", "tion")):
        return _dropped(word, ("ion",))
    return word


def _final_e(word: str) -> str:
    stem = _without(word, "e")
    if stem is not None:
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
