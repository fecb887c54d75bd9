"""Writes what shows links: the page of a corpus, and the element of a pair in notebooks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING, Any

from corpus_tools.alignments.alignment import TextDigest
from corpus_tools.base.files import StrPath
from corpus_tools.pages import pair_view
from corpus_tools.pages.pair_view import PairView, TokenRun
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
from semihmm.aligned_pair import LINK_SIDES

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


STYLE_SCOPE = "SCOPE"
"""The placeholder of the output's class at the beginning of each rule of the styles."""

SCOPE_HASH_BYTES = 6
"""The number of bytes of the hash in that class, by which outputs of a notebook differ."""

NO_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs, which notebooks cannot store."""


def pair_html(view: PairView) -> str:
    """Return the view as an HTML element that can be inserted in any page.

    Texts are escaped. Pointing to a phrase highlights its partners by styles, without scripts. If
    styles are removed, the numbers after phrases show their partners. The same view gives the same
    bytes.
    """
    from corpus_tools.pages.web_page import page_file, rendered  # slow to import

    digest = hashlib.blake2b(repr(view).encode(), digest_size=SCOPE_HASH_BYTES).hexdigest()
    scope = f"semihmm-{digest}"
    content = {
        "title": view.title(),
        "sides": [(name.title(), list(_sentences(view, name))) for name in LINK_SIDES],
        "described": partial(_described, view),
        "replacements": {n + 1 for n in view.replacements},
        "scope": scope,
        "style": page_file("pages/view/pair.css").replace(STYLE_SCOPE, scope),
        "links": len(view.links),
    }
    html = rendered("pages/view/pair.html", content)
    return NO_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", html)


def _sentences(view: PairView, side: str) -> Iterator[tuple[int, list[TokenRun], bool]]:
    """Yield number and runs of each sentence with tokens, and whether it is a document's unused."""
    used = view.used_sentences()
    runs = view.runs(side, pairwise(getattr(view.pair, side).boundaries))
    for sentence, own in enumerate(runs):
        if own:
            yield sentence + 1, own, side == "document" and sentence not in used


def _described(view: PairView, links: Sequence[int]) -> str:
    """Return both phrases of each link, with its probability."""
    described = []
    for number in links:
        link = view.links[number - 1]
        abstract, document = (view.words(side, getattr(link, side)) for side in LINK_SIDES)
        chance = "" if link.probability is None else f" ({link.probability:.2f})"
        kind = ", in the place of it" if number - 1 in view.replacements else ""
        described.append(f"{abstract} \N{LEFTWARDS ARROW} {document}{chance}{kind}")
    return "\n".join(described)
