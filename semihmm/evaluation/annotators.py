"""People beside each other: each annotator as a system against every other one and the gold, and kappa (section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, takewhile
from pathlib import Path
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.alignments.matching import require_same_ids
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.agreement import kappa
from corpus_tools.texts.ignore_list import read_ignore_list

Annotators = Mapping[str, Sequence[Pair]]


class Kappa(NamedTuple):
    """How far two annotators agree: on sure links, on sure and possible ones; then the same outside the ignore list."""

    annotators: tuple[str, str]
    sure: float
    possible: float
    sure_outside: float
    possible_outside: float


def names(files: Sequence[str]) -> list[str]:
    """Short names of files: what differs between them. Of one file, its name."""
    whole = [Path(file).name for file in files]
    if len(whole) < 2:
        return whole
    first = _in_common(whole)
    last = _in_common([name[first:][::-1] for name in whole])
    return [name[first : len(name) - last] or name for name in whole]


def _in_common(texts: Sequence[str]) -> int:
    """How many characters the texts have in common at their start."""
    columns = zip(*texts, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def check_texts(pairs: Sequence[Pair], others: Sequence[Pair], name: str) -> None:
    """Raise ``BadData`` unless an annotator's pairs are the same texts, all with links."""
    require_same_ids(
        "pairs", {pair.id for pair in pairs}, f"annotator {name}", {pair.id for pair in others}
    )
    by_id = {pair.id: pair for pair in others}
    for pair in pairs:
        other = by_id[pair.id]
        if (pair.document.tokens, pair.abstract.tokens) != (
            other.document.tokens,
            other.abstract.tokens,
        ):
            raise BadData(f"the texts of pair {pair.id!r} are not those that annotator {name} has")
        if other.sure is None:
            raise BadData(f"pair {pair.id!r} of annotator {name} has no 'sure' links")


def sure_alignments(pairs: Sequence[Pair]) -> dict[str, Alignment]:
    """What a person would answer, as a system: the sure links, by id."""
    return {
        pair.id: from_word_links(pair.id, dict.fromkeys(pair.sure, 1.0), len(pair.abstract))
        for pair in pairs
    }


def kappas(annotators: Annotators, ignore: str) -> list[Kappa]:
    """The agreement of every two annotators over all word pairs."""
    return [
        Kappa(two, *_kappas([annotators[name] for name in two], ignore))
        for two in combinations(annotators, 2)
    ]


def _kappas(both: Sequence[Sequence[Pair]], ignore: str) -> list[float]:
    sure = [{pair.id: pair.sure for pair in pairs} for pairs in both]
    possible = [{pair.id: pair.sure | pair.possible for pair in pairs} for pairs in both]
    lists = (frozenset(), read_ignore_list(ignore))
    return [kappa(*links, both[0], ignored) for ignored in lists for links in (sure, possible)]
