"""Sorts words into classes, and pairs of words into classes of pairs.

The table of the language has the classes of function words. The class of a content word follows
from its senses in WordNet.
"""

from __future__ import annotations

import re

import numpy as np

from corpus_tools.languages.language import ENGLISH, FUNCTION_WORD_CLASSES, NUMBER_CLASS, language

WORD_CLASSES = (*FUNCTION_WORD_CLASSES, NUMBER_CLASS, "noun", "verb", "adjective", "adverb", "name")

FUNCTION_CLASS_COUNT = len(FUNCTION_WORD_CLASSES)
"""The classes of function words come first: their numbers are smaller than this one."""

CLASS_PAIRS = (
    "one function class",
    "function classes",
    "function and content",
    "one content class",
    "content classes",
)
"""Classes of word pairs, by the classes of both words: the same class, or two different ones."""

CONTENT_PAIRS = slice(3, None)
"""The classes of pairs of content words."""

NAME_PAIR = len(CLASS_PAIRS)
"""The class of a pair of two names, after ``CLASS_PAIRS``. Two names are rarely rewrites."""

NAME_CLASS_OFFSET = len(WORD_CLASSES) - FUNCTION_CLASS_COUNT
"""The difference between the word class of a name and that of the same word as a common noun."""


def _class_pairs() -> np.ndarray:
    """Return ``CLASS_PAIR_TABLE``."""
    classes = np.arange(len(WORD_CLASSES) + NAME_CLASS_OFFSET)
    is_name = classes >= len(WORD_CLASSES)
    # The word class of a name is that of the same word without a capital letter.
    plain = np.where(is_name, classes - NAME_CLASS_OFFSET, classes)
    same = plain[:, None] == plain
    # How many of the two words are function words: 0, 1 or 2.
    functions = np.add.outer(plain < FUNCTION_CLASS_COUNT, plain < FUNCTION_CLASS_COUNT, dtype=int)
    cases = [is_name[:, None] & is_name, functions == 2, functions == 1]
    # The numbers are those of CLASS_PAIRS, from "one function class" to "content classes".
    pairs = np.select(cases, [NAME_PAIR, np.where(same, 0, 1), 2], np.where(same, 3, 4))
    return pairs.astype(np.int8)


CLASS_PAIR_TABLE = _class_pairs()
"""int8 [G + N, G + N], the index in ``CLASS_PAIRS``, or ``NAME_PAIR``, of each two word classes.

G word classes come first, then the N classes of content words again, for names.
"""


def class_of(form: str, senses: dict[str, int], code: str = ENGLISH) -> int:
    """Return the number of a form's class in ``WORD_CLASSES``.

    ``senses``  the number of senses in WordNet by part of speech (n, v, a, r).

    The part of speech with the most senses is the class. A form without any sense is a name.
    """
    if name := language(code).classes.get(form):
        return WORD_CLASSES.index(name)
    if not re.search(r"\w", form):
        return WORD_CLASSES.index("punctuation")
    if re.search(r"\d", form):
        return WORD_CLASSES.index("number")
    parts = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
    best = max(parts, key=lambda part: senses.get(part, 0))
    return WORD_CLASSES.index(parts[best] if senses.get(best) else "name")


def is_function_word(form: str, code: str = ENGLISH) -> bool:
    """Tell whether a form is a function word of the language or a punctuation mark."""
    name = language(code).classes.get(form)
    return name in FUNCTION_WORD_CLASSES if name else not re.search(r"\w", form)
