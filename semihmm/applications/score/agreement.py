"""Compares annotators (section 2.2 of the paper).

Two annotators are compared on the pairs that both have decided: by kappa, by the scores of the sure
links of one against the links of the other, and word by word.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, groupby
from typing import Any, NamedTuple

from corpus_tools.alignments.alignment import (
    GOLD_SYSTEM,
    Alignment,
    LinkedTo,
    from_word_links,
    links_by_word,
    runs,
)
from corpus_tools.alignments.formats import match
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair, WordLink
from semihmm.applications.score.kappa import Annotators, Kappa, cohens_kappa, kappas
from semihmm.applications.score.score_report import ScoreReport, score


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


# The differences of two annotators, word by word of the abstract

AGREED_KIND = "agreed"
DIFFERENCE_KINDS = {
    AGREED_KIND: "agreed",
    "strength": "sure for one, possible for the other",
    "only_first": "linked by {0} only",
    "only_second": "linked by {1} only",
    "partly": "some document words in common",
    "elsewhere": "other document words",
}
"""The kinds of abstract words by their links, and their titles.

agreed        both have the same sure and possible links, or leave the word unaligned.
strength      both link it to the same document words, but a sure link of one is possible for the
              other.
only_first    the first links it, the second leaves it unaligned.
only_second   the second links it, the first leaves it unaligned.
partly        both link it to some of the same document words.
elsewhere     they link it to different document words.
"""


class LinkDifference(NamedTuple):
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
    differences: list[LinkDifference]

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
    kinds = [_difference_kind(*links) for links in zip(*words, strict=True)]
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
            differences.append(LinkDifference(first.id, (start, end), kind, text, *linked))
    return ComparedPair(first.id, Counter(kinds), kappa, differences)


def _difference_kind(first: LinkedTo, second: LinkedTo) -> str:
    of_first, of_second = ({word for word, _ in links} for links in (first, second))
    if first == second:
        return AGREED_KIND
    if of_first == of_second:
        return "strength"
    if not (of_first and of_second):
        return "only_first" if of_first else "only_second"
    return "partly" if of_first & of_second else "elsewhere"


def _linked_text(document: Sequence[str], links: LinkedTo, kind: str) -> str:
    """Return the document words of some links, for kind ``strength`` with "sure" or "possible"."""
    pieces = (" ".join(document[run[0] : run[-1] + 1]) for run in runs({d for d, _ in links}))
    text = " ... ".join(pieces) or "unaligned"
    if kind != "strength":
        return text
    return f"{text} ({'/'.join(sorted({'sure' if sure else 'possible' for _, sure in links}))})"


# The report

NOTHING_IN_COMMON = "there is no pair that two annotators have decided"


@dataclass(frozen=True)
class Agreement:
    """The agreement of two annotators on the pairs that both have decided.

    ``undecided``  the number of common pairs that one or both have not decided.
    ``only_one``   the number of pairs that only one annotator has.
    ``scores``     the scores of the sure links of the first against the links of the second, and
                   the other way round.
    ``pairs``      the compared pairs, with the most different words first.
    """

    kappa: Kappa
    undecided: int
    only_one: int
    scores: tuple[ScoreReport, ScoreReport]
    pairs: list[ComparedPair]

    @property
    def annotators(self) -> tuple[str, str]:
        """Return the names of both."""
        return self.kappa.annotators

    def words(self) -> dict[str, int]:
        """Return the number of abstract words of each kind."""
        total = sum((pair.kinds for pair in self.pairs), Counter[str]())
        return {kind: total[kind] for kind in DIFFERENCE_KINDS}

    def as_dict(self) -> dict[str, Any]:
        """Return the agreement for JSON."""
        first, second = self.scores
        return {
            **self.kappa._asdict(),
            "undecided": self.undecided,
            "only_one": self.only_one,
            "first_against_second": first.as_dict(),
            "second_against_first": second.as_dict(),
            "words": self.words(),
            "pairs": [pair.as_dict() for pair in self.pairs],
        }


def agreements(
    annotators: Annotators, ignore: str = "default", *, seed: int = 0
) -> list[Agreement]:
    """Compare every two annotators who have decided pairs in common.

    Raises ``BadData`` if no two annotators have, or if their texts of a pair differ.
    """
    compared_people = []
    for names in combinations(annotators, 2):
        of_first, of_second = ({pair.id: pair for pair in annotators[name]} for name in names)
        common = [(pair, of_second[pair.id]) for pair in of_first.values() if pair.id in of_second]
        both = [pairs for pairs in common if all(pair.sure is not None for pair in pairs)]
        if not both:
            continue
        first, second = ([pairs[which] for pairs in both] for which in range(2))
        check_texts(first, second, names[1])
        (agreed,) = kappas(dict(zip(names, (first, second), strict=True)), ignore)
        scores = (
            score(second, sure_alignments(first), ignore, seed=seed),
            score(first, sure_alignments(second), ignore, seed=seed),
        )
        compared = [
            compared_pair(*two, cohens_kappa(two[:1], two[1:], Pair.sure_links)) for two in both
        ]
        compared.sort(key=lambda pair: pair.kinds[AGREED_KIND] - pair.kinds.total())
        undecided, only_one = len(common) - len(both), len(of_first.keys() ^ of_second.keys())
        compared_people.append(Agreement(agreed, undecided, only_one, scores, compared))
    if not compared_people:
        raise BadData(NOTHING_IN_COMMON)
    return compared_people


def united(annotators: Annotators) -> list[Pair]:
    """Return the pairs that two or more have decided, with the links of all of them (section 5.2).

    A link is sure if it is sure for one annotator, else possible. The pairs are in the order of the
    first annotator of each. Raises ``BadData`` if no two have decided a pair, or if their texts of
    it differ.
    """
    by_id: dict[str, dict[str, Pair]] = defaultdict(dict)
    for name, pairs in annotators.items():
        for pair in pairs:
            if pair.sure is not None:
                by_id[pair.id][name] = pair
    united_pairs = []
    for people in by_id.values():
        (_, first), *others = people.items()
        if not others:
            continue
        for name, pair in others:
            check_texts([first], [pair], name)
        sure = frozenset[WordLink]().union(*(pair.sure_links() for pair in people.values()))
        every = sure.union(*(pair.gold_links() for pair in people.values()))
        united_pairs.append(replace(first, sure=sure, possible=every - sure))
    if not united_pairs:
        raise BadData(NOTHING_IN_COMMON)
    return united_pairs
