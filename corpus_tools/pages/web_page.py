"""Writes views of pairs as one web page that needs no other file, and gives parts of such pages."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from corpus_tools.base.files import StrPath, replacing
from corpus_tools.pages import pair_view
from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.text import Text

# The table of all pairs that a page begins with: a row for each pair, a column a figure


class Column(NamedTuple):
    """A figure that each pair has.

    ``title``    the head of the column.
    ``meaning``  what the figure is, for readers who point to the head or ask for help.
    ``share``    whether it lies between 0 and 1. Low shares are what a reader looks for first, of
                 other figures high ones.
    """

    title: str
    meaning: str
    share: bool = False


Figures = Sequence[float | None]
"""The figures of a pair, one for each column; ``None`` where a pair has no such figure."""


def table_of(
    columns: Sequence[Column], rows: Sequence[tuple[str, Figures]], lowest_first: str | None = None
) -> dict[str, Any]:
    """Return the table for JSON, without the columns in which no pair has a figure.

    ``rows``          the ids of the pairs with their figures.
    ``lowest_first``  the title of the column by which the table is sorted at first, if by any.
    """
    known = [any(row[n] is not None for _, row in rows) for n in range(len(columns))]
    shown = [n for n, is_known in enumerate(known) if is_known]
    titles = [columns[n].title for n in shown]
    return {
        "columns": [columns[n]._asdict() for n in shown],
        "pairs": [[id, *(_rounded(row[n], 2) for n in shown)] for id, row in rows],
        "order": titles.index(lowest_first) if lowest_first in titles else None,
    }


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole) if whole else None


def _measured_words(view: pair_view.PairView, side: str) -> int:
    """Return the number of words of a side that are measured: not those such as commas."""
    return sum(word is not None for word in getattr(view.covered, side, ()))


LINKED: Mapping[Column, Callable[[pair_view.PairView], float | None]] = {
    Column("Abstract words", "words of the abstract"): lambda view: len(view.pair.abstract),
    Column("Document words", "words of the document"): lambda view: len(view.pair.document),
    Column("Unaligned, %", "abstract words that are not linked, in percent"): (
        lambda view: _share(view.unaligned(), len(view.pair.abstract))
    ),
    Column("Least probable", "probability of the least probable link", share=True): (
        pair_view.PairView.lowest_probability
    ),
    Column("Longest copy", "most words in a row that are linked to the same words in a row"): (
        pair_view.PairView.longest_copy
    ),
    Column(
        "Longest jump", "most document words between the end of a phrase and the start of the next"
    ): pair_view.PairView.longest_jump,
}
"""What is known of every pair whose links are shown."""

COMPARED: Mapping[Column, Callable[[pair_view.PairView], float | None]] = {
    Column("Differences", "links that are missing or extra"): pair_view.PairView.errors,
    Column("SoftF", "harmonic mean of soft precision and recall, of all words", share=True): (
        lambda view: view.soft_f
    ),
}
"""What is known too where the links are compared with others."""

COVERED: Mapping[Column, Callable[[pair_view.PairView], float | None]] = {
    Column("Reference words", "words of the reference that are measured"): (
        lambda view: _measured_words(view, "abstract")
    ),
    Column("Summary words", "words of the summary that are measured"): (
        lambda view: _measured_words(view, "document")
    ),
    Column("Not covered", "words of the reference that the summary does not cover"): (
        pair_view.PairView.errors
    ),
    Column("Not covered, %", "the same, in percent of the words that are measured"): (
        lambda view: _share(view.errors(), _measured_words(view, "abstract"))
    ),
}
"""What is known of the pairs of a summary and its reference."""


STYLES = ("pages/view/page.css", "pages/view/table.css")
"""Those of every page with a table of pairs."""

SCRIPTS = tuple(
    f"pages/view/{name}.js" for name in ("shared", "pairs", "search", "histograms", "table")
)
"""Those of every page with a table of pairs, in the order in which they need each other."""

OF_LINKS = tuple(
    f"pages/view/{name}.js" for name in ("covered", "texts", "strip", "matrix", "page")
)
"""Those of the page of links, beside ``SCRIPTS``."""

SPECIAL = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
"""Characters that JSON lets pass.

Those of markup could end the element of the data. Some scripts take U+2028 and U+2029 for ends of
lines. A surrogate, which texts from Python may hold, is no character in UTF-8.
"""


def inert_json(value: object) -> str:
    """Return a value as JSON on one line, in which no markup can begin or end."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return SPECIAL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def page_file(name: str) -> str:
    """Return a part of a page, as ``pages/view/page.css``."""
    return (files("corpus_tools") / name).read_text(encoding="utf-8")


def rendered(template: str, content: dict[str, Any]) -> str:
    """Return a template with its content, which is escaped unless the template calls it safe."""
    from jinja2 import Environment, FunctionLoader

    environment = Environment(autoescape=True, loader=FunctionLoader(page_file))
    return environment.get_template(template).render(content)


def whole_page(
    template: str, title: str, styles: Iterable[str], scripts: Iterable[str], **content: Any
) -> tuple[str, str]:
    """Return a page as HTML, and its content security policy.

    The policy lets nothing but this script and this style do anything: a page that let markup of a
    document through by mistake would still run no script of it. ``styles`` and ``scripts`` are
    names as those of ``page_file``.
    """
    style = "\n".join(map(page_file, styles))
    script = "\n".join(map(page_file, scripts))
    policy = f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}"
    # Names of files may hold bytes that are no characters.
    known = title.encode("utf-8", "replace").decode("utf-8")
    content |= {"title": known, "style": style, "script": script, "policy": policy}
    return rendered(template, content), policy


def _source(text: str) -> str:
    """Return a script or a style as a policy names it."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def write_page(
    views: Iterable[pair_view.PairView],
    path: StrPath,
    title: str,
    reference: str | None = None,
    components: Sequence[str] = (),
) -> None:
    """Write the page. Raises ``BadData`` where the system refuses to write.

    ``title``       the names of the files that are shown.
    ``reference``   what the alignments are compared with, if anything.
    ``components``  the names of the model's rewrite models, if one is at hand.
    """
    columns = LINKED
    if reference:
        columns = {**LINKED, **COMPARED}
    rows = []
    lines = []
    for view in views:
        if view.covered is not None:
            columns = COVERED
        rows.append((view.pair.id, [figure(view) for figure in columns.values()]))
        # As text at once: the objects of a large corpus would take several times the memory.
        lines.append(inert_json(_pair_row(view, components)))
    # The template and the script both ask for these.
    both: dict[str, Any] = {"reference": reference, "components": components}
    write_table_page(
        path,
        "pages/view/page.html",
        title,
        table_of(list(columns), rows) | {**both, "leastCovered": pair_view.LEAST_COVERED},
        lines,
        scripts=OF_LINKS,
        covers=columns is COVERED,
        **both,
    )


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

    ``overview``  the table (``table_of``), and what else the scripts know of all pairs.
    ``lines``     the pairs as ``inert_json``, in the order of the table.

    Raises ``BadData`` where the system refuses to write.
    """
    page, _ = whole_page(
        template,
        title,
        [*STYLES, *styles],
        [*SCRIPTS, *scripts],
        overview=inert_json(overview),
        pairs="\n".join(lines),
        **content,
    )
    with replacing(path) as stream:
        stream.write(page)


def _pair_row(view: pair_view.PairView, components: Sequence[str]) -> dict[str, Any]:
    """Return a pair for JSON.

    ``components``  the names that links refer to by number.
    """
    row: dict[str, Any] = {
        "id": view.pair.id,
        "abstract": side_row(view.pair.abstract),
        "document": side_row(view.pair.document),
        "links": [_link_row(link, components) for link in view.links],
    }
    if view.posteriors is not None and view.null is not None:
        row["posteriors"] = [_linked_words_row(words) for words in view.posteriors]
        row["null"] = [round(posterior, 2) for posterior in view.null]
    if view.covered is not None:
        row["covered"] = {
            side: [word and _covered_row(word) for word in words]
            for side, words in view.covered._asdict().items()
        }
    return row


def side_row(text: Text) -> dict[str, Any]:
    """Return one side of a pair for JSON.

    ``text``       the running text.
    ``steps``      for each token the code units of UTF-16 between the end of the token before and
                   its start, then its length: small numbers, since there are many.
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
    """Return the length that a string has in JavaScript."""
    return len(string.encode("utf-16-le", "surrogatepass")) // 2


def _link_row(link: pair_view.ShownLink, components: Sequence[str]) -> list[Any]:
    row = [*link.abstract, *link.document, _rounded(link.probability), link.status]
    if link.component is not None:
        row += [components.index(link.component), _rounded(link.share)]
    return row


def _covered_row(word: pair_view.CoveredWord) -> tuple[float, list[tuple[int, float]]]:
    return round(word.posterior, 2), [(other, round(link, 2)) for other, link in word.by]


def _linked_words_row(words: pair_view.LinkedWords) -> list[Any]:
    """Return a word link for JSON, with its share where that is another number."""
    probability, share = round(words.probability, 2), round(words.share, 2)
    shares = [] if share == probability else [share]
    return [words.abstract, words.document, probability, *shares]


def _rounded(figure: float | None, digits: int = 3) -> float | None:
    return None if figure is None else round(figure, digits)
