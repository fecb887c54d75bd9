"""Makes the columns that tables of comparisons share: scores in several scopes."""

from collections.abc import Iterator, Sequence

from corpus_tools.alignments.scores import SCOPES, SCORES, Figure, ScoreFigures

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
