"""Shows views of pairs in a terminal, abstract and document side by side."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from corpus_tools.base.errors import number_of, printable
from corpus_tools.pages.pair_view import PairView, Run, Status

WIDTH_OF_PIPES = 100
"""Columns where the output is no terminal."""

NARROW = 50
"""With fewer columns the document stands below the abstract. Lines of four words."""

LEAST_WIDTH = 12
"""The fewest columns: a number and two Chinese words. Narrower terminals break lines themselves."""

STYLES = {
    Status.ALONE: (("blue", "red", "green", "magenta", "cyan", "yellow"), ""),
    Status.EXTRA: (("magenta",), " underline"),
    Status.MISSING: (("yellow",), " underline"),
    Status.AGREES: (("blue", "green", "cyan"), " underline"),
}
"""Colors and more: a phrase of several links has those of the first status that one of them has."""

STATUS_SIGNS = {Status.ALONE: "", Status.AGREES: "=", Status.MISSING: "-", Status.EXTRA: "+"}
NULL_STYLE = "italic dim"
UNUSED_STYLE = "dim"
SUPERSCRIPTS = str.maketrans("0123456789+-=", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼")


class _Console(Console):
    """A console that leaves it to the program what it does where nobody reads any more."""

    def on_broken_pipe(self) -> None:
        """Raise the error again. The console itself would end the program."""
        raise  # noqa: PLE0704  # it is called where the error is handled


def print_views(views: Iterable[PairView], stream: TextIO) -> None:
    """Print pairs, in colour where the stream is a terminal. Nothing is cut at any width."""
    width = None if stream.isatty() else WIDTH_OF_PIPES
    console = _Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    console.width = max(console.width, LEAST_WIDTH)
    for view in views:
        with console.capture() as printed:
            _print_view(view, console)
        stream.write(printed.get())


def _print_view(view: PairView, console: Console) -> None:
    """Print a pair: the abstract, the document beside it, and the probabilities of the links.

    Behind a phrase is the number of its link. Without colour, phrases stand in brackets. Of the
    document's unused sentences only the number is shown.
    """
    title = printable(view.title())
    # A rule cuts a title that is too long.
    fits = cell_len(title) <= console.width - len("── ")
    if not fits:
        console.print(Text(title))
    console.print(Rule(title if fits else "", align="left"))
    in_color = console.color_system is not None and not console.no_color
    sides = (_side(view, side, in_color) for side in ("abstract", "document"))
    if console.width < NARROW:
        for side in sides:
            console.print(side)
            console.print()
    else:
        table = Table.grid(padding=(0, 3), expand=True)
        # Documents are longer than abstracts, of which every word is shown.
        table.add_column(ratio=2)
        table.add_column(ratio=3)
        table.add_row(*sides)
        console.print(table)
    console.print(_probabilities(view))
    console.print()


def _side(view: PairView, side: str, in_color: bool) -> Table:
    """Return a side, a sentence a line with its number if there are several."""
    spans = list(pairwise(getattr(view.pair, side).boundaries))
    used = view.used_sentences() if side == "document" else range(len(spans))
    unlinked = NULL_STYLE if side == "abstract" else ""
    rows: list[tuple[str, Text]] = []
    for is_used, group in groupby(enumerate(view.runs(side, spans)), lambda own: own[0] in used):
        own = [(str(n + 1), runs) for n, runs in group if runs]
        if is_used:
            rows += [(number, _marked(view, runs, unlinked, in_color)) for number, runs in own]
        elif own:
            rows.append(("", Text(f"… {number_of(len(own), 'sentence')}", UNUSED_STYLE)))
    lines = Table.grid(padding=(0, 1))
    if len(rows) > 1:
        lines.add_column(style=UNUSED_STYLE, justify="right", no_wrap=True)
    # Words that are wider than the column go on in the next line.
    lines.add_column(overflow="fold")
    for row in rows:
        lines.add_row(*(row if len(rows) > 1 else row[1:]))
    return lines


def _marked(view: PairView, runs: Iterable[Run], unlinked: str, in_color: bool) -> Text:
    """Return the runs of a sentence, with their phrases marked.

    ``unlinked``  the style of words without a link.
    """
    shown = Text()
    for number, run in enumerate(runs):
        # The blank before the first run stands behind the sentence before.
        if number:
            shown.append(printable(run.before))
        words = printable(run.text)
        if run.links:
            style = _style(view, run.links)
            shown.append(words if in_color else f"[{words}]", style)
            shown.append(",".join(_mark(view, link) for link in run.links), style)
        else:
            shown.append(words, unlinked)
    return shown


def _style(view: PairView, numbers: Sequence[int]) -> str:
    statuses = {view.links[number - 1].status for number in numbers}
    colors, more = next(shown for status, shown in STYLES.items() if status in statuses)
    return f"{colors[(numbers[0] - 1) % len(colors)]}{more}"


def _mark(view: PairView, number: int) -> str:
    """Return the number of a link as it stands behind its phrases."""
    return f"{number}{STATUS_SIGNS[view.links[number - 1].status]}".translate(SUPERSCRIPTS)


def _probabilities(view: PairView) -> Text:
    """Return the probability of each link by its number, with the component where it is known."""
    shown = Text(style=UNUSED_STYLE)
    for number, link in enumerate(view.links, start=1):
        if link.probability is not None:
            source = f"\N{NO-BREAK SPACE}{link.component}" if link.component else ""
            mark = _mark(view, number)
            shown.append(f"{mark}\N{NO-BREAK SPACE}{link.probability:.2f}{source}  ")
    return shown
