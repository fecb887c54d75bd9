"""Says what two annotators disagree on, word by word of the abstract.

Each abstract word is put into one of six classes by its links:

agreed        both have the same links, sure and possible, or leave it unaligned.
strength      they link it to the same document words; what is sure for one is possible for the
              other.
only_first    the first links it, the second leaves it unaligned.
only_second   the other way round.
partly        they have some of its document words in common.
elsewhere     they link it to other document words.
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
"""The classes of abstract words, and their titles."""


class Difference(NamedTuple):
    """Adjacent abstract words of one class other than ``AGREED_KIND``.

    ``id``             of the pair.
    ``abstract``       the tokens ``[start, end)``.
    ``kind``           one of ``DIFFERENCE_KINDS``.
    ``words``          the text of these tokens.
    ``first``, ``second``  what each links them to, as text.
    """

    id: str
    abstract: tuple[int, int]
    kind: str
    words: str
    first: str
    second: str


@dataclass(frozen=True)
class ComparedPair:
    """How far two annotators agree on a pair.

    ``kinds``  abstract words by class.
    ``kappa``  of sure links.
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
    """Compare what two annotators say of the same texts; ``kappa`` is that of their sure links."""
    words = [
        links_by_word(len(pair.abstract), pair.sure_links(), pair.gold_links())
        for pair in (first, second)
    ]
    kinds = [_kind(*links) for links in zip(*words, strict=True)]
    # What a word has in common with others is said of each.
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
    """Return the document words of some links; in a question of strength also what they are."""
    pieces = (" ".join(document[run[0] : run[-1] + 1]) for run in runs({d for d, _ in links}))
    text = " ... ".join(pieces) or "unaligned"
    if kind != "strength":
        return text
    return f"{text} ({'/'.join(sorted({'sure' if sure else 'possible' for _, sure in links}))})"
