"""Cohen's kappa of the word links of annotators (section 2.2 of the paper)."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, combinations
from typing import NamedTuple

from corpus_tools.pairs.pair import Pair, WordLink, main_language
from corpus_tools.texts.lexicons import content_tokens, read_ignore_list

Annotators = Mapping[str, Sequence[Pair]]
"""The pairs with each annotator's links, by the annotator's name, which is not ``GOLD_SYSTEM``."""


class Kappa(NamedTuple):
    """The kappas of two annotators.

    ``sure``, ``possible``  the kappa of sure links; of sure and possible links.
    ``..._outside``         the same for words outside the ignore list.
    """

    annotators: tuple[str, str]
    sure: float
    possible: float
    sure_outside: float
    possible_outside: float


def kappas(annotators: Annotators, ignore: str) -> list[Kappa]:
    """Return the kappas of every two annotators."""
    language = main_language(chain.from_iterable(annotators.values()))
    every = [
        (links_of, ignored)
        for ignored in (frozenset[str](), read_ignore_list(ignore, language))
        for links_of in (Pair.sure_links, Pair.gold_links)
    ]
    return [
        Kappa((name, other_name), *(cohens_kappa(first, second, *which) for which in every))
        for (name, first), (other_name, second) in combinations(annotators.items(), 2)
    ]


def cohens_kappa(
    first: Sequence[Pair],
    second: Sequence[Pair],
    links_of: Callable[[Pair], AbstractSet[WordLink]],
    ignored: AbstractSet[str] = frozenset(),
) -> float:
    """Return Cohen's kappa of the word links of two annotators on the same pairs.

        kappa = (p_observed - p_chance) / (1 - p_chance)

    A document token and an abstract token of a pair are one decision: linked or not. Abstract
    tokens in ``ignored`` do not count, as in a ``Scope``. The value is 1.0 if p_chance is 1: there
    are no decisions, or both link nothing or everything.
    """
    others = {pair.id: pair for pair in second}
    decisions, differing = 0, 0
    linked_by_first, linked_by_second = 0, 0
    for pair in first:
        words = content_tokens(pair.abstract.tokens, ignored)
        links = {link for link in links_of(pair) if link[1] in words}
        other_links = {link for link in links_of(others[pair.id]) if link[1] in words}
        decisions += len(pair.document) * len(words)
        differing += len(links ^ other_links)
        linked_by_first += len(links)
        linked_by_second += len(other_links)
    # Numerator and denominator are multiplied by decisions^2. So they are whole numbers, and the
    # difference of nearly equal terms loses no digits.
    observed = decisions * (decisions - differing)
    expected = linked_by_first * linked_by_second + (decisions - linked_by_first) * (
        decisions - linked_by_second
    )
    beyond_chance = decisions**2 - expected
    return (observed - expected) / beyond_chance if beyond_chance else 1.0
