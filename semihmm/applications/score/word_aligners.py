"""Word aligners of sentence pairs, in either direction and with both directions joined.

They are the models of the library Thot, and eflomal (section 5.1.1).
"""

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.alignments.formats import link_of
from corpus_tools.base.folders import scratch_folder
from corpus_tools.pairs.pair import Pair, WordLink, can_be_aligned
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.text import Text
from semihmm.applications.score.system import System, SystemRun, missing_modules

ALIGNER_SIDES = ("document", "abstract")
HEURISTICS = ("intersection", "grow-diag-final-and")

TokenizedSides = list[list[str]]
AlignerLinks = list[WordLink] | None
"""Word links ``(source, target)`` of a sentence pair; ``None`` if the aligner cannot take it."""


class WordAligner(ABC):
    """Aligns each word of a target sentence to one word of a source sentence or to none.

    ``name``    the family of the aligner's systems.
    ``module``  the module that it imports.
    """

    name: str
    module: str = "thot"

    @abstractmethod
    def links(self, source: TokenizedSides, target: TokenizedSides) -> list[AlignerLinks]:
        """Train on sentence pairs, none of them empty, and align them."""


@dataclass(frozen=True)
class WordAlignerSystem(System):
    """A system of a word aligner.

    ``variant``  the name of the variant within its family.
    ``seeded``   whether each word that occurs on both sides of the corpus is added to training, as
                 a pair of this word with itself (section 5.1.1).
    """

    aligner: WordAligner
    variant: str
    seeded: bool = False

    @property
    def name(self) -> str:
        """Return the family, the variant, and whether it is seeded."""
        return f"{self.aligner.name}:{self.variant}{'+identity' if self.seeded else ''}"

    def missing(self) -> str | None:
        # Thot also joins the directions of other aligners, and is in the same extra.
        return missing_modules("thot", self.aligner.module)


class Directed(WordAlignerSystem):
    """A word aligner with one side as the source: the variant, one of ``ALIGNER_SIDES``."""

    def run(self, pairs: Sequence[Pair]) -> SystemRun:
        usable = [pair for pair in pairs if can_be_aligned(pair)]
        documents = [_normal_forms(pair.document) for pair in usable]
        abstracts = [_normal_forms(pair.abstract) for pair in usable]
        if self.seeded:
            shared = set().union(*documents) & set().union(*abstracts)
            seeds = [[word] for word in sorted(shared)]
            # The seeds come after the pairs, so that the first results belong to the pairs.
            documents += seeds
            abstracts += seeds
        if self.variant == "document":
            every = self.aligner.links(documents, abstracts)
        else:
            reverse = self.aligner.links(abstracts, documents)
            every = [links and [(d, a) for a, d in links] for links in reverse]
        by_id = dict(zip((pair.id for pair in usable), every[: len(usable)], strict=True))
        alignments = [
            from_word_links(pair.id, by_id.get(pair.id) or (), len(pair.abstract)) for pair in pairs
        ]
        return SystemRun(alignments, list(by_id.values()).count(None))


def _normal_forms(text: Text) -> list[str]:
    return [normal_form(token) for token in text.tokens]


class Symmetrized(WordAlignerSystem):
    """Both directions of a word aligner, joined (Och and Ney 2003; Koehn, Och and Marcu 2003).

    The variant is one of ``HEURISTICS``, which Thot implements:

    ``intersection``         keeps the links of both.
    ``grow-diag-final-and``  starts from these. It adds links of either direction that neighbour a
                             link, also diagonally, if one of their words has no link yet. Then it
                             adds links of either direction between words without links.
    """

    @property
    def parts(self) -> tuple[System, ...]:
        """Return both directions."""
        return tuple(Directed(self.aligner, side, self.seeded) for side in ALIGNER_SIDES)

    def combined(self, pairs: Sequence[Pair], runs: Sequence[SystemRun]) -> SystemRun:
        first, second = runs
        directions = zip(pairs, first.alignments, second.alignments, strict=True)
        joined = [symmetrized(self.variant, *both) for both in directions]
        return SystemRun(joined, max(first.not_taken, second.not_taken))


def symmetrized(heuristic: str, pair: Pair, forward: Alignment, backward: Alignment) -> Alignment:
    """Join the word links of two directions by Thot's implementation of the heuristic."""
    if not can_be_aligned(pair):
        return forward
    first, second = _matrix(pair, forward), _matrix(pair, backward)
    join = {"intersection": first.intersect, "grow-diag-final-and": first.grow_diag_final_and}
    return from_word_links(pair.id, _links(join[heuristic](second)), len(pair.abstract))


def _matrix(pair: Pair, alignment: Alignment) -> Any:
    """Return the word links of an alignment as a matrix of Thot."""
    matrix = thot().common.WordAlignmentMatrix(len(pair.document), len(pair.abstract))
    for link in alignment.phrases:
        matrix.set(link.document[0], link.abstract[0])
    return matrix


def _links(matrix: Any) -> list[WordLink]:
    """Return the word links of a matrix of Thot."""
    rows, columns = matrix.to_numpy().nonzero()
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


# Thot

ALIGNER_ITERATIONS = 5
"""Iterations of each model (section 5.1.1)."""


def thot() -> ModuleType:
    """Return the package (PyPI: sil-thot), set to one thread.

    Over several threads it adds up counts in no fixed order, which gives other digits every time.
    """
    import thot.alignment
    import thot.common

    # Its environment variable is read when the first package loads OpenMP, which may be another.
    openmp = ctypes.CDLL(thot.__file__)
    if hasattr(openmp, "omp_set_num_threads"):
        openmp.omp_set_num_threads(1)
    return thot


@dataclass(frozen=True)
class ThotModel(WordAligner):
    """A model of Thot.

    Five iterations of each model, as in section 5.1.1: the HMM starts from Model 1, Model 4 from
    the HMM. All other settings are Thot's. Its limits: Model 1 and fast_align take sentences of up
    to 1,024 words, the HMM and Model 4 of up to 200. Model 4 knows fertilities of up to 9, and here
    no word classes, which GIZA++ gets from mkcls.

    ``chain``  names of the models to train, each starting from the one before. The last aligns.
    """

    name: str
    chain: tuple[str, ...]

    def links(self, source: TokenizedSides, target: TokenizedSides) -> list[AlignerLinks]:
        model = trained(self.chain, source, target)
        longest = model.max_sentence_length
        answers = model.get_best_alignments(source, target)
        return [
            _links(matrix) if max(len(s), len(t)) <= longest else None
            for s, t, (_, matrix) in zip(source, target, answers, strict=True)
        ]


def trained(chain: Sequence[str], source: TokenizedSides, target: TokenizedSides) -> Any:
    """Return the last model of the chain, all of them trained on the sentence pairs."""
    model: Any = None
    for name in chain:
        model_class = getattr(thot().alignment, name)
        if model is None:
            model = model_class()
            for pair in zip(source, target, strict=True):
                model.add_sentence_pair(*pair)
        else:
            model = model_class(model)
        model.start_training()
        for _ in range(ALIGNER_ITERATIONS):
            model.train()
        model.end_training()
    return model


THOT_MODELS = (
    ThotModel("model1", ("Ibm1AlignmentModel",)),
    ThotModel("hmm", ("Ibm1AlignmentModel", "HmmAlignmentModel")),
    ThotModel("model4", ("Ibm1AlignmentModel", "HmmAlignmentModel", "Ibm4AlignmentModel")),
    ThotModel("fast_align", ("FastAlignModel",)),
)
"""Brown et al. (1993); Vogel et al. (1996); Dyer, Chahuneau and Smith (2013)."""


EFLOMAL_LIMIT = 1024
"""eflomal skips sentences of this number of words or more."""


class Eflomal(WordAligner):
    """eflomal: the Bayesian HMM with fertilities, by Gibbs sampling (Östling and Tiedemann 2016).

    PyPI: eflomal, with its own settings: model 3, three samplers. It has no seed: its figures
    differ a little from run to run. It passes over sentences of 1,024 words or more.
    """

    name = "eflomal"
    module = "eflomal"

    def links(self, source: TokenizedSides, target: TokenizedSides) -> list[AlignerLinks]:
        import eflomal  # an extra

        with scratch_folder() as folder:
            output = folder / "forward"
            eflomal.Aligner().align(*number_words(source, target), links_filename_fwd=str(output))
            lines = output.read_text(encoding="ascii").splitlines()
        return [
            list(map(link_of, line.split())) if max(len(s), len(t)) < EFLOMAL_LIMIT else None
            for s, t, line in zip(source, target, lines, strict=True)
        ]


def number_words(*sides: TokenizedSides) -> list[list[str]]:
    """Return each side as lines of numbers, separated by spaces: no word looks like a separator.

    Equal words have equal numbers on all sides.
    """
    numbers: dict[str, str] = {}

    def number(word: str) -> str:
        return numbers.setdefault(word, str(len(numbers)))

    return [[" ".join(map(number, sentence)) for sentence in side] for side in sides]


WORD_ALIGNERS: tuple[WordAligner, ...] = (*THOT_MODELS, Eflomal())


def variants(aligner: WordAligner) -> list[System]:
    """Return both directions and both heuristics of an aligner, first without seeds, then with."""
    seeds = (False, True)
    directed = [Directed(aligner, side, seeded) for seeded in seeds for side in ALIGNER_SIDES]
    joined = [Symmetrized(aligner, how, seeded) for seeded in seeds for how in HEURISTICS]
    return [*directed, *joined]
