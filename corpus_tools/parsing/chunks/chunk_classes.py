"""Gives each token its class for the chunk grammar, from the token and its C5 tag.

A class tells what role a token can have in a phrase.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

QUOTE = "PUQ"
"""The tag of quotes. The grammar does not see them: they stand anywhere, and mostly beside a comma
that says the same."""
PUNCTUATION = "PUN"
NOUN = "N"
STOP = "Stop"

MARKS = {",": "Com", **dict.fromkeys((";", ":", "-", "--", "...", "\u2013", "\u2014"), "Col")}

CLASSES = {
    **dict.fromkeys(("AT0", "DPS"), "D"),
    "DT0": "Q",
    **dict.fromkeys(("AJ0", "AJC", "AJS", "ORD"), "A"),
    "CRD": "C",
    **dict.fromkeys(("PNP", "PNI", "PNX", "EX0"), "P"),
    "POS": "Pos",
    "PRF": "Of",
    "PRP": "I",
    "TO0": "To",
    "CJC": "And",
    "CJS": "Sub",
    "CJT": "That",
    "AVQ": "Why",
    **dict.fromkeys(("DTQ", "PNQ"), "Who"),
    **dict.fromkeys(("AV0", "ITJ"), "R"),
    "AVP": "Prt",
    "XX0": "Not",
    "VM0": "M",
    **dict.fromkeys(("VVB", "VVD", "VVZ"), "Vf"),
    **dict.fromkeys(("VVI", "VDI"), "Vi"),
    **dict.fromkeys(("VVG", "VDG"), "Vg"),
    **dict.fromkeys(("VVN", "VDN"), "Vn"),
    **dict.fromkeys(("VBB", "VBD", "VBZ"), "Bf"),
    "VBI": "Bi",
    "VBG": "Bg",
    "VBN": "Bn",
    **dict.fromkeys(("VHB", "VHD", "VHZ"), "Hf"),
    "VHI": "Hi",
    "VHG": "Hg",
    "VHN": "Hn",
    **dict.fromkeys(("VDB", "VDD", "VDZ"), "Df"),
    "PUL": "L",
    "PUR": "E",
}
"""The class of each C5 tag; tags that are not listed are nouns (``NOUN``)."""

FINITE = frozenset(("Vf", "Vfs", "Vfv", "Vfw", "Vfb", "M", "Bf", "Hf", "Df"))
AUXILIARIES = frozenset(("Bi", "Bg", "Bn", "Hi", "Hg", "Hn"))
NOMINAL = frozenset((NOUN, "Nd", "Nt", "P", "Ps", "Q", "C"))


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


VERBS = {
    # Take a clause without "that".
    "s": _words(
        "say says said saying think thinks thought thinking believe believes believed believing "
        "know knows knew known tell tells told telling hope hopes hoped hoping fear fears feared "
        "feel feels felt claim claims claimed claiming insist insists insisted suggest suggests "
        "suggested argue argues argued arguing add adds added adding warn warns warned warning "
        "mean means meant note notes noted noting admit admits admitted realize realizes realized "
        "guess wish wishes wished understand understands understood"
    ),
    # Take a subject with "to": they wanted the firm to close.
    "w": _words(
        "want wants wanted wanting expect expects expected expecting allow allows allowed allowing "
        "like likes liked need needs needed require requires required enable enables enabled cause "
        "causes caused"
    ),
    # Take a subject with a bare infinitive: they saw the firm close.
    "b": _words(
        "see sees saw seen let lets letting make makes made making help helps helped helping watch "
        "watched watching hear hears heard"
    ),
}
"""Verbs that the grammar knows by what follows them, by the letter that their class gets."""
INVERTED = _words("said says added adds explained wrote asked")
"""Verbs that follow the words they report: "..., " said Smith."""
DAYS = _words(
    "monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow tonight"
)
TIMES = _words(
    "year years month months week weeks day days night nights morning afternoon evening weekend "
    "hour hours time summer winter spring fall autumn season"
)
NEAREST = _words("last next this that each every early late earlier later")
"""Words that make a time of the noun after them: last year."""
FOCUS = _words("only just even about almost nearly around approximately roughly some")
"""Words that modify the number or the noun phrase after them: about 20."""
SUBJECTS = _words("i he she we they")
OF_NOUNS = _words("for about between among against toward towards regarding concerning including")
"""Prepositions whose phrase modifies the noun before it rather than the verb."""
EITHER = _words("as like than")
LATER_EITHER = _words("since before after until till")
"""Prepositions or conjunctions, as the grammar will see by what follows; ``LATER_EITHER`` only
after a finite verb."""

TWO_WORDS = {
    **dict.fromkeys(
        ("more than", "less than", "fewer than", "at least", "at most", "up to"), ("C", "C")
    ),
    **dict.fromkeys(
        ("because of", "such as", "instead of", "rather than", "due to", "along with", "prior to"),
        ("Iw", "I"),
    ),
}


def classify(tokens: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the class of each token of a sentence, from its C5 tags."""
    words = [token.lower() for token in tokens]
    classes = list(map(_class, words, tags))
    _mend_nouns(tokens, classes)
    _mend_pairs(words, classes)
    _mend_prepositions(words, classes)
    _mend_verbs(words, classes)
    return classes


@functools.cache
def _class(word: str, tag: str) -> str:
    if tag == QUOTE:
        return tag
    if tag == PUNCTUATION:
        return MARKS.get(word, STOP)
    name = CLASSES.get(tag, NOUN)
    if name.startswith("V"):
        return name + next((letter for letter, verbs in VERBS.items() if word in verbs), "")
    return _special(word, name) or name


def _special(word: str, name: str) -> str | None:
    """Return the class of a word that tells more than its tag, ``None`` for other words."""
    if word in DAYS:
        return "Nd"
    if name == NOUN:
        return "Nt" if word in TIMES else None
    if name == "I":
        return "In" if word in OF_NOUNS else None
    if name in ("R", "Q", "A") and word in FOCUS:
        return "F"
    if name == "P":
        return "Ps" if word in SUBJECTS else None
    return "But" if word == "but" else None


def _mend_nouns(tokens: Sequence[str], classes: list[str]) -> None:
    """Make nouns of tokens that are parts of names or stand where only nouns can."""
    last_word = max((index for index, token in enumerate(tokens) if token[0].isalnum()), default=0)
    for index in range(1, len(tokens)):
        name = classes[index]
        before = classes[index - 1]
        after = classes[index + 1 : index + 2]
        capitals = tokens[index - 1][0].isupper() and tokens[index][0].isupper()
        in_name = name == "A" and before == NOUN and capitals
        between_article_and_noun = name in ("Vf", "Vi") and before in ("D", "A") and after == [NOUN]
        abbreviated = tokens[index] == "." and before == NOUN and index < last_word
        if in_name or between_article_and_noun or abbreviated:
            classes[index] = NOUN


def _mend_pairs(words: list[str], classes: list[str]) -> None:
    for index, pair in enumerate(itertools.pairwise(words)):
        together = TWO_WORDS.get(" ".join(pair))
        # "More than" is part of a number, "more than he said" is not.
        before_number = classes[index + 2 : index + 3] in (["C"], ["D"])
        if together and (together[0] == "Iw" or before_number):
            classes[index : index + 2] = together
        elif (
            pair[0] in NEAREST
            and classes[index] in ("A", "Q", "R", "D")
            and classes[index + 1] in ("Nt", "Nd")
        ):
            classes[index] = "At"


def _mend_prepositions(words: list[str], classes: list[str]) -> None:
    after_finite_verb = False
    for index, word in enumerate(words):
        name = classes[index]
        after_finite_verb = after_finite_verb or name in FINITE
        before_number = classes[index + 1 : index + 2] == ["C"]
        may_be_either = (name in ("I", "Sub") and word in EITHER) or (
            name == "I" and after_finite_verb and word in LATER_EITHER
        )
        if word == "according":
            classes[index] = "I"
        elif name in ("I", "In") and word in FOCUS and before_number:
            classes[index] = "F"
        elif may_be_either:
            classes[index] = "Is"


def _mend_verbs(words: list[str], classes: list[str]) -> None:
    finite = sum(name in FINITE for name in classes)
    for index, name in enumerate(classes):
        before = [other for other in classes[:index] if other != QUOTE]
        if name[:2] == "Vf" and words[index] in INVERTED and before[-1:] == ["Com"]:
            classes[index] = "Vfv"
        elif name == "Vf" and finite > 1 and words[index + 1 : index + 2] == ["by"]:
            classes[index] = "Vn"
        elif name[:2] == "Vn" and _is_main_verb(before, classes[index + 1 :]):
            classes[index] = "Vf" + name[2:]


def _is_main_verb(before: list[str], after: list[str]) -> bool:
    """Whether a participle is the first verb after a subject, and no later verb is the main one."""
    if not NOMINAL.intersection(before) or (FINITE | AUXILIARIES).intersection(before):
        return False
    next_finite = next((index for index, name in enumerate(after) if name in FINITE), None)
    return next_finite is None or (next_finite > 0 and after[next_finite - 1] in ("And", "But"))
