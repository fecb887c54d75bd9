"""Writes views of pairs as one web page that needs no other file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from corpus_tools.storage.files import StrPath, replacing
from corpus_tools.views.page_data import pair_row, summary_row
from corpus_tools.views.page_parts import inert_json, page_file, page_script, policy, title_in_utf8
from corpus_tools.views.pair_view import LEAST_COVERED, PairView

SCRIPTS = ("shared.js", "data.js", "texts.js", "strip.js", "matrix.js", "page.js")
"""In the order in which they need each other."""


@dataclass(frozen=True)
class PageInfo:
    """What stands on the page beside the pairs.

    ``title``       the names of the files that are shown.
    ``reference``   what the alignments are compared with, if anything.
    ``components``  the names of the model's rewrite models, if one is at hand.
    ``counted``     what ``PairView.errors`` counts, if anything.
    ``sides``       the titles of the abstract and the document.
    """

    title: str
    reference: str | None = None
    components: tuple[str, ...] = ()
    counted: str | None = None
    sides: tuple[str, str] = ("Abstract", "Document")


def write_page(views: Iterable[PairView], info: PageInfo, path: StrPath) -> None:
    """Write the page. Raises ``BadData`` where the system refuses to write."""
    from jinja2 import Environment

    rows = []
    lines = []
    covers = False
    for view in views:
        covers |= view.covered is not None
        rows.append(summary_row(view))
        lines.append(inert_json(pair_row(view, info.components)))
    overview = {
        "reference": info.reference,
        "components": info.components,
        "counted": info.counted,
        "leastCovered": LEAST_COVERED,
        "pairs": rows,
    }
    style = page_file("page.css")
    script = page_script(SCRIPTS)
    template = Environment(autoescape=True).from_string(page_file("page.html"))
    page = template.render(
        info=info,
        title=title_in_utf8(info.title),
        covers=covers,
        style=style,
        script=script,
        policy=policy(style, script),
        overview=inert_json(overview),
        pairs="\n".join(lines),
    )
    with replacing(path) as stream:
        stream.write(page)
