"""IBM Model 1, the HMM, Model 4 and fast_align, as the library Thot implements them (Brown et al. 1993; Vogel et al. 1996).

Five iterations of each model, as in section 5.1.1: the HMM starts from Model 1, Model 4 from the HMM. All else is as Thot
has it. Its limits: Model 1 and fast_align take sentences of up to 1,024 words, the HMM and Model 4 of up to 200; Model 4
knows fertilities of up to 9, and here no word classes, which GIZA++ gets from mkcls.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.system import EXTRA
from semihmm.baselines.thot_package import thot

ITERATIONS = 5


@dataclass(frozen=True)
class ThotModel(WordAligner):
    """``chain``: names of the models to train, each starting from the one before; the last aligns."""

    name: str
    chain: tuple[str, ...]

    def missing(self) -> str | None:
        return None if find_spec("thot") else EXTRA

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        model = trained(self.chain, source, target)
        longest = model.max_sentence_length
        found = model.get_best_alignments(source, target)
        return [
            None
            if max(len(s), len(t)) > longest
            else list(zip(*matrix.to_numpy().nonzero(), strict=True))
            for s, t, (_, matrix) in zip(source, target, found, strict=True)
        ]


def trained(
    chain: tuple[str, ...], source: Sentences, target: Sentences, iterations: int = ITERATIONS
):
    """The last model of the chain, all of them trained on the sentence pairs."""
    model = None
    for name in chain:
        kind = getattr(thot().alignment, name)
        if model is None:
            model = kind()
            for pair in zip(source, target, strict=True):
                model.add_sentence_pair(*pair)
        else:
            model = kind(model)
        model.start_training()
        for _ in range(iterations):
            model.train()
        model.end_training()
    return model


MODEL_1 = ThotModel("model1", ("Ibm1AlignmentModel",))
HMM = ThotModel("hmm", ("Ibm1AlignmentModel", "HmmAlignmentModel"))
MODEL_4 = ThotModel("model4", ("Ibm1AlignmentModel", "HmmAlignmentModel", "Ibm4AlignmentModel"))
FAST_ALIGN = ThotModel("fast_align", ("FastAlignModel",))
