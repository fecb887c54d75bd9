"""Lists the rewrite models and the factors of null. A new one is one file and one line here."""

from typing import Any

from corpus_tools.plugins import PARTS_GROUP, Registry
from rewrite_models.asides import Asides
from rewrite_models.embedding import Embedding
from rewrite_models.lexical import Lexical
from rewrite_models.multiword import Multiword
from rewrite_models.ngrams import Identity, Stem
from rewrite_models.null_factor import NullFactor
from rewrite_models.relation import Relation
from rewrite_models.rewrite_model import RewriteModel
from rewrite_models.wordnet import WordNet

REWRITE_MODELS: Registry[type[RewriteModel]] = Registry.of_classes(
    "rewrite model",
    RewriteModel,
    (Identity, Stem, WordNet, Lexical, Relation, Multiword, Embedding),
    PARTS_GROUP,
)

NULL_FACTORS: Registry[type[NullFactor[Any]]] = Registry.of_classes(
    "null factor", NullFactor, (Asides,), PARTS_GROUP
)
