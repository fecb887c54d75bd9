"""The public names of the application, for others."""

from semihmm.applications.stats.portrait import Portrait as Portrait
from semihmm.applications.stats.portrait_columns import PORTRAIT_FIGURES as PORTRAIT_FIGURES
from semihmm.applications.stats.portrait_columns import PortraitColumn as PortraitColumn
from semihmm.applications.stats.portrait_counts import link_counts as link_counts
