"""The public names of the application, for others."""

from semihmm.applications.support.calibration import Thresholds as Thresholds
from semihmm.applications.support.calibration import calibrated as calibrated
from semihmm.applications.support.calibration import read_judgements as read_judgements
from semihmm.applications.support.report import MEANING as MEANING
from semihmm.applications.support.report import MIN_SUPPORT as MIN_SUPPORT
from semihmm.applications.support.report import Support as Support
from semihmm.applications.support.shown import support_html as support_html
from semihmm.applications.support.shown import support_text as support_text
from semihmm.applications.support.shown import write_support_page as write_support_page
from semihmm.applications.support.support import installed_wordnet as installed_wordnet
from semihmm.applications.support.support import support_of as support_of
from semihmm.applications.support.support import supports_of as supports_of
from semihmm.applications.support.support import write_labels as write_labels
from semihmm.applications.support.support import write_support as write_support
