"""The public names of the application, for others."""

from semihmm.applications.measure.comparisons import pair_tests as pair_tests
from semihmm.applications.measure.measure import FIGURE_SIDES as FIGURE_SIDES
from semihmm.applications.measure.measure import Measure as Measure
from semihmm.applications.measure.summaries import require_distinct as require_distinct
from semihmm.applications.measure.summary_files import read_summaries as read_summaries
from semihmm.applications.measure.words import MeasuredText as MeasuredText
from semihmm.applications.measure.words import MeasureSettings as MeasureSettings
from semihmm.applications.measure.words import WordIndexes as WordIndexes
