"""Prints how far annotators agree: for a terminal, in Markdown, in LaTeX."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from corpus_tools.base.errors import number_of
from corpus_tools.base.resampling import Figure
from corpus_tools.texts.text_table import Table, written
from semihmm.applications.score.agreement import (
    AGREED_KIND,
    DIFFERENCE_KINDS,
    Agreement,
    LinkDifference,
)
from semihmm.applications.score.kappa import Kappa
from semihmm.applications.score.score_report import ScoreFigures, without_oracle
from semihmm.applications.score.scores import SCOPES, SCORES


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


MOST_SHOWN_PAIRS = 10
"""The number of pairs in the table of the most different pairs. The JSON has all pairs."""


TABLE_SCORES = ("soft_precision", "recall", "soft_f")
"""The scores of Table 4. Tables show AER too, and the JSON output has all scores."""


SCORE_COLUMNS = (*(SCORES[name].title for name in TABLE_SCORES), "95 %", SCORES["aer"].title)


def scope_titles(scopes: Sequence[str], columns: int) -> list[str]:
    """Return the titles of scopes as cells, each followed by empty cells.

    ``columns``  the number of columns of a scope.
    """
    return [cell for name in scopes for cell in (SCOPES[name].title, *[""] * (columns - 1))]


def score_cells(figures: ScoreFigures) -> Iterator[list[str]]:
    """Yield the cells of each scope."""
    for scores in figures.values():
        soft = [f"{scores[name].value:.3f}" for name in TABLE_SCORES]
        yield [*soft, _interval(scores["soft_f"]), f"{scores['aer'].value:.3f}"]


def _interval(figure: Figure) -> str:
    return f"{figure.low:.3f}-{figure.high:.3f}".replace("0.", ".")


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
        total = pair.kinds.total()
        differing = total - pair.kinds[AGREED_KIND]
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
