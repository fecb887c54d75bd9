"""Lists the rewrite models by name. A new one is one file and one line here."""

from __future__ import annotations

from corpus_tools.plugins.registry import Registry
from rewrite_models.embedding import Embedding
from rewrite_models.identity import Identity
from rewrite_models.lexical import Lexical
from rewrite_models.multiword import Multiword
from rewrite_models.relation import Relation
from rewrite_models.rewrite_model import RewriteModel
from rewrite_models.stem import Stem
from rewrite_models.wordnet import WordNet

REWRITE_MODELS: Registry[RewriteModel] = Registry(
    "rewrite model", (Identity, Stem, WordNet, Lexical, Relation, Multiword, Embedding)
)
