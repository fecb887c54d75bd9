"""Lists all systems that can be compared, by name: the baselines and semi-HMMs.

The name of a baseline is ``family`` or ``family:variant``: ``greedy``, ``cut-and-paste:2``,
``hmm:document+identity``. A semi-HMM is named by its configuration: ``paper``, ``default
jump=syntax``. The name of a family stands for all its listed systems. A new system is one class and
one line in ``SYSTEM_FAMILIES``.
"""

import warnings
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.base.errors import LittleText, choose
from corpus_tools.model_parts.encoding import WordVectors, cosines
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.forms import normal_form, stem
from corpus_tools.texts.text import Text
from jump_models.registry import JUMP_MODELS
from semihmm.aligner import Aligner
from semihmm.applications.score.system import System, SystemRun, missing_modules
from semihmm.applications.score.word_aligners import WORD_ALIGNERS, variants
from semihmm.model.settings import PRESETS, read_configuration


def _stems(text: Text) -> list[str]:
    return [stem(normal_form(token)) for token in text.tokens]


# Greedy: link the longest run of identical stems, one to one, and repeat


class Greedy(System):
    """The greedy baseline; every model should align better."""

    name = "greedy"

    def run(self, pairs: Sequence[Pair]) -> SystemRun:
        return SystemRun([greedy_alignment(pair) for pair in pairs])


def greedy_alignment(pair: Pair) -> Alignment:
    """Align without a model: one-word phrases of the same Porter stem, all with probability 1.0.

    The longest run of equal stems among unlinked words is linked word by word, until no two words
    match. Among equally long runs the nearest to the diagonal comes first: the run whose first
    words have the most similar relative positions in abstract and document.
    """
    from semihmm.applications.score.greedy_kernels import (  # numba is slow to import
        UNLINKED,
        link_greedily,
    )

    numbers: dict[str, int] = {}
    # Equal stems have the same number on both sides.
    abstract, document = (
        np.array([numbers.setdefault(s, len(numbers)) for s in _stems(side)], dtype=np.int64)
        for side in (pair.abstract, pair.document)
    )
    linked = link_greedily(abstract, document).tolist()
    links = [(d, a) for a, d in enumerate(linked) if d != UNLINKED]
    return from_word_links(pair.id, links, len(pair.abstract))


# Cut and Paste: the HMM without training of Jing (2002), over words of the same stem
#
# The states of an abstract word are the positions of its stem in the document. A word whose stem is
# not in the document has no state and is skipped. The probability of a step from one word to the
# next depends only on the two positions: it falls from 1.0, for neighbours in this order, to 0.5,
# for sentences that are far apart. So the best path consists of long blocks, whose words are
# neighbours on both sides. Then every block of fewer than n words is dropped (section 5.1.2).

Positions = npt.NDArray[np.int64]

P_NEXT_WORD = 1.0
P_LATER = 0.9
P_EARLIER = 0.8
"""Jing's cases within a sentence: the next word, another later word, an earlier word."""
P_NEAR_AFTER = 0.7
P_NEAR_BEFORE = 0.6
P_FAR = 0.5
"""Jing's cases between sentences: a near sentence after, a near one before, a far one."""
NEAR_SENTENCES = 3
"""Sentences at a distance below this are near. Jing says "a small constant"."""


@dataclass(frozen=True)
class CutAndPaste(System):
    """``shortest``: blocks of fewer words are dropped; the paper's n."""

    shortest: int = 2

    @property
    def name(self) -> str:
        """Return the family and the length of the shortest block."""
        return f"cut-and-paste:{self.shortest}"

    def run(self, pairs: Sequence[Pair]) -> SystemRun:
        alignments = []
        for pair in pairs:
            links = blocks(best_path(pair), self.shortest)
            alignments.append(from_word_links(pair.id, links, len(pair.abstract)))
        return SystemRun(alignments)


def stem_positions(pair: Pair) -> list[tuple[int, Positions]]:
    """Return the abstract words whose stems are in the document, with their positions there.

    Positions are int64 arrays, ascending.
    """
    by_stem = defaultdict(list)
    for d, s in enumerate(_stems(pair.document)):
        by_stem[s].append(d)
    return [(a, np.array(by_stem[s])) for a, s in enumerate(_stems(pair.abstract)) if s in by_stem]


def best_path(pair: Pair) -> list[WordLink]:
    """Return the most probable positions as ``(document word, abstract word)`` (Viterbi).

    Among equally probable positions the first in the document wins.
    """
    steps = stem_positions(pair)
    if not steps:
        return []
    lengths = np.diff(pair.document.boundaries)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    log_probability = np.zeros(len(steps[0][1]))
    back = []
    # best(there) = max over here of best(here) p(there | here), in logarithms.
    for (_, here), (_, there) in pairwise(steps):
        step = np.log(cut_and_paste_transitions(here[:, None], there[None, :], sentence))
        reached = log_probability[:, None] + step
        back.append(reached.argmax(axis=0))
        log_probability = reached.max(axis=0)
    chosen = [int(log_probability.argmax())]
    for pointers in reversed(back):
        chosen.append(int(pointers[chosen[-1]]))
    chosen.reverse()
    return [(int(positions[index]), a) for (a, positions), index in zip(steps, chosen, strict=True)]


def cut_and_paste_transitions(
    here: Positions, there: Positions, sentence: Positions
) -> npt.NDArray[np.float64]:
    """Return the probability of a step from one position to another, by Jing's cases.

    ``here``, ``there``  positions in the document; they broadcast.
    ``sentence``         int64 [n], the sentence of each document word.
    """
    words, sentences = there - here, sentence[there] - sentence[here]
    within = [words == 1, words > 1, words <= 0]
    same = [case & (sentences == 0) for case in within]
    near = [
        (sentences > 0) & (sentences < NEAR_SENTENCES),
        (sentences < 0) & (sentences > -NEAR_SENTENCES),
    ]
    return np.select(
        [*same, *near], [P_NEXT_WORD, P_LATER, P_EARLIER, P_NEAR_AFTER, P_NEAR_BEFORE], P_FAR
    )


def blocks(path: Iterable[WordLink], shortest: int) -> list[WordLink]:
    """Return the links in blocks of at least ``shortest`` words.

    The words of a block are neighbours on both sides.
    """
    every: list[list[WordLink]] = []
    for d, a in path:
        if every and every[-1][-1] == (d - 1, a - 1):
            every[-1].append((d, a))
        else:
            every.append([(d, a)])
    return [link for block in every if len(block) >= shortest for link in block]


# The mutual argmax of contextual embeddings


class EmbeddingArgmax(System):
    """The mutual argmax of the default encoder (Jalili Sabet et al. 2020, SimAlign)."""

    name = "embedding-argmax"

    def missing(self) -> str | None:
        return missing_modules("torch", "transformers", extra="embeddings")

    def run(self, pairs: Sequence[Pair]) -> SystemRun:
        from rewrite_models.word_vectors import Encoder, embed_pairs

        vectors = embed_pairs(pairs, Encoder())
        return SystemRun([mutual_argmax(*both) for both in zip(pairs, vectors, strict=True)])


def mutual_argmax(pair: Pair, vectors: WordVectors) -> Alignment:
    """Link two words if each is the most similar word of the other, with probability 1.0.

    Among equal cosines the first word wins.
    """
    links = []
    if len(vectors.abstract) and len(vectors.document):
        table = cosines(vectors)
        nearest = table.argmax(axis=1)
        nearest_back = table.argmax(axis=0)
        mutual = np.flatnonzero(nearest_back[nearest] == np.arange(len(nearest)))
        links = [(int(nearest[a]), a) for a in mutual.tolist()]
    return from_word_links(pair.id, links, len(pair.abstract))


# Semi-HMMs


@dataclass(frozen=True)
class SemiHmmSystem(System):
    """A semi-HMM that is trained on the pairs which it aligns.

    ``configuration``  a preset with changes, as in ``default jump=syntax``.
    """

    chooses_extracts = True
    configuration: str

    @property
    def name(self) -> str:
        """Return the configuration."""
        return self.configuration

    def aligner(self) -> Aligner:
        """Return the untrained aligner. Raises ``BadUsage`` for unknown settings."""
        preset, changes = read_configuration(self.configuration)
        return Aligner(preset, **changes)

    def run(self, pairs: Sequence[Pair]) -> SystemRun:
        with warnings.catch_warnings():
            # A comparison warns once for all systems.
            warnings.simplefilter("ignore", LittleText)
            return SystemRun(list(self.aligner().fit(pairs).align_all(pairs)))


# All systems

CUT_OFFS = (1, 2, 3, 4, 5)
"""The lengths of the shortest block that the paper tries for Cut and Paste (section 5.1.2)."""

SYSTEM_FAMILIES: dict[str, Sequence[System]] = {
    **{aligner.name: variants(aligner) for aligner in WORD_ALIGNERS},
    "cut-and-paste": [CutAndPaste(shortest) for shortest in CUT_OFFS],
    "greedy": [Greedy()],
    "embedding-argmax": [EmbeddingArgmax()],
    "semi-hmm": [
        *(SemiHmmSystem(f"paper jump={jump}") for jump in JUMP_MODELS),
        *(SemiHmmSystem(f"default jump={jump}") for jump in JUMP_MODELS),
        SemiHmmSystem("neural"),
    ],
}


def choose_systems(names: Iterable[str]) -> list[System]:
    """Return the systems of these names, each once.

    Raises ``BadUsage`` for an unknown name or setting.
    """
    chosen = {system.name: system for name in names for system in _systems_of(name)}
    return list(chosen.values())


def _systems_of(name: str) -> Sequence[System]:
    if name.split(" ", maxsplit=1)[0] in PRESETS:
        system = SemiHmmSystem(name)
        # Report a wrong setting before any system runs.
        system.aligner()
        return [system]
    families: dict[str, Sequence[System]] = {
        system.name: [system] for family in SYSTEM_FAMILIES.values() for system in family
    }
    families |= SYSTEM_FAMILIES
    return families[choose("system", name, {*families, *PRESETS})]
