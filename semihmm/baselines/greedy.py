"""The greedy baseline: link the longest run of identical stems, one to one, and repeat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form, stem
from semihmm.baselines.system import Run, System


class Greedy(System):
    """The greedy baseline; every model should align better."""

    name = "greedy"
    compiles = True

    def run(self, pairs: Sequence[Pair]) -> Run:
        return Run([align(pair) for pair in pairs])


def align(pair: Pair) -> Alignment:
    """Align without a model: one-word phrases of the same Porter stem, all with probability 1.0.

    The longest run of equal stems among the words not yet linked is linked word by word, until no
    two words match. Among equally long runs the nearest to the diagonal is taken first: the one
    whose first words stand at the most similar relative positions in abstract and document.
    """
    from semihmm.baselines.greedy_kernels import UNLINKED, link_greedily  # numba is slow to import

    numbers: dict[str, int] = {}
    abstract = _stem_numbers(pair.abstract, numbers)
    document = _stem_numbers(pair.document, numbers)
    linked = link_greedily(abstract, document).tolist()
    links = [(d, a) for a, d in enumerate(linked) if d != UNLINKED]
    return from_word_links(pair.id, links, len(pair.abstract))


def _stem_numbers(text: Text, numbers: dict[str, int]) -> npt.NDArray[np.int64]:
    """Return a number for each token's stem, int64 [tokens]; new stems are added to ``numbers``."""
    stems = (stem(normal_form(token)) for token in text.tokens)
    return np.array([numbers.setdefault(s, len(numbers)) for s in stems], dtype=np.int64)
