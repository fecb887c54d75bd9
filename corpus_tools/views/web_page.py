"""Writes views of pairs as one web page that needs no other file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from corpus_tools.storage.files import StrPath, replacing
from corpus_tools.views.inert_json import inert_json
from corpus_tools.views.page_data import pair_row, summary_row
from corpus_tools.views.pair_view import LEAST_COVERED, PairView

PAGE = "page"
"""The folder of the template, the styles and the scripts."""

SCRIPTS = ("data.js", "texts.js", "strip.js", "matrix.js", "page.js")
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
    style = _read("page.css")
    script = "\n".join(_read(name) for name in SCRIPTS)
    template = Environment(autoescape=True).from_string(_read("page.html"))
    page = template.render(
        info=info,
        # Names of files may hold bytes that are no characters.
        title=info.title.encode("utf-8", "replace").decode("utf-8"),
        covers=covers,
        style=style,
        script=script,
        policy=_policy(style, script),
        overview=inert_json(overview),
        pairs="\n".join(lines),
    )
    with replacing(path) as stream:
        stream.write(page)


def _read(name: str) -> str:
    return (files(__package__) / PAGE / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Return the content security policy: nothing but this script and this style may do anything.

    A page that lets markup of a document through by mistake would still run no script of it.
    """
    return f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}"


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
