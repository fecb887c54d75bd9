"""The plot of one pair: its abstract and its document, with numbered boxes around phrases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus_tools.alignments.alignment import GOLD
from corpus_tools.errors import BadData
from corpus_tools.views.pair_view import PairView, alone, exact_phrases
from semihmm.plots.blocks import Block, Row, Word, blocks_of
from semihmm.plots.plot import METADATA, TEX, Drawn, Look, Plot
from semihmm.plots.tex import pair_tex

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE_BY_SIDE = 5.0
"""From this width on, in inches, the abstract stands beside its document."""

# In sizes of the text.
LINE = 1.65
"""From line to line."""
NUMBER = 0.68
"""The size of numbers."""
INDENT = 1.7
"""Where text begins behind the number of its sentence."""
GAP = 0.45
"""Between blocks; between rows half of it."""

UNALIGNED = "0.45"
"""The grey of words without a link."""

BOX: dict[str, Any] = {"facecolor": "0.91", "linewidth": 0, "zorder": 0}
EDGE: dict[str, Any] = {
    "color": "0.5",
    "linestyle": "-",
    "linewidth": 0.4,
    "marker": "",
    "solid_capstyle": "butt",
    "zorder": 1,
}


class OnePair(Plot):
    """A pair as a figure of a paper shows it."""

    name = "pair"
    help = "the phrases of one pair, in numbered boxes"
    reads = ("pairs", "alignments", "id")
    forms = (*METADATA, TEX)

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw the sides, and make the figure as high as they are.

        Raises ``BadData`` for several pairs, and without alignments.
        """
        blocks = blocks_of(_view(drawn))
        width = figure.get_figwidth()
        is_wide = width >= SIDE_BY_SIDE
        columns = [Column(72 * width * (block.share if is_wide else 1.0)) for block in blocks]
        for column, block in zip(columns, blocks, strict=True):
            column.add(block)
        heights = [column.height for column in columns]
        height = max(heights) if is_wide else sum(heights)
        figure.set_layout_engine("none")
        figure.set_figheight(height / 72)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 72 * width), ylim=(-height, 0))
        axes.set_axis_off()
        _draw(axes, columns[0], (0.0, 0.0))
        beside = 72 * width - columns[1].width
        _draw(axes, columns[1], (beside, 0.0 if is_wide else -heights[0]))

    def tex(self, drawn: Drawn, look: Look) -> str:
        """Return both sides as text for TeX, which breaks the lines. Raises as ``draw``."""
        return pair_tex(blocks_of(_view(drawn)), look, look.width >= SIDE_BY_SIDE)


def _view(drawn: Drawn) -> PairView:
    """Return the pair with its alignment: by hand, if there is no other."""
    if len(drawn.pairs) != 1:
        raise BadData(f"the plot pair is of one pair, not of {len(drawn.pairs)}: choose it by --id")
    if not drawn.alignments:
        raise BadData("there are no alignments, neither ALIGNMENTS nor hand alignments")
    (pair,) = drawn.pairs
    name, alignments = list(drawn.alignments.items())[-1]
    alignment = alignments[pair.id]
    if name == GOLD:
        # Annotators link words: a copied run of them is one box.
        links = exact_phrases(pair, pair.gold_links(), 1.0)
        alignment = replace(alignment, phrases=tuple(links))
    return alone(pair, alignment, has_probabilities=name != GOLD)


class Placed(NamedTuple):
    """A text in a column: its left end and its baseline, in points, y downwards from the top."""

    x: float
    y: float
    text: str
    style: str


class Box(NamedTuple):
    """What stands of a phrase in one line; it is open where the phrase goes on in another one."""

    left: float
    right: float
    y: float
    begins: bool
    ends: bool


@dataclass
class Column:
    """A block that is set in lines. All lengths are in points, from the upper left corner.

    ``height``  of what is in it.
    """

    width: float
    height: float = 0.0
    texts: list[Placed] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def __post_init__(self) -> None:
        from matplotlib import rcParams

        self.size: float = rcParams["font.size"]
        self.left = INDENT * self.size
        self.blank = 0.25 * self.size
        self.padding = 0.12 * self.size

    def add(self, block: Block) -> None:
        """Set a block, with space below it."""
        self._next_line()
        self._put(Placed(0.0, self.height, block.title, "title"))
        for row in block.rows:
            self._add_row(row)
            self.height += GAP / 2 * self.size
        self.height += GAP * self.size

    def _next_line(self) -> float:
        """Begin a line and return where its text begins."""
        self.height += LINE * self.size
        return self.left

    def _put(self, placed: Placed) -> None:
        self.texts.append(placed)

    def _add_row(self, row: Row) -> None:
        x = self._next_line()
        self._put(Placed(0.0, self.height, row.number, "number"))
        for unit in _units(word for whole in row.words for word in self._cut(whole)):
            widths = list(map(self._width, unit))
            if x > self.left:
                x += self.blank
                if x + sum(widths) > self.width:
                    x = self._next_line()
            for word, width in zip(unit, widths, strict=True):
                if x > self.left and x + width > self.width:
                    x = self._next_line()
                self._set(word, x, width)
                x += width

    def _set(self, word: Word, x: float, width: float) -> None:
        """Set a word, and draw or widen the box of its phrase."""
        y = self.height
        if word.is_linked:
            box = Box(x, x + width, y, word.begins, bool(word.number))
            if not word.begins and self.boxes[-1].y == y:
                before = self.boxes.pop()
                box = box._replace(left=before.left, begins=before.begins)
            self.boxes.append(box)
        x += self.padding * word.begins
        self._put(Placed(x, y, word.text, "linked" if word.is_linked else "unaligned"))
        if word.number:
            x += measured(word.text, self.size)
            self._put(Placed(x, y - 0.33 * self.size, word.number, "number"))

    def _width(self, word: Word) -> float:
        padding = self.padding * (word.begins + bool(word.number))
        number = measured(word.number, NUMBER * self.size)
        return padding + measured(word.text, self.size) + number

    def _cut(self, word: Word) -> Iterator[Word]:
        """Cut a word that is wider than a line, such as an address of the web, into lines."""
        room = self.width - self.left
        while len(word.text) > 1 and self._width(word) > room:
            end = len(word.text) - 1
            while end > 1 and measured(word.text[:end], self.size) > room - 2 * self.padding:
                end -= 1
            yield word._replace(text=word.text[:end], number="")
            word = word._replace(text=word.text[end:], blank=True, begins=False)
        yield word


def _units(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Yield words that have no blanks between them."""
    unit: list[Word] = []
    for word in words:
        if word.blank and unit:
            yield unit
            unit = []
        unit.append(word)
    if unit:
        yield unit


def measured(text: str, size: float) -> float:
    """Return the width of a text of a size, both in points, as matplotlib sets it."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    if not text:
        return 0.0
    font = FontProperties(size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width)


def _draw(axes: Axes, column: Column, corner: tuple[float, float]) -> None:
    """Draw a column whose upper left corner is at a place of the axes."""
    left, top = corner
    size = column.size
    styles: dict[str, dict[str, Any]] = {
        "title": {"weight": "bold", "fontsize": 0.9 * size},
        "number": {"fontsize": NUMBER * size},
        "linked": {},
        "unaligned": {"color": UNALIGNED},
    }
    for text in column.texts:
        style = {"fontsize": size, "parse_math": False, **styles[text.style]}
        axes.text(left + text.x, top - text.y, text.text, style)
    for box in column.boxes:
        low, high = top - box.y - 0.32 * size, top - box.y + 0.92 * size
        ends = (left + box.left, left + box.right)
        axes.fill_between(ends, low, high, **BOX)
        for y in (low, high):
            axes.plot(ends, (y, y), **EDGE)
        for x, is_closed in zip(ends, (box.begins, box.ends), strict=True):
            if is_closed:
                axes.plot((x, x), (low, high), **EDGE)
