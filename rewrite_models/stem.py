"""The stem model: uniform over the abstract phrases of the same stems. Daumé III and Marcu (2005), section 4.2.2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.options import Options
from rewrite_models.known_forms import forms_alike, forms_of_abstracts
from rewrite_models.rewrite_model import Evidence, RewriteModel


@dataclass(frozen=True)
class Stem(RewriteModel):
    """1 / Z for a phrase with the document phrase's stems, word by word (Porter), of whatever length; 0 elsewhere.

    Z (eq. 4) counts the phrases that the abstracts' vocabulary can make with these stems: the product over the words of
    the number of known forms of the stem. A form that the training abstracts do not have counts as one more.

    ``in_abstracts``  bool [V], the training vocabulary's forms that occur in an abstract.
    """

    in_abstracts: np.ndarray
    name = "stem"

    @classmethod
    def initial(cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Options) -> Stem:
        return cls(forms_of_abstracts(corpus, vocabulary))

    def evidence(self, batch: Batch) -> Evidence:
        from rewrite_models.run_kernels import runs

        stems = batch.vocabulary.stem_of
        cells = runs(
            stems[batch.abstract],
            stems[batch.document],
            batch.abstract_offsets,
            batch.document_offsets,
        )
        # Both sides have the same stems: Z is read off the abstract, which alone knows whether its forms are new.
        log_forms = np.concatenate(
            [[0.0], np.cumsum(np.log(forms_alike(stems, self.in_abstracts)[batch.abstract]))]
        )
        return Evidence(cells, {"score": np.exp(log_forms[cells[:, 0]] - log_forms[cells[:, 1]])})

    def scores(self, evidence: Evidence) -> np.ndarray:
        return evidence.data["score"]

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {"in_abstracts": self.in_abstracts}

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: Options
    ) -> Stem:
        return cls(arrays["in_abstracts"])
