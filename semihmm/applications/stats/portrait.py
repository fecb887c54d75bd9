"""The portrait of a corpus: figures of how its abstracts were made from their documents.

A portrait has a column for each corpus or system. Each figure is a mean over pairs.
"""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from corpus_tools.alignments.alignment import Alignment, Alignments
from corpus_tools.alignments.formats import match
from corpus_tools.base.errors import number_of
from corpus_tools.base.resampling import shown_p
from corpus_tools.pairs.given_pairs import PairLike, PairsLike
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text_table import TABLE_FORMATS, Table, data_frame, in_csv
from semihmm.applications.stats.portrait_columns import (
    PORTRAIT_FIGURES,
    Difference,
    Mean,
    PortraitColumn,
    counted_columns,
    differences_from,
)

if TYPE_CHECKING:
    from pandas import DataFrame


HOW_TO_READ = """\
Means over pairs, their 95 % intervals, and the test of the difference from the first column.
More is copied: higher coverage and density; aligned ones count paraphrases as copied, too.
More is added: more content words, numbers and names without a source.
Taken from the lead: 0 to 10 % of the document far above 10 %, which chance would give."""
"""The legend below a printed portrait."""


@dataclass(frozen=True)
class Portrait:
    """The figures of some corpora or systems, side by side.

    ``print`` shows the table, and so does a notebook.
    """

    columns: Sequence[PortraitColumn]

    @cached_property
    def means(self) -> Mapping[str, Mapping[str, Mean]]:
        """The figures by column and name."""
        return {column.name: column.means() for column in self.columns}

    @cached_property
    def differences(self) -> Mapping[str, Mapping[str, Difference]]:
        """The differences of each column but the first from the first."""
        first, *others = self.columns
        return {column.name: differences_from(first, column) for column in others}

    def rows(self, *, all_figures: bool = False) -> Iterator[list[str]]:
        """Yield the rows of the table: the head, and for each group its name and its figures.

        ``all_figures``  whether figures that are not main ones have rows, too.
        """
        head = [""]
        for number, column in enumerate(self.columns):
            head += [f"{column.name}, {number_of(len(column.ids), 'pair')}", "95 %"]
            head += ["difference", "p"] if number else []
        yield head
        group = ""
        for name, figure in PORTRAIT_FIGURES.items():
            if not (figure.is_main or all_figures):
                continue
            if figure.group != group:
                group = figure.group
                yield [group, *[""] * (len(head) - 1)]
            # Stems are English, whatever the language of the texts.
            cells = [f"  {figure.title}{' (English stems)' * ('stems' in figure.meaning)}"]
            for column_name, means in self.means.items():
                cells += _mean_cells(means[name], figure.is_share)
                if column_name in self.differences:
                    cells += _difference_cells(self.differences[column_name][name], figure.is_share)
            yield cells

    def __str__(self) -> str:
        return self.table("text")

    def table(self, format: str, *, all_figures: bool = False) -> str:
        """Return the table in one of ``PORTRAIT_FORMATS``; as text, with its legend.

        ``all_figures``  whether figures that are not main ones have rows, too. As CSV they always
                         have.
        """
        if format == "csv":
            return _csv(self)
        notes = HOW_TO_READ.splitlines() if format == "text" else ()
        rows = [*self.rows(all_figures=all_figures)]
        return TABLE_FORMATS[format](Table(rows, notes=notes))

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        return f"<pre>{html.escape(str(self))}</pre>"

    def as_dict(self) -> dict[str, Any]:
        """Return the portrait for JSON: ``{column: {figure: {...}}}``; NaN is ``None``."""
        return {
            column: {
                name: _plain(mean._asdict() | self._tested(column, name))
                for name, mean in means.items()
            }
            for column, means in self.means.items()
        }

    def _tested(self, column: str, name: str) -> dict[str, float]:
        return self.differences[column][name]._asdict() if column in self.differences else {}

    def pair_rows(self) -> Iterator[dict[str, Any]]:
        """Yield each pair with all its figures, for JSON."""
        for column in self.columns:
            for id, values in zip(column.ids, column.values.tolist(), strict=True):
                figures = _plain(dict(zip(PORTRAIT_FIGURES, values, strict=True)))
                yield {"id": id, "column": column.name, **figures}

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for each pair and a column for each figure.

        Columns: ``id``, ``column``, and the names of ``PORTRAIT_FIGURES``. Raises ``ImportError``
        without pandas.
        """
        rows = (row.values() for row in self.pair_rows())
        return data_frame(map(list, rows), ("id", "column", *PORTRAIT_FIGURES))


def _csv(portrait: Portrait) -> str:
    """Return a line for each figure of each column, with the fields of ``as_dict``."""
    stream = io.StringIO()
    fields = (*Mean._fields, *Difference._fields)
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["column", "figure", *fields])
    for column, figures in portrait.as_dict().items():
        column = in_csv(column)
        writer.writerows([column, name, *map(row.get, fields)] for name, row in figures.items())
    return stream.getvalue().rstrip("\n")


PORTRAIT_FORMATS = (*TABLE_FORMATS, "csv")
"""The formats of a portrait as a table."""


def _plain(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in figures.items()}


def _shown(value: float, is_share: bool) -> str:
    if math.isnan(value):
        return "-"
    return f"{100 * value:.1f}" if is_share else f"{value:,.2f}"


def _mean_cells(mean: Mean, is_share: bool) -> list[str]:
    if math.isnan(mean.mean):
        return ["-", ""]
    shown = _shown(mean.mean, is_share) + " %" * is_share
    # An interval over pairs says nothing where there is but one.
    if mean.pairs < 2:
        return [shown, ""]
    low, high = (_shown(bound, is_share) for bound in (mean.low, mean.high))
    return [shown, f"{low} to {high}"]


def _difference_cells(tested: Difference, is_share: bool) -> list[str]:
    if math.isnan(tested.difference):
        return ["-", ""]
    difference = _shown(tested.difference, is_share)
    return [difference if difference.startswith("-") else f"+{difference}", shown_p(tested.p, "")]


def portrait(
    pairs: PairLike | PairsLike, alignments: Alignments, ignore: str = "default"
) -> Portrait:
    """Compute the portrait of pairs and their alignments, which are matched by id.

    ``ignore``  the function words: an ignore list (``read_ignore_list``).

    Raises ``BadData`` where ids or offsets do not match.
    """
    return portraits({"pairs": match(pairs, alignments)}, ignore)


def portraits(
    columns: Mapping[str, Iterable[tuple[Pair, Alignment]]], ignore: str = "default"
) -> Portrait:
    """Compute the portrait of several corpora: by name, the pairs with their alignments."""
    named = ((name, *pair) for name, matched in columns.items() for pair in matched)
    counted = counted_columns(named, ignore)
    # A corpus without pairs has a column, too.
    return Portrait([counted.get(name) or PortraitColumn(name) for name in columns])
