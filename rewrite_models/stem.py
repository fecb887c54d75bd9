"""Rewrites phrases by phrases with the same stems. Daumé III and Marcu (2005), section 4.2.2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from corpus_tools.arrays import products
from corpus_tools.encoding import Batch
from corpus_tools.plugins.model_part import Corpus, flags
from corpus_tools.plugins.options import Options
from rewrite_models.rewrite_model import Evidence, RewriteModel
from rewrite_models.runs import runs


def forms_alike(keys: np.ndarray, in_abstracts: np.ndarray) -> np.ndarray:
    """Return float64 [words], how many forms of the training abstracts have the key of each word.

    A word that is none of these forms counts as one more. ``keys`` int [words] are those of the
    vocabulary of a batch, which may have more words than the training vocabulary.
    """
    known = np.zeros(len(keys))
    known[: len(in_abstracts)] = in_abstracts
    counts: np.ndarray = np.bincount(keys, weights=known)[keys] + (1.0 - known)
    return counts


@dataclass(frozen=True)
class Stem(RewriteModel):
    """Equation 4: rewrite_stem(s | d) = 1 / Z_d if s and d have the same stems, else 0.

    Phrases may have any length; the Porter stems are the same word by word. Z_d counts the phrases
    with these stems that the words of the training abstracts can make: the product, over the words,
    of the number of forms of the stem. A form that the training abstracts lack counts as one more.
    In plain Python: ``semihmm.reference.rewrite_stem``.

    ``in_abstracts``  bool [V], the training vocabulary's forms that occur in an abstract.
    """

    in_abstracts: Annotated[np.ndarray, flags("V")]
    name = "stem"

    @classmethod
    def initial(cls, corpus: Corpus, settings: Options) -> Stem:
        return cls(corpus.abstract_counts()[:-1] > 0)

    def started(self, corpus: Corpus, settings: Options) -> Stem:
        """Count the forms of both models' abstracts."""
        before = np.append(self.in_abstracts, False)[corpus.known[:-1]]
        return Stem(before | (corpus.abstract_counts()[:-1] > 0))

    def restricted(self, kept: np.ndarray) -> Stem:
        """Return the model of fewer words. Z counts fewer forms of their stems."""
        return Stem(self.in_abstracts[kept])

    def evidence(self, batch: Batch) -> Evidence:
        stems = batch.vocabulary.stem_of
        offsets = batch.abstract_offsets, batch.document_offsets
        cells = runs(stems[batch.abstract], stems[batch.document], *offsets)
        # Both sides have the same stems. Only the abstract's forms may be new, which Z counts.
        forms = forms_alike(stems, self.in_abstracts)[batch.abstract]
        return Evidence(cells, {"score": products(1.0 / forms, cells[:, :2])})

    def scores(self, evidence: Evidence) -> np.ndarray:
        return evidence.data["score"]
