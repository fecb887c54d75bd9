"""Shows views of pairs in a terminal, abstract and document side by side."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise, zip_longest
from typing import NamedTuple, TextIO

import regex
from rich.console import Console
from rich.text import Text
from wcwidth import wcswidth

from corpus_tools.base.errors import in_one_line, number_of
from corpus_tools.pages.pair_view import PairView, Status, TokenRun
from corpus_tools.texts.tokenizers import UNSPACED_LETTER

WIDTH_OF_PIPES = 100
"""The number of columns of an output that is no terminal."""

NARROW_COLUMNS = 50
"""With fewer columns the document is below the abstract: lines next to it would have four words."""

LEAST_COLUMNS = 12
"""The least width of a line: a number and two Chinese words. Narrower terminals break lines."""

SIDE_GAP = 3
"""The number of columns between the abstract and the document."""

STATUS_STYLES = {
    Status.ALONE: (("blue", "red", "green", "magenta", "cyan", "yellow"), ""),
    Status.EXTRA: (("magenta",), " underline"),
    Status.MISSING: (("yellow",), " underline"),
    Status.AGREES: (("blue", "green", "cyan"), " underline"),
}
"""The colours and other styles of a phrase. With several links the first status here decides."""

STATUS_SIGNS = {Status.ALONE: "", Status.AGREES: "=", Status.MISSING: "-", Status.EXTRA: "+"}
NULL_STYLE = "italic dim"
UNUSED_STYLE = "dim"

BRACKET_PAIRS = ("[]", "{}", "⟦⟧", "⟨⟩", "⦃⦄")
"""The brackets of phrases: the first pair that does not occur in the texts is used."""

NUMBER_SIGNS = "0123456789+-="
NUMBER_DIGITS = ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼", "₀₁₂₃₄₅₆₇₈₉₊₋₌")
"""The characters for ``NUMBER_SIGNS``: the first set that does not occur in the texts is used."""


class _Marks(NamedTuple):
    """The marks next to the words of a pair, which the texts of the pair do not have."""

    opening: str
    closing: str
    digits: str

    @property
    def atom(self) -> regex.Pattern[str]:
        """Match a grapheme with the marks around it, or a run of blanks.

        A line may end after a match. So it ends neither within the number of a link nor before it.
        """
        opening, closing = regex.escape(self.opening), regex.escape(self.closing)
        digits = f"[{self.digits}]"
        return regex.compile(rf" +|{opening}*+(?:,{digits}++|\X){closing}*+{digits}*+")


REPLACEMENT = " in the place of".replace(" ", "\N{NO-BREAK SPACE}")
"""The words after the probability of a link that is no rewrite (``takes_place``)."""


def print_views(views: Iterable[PairView], stream: TextIO) -> None:
    """Print pairs, in colour on a terminal. Lines are wrapped, never cut off."""
    width = None if stream.isatty() else WIDTH_OF_PIPES
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    console.width = max(console.width, LEAST_COLUMNS)
    for view in views:
        with console.capture() as printed:
            _print_view(view, console)
        stream.write(printed.get())


def _print_view(view: PairView, console: Console) -> None:
    """Print a pair: the abstract, the document next to it, and the probabilities of the links.

    A phrase is followed by the number of its link. Without colour, phrases are in brackets. Unused
    sentences of the document are only counted. ``wcswidth`` measures lines, not the console, for
    which vowel signs of Hindi take no columns.
    """
    marks = _marks_of(view)
    title = in_one_line(view.title())
    rest = console.width - len("── ") - wcswidth(title)
    rule = Text("─" * (console.width if rest < 0 else rest + 2), "rule.line")
    lines = [Text.assemble(title, " ", rule)]
    if rest < 0:
        lines = [*_lines(Text(title), console.width, marks), rule]
    in_color = console.color_system is not None and not console.no_color
    if console.width < NARROW_COLUMNS:
        for side in ("abstract", "document"):
            lines += [*_side(view, side, marks, console.width, in_color), Text()]
    else:
        # Documents are longer than abstracts, and get more columns.
        width = 2 * console.width // 5 - SIDE_GAP
        rest = console.width - width - SIDE_GAP
        abstract = _side(view, "abstract", marks, width, in_color)
        document = _side(view, "document", marks, rest, in_color)
        for left, right in zip_longest(abstract, document):
            line = left or Text()
            if right is not None:
                line.append(" " * (width + SIDE_GAP - wcswidth(line.plain)))
                line.append(right)
            lines.append(line)
    for line in (*lines, *_lines(_probabilities(view, marks), console.width, marks), Text()):
        console.print(line, soft_wrap=True)


def _marks_of(view: PairView) -> _Marks:
    """Return marks that the texts of a pair do not have."""
    characters = {*view.texts["abstract"].string, *view.texts["document"].string}

    def unused(choices: Sequence[str]) -> str:
        return next((marks for marks in choices if characters.isdisjoint(marks)), choices[0])

    opening, closing = list(unused(BRACKET_PAIRS))
    return _Marks(opening, closing, unused(NUMBER_DIGITS))


def _side(view: PairView, side: str, marks: _Marks, width: int, in_color: bool) -> Iterator[Text]:
    """Yield the lines of a side, each sentence with its number if there are several."""
    spans = list(pairwise(getattr(view.pair, side).boundaries))
    linked = view.used_sentences() if side == "document" else range(len(spans))
    unlinked = NULL_STYLE if side == "abstract" else ""
    rows: list[tuple[str, Text]] = []
    for is_used, group in groupby(
        enumerate(view.runs(side, spans)), lambda item: item[0] in linked
    ):
        sentences = [(str(n + 1), runs) for n, runs in group if runs]
        if is_used:
            for number, runs in sentences:
                rows.append((number, _marked(view, runs, unlinked, marks, in_color)))
        elif sentences:
            rows.append(("", Text(f"… {number_of(len(sentences), 'sentence')}", UNUSED_STYLE)))
    margin = 1 + max(len(number) for number, _ in rows) if len(rows) > 1 else 0
    for number, text in rows:
        for line in _lines(text, width - margin, marks):
            label = f"{number} ".rjust(margin) if margin else ""
            yield Text.assemble((label, UNUSED_STYLE), line)
            number = ""


def _lines(text: Text, width: int, marks: _Marks) -> Iterator[Text]:
    """Yield the lines of a text. Lines end at blanks, or anywhere in scripts without blanks.

    Words that are wider than a line continue in the next line.
    """
    cuts: list[int] = []
    # The last place at which the line may end; the columns of the line so far, and of its part
    # from that place on.
    place = column = behind = 0
    for atom in marks.atom.finditer(text.plain):
        cells = wcswidth(atom.group())
        is_blank = atom.group()[0] == " "
        if UNSPACED_LETTER.search(atom.group()):
            place, behind = atom.start(), 0
        if column + cells > width and not is_blank:
            if place > (cuts[-1] if cuts else 0):
                cuts.append(place)
                column = behind
            if column + cells > width and column:
                cuts.append(atom.start())
                column = 0
        column += cells
        behind += cells
        if is_blank:
            place, behind = atom.end(), 0
    for line in text.divide(cuts):
        line.rstrip()
        yield line


def _marked(
    view: PairView, runs: Iterable[TokenRun], unlinked: str, marks: _Marks, in_color: bool
) -> Text:
    """Return the runs of a sentence, with their phrases marked.

    ``unlinked``  the style of words without a link.
    """
    opening, closing = ("", "") if in_color else (marks.opening, marks.closing)
    line = Text()
    for number, run in enumerate(runs):
        # The characters before the first run belong to the end of the sentence before.
        if number:
            line.append(in_one_line(run.before))
        words = in_one_line(run.text)
        if run.links:
            numbers = ",".join(_number(view, link, marks) for link in run.links)
            line.append(f"{opening}{words}{closing}{numbers}", _style(view, run.links))
        else:
            line.append(words, unlinked)
    return line


def _style(view: PairView, numbers: Sequence[int]) -> str:
    statuses = {view.links[number - 1].status for number in numbers}
    colors, more = next(style for status, style in STATUS_STYLES.items() if status in statuses)
    return f"{colors[(numbers[0] - 1) % len(colors)]}{more}"


def _number(view: PairView, link: int, marks: _Marks) -> str:
    """Return the number of a link as it is printed after its phrases."""
    number = f"{link}{STATUS_SIGNS[view.links[link - 1].status]}"
    return number.translate(str.maketrans(NUMBER_SIGNS, marks.digits))


def _probabilities(view: PairView, marks: _Marks) -> Text:
    """Return the line with number, probability and component, if known, of each link."""
    line = Text(style=UNUSED_STYLE)
    for number, link in enumerate(view.links, start=1):
        if link.probability is not None:
            source = f"\N{NO-BREAK SPACE}{link.component}" if link.component else ""
            mark = _number(view, number, marks)
            kind = REPLACEMENT if number - 1 in view.replacements else ""
            line.append(f"{mark}\N{NO-BREAK SPACE}{link.probability:.2f}{source}{kind}  ")
    return line
