"""Defines what a plot is: it draws a figure of models, pairs and alignments.

Figures look like those of a paper. The same data give the same bytes.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.errors import BadUsage, needing
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.registry import Plugin
from corpus_tools.storage.files import StrPath, replacing_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from semihmm.aligner import Aligner


@dataclass(frozen=True)
class Drawn:
    """What a plot is made of.

    ``models``      trained aligners by name.
    ``alignments``  alignments of all pairs, by the name of where they come from and the pairs' ids;
                    the hand alignments, if the pairs have any, are those of ``GOLD``.
    """

    models: Mapping[str, Aligner] = field(default_factory=dict)
    pairs: Sequence[Pair] = ()
    alignments: Mapping[str, Mapping[str, Alignment]] = field(default_factory=dict)


class Plot(Plugin, ABC):
    """A figure.

    ``help``              what it shows, in one line.
    ``height``            of the figure, in widths of a column.
    ``reads_pairs``       whether it is about pairs.
    ``reads_alignments``  whether it may show alignments of the pairs.
    ``reads_models``      whether it shows models.
    """

    help: ClassVar[str]
    height: ClassVar[float] = 0.75
    reads_pairs: ClassVar[bool] = True
    reads_alignments: ClassVar[bool] = False
    reads_models: ClassVar[bool] = True

    @abstractmethod
    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw on an empty figure. Raises ``BadData`` where there is nothing to be shown."""


FORMATS = ("png", "svg", "pdf")

COLUMN = 3.3
"""The width of a figure, in inches: that of a column where a page has two."""

DOTS_PER_INCH = 300

STYLE: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 8,
    # Matplotlib brings this font: the figure does not depend on those of the machine.
    "font.family": "STIXGeneral",
    "font.size": 8,
    "grid.color": "0.88",
    "grid.linewidth": 0.4,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.2,
    "mathtext.fontset": "stix",
    "pdf.fonttype": 42,
    "savefig.dpi": DOTS_PER_INCH,
    "svg.fonttype": "path",
    "svg.hashsalt": "semihmm",
    "xtick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.labelsize": 7,
    "ytick.major.width": 0.6,
}

LINES: tuple[dict[str, Any], ...] = (
    {"color": "0.0", "linestyle": "-", "marker": "o"},
    {"color": "0.35", "linestyle": "--", "marker": "s", "markerfacecolor": "white"},
    {"color": "0.55", "linestyle": "-.", "marker": "^"},
    {"color": "0.2", "linestyle": ":", "marker": "D", "markerfacecolor": "white"},
    {"color": "0.65", "linestyle": (0, (5, 1, 1, 1, 1, 1)), "marker": "v"},
    {"color": "0.45", "linestyle": (0, (1, 1)), "marker": "x"},
    {"color": "0.0", "linestyle": "--", "marker": "*"},
    {"color": "0.55", "linestyle": "-", "marker": "<", "markerfacecolor": "white"},
    {"color": "0.3", "linestyle": "-.", "marker": "P"},
)
"""The lines of a figure, one after another: each differs from the others without colour."""

METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What is left out of files: dates and versions, which differ where the figures do not."""


def line(number: int) -> dict[str, Any]:
    """Return how the line of this number is drawn; after the last style comes the first."""
    return LINES[number % len(LINES)]


def format_of(path: StrPath) -> str:
    """Return the format that the name of a file asks for. Raises ``BadUsage`` for another one."""
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise BadUsage(f"a figure is written to a file that ends in {endings}, not {str(path)!r}")
    return form


@contextmanager
def figure_in(path: StrPath, height: float) -> Iterator[Figure]:
    """Give an empty figure, a column wide, that is written to ``path`` on success.

    ``height``  in widths of a column.

    Raises ``BadUsage`` where matplotlib is missing and for another format, ``BadData`` where the
    system refuses to write.
    """
    form = format_of(path)
    # Matplotlib reports the making of its list of fonts as a warning.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with needing("a plot", "plot"):
        import matplotlib as mpl
        from matplotlib.figure import Figure

    style: Any = STYLE  # the types of newer versions list all names
    with mpl.rc_context():
        # Not what the user has chosen for other figures.
        mpl.rcdefaults()
        mpl.rcParams.update(style)
        figure = Figure(figsize=(COLUMN, height * COLUMN), layout="constrained")
        yield figure
        with replacing_bytes(path, "the figure") as stream:
            figure.savefig(stream, format=form, metadata=METADATA[form])
