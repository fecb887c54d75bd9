"""Defines parts of web pages without other files: the table of pairs, texts, templates."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from corpus_tools.base.files import StrPath, replacing
from corpus_tools.pages import pair_view
from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.text import Text

# The table of all pairs at the top of a page: a row for each pair, a column for each figure


class Column(NamedTuple):
    """A column of the table of pairs.

    ``title``         the head of the column.
    ``meaning``       the explanation of the figure, for the head and the help.
    ``digits``        the number of decimals.
    ``lowest_first``  whether a click sorts low figures first.
    ``group``         its group in the menu of columns; empty on pages without groups.
    ``is_shown``      whether it is shown at first.
    """

    title: str
    meaning: str
    digits: int = 0
    lowest_first: bool = False
    group: str = ""
    is_shown: bool = True


Figures = Sequence[float | None]
"""The figures of a pair, one for each column; ``None`` where a pair has no such figure."""


def table_of(
    columns: Sequence[Column], rows: Sequence[tuple[str, Figures]], sorted_by: str | None = None
) -> dict[str, Any]:
    """Return the table for JSON, without columns that have no figures.

    ``rows``          the id and the figures of each pair.
    ``sorted_by``     the title of the column by which the table is sorted at first; ``None``: it is
                      not sorted.
    """
    has_figures = [any(row[n] is not None for _, row in rows) for n in range(len(columns))]
    numbers = [n for n, is_known in enumerate(has_figures) if is_known]
    titles = [columns[n].title for n in numbers]
    return {
        "columns": [columns[n]._asdict() for n in numbers],
        "pairs": [[id, *(rounded(row[n], columns[n].digits) for n in numbers)] for id, row in rows],
        "order": titles.index(sorted_by) if sorted_by in titles else None,
    }


VIEW_STYLES = ("pages/view/page.css", "pages/view/table.css")
"""The styles of every page with a table of pairs."""

VIEW_SCRIPTS = tuple(
    f"pages/view/{name}.js"
    for name in ("shared", "pairs", "search", "histograms", "table", "columns")
)
"""The scripts of every page with a table of pairs. A script may use the ones before it."""

LINK_SCRIPTS = tuple(
    f"pages/view/{name}.js" for name in ("covered", "texts", "strip", "matrix", "links")
)
"""The scripts that show the links of a pair."""

LINK_PAGE_SCRIPTS = (
    *("pages/view/pictures.js", "pages/view/portrait.js", *LINK_SCRIPTS),
    *("pages/view/systems.js", "pages/view/page.js"),
)
"""The scripts of the page of links, in addition to ``VIEW_SCRIPTS``."""

ESCAPED_IN_JSON = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
"""Characters that JSON allows but that are escaped in a page.

Characters of markup could end the element of the data. Some scripts treat U+2028 and U+2029 as line
ends. A surrogate, which texts from Python may have, cannot be written in UTF-8.
"""


def inert_json(value: object) -> str:
    """Return a value as JSON on one line, without characters of markup."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return ESCAPED_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def page_file(name: str) -> str:
    """Return a part of a page, as ``pages/view/page.css``, or of an application's page.

    Names of applications' files begin with ``applications/``.
    """
    package = "semihmm" if name.startswith("applications/") else "corpus_tools"
    return (files(package) / name).read_text(encoding="utf-8")


def rendered(template: str, content: dict[str, Any]) -> str:
    """Return a template with its content, which is escaped unless the template marks it safe."""
    from jinja2 import Environment, FunctionLoader

    environment = Environment(autoescape=True, loader=FunctionLoader(page_file))
    return environment.get_template(template).render(content)


def whole_page(
    template: str, title: str, styles: Iterable[str], scripts: Iterable[str], **content: Any
) -> tuple[str, str]:
    """Return a page as HTML, and its content security policy.

    ``styles``, ``scripts``  names of files, as in ``page_file``.

    The policy allows only these scripts and styles. Even if a page contained markup of a document
    by mistake, a script in it would not run.
    """
    style = "\n".join(map(page_file, styles))
    script = "\n".join(map(page_file, scripts))
    policy = f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}"
    # Names of files may hold bytes that are no characters.
    encodable = title.encode("utf-8", "replace").decode("utf-8")
    content |= {"title": encodable, "style": style, "script": script, "policy": policy}
    return rendered(template, content), policy


def _source(text: str) -> str:
    """Return the name of a script or a style in a policy: its hash."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def write_table_page(
    path: StrPath,
    template: str,
    title: str,
    overview: dict[str, Any],
    lines: Iterable[str],
    *,
    styles: Iterable[str] = (),
    scripts: Iterable[str] = (),
    **content: Any,
) -> None:
    """Write a page that begins with the table of its pairs.

    ``overview``  the table (``table_of``), and other data about all pairs for the scripts.
    ``lines``     the pairs as ``inert_json``, in the order of the table.
    ``content``   other variables of the template.

    Raises ``BadData`` if the file cannot be written.
    """
    content |= {"overview": inert_json(overview), "pairs": "\n".join(lines)}
    styles, scripts = [*VIEW_STYLES, *styles], [*VIEW_SCRIPTS, *scripts]
    page, _ = whole_page(template, title, styles, scripts, **content)
    with replacing(path) as stream:
        stream.write(page)


def pair_row(view: pair_view.PairView, components: Sequence[str]) -> dict[str, Any]:
    """Return a pair for JSON.

    ``components``  the names of rewrite models; links have their numbers.
    """
    row: dict[str, Any] = {
        "id": view.pair.id,
        "abstract": side_row(view.pair.abstract),
        "document": side_row(view.pair.document),
        "links": [_link_row(link, components) for link in view.links],
    }
    if view.replacements:
        row["replacements"] = view.replacements
    if view.posteriors is not None and view.null is not None:
        row["posteriors"] = list(map(_linked_words_row, view.posteriors))
        row["null"] = [round(posterior, 2) for posterior in view.null]
    if view.covered is not None:
        sides = view.covered._asdict()
        row["covered"] = {side: list(map(_covered_row, words)) for side, words in sides.items()}
    return row


def side_row(text: Text) -> dict[str, Any]:
    """Return one side of a pair for JSON.

    ``text``       the running text.
    ``steps``      for each token two numbers of UTF-16 code units: from the end of the token before
                   to its start, and its length. Such small numbers keep the page small.
    ``sentences``  the boundaries of the sentences, in tokens.
    """
    string, spans = running_text(text)
    steps = []
    before = 0
    for start, end in spans:
        steps += [_code_units(string[before:start]), _code_units(string[start:end])]
        before = end
    return {"text": string, "steps": steps, "sentences": text.boundaries}


def _code_units(string: str) -> int:
    """Return the length of a string in JavaScript."""
    return len(string.encode("utf-16-le", "surrogatepass")) // 2


def _link_row(link: pair_view.ShownLink, components: Sequence[str]) -> list[Any]:
    row = [*link.abstract, *link.document, rounded(link.probability), link.status]
    if link.component is not None:
        row += [components.index(link.component), rounded(link.share)]
    return row


def _covered_row(word: pair_view.CoveredWord | None) -> object:
    by = word and [(number, round(posterior, 2)) for number, posterior in word.by]
    return word and (round(word.posterior, 2), by)


def _linked_words_row(words: pair_view.LinkedWords) -> list[Any]:
    """Return a word link for JSON, with its share if that differs from its probability."""
    shares = dict.fromkeys([round(words.probability, 2), round(words.share, 2)])
    return [words.abstract, words.document, *shares]


def rounded(figure: float | None, digits: int = 3) -> float | None:
    """Return a figure with so many decimals; ``None`` stays."""
    return None if figure is None else round(figure, digits)
