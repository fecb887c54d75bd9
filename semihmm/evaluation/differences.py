"""Finds the differences of two annotators, word by word of the abstract.

Each abstract word has one of six kinds by its links:

agreed        both have the same sure and possible links, or leave it unaligned.
strength      both link it to the same document words, but a sure link of one is possible for the
              other.
only_first    the first links it, the second leaves it unaligned.
only_second   the second links it, the first leaves it unaligned.
partly        both link it to some of the same document words.
elsewhere     they link it to different document words.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, NamedTuple

from corpus_tools.alignments.alignment import LinkedTo, links_by_word, runs
from corpus_tools.pairs.pair import Pair

AGREED_KIND = "agreed"
DIFFERENCE_KINDS = {
    AGREED_KIND: "agreed",
    "strength": "sure for one, possible for the other",
    "only_first": "linked by {0} only",
    "only_second": "linked by {1} only",
    "partly": "some document words in common",
    "elsewhere": "other document words",
}
"""The kinds of abstract words, and their titles."""


class Difference(NamedTuple):
    """Adjacent abstract words of one kind other than ``AGREED_KIND``.

    ``id``                 the id of the pair.
    ``abstract``           the tokens ``[start, end)``.
    ``kind``               one of ``DIFFERENCE_KINDS``.
    ``words``              the text of these tokens.
    ``first``, ``second``  the text of the document words to which each annotator links them.
    """

    id: str
    abstract: tuple[int, int]
    kind: str
    words: str
    first: str
    second: str


@dataclass(frozen=True)
class ComparedPair:
    """The agreement of two annotators on a pair.

    ``kinds``  the number of abstract words of each kind.
    ``kappa``  the kappa of the sure links.
    """

    id: str
    kinds: Counter[str]
    kappa: float
    differences: list[Difference]

    def as_dict(self) -> dict[str, Any]:
        """Return the pair for JSON."""
        kinds = {kind: self.kinds[kind] for kind in DIFFERENCE_KINDS}
        differences = [difference._asdict() for difference in self.differences]
        return asdict(self) | {"kinds": kinds, "differences": differences}


def compared_pair(first: Pair, second: Pair, kappa: float) -> ComparedPair:
    """Compare the links of two annotators of the same texts; ``kappa`` is of their sure links."""
    words = [
        links_by_word(len(pair.abstract), pair.sure_links(), pair.gold_links())
        for pair in (first, second)
    ]
    kinds = [_kind(*links) for links in zip(*words, strict=True)]
    # Adjacent words of one kind are one difference; of kind ``partly`` only with equal links.
    alike = [
        (kind, links if kind == "partly" else None)
        for kind, *links in zip(kinds, *words, strict=True)
    ]
    differences = []
    for (kind, _), run in groupby(range(len(kinds)), lambda word: alike[word]):
        start, *rest = run
        end = start + len(rest) + 1
        if kind != AGREED_KIND:
            text = " ".join(first.abstract.tokens[start:end])
            linked = (
                _linked_text(first.document.tokens, frozenset[Any]().union(*links[start:end]), kind)
                for links in words
            )
            differences.append(Difference(first.id, (start, end), kind, text, *linked))
    return ComparedPair(first.id, Counter(kinds), kappa, differences)


def _kind(first: LinkedTo, second: LinkedTo) -> str:
    one, other = ({word for word, _ in links} for links in (first, second))
    if first == second:
        return AGREED_KIND
    if one == other:
        return "strength"
    if not (one and other):
        return "only_first" if one else "only_second"
    return "partly" if one & other else "elsewhere"


def _linked_text(document: Sequence[str], links: LinkedTo, kind: str) -> str:
    """Return the document words of some links, for kind ``strength`` with "sure" or "possible"."""
    pieces = (" ".join(document[run[0] : run[-1] + 1]) for run in runs({d for d, _ in links}))
    text = " ... ".join(pieces) or "unaligned"
    if kind != "strength":
        return text
    return f"{text} ({'/'.join(sorted({'sure' if sure else 'possible' for _, sure in links}))})"
