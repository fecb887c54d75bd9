"""Orders pairs by how uncertain their links are, for annotation."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import tee

import numpy as np

from corpus_tools.pairs.pair import Pair, can_be_aligned
from semihmm.aligner import Aligner
from semihmm.model_choice import LanguageAligners, in_languages


def most_uncertain_first(pairs: Iterable[Pair], aligners: LanguageAligners) -> list[int]:
    """Return the indices of the pairs, the most uncertain one first (``uncertainties``)."""
    works = {
        code: partial(uncertainties, aligner) for code, aligner in aligners.of_language.items()
    }
    values = [*in_languages(pairs, aligners.main, works)]
    return sorted(range(len(values)), key=lambda index: -values[index])


def uncertainties(aligner: Aligner, pairs: Iterable[Pair]) -> Iterator[float]:
    """Yield the uncertainty of the links of each pair, in nats for each abstract word.

    Uncertainty sampling (Settles 2009, section 3.1) for a fit of the decoder ``fitted``: the sum,
    over the links that it chooses from, of the entropy of whether people link them. It is 0 for a
    pair with an empty side.
    """
    pairs, others = tee(pairs)
    fitted = aligner.fitted_links(others)
    for pair in pairs:
        if can_be_aligned(pair):
            _, links = next(fitted)
            yield float(entropies(links.probability).sum()) / len(pair.abstract.tokens)
        else:
            yield 0.0


def entropies(probability: np.ndarray) -> np.ndarray:
    """Return the entropy of each link in nats: float64 [C].

    ``probability``  float64 [C], how likely people would link the words.
    """
    # Imported here: scipy loads as slowly as all other imports together.
    from scipy.special import entr

    entropy: np.ndarray = entr(probability) + entr(1.0 - probability)
    return entropy
