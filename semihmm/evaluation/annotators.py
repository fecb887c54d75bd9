"""Compares annotators with each other: their sure links as alignments, and kappa (section 2.2)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from corpus_tools.alignments.alignment import (
    GOLD,
    Alignment,
    check_digests,
    from_word_links,
    pair_digests,
    require_same_ids,
)
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.ignore_list import content_tokens, read_ignore_list

Annotators = Mapping[str, Sequence[Pair]]
"""The pairs with each annotator's links, by the name of the annotator, which is not ``GOLD``."""


class Kappa(NamedTuple):
    """The agreement of two annotators.

    ``sure``, ``possible``  on sure links, on sure and possible ones.
    ``..._outside``         the same on words outside the ignore list.
    """

    annotators: tuple[str, str]
    sure: float
    possible: float
    sure_outside: float
    possible_outside: float


def annotator_names(files: Sequence[str]) -> list[str]:
    """Return short names of files: what differs between them. One file has its whole name.

    Equal file names are told apart by their directories. Raises ``BadUsage`` for a file that is
    given twice.
    """
    real = [os.path.realpath(file) for file in files]
    for index, file in enumerate(real):
        if file in real[:index]:
            raise BadUsage(f"the file {files[index]} of an annotator is given twice")
    names = [Path(file).name for file in files]
    candidates = (_differences(names), names, _differences(files), files, real)
    return next(list(some) for some in candidates if len({*some, GOLD}) > len(files))


def _differences(texts: Sequence[str]) -> list[str]:
    """Return the texts without the start and the end that all have in common."""
    if len(texts) < 2:
        return list(texts)
    first = len(os.path.commonprefix(texts))  # noqa: RUF071 (by character)
    last = len(os.path.commonprefix([text[first:][::-1] for text in texts]))  # noqa: RUF071
    return [text[first : len(text) - last] or text for text in texts]


def check_texts(pairs: Sequence[Pair], others: Sequence[Pair], name: str) -> None:
    """Raise ``BadData`` unless an annotator's pairs are the same texts, all with links."""
    known = {pair.id: pair for pair in pairs}
    by_id = {pair.id: pair for pair in others}
    require_same_ids("pairs", known.keys(), f"annotator {name}", by_id.keys())
    for id, other in by_id.items():
        other.sure_links()
        try:
            check_digests(id, pair_digests(other), known[id])
        except BadData as error:
            raise BadData(f"annotator {name}: {error.problem}") from None


def sure_alignments(pairs: Sequence[Pair]) -> dict[str, Alignment]:
    """Return the sure links of the pairs as alignments by id."""
    return {
        pair.id: from_word_links(pair.id, pair.sure_links(), len(pair.abstract)) for pair in pairs
    }


def kappas(annotators: Annotators, ignore: str) -> list[Kappa]:
    """Return the agreement of every two annotators."""
    agreements = []
    ignored = read_ignore_list(ignore)
    for names in combinations(annotators, 2):
        first, second = (annotators[name] for name in names)
        agreement = Kappa(
            names,
            kappa(first, second, Pair.sure_links),
            kappa(first, second, Pair.gold_links),
            kappa(first, second, Pair.sure_links, ignored),
            kappa(first, second, Pair.gold_links, ignored),
        )
        agreements.append(agreement)
    return agreements


def kappa(
    first: Sequence[Pair],
    second: Sequence[Pair],
    links_of: Callable[[Pair], AbstractSet[WordLink]],
    ignored: AbstractSet[str] = frozenset(),
) -> float:
    """Return Cohen's kappa of the word links that two annotators gave to the same pairs.

    Every document token with every abstract token of a pair is one decision, linked or not. With
    ``ignored``, abstract tokens on that list are no decisions (as in ``scopes.Scope``). The value
    is 1.0 where chance leaves no room to disagree: no decision at all, or both link nothing or
    everything.
    """
    others = {pair.id: pair for pair in second}
    decisions, both = 0, 0
    only_first, only_second = 0, 0
    for pair in first:
        words = content_tokens(pair.abstract.tokens, ignored)
        one = {link for link in links_of(pair) if link[1] in words}
        other = {link for link in links_of(others[pair.id]) if link[1] in words}
        decisions += len(pair.document) * len(words)
        both += len(one & other)
        only_first += len(one - other)
        only_second += len(other - one)
    # All terms are multiplied by decisions squared: whole numbers, so that the difference of nearly
    # equal terms loses no digits.
    neither = decisions - both - only_first - only_second
    observed = decisions * (both + neither)
    expected = (both + only_first) * (both + only_second)
    expected += (neither + only_first) * (neither + only_second)
    by_chance_alone = decisions**2 - expected
    return (observed - expected) / by_chance_alone if by_chance_alone else 1.0
