"""Shows views of pairs in a terminal, abstract and document side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple, TextIO

from corpus_tools.errors import number_of
from corpus_tools.printable import printable
from corpus_tools.views.pair_view import PairView, ShownLink, Status
from corpus_tools.views.running_text import running_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text as Shown

WIDTH_OF_PIPES = 100
"""Columns where the output is no terminal."""

COLORS = ("blue", "red", "green", "magenta", "cyan", "yellow")
STATUS_COLORS = {Status.EXTRA: "magenta", Status.MISSING: "yellow", Status.AGREES: "blue"}
"""A phrase of several links has the color of the first status that one of them has."""

STATUS_SIGNS = {Status.ALONE: "", Status.AGREES: "=", Status.MISSING: "-", Status.EXTRA: "+"}
NULL_STYLE = "italic dim"
UNUSED_STYLE = "dim"
SUPERSCRIPTS = str.maketrans("0123456789+-=", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼")


class _Side(NamedTuple):
    """One side of a pair, ready to be shown.

    ``links``  for each token the links that it is in, with their numbers.
    """

    string: str
    spans: Sequence[tuple[int, int]]
    links: Sequence[Sequence[tuple[int, ShownLink]]]


def print_views(views: Iterable[PairView], stream: TextIO) -> None:
    """Print pairs, in colour where the stream is a terminal."""
    from rich.console import Console

    width = None if stream.isatty() else WIDTH_OF_PIPES
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    for view in views:
        # The console itself would end the program where nobody reads any more.
        with console.capture() as printed:
            _print_view(view, console)
        stream.write(printed.get())


def _print_view(view: PairView, console: Console) -> None:
    """Print a pair: the abstract, the document beside it, and the probabilities of the links.

    Behind a phrase is the number of its link. Without colour, phrases stand in brackets. Of the
    document's unused sentences only the number is shown.
    """
    from rich.rule import Rule
    from rich.table import Table

    pair = view.pair
    words = ", ".join(
        number_of(len(text), f"{side} word")
        for side, text in (("abstract", pair.abstract), ("document", pair.document))
    )
    console.print(Rule(f"{printable(pair.id)}: {words}", align="left"))
    table = Table.grid(padding=(0, 3), expand=True)
    table.add_column(ratio=2)
    table.add_column(ratio=3)
    in_color = console.color_system is not None and not console.no_color
    table.add_row(_abstract(view, in_color), _document(view, in_color))
    console.print(table)
    console.print(_probabilities(view))
    console.print()


def _abstract(view: PairView, in_color: bool) -> Shown:
    tokens = (0, len(view.pair.abstract))
    return _marked(_side(view, "abstract"), tokens, NULL_STYLE, in_color)


def _document(view: PairView, in_color: bool) -> Shown:
    from rich.text import Text as Shown

    boundaries = view.pair.document.boundaries
    side = _side(view, "document")
    used = view.used_sentences()
    runs = groupby(enumerate(pairwise(boundaries)), key=lambda sentence: sentence[0] in used)
    shown = []
    for is_used, sentences in runs:
        spans = [span for _, span in sentences]
        if is_used:
            shown.append(_marked(side, (spans[0][0], spans[-1][1]), "", in_color))
        else:
            count = f"{len(spans)} {'sentence' if len(spans) == 1 else 'sentences'}"
            shown.append(Shown(f"… {count}", UNUSED_STYLE))
    return Shown("\n").join(shown)


def _side(view: PairView, name: str) -> _Side:
    string, spans = running_text(getattr(view.pair, name))
    links: list[list[tuple[int, ShownLink]]] = [[] for _ in spans]
    for number, link in enumerate(view.links, start=1):
        for token in range(*getattr(link, name)):
            links[token].append((number, link))
    return _Side(printable(string), spans, links)


def _marked(side: _Side, tokens: tuple[int, int], unlinked: str, in_color: bool) -> Shown:
    """Return some tokens, with their phrases marked.

    ``unlinked``  the style of words without a link.
    """
    from rich.text import Text as Shown

    shown = Shown()
    end = None
    for links, run in groupby(range(*tokens), key=side.links.__getitem__):
        own = list(run)
        start = side.spans[own[0]][0]
        shown.append(side.string[start if end is None else end : start])
        end = side.spans[own[-1]][1]
        words = side.string[start:end]
        if links:
            shown.append(words if in_color else f"[{words}]", _style(links))
            shown.append(_numbers(links), _style(links))
        else:
            shown.append(words, unlinked)
    return shown


def _style(links: Sequence[tuple[int, ShownLink]]) -> str:
    number, link = links[0]
    if link.status == Status.ALONE:
        return COLORS[(number - 1) % len(COLORS)]
    statuses = {link.status for _, link in links}
    first = next(status for status in STATUS_COLORS if status in statuses)
    return f"{STATUS_COLORS[first]} underline"


def _numbers(links: Iterable[tuple[int, ShownLink]]) -> str:
    return ",".join(_number(number, link) for number, link in links)


def _number(number: int, link: ShownLink) -> str:
    return f"{number}{STATUS_SIGNS[link.status]}".translate(SUPERSCRIPTS)


def _probabilities(view: PairView) -> Shown:
    """Return the probability of each link by its number, with the component where it is known."""
    from rich.text import Text as Shown

    shown = Shown(style=UNUSED_STYLE)
    for number, link in enumerate(view.links, start=1):
        if link.probability is not None:
            source = "" if link.source is None else f"\N{NO-BREAK SPACE}{link.source.component}"
            mark = _number(number, link)
            shown.append(f"{mark}\N{NO-BREAK SPACE}{link.probability:.2f}{source}  ")
    return shown
