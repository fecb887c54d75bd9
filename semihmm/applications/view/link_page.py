"""Writes the page of links: the table of pairs, the portrait, and the texts of each pair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import isnan
from typing import TYPE_CHECKING, Any

from corpus_tools.alignments.alignment import TextDigest
from corpus_tools.base.files import StrPath
from corpus_tools.pages import pair_view
from corpus_tools.pages.web_page import (
    LINK_PAGE_SCRIPTS,
    Column,
    Figures,
    inert_json,
    pair_row,
    rounded,
    table_of,
    write_table_page,
)
from corpus_tools.texts.lexicons import read_ignore_list

if TYPE_CHECKING:
    from semihmm.applications.stats import Portrait, PortraitColumn


SHOWN_FIGURES = ("document_words", "abstract_words", "unaligned", "longest_fragment")
"""The figures of a portrait that the table of pairs shows at first."""


@cache
def link_columns() -> tuple[Column, ...]:
    """Return the columns for pairs with links.

    The last two have figures only if there is a reference.
    """
    from semihmm.applications.stats import PORTRAIT_FIGURES

    return (
        *(
            Column(
                figure.title[0].upper() + figure.title[1:],
                figure.meaning,
                # Figures counted in pairs are integers.
                0 if figure.whole == "pairs" else 2,
                group=figure.group,
                is_shown=name in SHOWN_FIGURES,
            )
            for name, figure in PORTRAIT_FIGURES.items()
        ),
        Column("Least probable", "probability of the least probable link", 2, True, "links"),
        Column(
            "Longest jump",
            "most document words between the end of a phrase and the start of the next",
            group="links",
        ),
        Column("Differences", "links that are missing or extra", group="links"),
        Column(
            "SoftF", "harmonic mean of soft precision and recall, of all words", 2, True, "links"
        ),
    )


def write_page(
    views: Iterable[pair_view.PairView],
    path: StrPath,
    title: str,
    reference: str | None = None,
    components: Sequence[str] = (),
) -> None:
    """Write the page of links. Raises ``BadData`` if the file cannot be written.

    ``title``       the names of the files that are shown.
    ``reference``   the name of the reference, if there is one.
    ``components``  the names of the model's rewrite models; empty without a model.

    Each system has a column in the portrait. Pairs of several systems with the same document are
    shown together.
    """
    from semihmm.applications.stats import Portrait, PortraitColumn

    systems: dict[str, PortraitColumn] = {}
    documents: dict[TextDigest, int] = {}
    of_pairs: list[tuple[str, str, int, Figures]] = []
    lines = []
    for number, view in enumerate(views):
        assert view.alignment is not None
        pair = view.pair
        ignored = read_ignore_list("default", pair.language)
        column = systems.setdefault(pair.system, PortraitColumn(pair.system))
        column.add(pair, view.alignment, ignored)
        digest = column.documents[-1][0]
        first_pair = documents.setdefault(digest, number)
        of_links = (view.lowest_probability(), view.longest_jump())
        compared = (view.errors() if reference else None, view.soft_f)
        of_pairs.append((pair.id, pair.system, first_pair, (*of_links, *compared)))
        row = pair_row(view, components)
        if first_pair < number:
            row["document"] = first_pair
        # Rows are kept as text: as objects they would take several times the memory.
        lines.append(inert_json(row))
    values = {name: iter(column.values.tolist()) for name, column in systems.items()}
    rows = [
        (id, [*(None if isnan(value) else value for value in next(values[system])), *own])
        for id, system, _, own in of_pairs
    ]
    names = [*systems]
    # The template and the script both use these.
    both: dict[str, Any] = {"reference": reference, "components": components}
    overview = {
        **table_of(link_columns(), rows),
        **both,
        "systems": names,
        "systemOf": [names.index(system) for _, system, _, _ in of_pairs],
        "documentOf": [first_pair for _, _, first_pair, _ in of_pairs],
        "portrait": _portrait_row(Portrait([*systems.values()])) if systems else [],
    }
    page = "pages/view/page.html"
    styles = ["pages/view/portrait.css"]
    write_table_page(
        path, page, title, overview, lines, styles=styles, scripts=LINK_PAGE_SCRIPTS, **both
    )


def _portrait_row(portrait: Portrait) -> list[dict[str, Any]]:
    """Return the portrait for JSON: for each column the means of its figures, by their titles."""
    # The first of ``link_columns()`` are the figures of a portrait, in their order.
    return [
        {
            link_columns()[n].title: {key: rounded(value, 4) for key, value in mean.items()}
            for n, mean in enumerate(column.values())
        }
        for column in portrait.as_dict().values()
    ]
