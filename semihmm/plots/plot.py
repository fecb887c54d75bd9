"""What a plot is, and how figures look and are written.

Figures look like those of a paper (``style.mplstyle``). The same data give the same bytes.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.portrait import PortraitColumn
from corpus_tools.base.errors import BadUsage, needing
from corpus_tools.base.files import StrPath, replacing, replacing_bytes
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.registry import Plugin
from semihmm.aligner import Aligner

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""The formats, with what is left out of files: dates and versions, which differ between machines.

The style has the other half: fonts that matplotlib brings, and a salt for the names in SVG.
"""

TEX = "tex"
"""The format of figures that TeX sets, with the fonts of the paper."""

COLUMN = 3.3
"""The width of a figure, in inches: that of a column where a page has two."""

FONT_SIZE = 8.0
"""The size of the text of a figure, in points."""

SIZES = (
    *("font.size", "axes.labelsize", "axes.titlesize", "legend.fontsize"),
    *("legend.title_fontsize", "xtick.labelsize", "ytick.labelsize"),
)
"""The sizes of text in the style, which keep their proportions."""

STYLE = Path(__file__).with_name("style.mplstyle")
"""How figures look. Its lines differ from each other without colour."""


class FigureSize(NamedTuple):
    """The width of a figure, in inches, and the size of its text, in points."""

    width: float = COLUMN
    font_size: float = FONT_SIZE


USUAL = FigureSize()


def form_of(path: StrPath, forms: Collection[str] = METADATA) -> str:
    """Return the format of a file by its ending. Raises ``BadUsage`` for another one."""
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in forms:
        endings = ", ".join(f".{name}" for name in forms)
        raise BadUsage(f"a figure is written to a file that ends in {endings}, not {str(path)!r}")
    return form


@contextmanager
def figure_in(path: StrPath, height: float, size: FigureSize = USUAL) -> Iterator[Figure]:
    """Give an empty figure that is written to ``path`` on success.

    ``height``  in widths of a column, however wide the figure is.

    Raises ``BadUsage`` where matplotlib is missing, for another format, and for text that leaves no
    room; ``BadData`` where the system refuses to write.
    """
    form = form_of(path)
    # Matplotlib reports the making of its list of fonts as a warning.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with needing("a plot", "plot"):
        import matplotlib as mpl
        from matplotlib.figure import Figure

    # The defaults and the style: not what the user has chosen for other figures.
    with mpl.rc_context(fname=STYLE):
        style: Any = mpl.rcParams
        style.update({name: style[name] * size.font_size / FONT_SIZE for name in SIZES})
        figure = Figure(figsize=(size.width, height * COLUMN), layout="constrained")
        yield figure
        with replacing_bytes(path, "the figure") as stream, warnings.catch_warnings():
            warnings.filterwarnings("error", "constrained_layout not applied")
            try:
                figure.savefig(stream, format=form, metadata=METADATA[form])
            except UserWarning:
                problem = "the text leaves no room for the plot: make it smaller or the plot wider"
                raise BadUsage(problem) from None


@dataclass(frozen=True)
class Drawn:
    """What a plot is made of.

    ``models``      trained aligners by name.
    ``alignments``  alignments of all pairs, by the name of where they come from and the pairs' ids;
                    the hand alignments, if the pairs have any, are those of ``GOLD``.
    ``columns``     the portraits of corpora.
    """

    models: Mapping[str, Aligner] = field(default_factory=dict)
    pairs: Sequence[Pair] = ()
    alignments: Mapping[str, Mapping[str, Alignment]] = field(default_factory=dict)
    columns: Sequence[PortraitColumn] = ()


class Plot(Plugin):
    """A figure, which is drawn by matplotlib or is a text for TeX.

    ``help``    what it shows, in one line.
    ``width``   of the figure, in inches, if the user does not ask for another one.
    ``height``  of the figure, in widths of a column.
    ``reads``   which fields of ``Drawn`` it shows; ``names``: those of its lines; ``id``: one pair;
                ``gold``: that all pairs must have hand alignments; ``columns``: portraits.
    ``forms``   the formats that it can be written in.
    """

    help: ClassVar[str]
    width: ClassVar[float] = COLUMN
    height: ClassVar[float] = 0.75
    reads: ClassVar[tuple[str, ...]] = ("models", "pairs", "names")
    forms: ClassVar[tuple[str, ...]] = tuple(METADATA)

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw on an empty figure. Raises ``BadData`` where there is nothing to be shown."""
        raise NotImplementedError

    def tex(self, drawn: Drawn, size: FigureSize) -> str:
        """Return the figure for TeX, if ``TEX`` is one of the formats. Raises as ``draw``."""
        raise NotImplementedError


@contextmanager
def plotting(plot: Plot, path: StrPath, size: FigureSize) -> Iterator[Callable[[Drawn], object]]:
    """Give a function that draws the plot. It is written to ``path`` on success.

    Raises ``BadUsage`` and ``BadData`` as ``figure_in`` does.
    """
    if form_of(path, plot.forms) == TEX:
        with replacing(path) as stream:
            yield lambda drawn: stream.write(plot.tex(drawn, size))
        return
    with figure_in(path, plot.height, size) as figure:
        yield lambda drawn: plot.draw(drawn, figure)


def note(axes: Axes, text: str, place: Sequence[float], away: tuple[int, int], **more: Any) -> None:
    """Write a small text ``away`` from a place of the axes, in points."""
    where = (place[0], place[1])
    style = {"fontsize": "small", **more}
    axes.annotate(text, where, textcoords="offset points", xytext=away, **style)
