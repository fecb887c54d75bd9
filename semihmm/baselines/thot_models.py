"""IBM Model 1, the HMM, Model 4 and fast_align, as the library Thot implements them.

Brown et al. (1993); Vogel et al. (1996). Five iterations of each model, as in section 5.1.1: the
HMM starts from Model 1, Model 4 from the HMM. All other settings are Thot's. Its limits: Model 1
and fast_align take sentences of up to 1,024 words, the HMM and Model 4 of up to 200. Model 4 knows
fertilities of up to 9, and here no word classes, which GIZA++ gets from mkcls.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.system import missing_modules

if TYPE_CHECKING:
    from thot.alignment import AlignmentModel

ITERATIONS = 5
"""Iterations of each model (section 5.1.1)."""


def thot() -> ModuleType:
    """Return the package (PyPI: sil-thot), set to one thread.

    Over several threads it adds up counts in no fixed order, which gives other digits every time.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import thot.alignment
    import thot.common

    return thot


@dataclass(frozen=True)
class ThotModel(WordAligner):
    """A model of Thot.

    ``chain``  names of the models to train, each starting from the one before. The last aligns.
    """

    name: str
    chain: tuple[str, ...]

    def missing(self) -> str | None:
        return missing_modules("thot")

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        model = trained(self.chain, source, target)
        longest = model.max_sentence_length
        links: list[Links] = []
        answers = model.get_best_alignments(source, target)
        for s, t, (_, matrix) in zip(source, target, answers, strict=True):
            fits = max(len(s), len(t)) <= longest
            links.append(list(zip(*matrix.to_numpy().nonzero(), strict=True)) if fits else None)
        return links


def trained(
    chain: tuple[str, ...], source: Sentences, target: Sentences, iterations: int = ITERATIONS
) -> AlignmentModel:
    """Return the last model of the chain, all of them trained on the sentence pairs."""
    first, *others = (getattr(thot().alignment, name) for name in chain)
    model: AlignmentModel = first()
    for pair in zip(source, target, strict=True):
        model.add_sentence_pair(*pair)
    _train(model, iterations)
    for model_class in others:
        model = model_class(model)
        _train(model, iterations)
    return model


def _train(model: AlignmentModel, iterations: int) -> None:
    model.start_training()
    for _ in range(iterations):
        model.train()
    model.end_training()


MODEL_1 = ThotModel("model1", ("Ibm1AlignmentModel",))
HMM = ThotModel("hmm", ("Ibm1AlignmentModel", "HmmAlignmentModel"))
MODEL_4 = ThotModel("model4", ("Ibm1AlignmentModel", "HmmAlignmentModel", "Ibm4AlignmentModel"))
FAST_ALIGN = ThotModel("fast_align", ("FastAlignModel",))
