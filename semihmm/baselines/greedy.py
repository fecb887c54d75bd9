"""The base score that every model must clear: link the longest run of identical stems, one to one, and repeat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.stems import stem
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form
from semihmm.baselines.system import Run, System


class Greedy(System):
    """The base score as a row of the table."""

    name = "greedy"

    def run(self, pairs: Sequence[Pair]) -> Run:
        return Run([align(pair) for pair in pairs])


def align(pair: Pair) -> Alignment:
    """Align without a model: one-word phrases of the same Porter stem, all with probability 1.0.

    The longest run of equal stems among the words not yet linked is linked word by word, until no two words
    match. Among equally long runs the nearest to the diagonal is taken first: the one whose first words stand
    at the most similar relative positions in abstract and document.
    """
    from semihmm.baselines.greedy_kernels import UNLINKED, link_greedily

    numbers: dict[str, int] = {}
    documents = link_greedily(
        _stems(pair.abstract, numbers), _stems(pair.document, numbers)
    ).tolist()
    links = {(d, a): 1.0 for a, d in enumerate(documents) if d != UNLINKED}
    return from_word_links(pair.id, links, len(pair.abstract))


def _stems(text: Text, numbers: dict[str, int]) -> np.ndarray:
    """int64 [tokens]: a number for each token's stem; new stems are added to ``numbers``."""
    return np.array(
        [numbers.setdefault(stem(normal_form(t)), len(numbers)) for t in text.tokens],
        dtype=np.int64,
    )
