"""The public names of the application, for others."""

from semihmm.applications.stats.plots.plot import FIGURE_FORMATS as FIGURE_FORMATS
from semihmm.applications.stats.plots.plot import FigureSize as FigureSize
from semihmm.applications.stats.plots.plot import Plot as Plot
from semihmm.applications.stats.plots.plot import PlotData as PlotData
from semihmm.applications.stats.plots.plot import plotting as plotting
from semihmm.applications.stats.portrait import Portrait as Portrait
from semihmm.applications.stats.portrait_columns import PortraitColumn as PortraitColumn
from semihmm.applications.stats.portrait_figures import PORTRAIT_FIGURES as PORTRAIT_FIGURES
from semihmm.applications.stats.portrait_figures import link_counts as link_counts
