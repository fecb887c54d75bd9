"""Defines plots, and writes figures in the style of a paper (``style.mplstyle``).

The same data give the same bytes.
"""

from __future__ import annotations

import logging
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import BadUsage
from corpus_tools.base.files import StrPath, replacing_bytes
from corpus_tools.base.packages import loading, needing
from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.applications.stats.portrait_columns import PortraitColumn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURE_FORMATS: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""The formats, with the metadata that are left out of files: dates and versions differ.

For the same reason the style sets matplotlib's own fonts, and a salt for the names in SVG.
"""

COLUMN_WIDTH = 3.3
"""The default width of a figure, in inches: a column of a page with two columns."""

FONT_SIZE = 8.0
"""The size of the text of a figure, in points."""

TEXT_SIZES = (
    *("font.size", "axes.labelsize", "axes.titlesize", "legend.fontsize"),
    *("legend.title_fontsize", "xtick.labelsize", "ytick.labelsize"),
)
"""The settings of text sizes in the style, which are scaled together."""

STYLE_FILE = Path(__file__).with_name("style.mplstyle")
"""The style of figures. Its lines can be distinguished without colour."""


@contextmanager
def figure_in(
    path: StrPath, height: float, width: float = COLUMN_WIDTH, font_size: float = FONT_SIZE
) -> Iterator[Figure]:
    """Yield an empty figure that is written to ``path`` on success.

    ``height``     the height of the figure, in multiples of ``COLUMN_WIDTH``.
    ``width``      the width of the figure, in inches.
    ``font_size``  the size of its text, in points.

    Raises ``BadUsage`` without matplotlib, for another format, and for text that leaves no room;
    ``BadData`` if the file cannot be written.
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FIGURE_FORMATS:
        endings = ", ".join(f".{name}" for name in FIGURE_FORMATS)
        raise BadUsage(f"a figure is written to a file that ends in {endings}, not {str(path)!r}")
    # Matplotlib logs a warning when it makes its list of fonts.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with needing("a plot", "plot"), loading("matplotlib", "matplotlibrc"):
        import matplotlib as mpl
        from matplotlib.figure import Figure

    # Matplotlib's defaults and the style, without the user's own settings.
    with mpl.rc_context(fname=STYLE_FILE):
        style: Any = mpl.rcParams
        style.update({name: style[name] * font_size / FONT_SIZE for name in TEXT_SIZES})
        figure = Figure(figsize=(width, height * COLUMN_WIDTH), layout="constrained")
        yield figure
        with replacing_bytes(path, "the figure") as stream, warnings.catch_warnings():
            warnings.filterwarnings("error", "constrained_layout not applied")
            try:
                figure.savefig(stream, format=form, metadata=FIGURE_FORMATS[form])
            except UserWarning:
                problem = "the text leaves no room for the plot: make it smaller or the plot wider"
                raise BadUsage(problem) from None


@dataclass(frozen=True)
class PlotData:
    """The data of a plot.

    ``models``      trained aligners by name.
    ``pairs``       the pairs.
    ``alignments``  alignments of all pairs, by the name of their origin and the pairs' ids; hand
                    alignments have the name ``GOLD_SYSTEM``.
    ``columns``     the columns of a portrait (docs/portrait.md), one for each corpus.
    """

    models: Mapping[str, Aligner] = field(default_factory=dict)
    pairs: Sequence[Pair] = ()
    alignments: Mapping[str, Mapping[str, Alignment]] = field(default_factory=dict)
    columns: Sequence[PortraitColumn] = ()


class Plot(ABC):
    """A figure, which is drawn by matplotlib.

    ``name``    the name of the plot for the command line.
    ``help``    one line about the figure.
    ``width``   the default width of the figure, in inches.
    ``height``  the height of the figure, in multiples of ``COLUMN_WIDTH``.
    ``reads``   the data that it needs: fields of ``PlotData``; ``names`` if users may name its
                lines; ``gold`` if all pairs must have hand alignments.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    width: ClassVar[float] = COLUMN_WIDTH
    height: ClassVar[float] = 0.75
    reads: ClassVar[tuple[str, ...]] = ("models", "pairs", "names")

    @abstractmethod
    def draw(self, data: PlotData, figure: Figure) -> None:
        """Draw on an empty figure. Raises ``BadData`` if there is nothing to draw."""
