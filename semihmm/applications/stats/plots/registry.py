"""Lists the plots by name. A new one is a class, and its name here."""

from corpus_tools.plugins import Registry
from semihmm.applications.stats.plots.models import JumpsPlot, PrecisionRecall, TrainingCurves
from semihmm.applications.stats.plots.plot import Plot
from semihmm.applications.stats.plots.portrait import PortraitPlot

PLOTS: Registry[type[Plot]] = Registry.of_classes(
    "plot", Plot, (TrainingCurves, JumpsPlot, PrecisionRecall, PortraitPlot), "semihmm.plots"
)
