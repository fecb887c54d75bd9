"""Cut and Paste by listing every path through the positions of the abstract's stems."""

import itertools
from fractions import Fraction

from corpus_tools.texts.forms import stem


def case(here, there):
    """Return Jing's probability of two positions in tenths.

    A position is a pair (sentence, word).
    """
    (s1, w1), (s2, w2) = here, there
    if s1 == s2:
        return 10 if w2 == w1 + 1 else 9 if w2 > w1 else 8
    if abs(s2 - s1) >= 3:
        return 5
    return 7 if s2 > s1 else 6


def paths(document, abstract):
    """Return {((word, position), ...): probability} of every path.

    A path chooses a position for each abstract word that has any.
    """
    positions = {(s, w): word for s, words in enumerate(document) for w, word in enumerate(words)}
    choices = [
        [(a, p) for p, other in positions.items() if stem(other) == stem(word)]
        for a, word in enumerate(abstract)
    ]
    probabilities = {}
    for path in itertools.product(*filter(None, choices)):
        probability = Fraction(1)
        for (_, here), (_, there) in itertools.pairwise(path):
            probability *= Fraction(case(here, there), 10)
        probabilities[path] = probability
    return probabilities
