"""Compares the links of annotators by Cohen's kappa, and unites them (sections 2.2 and 5.2)."""

import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain, combinations
from typing import NamedTuple

from corpus_tools.alignments.alignment import GOLD_SYSTEM, Alignment, from_word_links
from corpus_tools.alignments.formats import match
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair, WordLink, main_language
from corpus_tools.texts.lexicons import content_tokens, read_ignore_list
from corpus_tools.texts.text_table import Table
from semihmm.applications.score.scores import links_of_words

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
        links = links_of_words(links_of(pair), words)
        other_links = links_of_words(links_of(others[pair.id]), words)
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


def annotator_names(files: Sequence[str]) -> list[str]:
    """Return the names of files, with their directories if two names are equal.

    Raises ``BadUsage`` for a file that is given twice.
    """
    real = [os.path.realpath(file) for file in files]
    if len(set(real)) < len(real):
        raise BadUsage("the file of an annotator is given twice")
    names = [os.path.basename(file) for file in files]
    # The name of the pairs' own hand alignments is taken.
    return names if len({*names, GOLD_SYSTEM}) > len(names) else real


def check_texts(pairs: Sequence[Pair], others: Sequence[Pair], name: str) -> None:
    """Raise ``BadData`` unless an annotator's pairs are the same texts, all with links."""
    try:
        match(pairs, sure_alignments(others))
    except BadData as error:
        raise BadData(f"annotator {name}: {error}") from None


def sure_alignments(pairs: Sequence[Pair]) -> list[Alignment]:
    """Return the sure links of the pairs as alignments with digests of their texts."""
    return [
        from_word_links(pair.id, pair.sure_links(), len(pair.abstract)).made_from(pair)
        for pair in pairs
    ]


# The links of all together


def united(annotators: Annotators) -> list[Pair]:
    """Return the pairs that two or more have decided, with the links of all of them (section 5.2).

    A link is sure if it is sure for one annotator, else possible. The pairs are in the order of the
    first annotator of each, whose texts they have.
    """
    by_id: dict[str, list[Pair]] = defaultdict(list)
    for pairs in annotators.values():
        for pair in pairs:
            if pair.sure is not None:
                by_id[pair.id].append(pair)
    united_pairs = []
    for decided in by_id.values():
        if len(decided) > 1:
            sure = frozenset[WordLink]().union(*(pair.sure_links() for pair in decided))
            every = sure.union(*(pair.gold_links() for pair in decided))
            united_pairs.append(replace(decided[0], sure=sure, possible=every - sure))
    return united_pairs


# The report


def kappa_table(kappas: Sequence[Kappa]) -> Table:
    """Return the table of kappas."""
    columns = (
        "sure",
        "sure and possible",
        "sure, outside the ignore list",
        "sure and possible, outside",
    )
    rows = [
        [" and ".join(names), *(f"{value:.3f}" for value in values)] for names, *values in kappas
    ]
    return Table([["kappa", *columns], *rows])
