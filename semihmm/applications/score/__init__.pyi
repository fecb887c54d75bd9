"""The public names of the application, for others."""

from semihmm.applications.score.annotators import annotator_names as annotator_names
from semihmm.applications.score.score_report import score as score
from semihmm.applications.score.scores import SCORES as SCORES
from semihmm.applications.score.scores import Recall as Recall
from semihmm.applications.score.scores import ScopedLinks as ScopedLinks
from semihmm.applications.score.scores import Score as Score
from semihmm.applications.score.scores import SoftPrecision as SoftPrecision
from semihmm.applications.score.scores import scoped_links as scoped_links
from semihmm.applications.score.scores import whole_corpus as whole_corpus
from semihmm.applications.score.systems import Greedy as Greedy
