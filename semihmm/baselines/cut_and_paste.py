"""Cut and Paste: the non-trainable HMM of Jing (2002), over words of the same stem, with the length cut-off of section 5.1.2.

The states of an abstract word are the places of its stem in the document; a word whose stem is not there has none and is
passed over. From one word to the next the probability depends only on where the two places stand: it falls from 1.0, for
neighbours in this order, to 0.5, for sentences that are far apart. So the best path is made of long blocks. Then every block
of fewer than n words, next to each other on both sides, is dropped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from corpus_tools.alignments.alignment import from_word_links
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.stems import stem
from corpus_tools.texts.tokenizers import normal_form
from semihmm.baselines.system import Run, System

NEXT_WORD, LATER, EARLIER, NEAR_AFTER, NEAR_BEFORE, FAR = 1.0, 0.9, 0.8, 0.7, 0.6, 0.5
"""Jing's six cases: in the same sentence the next word, another later one, one not later; a sentence near after, near
before, far."""
NEAR = 3
"""Sentences at a distance below this are near: Jing leaves it at "a small constant"."""


@dataclass(frozen=True)
class CutAndPaste(System):
    """``shortest``: blocks of fewer words are dropped; the paper's n."""

    shortest: int = 2

    @property
    def name(self) -> str:
        return f"cut-and-paste:{self.shortest}"

    def run(self, pairs: Sequence[Pair]) -> Run:
        found = ({link: 1.0 for link in blocks(best_path(pair), self.shortest)} for pair in pairs)
        return Run(
            [
                from_word_links(pair.id, links, len(pair.abstract))
                for pair, links in zip(pairs, found, strict=True)
            ]
        )


def places(pair: Pair) -> list[tuple[int, np.ndarray]]:
    """The abstract words that have places in the document, and int64 arrays of these places, ascending."""
    where = defaultdict(list)
    for d, token in enumerate(pair.document.tokens):
        where[stem(normal_form(token))].append(d)
    stems = [stem(normal_form(token)) for token in pair.abstract.tokens]
    return [(a, np.array(where[s])) for a, s in enumerate(stems) if s in where]


def best_path(pair: Pair) -> list[WordLink]:
    """The most probable places (Viterbi), ``(document word, abstract word)``; of equals the first in the document."""
    steps = places(pair)
    if not steps:
        return []
    sentence = np.repeat(
        np.arange(len(pair.document.sentences())), np.diff(pair.document.boundaries)
    )
    score, back = np.zeros(len(steps[0][1])), []
    for (_, here), (_, there) in pairwise(steps):
        reached = score[:, None] + np.log(transitions(here[:, None], there[None, :], sentence))
        back.append(reached.argmax(axis=0))
        score = reached.max(axis=0)
    chosen = [int(score.argmax())]
    for pointers in reversed(back):
        chosen.append(int(pointers[chosen[-1]]))
    return [
        (int(where[place]), a) for (a, where), place in zip(steps, reversed(chosen), strict=True)
    ]


def transitions(here: np.ndarray, there: np.ndarray, sentence: np.ndarray) -> np.ndarray:
    """The probability of going from one document place to another, as Jing's cases have it; the arguments broadcast.

    ``sentence`` int64 [n], the sentence of each document word.
    """
    words, sentences = there - here, sentence[there] - sentence[here]
    cases = [words == 1, words > 1, words <= 0]
    same = [case & (sentences == 0) for case in cases]
    near = [(sentences > 0) & (sentences < NEAR), (sentences < 0) & (sentences > -NEAR)]
    return np.select([*same, *near], [NEXT_WORD, LATER, EARLIER, NEAR_AFTER, NEAR_BEFORE], FAR)


def blocks(path: Iterable[WordLink], shortest: int) -> list[WordLink]:
    """The links of the path that stand in blocks of at least so many words, next to each other on both sides."""
    found: list[list[WordLink]] = []
    for d, a in path:
        if found and found[-1][-1] == (d - 1, a - 1):
            found[-1].append((d, a))
        else:
            found.append([(d, a)])
    return [link for block in found if len(block) >= shortest for link in block]
