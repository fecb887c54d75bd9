"""Sorts words into classes: function words by list, content words by their senses in WordNet."""

from __future__ import annotations

import re

FUNCTION_WORDS = {
    "determiner": "the a an this that these those some any each every no another such all both",
    "preposition": """in on at by for from to with as into than of over under between through during
        after before against about near since until upon within without across among around behind
        toward towards per via""",
    "conjunction": """and or but nor if while when because although though where whether so yet
        unless""",
    "auxiliary": """is are was were be been being am has have had having will would can could may
        might must shall should do does did 'll 've 're 'd n't not""",
    "pronoun": """it he his she her they their its him them who which whose whom what i you we us
        our my your me himself herself itself themselves there""",
    "punctuation": "'s $ %",
}
NUMBER_WORDS = """one two three four five six seven eight nine ten eleven twelve twenty thirty forty
    fifty hundred thousand million billion dozen first second third"""

CLASSES = (*FUNCTION_WORDS, "number", "noun", "verb", "adjective", "adverb", "name")
FUNCTION_CLASSES = len(FUNCTION_WORDS)
"""Classes with smaller numbers are those of function words."""

_BY_LIST = {word: name for name, words in FUNCTION_WORDS.items() for word in words.split()}
_BY_LIST |= dict.fromkeys(NUMBER_WORDS.split(), "number")


def class_of(form: str, senses: dict[str, int]) -> int:
    """Return the number of a form's class in ``CLASSES``.

    ``senses`` says how many senses WordNet has for the form by part of speech (n, v, a, r). The
    part of speech with the most senses is the class. A form without any sense is a name.
    """
    if name := _BY_LIST.get(form):
        return CLASSES.index(name)
    if not re.search(r"\w", form):
        return CLASSES.index("punctuation")
    if re.search(r"\d", form):
        return CLASSES.index("number")
    parts = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
    best = max(parts, key=lambda part: senses.get(part, 0))
    return CLASSES.index(parts[best] if senses.get(best) else "name")
