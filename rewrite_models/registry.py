"""The rewrite models by name. A new one is one file and one line here."""

from __future__ import annotations

from rewrite_models.embedding import Embedding
from rewrite_models.identity import Identity
from rewrite_models.lexical import Lexical
from rewrite_models.relation import Relation
from rewrite_models.stem import Stem
from rewrite_models.wordnet import WordNet

REWRITE_MODELS = {
    model.name: model for model in (Identity, Stem, WordNet, Lexical, Relation, Embedding)
}
