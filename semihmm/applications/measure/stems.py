"""Stems of words, as ROUGE-1.5.5 and NLTK make them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

from corpus_tools.base.errors import BadResource, MissingResource, NoWordNet, warn_caller
from corpus_tools.texts.forms import load_nltk, stem
from corpus_tools.texts.lexicons import WAYS_TO_GET_WORDNET, find_wordnet

EXCEPTION_LISTS = ("adv.exc", "verb.exc", "adj.exc", "noun.exc")
"""WordNet's lists of irregular forms. A later list overrides an earlier one.

The order matters for "best" and "better" (good, not well) and "testes". ROUGE-1.5.5 reads the lists
in the order of its directory, which differs between machines.
"""


NEWER_EXCEPTIONS = frozenset(["ashes", "cognosenti", "halfpence", "lisente", "morses", "staretsy"])
"""Irregular forms of WordNet 3.0 that WordNet 2.0, which ROUGE-1.5.5 has, does not list."""


SHORTEST_STEMMED = 4
"""Shorter words are not stemmed."""


PORTER_STEP_4 = re.compile("(?:al|ance|ence|er|ic|able|ible|ant|ement|ou|ism|ate|iti|ous|ive|ize)$")


def make_stemmer(name: str) -> Callable[[str], str]:
    """Return the function that stems a word, by the name of a stemmer.

    Warns (``MissingResource``) if the stemmer needs WordNet and there is none.
    """
    if name == "none":
        return str
    if name == "nltk":
        # Short words stay as they are, as in rouge-score.
        return lambda word: stem(word) if len(word) >= SHORTEST_STEMMED else word
    exceptions = irregular_forms()
    if not exceptions:
        # The figures were measured on 1,500 abstracts, each against the first three sentences.
        problem = (
            "no WordNet found: irregular forms (went, children) keep stems of their own, so figures"
            " with stems are not quite those of ROUGE-1.5.5 (ROUGE-1: every tenth summary, its"
            f" mean by 0.002). Get WordNet with {' or '.join(WAYS_TO_GET_WORDNET)}"
        )
        warn_caller(MissingResource(problem))
    return functools.partial(program_stem, exceptions)


def program_stem(exceptions: Mapping[str, str], word: str) -> str:
    """Return ROUGE-1.5.5's stem of a word; ``exceptions`` are the lemmas of irregular forms."""
    if len(word) < SHORTEST_STEMMED:
        return word
    lemma = exceptions.get(word)
    return porter(word) if lemma is None else lemma


@functools.cache
def irregular_forms() -> Mapping[str, str]:
    """Read the lemmas of irregular forms from WordNet; ``{}`` without WordNet.

    Raises ``BadResource`` for a damaged WordNet.
    """
    try:
        root = find_wordnet()
    except NoWordNet:
        return {}
    lemmas: dict[str, str] = {}
    try:
        for name in EXCEPTION_LISTS:
            rows = map(str.split, (root / name).read_text("utf-8").splitlines())
            lemmas |= {form: lemma for form, lemma, *_ in rows}
    except (OSError, ValueError) as error:
        raise BadResource(
            f"this WordNet is damaged: {error}; install it again", str(root)
        ) from error
    return {form: lemma for form, lemma in lemmas.items() if form not in NEWER_EXCEPTIONS}


def porter(word: str) -> str:
    """Return ROUGE-1.5.5's stem of a word of a-z and 0-9, at least ``SHORTEST_STEMMED`` long.

    The steps are NLTK's, with three differences. Step 1 keeps a double y. Step 2 turns "logi" into
    "log" if a vowel and a consonant come before the ending. Step 4 first tries the endings in
    ``PORTER_STEP_4`` and then always ``ment`` and ``ent``: "agreement" becomes "agreem".
    """
    nltk = _porter()
    word = nltk._step1a(word)
    if word.endswith(("yyed", "yying")):
        word = word[: word.rindex("yy") + 2]
    word = nltk._step1c(nltk._step1b(word))
    if word.endswith("logi"):
        word = word[:-1] if nltk._measure(word[:-4]) > 0 else word
    else:
        word = nltk._step2(word)
    word = nltk._step3(word)
    if ending := PORTER_STEP_4.search(word):
        word = _dropped(word, ending[0])
    word = _dropped(word, "ment")
    word = _dropped(word, "ion" if word.endswith(("sion", "tion")) else "ent")
    return str(nltk._step5b(nltk._step5a(word)))


@functools.cache
def _porter() -> Any:
    load_nltk()
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS)


def _dropped(word: str, ending: str) -> str:
    """Return a word without an ending if Porter's measure of the rest is above 1."""
    before = word.removesuffix(ending)
    return before if _porter()._measure(before) > 1 else word
