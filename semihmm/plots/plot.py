"""Defines what a plot is: it draws a figure of models, pairs and alignments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.registry import Plugin

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
