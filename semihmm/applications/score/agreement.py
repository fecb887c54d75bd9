"""Compares annotators (section 2.2 of the paper).

Two annotators are compared on the pairs that both have decided: by kappa, by the scores of the sure
links of one against the links of the other, and word by word.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, groupby
from typing import Any

from corpus_tools.alignments.alignment import LinkedTo, links_by_word, runs
from corpus_tools.base.errors import BadData, number_of
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text_table import Table, written
from semihmm.applications.score.annotators import (
    Annotators,
    Kappa,
    check_texts,
    cohens_kappa,
    kappa_table,
    kappas,
    sure_alignments,
)
from semihmm.applications.score.score_report import (
    SCORE_COLUMNS,
    ScoreReport,
    scope_titles,
    score,
    score_cells,
    without_oracle,
)

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


@dataclass(frozen=True)
class LinkDifference:
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
    kinds: dict[str, int]
    kappa: float
    differences: list[LinkDifference]

    def differing(self) -> int:
        """Return the number of abstract words on which the annotators differ."""
        return sum(self.kinds.values()) - self.kinds[AGREED_KIND]


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
    for (kind, _), group in groupby(range(len(kinds)), alike.__getitem__):
        run = [*group]
        span = run[0], run[-1] + 1
        if kind != AGREED_KIND:
            text = " ".join(first.abstract.tokens[slice(*span)])
            linked = (
                _linked_text(first.document.tokens, links[slice(*span)], kind) for links in words
            )
            differences.append(LinkDifference(first.id, span, kind, text, *linked))
    counts = {kind: kinds.count(kind) for kind in DIFFERENCE_KINDS}
    return ComparedPair(first.id, counts, kappa, differences)


def _difference_kind(first: LinkedTo, second: LinkedTo) -> str:
    of_first, of_second = ({word for word, _ in links} for links in (first, second))
    if first == second:
        return AGREED_KIND
    if of_first == of_second:
        return "strength"
    if not (of_first and of_second):
        return "only_first" if of_first else "only_second"
    return "partly" if of_first & of_second else "elsewhere"


def _linked_text(document: Sequence[str], of_words: Iterable[LinkedTo], kind: str) -> str:
    """Return the document words of some links, for kind ``strength`` with "sure" or "possible"."""
    links = {link for of_word in of_words for link in of_word}
    pieces = (" ".join(document[run[0] : run[-1] + 1]) for run in runs({d for d, _ in links}))
    text = " ... ".join(pieces) or "unaligned"
    if kind != "strength":
        return text
    return f"{text} ({'/'.join(sorted({'sure' if sure else 'possible' for _, sure in links}))})"


# All that is compared of two annotators


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
        return {kind: sum(pair.kinds[kind] for pair in self.pairs) for kind in DIFFERENCE_KINDS}

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
            "pairs": [asdict(pair) for pair in self.pairs],
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
        compared.sort(key=ComparedPair.differing, reverse=True)
        undecided, only_one = len(common) - len(both), len(of_first.keys() ^ of_second.keys())
        compared_people.append(Agreement(agreed, undecided, only_one, scores, compared))
    if not compared_people:
        raise BadData("there is no pair that two annotators have decided")
    return compared_people


MOST_SHOWN_PAIRS = 10
"""The number of pairs in the table of the most different pairs. The JSON has all pairs."""


# The report


def agreement_text(agreements: Sequence[Agreement], format: str, examples: int, seed: int) -> str:
    """Return the figures of all annotators, then the differences of every two.

    ``format``    a name in ``text_table.TABLE_FORMATS``.
    ``examples``  the number of examples of each kind of difference; ``seed`` draws them.
    """
    tables = [kappa_table([result.kappa for result in agreements]), _scores(agreements)]
    for result in agreements:
        titles = {
            kind: title.format(*result.annotators) for kind, title in DIFFERENCE_KINDS.items()
        }
        tables += [Table(title=_title(result)), _word_table(result, titles), _pair_table(result)]
        if drawn := list(_drawn(result, examples, random.Random(seed))):
            head = ["Abstract phrase", *result.annotators, "Difference", "Pair"]
            rows = [[d.words, d.first, d.second, titles[d.kind], d.id] for d in drawn]
            tables.append(Table([head, *rows], align="<"))
        tables.append(Table(notes=[result.scores[0].signature]))
    return written(tables, format)


def _scores(agreements: Sequence[Agreement]) -> Table:
    rows = []
    for result in agreements:
        for names, report in zip(
            (result.annotators, result.annotators[::-1]), result.scores, strict=True
        ):
            # The oracle is for models alone: it chooses among their links.
            scopes = without_oracle(report.scores)
            cells = [cell for scope in score_cells(scopes) for cell in scope]
            rows.append([" against ".join(names), *cells])
    titles = ["", *scope_titles(list(scopes), len(SCORE_COLUMNS))]
    return Table([["sure links", *SCORE_COLUMNS * len(scopes)], *rows], groups=titles)


def _title(result: Agreement) -> str:
    pairs = number_of(len(result.pairs), "pair")
    both = f"{' and '.join(result.annotators)}: {pairs} decided by both"
    left_out = [f"{result.undecided} undecided"] * bool(result.undecided)
    left_out += [f"{result.only_one} that only one has"] * bool(result.only_one)
    return f"{both}; left out: {', '.join(left_out)}" if left_out else both


def _word_table(result: Agreement, titles: Mapping[str, str]) -> Table:
    words = result.words()
    total = max(sum(words.values()), 1)
    rows = [[titles[kind], str(count), f"{count / total:.1%}"] for kind, count in words.items()]
    return Table([["Abstract words", "words", "of all"], *rows])


def _pair_table(result: Agreement) -> Table:
    """Return the pairs that differ most."""
    rows = []
    for pair in result.pairs[:MOST_SHOWN_PAIRS]:
        total, differing = sum(pair.kinds.values()), pair.differing()
        share = f"{differing / max(total, 1):.0%}"
        rows.append([pair.id, str(total), str(differing), share, f"{pair.kappa:.3f}"])
    head = ["Pairs that differ most", "words", "differing", "of all", "kappa, sure"]
    return Table([head, *rows])


def _drawn(
    agreement: Agreement, examples: int, generator: random.Random
) -> Iterator[LinkDifference]:
    """Draw examples of each kind."""
    by_kind = defaultdict(list)
    for pair in agreement.pairs:
        for difference in pair.differences:
            by_kind[difference.kind].append(difference)
    for kind in DIFFERENCE_KINDS:
        some = by_kind[kind]
        yield from generator.sample(some, min(examples, len(some)))
