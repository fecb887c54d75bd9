"""The public names of the package and the modules that define them.

Type checkers read them here, and so does the package itself.
"""

from corpus_tools.alignments.alignment import Alignment as Alignment
from corpus_tools.alignments.alignment import PhraseLink as PhraseLink
from corpus_tools.alignments.alignment import alignment_of_row as alignment_of_row
from corpus_tools.alignments.alignment import alignment_row as alignment_row
from corpus_tools.base.errors import BadData as BadData
from corpus_tools.base.errors import BadModel as BadModel
from corpus_tools.base.errors import BadPair as BadPair
from corpus_tools.base.errors import BadUsage as BadUsage
from corpus_tools.base.errors import ImpossiblePair as ImpossiblePair
from corpus_tools.base.errors import InUse as InUse
from corpus_tools.base.errors import LittleText as LittleText
from corpus_tools.base.errors import MarkupText as MarkupText
from corpus_tools.base.errors import MissingResource as MissingResource
from corpus_tools.base.errors import OtherLanguage as OtherLanguage
from corpus_tools.base.errors import SemiHmmError as SemiHmmError
from corpus_tools.base.errors import SemiHmmWarning as SemiHmmWarning
from corpus_tools.base.errors import UnspacedText as UnspacedText
from corpus_tools.pairs.corpus_files import FilesOfPairs as FilesOfPairs
from corpus_tools.pairs.given_pairs import as_pairs as as_pairs
from corpus_tools.pairs.given_pairs import iterate_as_pairs as iterate_as_pairs
from corpus_tools.pairs.pair import Pair as Pair
from corpus_tools.pairs.read_pairs import iterate_pairs as iterate_pairs
from corpus_tools.pairs.read_pairs import read_pairs as read_pairs
from corpus_tools.pairs.records import make_pair as make_pair
from corpus_tools.parsing import with_trees as with_trees
from corpus_tools.texts.lexicons import content_tokens as content_tokens
from corpus_tools.texts.lexicons import read_ignore_list as read_ignore_list
from corpus_tools.texts.text import Text as Text
from semihmm import formats as formats
from semihmm.aligned_pair import AlignedPair as AlignedPair
from semihmm.aligned_pair import write_page as write_page
from semihmm.aligner import Aligner as Aligner
from semihmm.applications.measure.measuring import measure as measure
from semihmm.applications.measure.meta_evaluation import correlate as correlate
from semihmm.applications.measure.ratings import read_judgements as read_judgements
from semihmm.applications.measure.ratings import read_scores as read_scores
from semihmm.applications.measure.summary_files import read_references as read_references
from semihmm.applications.measure.summary_files import read_summaries as read_summaries
from semihmm.applications.score.score_report import score as score
from semihmm.applications.stats.portrait import portrait as portrait
from semihmm.applications.stats.portrait import portraits as portraits
from semihmm.model_choice import align as align

__version__: str
