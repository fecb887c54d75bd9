"""Gives the stemmer of a name; that of ROUGE-1.5.5 knows WordNet's irregular forms."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from corpus_tools.errors import BadResource, MissingResource, NoWordNet, warn_caller
from corpus_tools.measures.porter import SHORTEST, porter
from corpus_tools.texts.stems import stem
from corpus_tools.texts.wordnet_files import WAYS_TO_GET_IT, find_wordnet

LISTS = ("adv.exc", "verb.exc", "adj.exc", "noun.exc")
"""WordNet's lists of irregular forms, the last the strongest.

The order matters for "best" and "better" (good, not well) and "testes". The program takes what its
directory lists last, which differs between machines.
"""

NEWER = frozenset(["ashes", "cognosenti", "halfpence", "lisente", "morses", "staretsy"])
"""What WordNet 3.0 lists and WordNet 2.0, which the program has, does not."""


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
