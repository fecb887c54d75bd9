"""Lists the plots by name. A new one is one file and one line here."""

from __future__ import annotations

from corpus_tools.plugins.registry import Registry
from semihmm.plots.jumps import Jumps
from semihmm.plots.plot import Plot
from semihmm.plots.positions import Positions
from semihmm.plots.precision_recall import PrecisionRecall
from semihmm.plots.training import Training

PLOTS: Registry[type[Plot]] = Registry.of_classes(
    "plot", Plot, (Training, Jumps, PrecisionRecall, Positions), "semihmm.plots"
)
