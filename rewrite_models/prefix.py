"""The prefix model: words that begin alike. Not in the paper, whose stems miss "Russia" and "Russian", "U.S." and "US".

Porter's stems are for inflection. Derivations, clipped names, hyphens, dots and misspellings mostly keep a word's beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from corpus_tools.vocabulary import Vocabulary
from rewrite_models.known_forms import forms_alike, forms_of_abstracts
from rewrite_models.rewrite_model import Evidence, RewriteModel

LENGTH = 4
"""Letters and digits that must agree; a shorter word must agree whole, and have at least two."""

_keys: WeakKeyDictionary[Vocabulary, np.ndarray] = WeakKeyDictionary()


def _key(form: str) -> str:
    letters = "".join(filter(str.isalnum, form))
    return letters[:LENGTH] if len(letters) >= 2 else ""


def _keys_of(vocabulary: Vocabulary) -> np.ndarray:
    """int32 [V]: equal for words that begin alike, 0 for words that are too short."""
    if vocabulary not in _keys:
        numbers = {"": 0}
        keys = [numbers.setdefault(_key(form), len(numbers)) for form in vocabulary.forms]
        _keys[vocabulary] = np.array(keys, dtype=np.int32)
    return _keys[vocabulary]


@dataclass(frozen=True)
class Prefix(RewriteModel):
    """1 / Z for a word that begins like the document word; Z counts the abstracts' words that do. Words only, no parameters.

    ``in_abstracts``  bool [V], the training vocabulary's forms that occur in an abstract.
    """

    in_abstracts: np.ndarray
    name = "prefix"

    @classmethod
    def initial(cls, corpus, vocabulary, settings):
        return cls(forms_of_abstracts(corpus, vocabulary))

    def evidence(self, batch):
        from rewrite_models.run_kernels import runs

        keys = _keys_of(batch.vocabulary)
        abstract, document = keys[batch.abstract], keys[batch.document]
        # A word without a key is like no other.
        document = np.where(document == 0, -1, document)
        cells = runs(abstract, document, batch.abstract_offsets, batch.document_offsets, 1)
        return Evidence(cells, {"score": 1.0 / forms_alike(keys, self.in_abstracts)[batch.abstract[cells[:, 0]]]})

    def scores(self, evidence):
        return evidence.data["score"]

    def to_arrays(self):
        return {"in_abstracts": self.in_abstracts}

    @classmethod
    def from_arrays(cls, arrays, vocabulary, settings):
        return cls(arrays["in_abstracts"])
