"""Compares annotators with each other: their sure links as alignments, and kappa (section 2.2)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.alignments.digests import check_digests, pair_digests
from corpus_tools.alignments.matching import require_same_ids
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.agreement import kappa
from corpus_tools.texts.ignore_list import read_ignore_list

GOLD = "gold"
"""The name of the hand alignments of the pairs, which no annotator can have."""

Annotators = Mapping[str, Sequence[Pair]]
"""The pairs with each annotator's links, by the name of the annotator."""


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
    for candidates in (_differences(names), names, _differences(files), files, real):
        if len({*candidates, GOLD}) > len(files):
            return list(candidates)
    raise AssertionError("files that differ have paths that differ")


def _differences(texts: Sequence[str]) -> list[str]:
    """Return the texts without the start and the end that all have in common."""
    if len(texts) < 2:
        return list(texts)
    first = len(os.path.commonprefix(texts))  # noqa: RUF071 (by character)
    last = len(os.path.commonprefix([text[first:][::-1] for text in texts]))  # noqa: RUF071
    return [text[first : len(text) - last] or text for text in texts]


def check_texts(pairs: Sequence[Pair], others: Sequence[Pair], name: str) -> None:
    """Raise ``BadData`` unless an annotator's pairs are the same texts, all with links."""
    require_same_ids(
        "pairs", {pair.id for pair in pairs}, f"annotator {name}", {pair.id for pair in others}
    )
    known = {pair.id: pair for pair in pairs}
    for other in others:
        try:
            check_digests(other.id, pair_digests(other), known[other.id])
        except BadData as error:
            raise BadData(f"annotator {name}: {error.problem}") from None
        if other.sure is None:
            raise BadData(f"pair {other.id!r} of annotator {name} has no 'sure' links")


def sure_alignments(pairs: Sequence[Pair]) -> dict[str, Alignment]:
    """Return the sure links of the pairs as alignments by id."""
    return {
        pair.id: from_word_links(pair.id, dict.fromkeys(pair.sure_links(), 1.0), len(pair.abstract))
        for pair in pairs
    }


def kappas(annotators: Annotators, ignore: str) -> list[Kappa]:
    """Return the agreement of every two annotators, where every word pair is a decision."""
    return [
        Kappa((first, second), *_kappas(annotators[first], annotators[second], ignore))
        for first, second in combinations(annotators, 2)
    ]


def _kappas(
    first: Sequence[Pair], second: Sequence[Pair], ignore: str
) -> tuple[float, float, float, float]:
    """Return the figures of ``Kappa``."""
    sure = [{pair.id: pair.sure_links() for pair in pairs} for pairs in (first, second)]
    possible = [{pair.id: pair.gold_links() for pair in pairs} for pairs in (first, second)]
    ignored = read_ignore_list(ignore)
    return (
        kappa(sure[0], sure[1], first),
        kappa(possible[0], possible[1], first),
        kappa(sure[0], sure[1], first, ignored),
        kappa(possible[0], possible[1], first, ignored),
    )
