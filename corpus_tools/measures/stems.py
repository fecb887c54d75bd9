"""Gives the stemmer of a name; that of ROUGE-1.5.5 knows WordNet's irregular forms."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

from corpus_tools.errors import BadResource, MissingResource, NoWordNet, warn_caller
from corpus_tools.texts.stems import stem
from corpus_tools.texts.wordnet_files import WAYS_TO_GET_IT, find_wordnet

LISTS = ("adv.exc", "verb.exc", "adj.exc", "noun.exc")
"""WordNet's lists of irregular forms, the last the strongest.

The order matters for "best" and "better" (good, not well) and "testes". The program takes what its
directory lists last, which differs between machines.
"""

NEWER = frozenset(["ashes", "cognosenti", "halfpence", "lisente", "morses", "staretsy"])
"""What WordNet 3.0 lists and WordNet 2.0, which the program has, does not."""


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


def make_stemmer(name: str) -> Callable[[str], str]:
    """Return the function that gives a word's stem, by the name of a stemmer.

    Warns (``MissingResource``) where WordNet is needed and there is none.
    """
    if name == "none":
        return str
    if name == "nltk":
        return _nltk
    exceptions = irregular_forms()
    if not exceptions:
        # What it costs was measured on 1,500 abstracts beside the first three sentences.
        problem = (
            "no WordNet found: irregular forms (went, children) keep stems of their own, so figures"
            " with stems are not quite those of ROUGE-1.5.5 (ROUGE-1: every tenth summary, its"
            f" mean by 0.002). Get WordNet with {' or '.join(WAYS_TO_GET_IT)}"
        )
        warn_caller(MissingResource(problem))
    return functools.partial(program_stem, exceptions)


def program_stem(exceptions: Mapping[str, str], word: str) -> str:
    """Return ROUGE-1.5.5's stem of a word; ``exceptions`` are the lemmas of irregular forms."""
    if len(word) < SHORTEST:
        return word
    lemma = exceptions.get(word)
    return porter(word) if lemma is None else lemma


def _nltk(word: str) -> str:
    """Return NLTK's stem of a word; as rouge-score does, leave short words as they are."""
    return stem(word) if len(word) >= SHORTEST else word


@functools.cache
def irregular_forms() -> Mapping[str, str]:
    """Read the lemmas of irregular forms from WordNet, ``{}`` where there is none.

    Raises ``BadResource`` for a damaged WordNet.
    """
    try:
        root = find_wordnet()
    except NoWordNet:
        return {}
    lemmas: dict[str, str] = {}
    for name in LISTS:
        try:
            with root.join(name).open("utf-8") as lines:
                for line in lines.read().splitlines():
                    form, lemma, *_ = line.split()
                    lemmas[form] = lemma
        except (OSError, ValueError) as error:
            problem = f"this WordNet is damaged, {name}: {error}; install it again"
            raise BadResource(problem, str(root)) from error
    return {form: lemma for form, lemma in lemmas.items() if form not in NEWER and "_" not in form}


def porter(word: str) -> str:
    """Return ROUGE-1.5.5's stem of a word of a-z and 0-9; of a short one, the word.

    It is Porter's (1980) with the program's own step 4. Steps 1 to 3 and 5 are Porter's, with
    ``bli`` for ``abli``, ``logi``, and an initial y as a consonant. In step 4 the program tries
    ``ment`` and then ``ent`` on what the other endings left, even where one of these was there and
    stayed: "agreement" becomes "agreem".
    """
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
