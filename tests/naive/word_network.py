"""Hori et al. (2003) from the definitions: all sequences of a network, all edits of a sequence."""

import itertools
import math
from collections import Counter

from nltk import edit_distance

BEGIN, END = "<s>", "</s>"


def connections(compressions):
    """Return how many subjects made each connection, the beginning and the end included."""
    return Counter(
        connection
        for positions in compressions
        for connection in zip([BEGIN, *positions], [*positions, END], strict=True)
    )


def sequences(compressions):
    """Return all word sequences of the network."""
    arcs = connections(compressions)

    def onward(node):
        if node == END:
            return [()]
        return [
            ((after, *rest) if after != END else rest)
            for before, after in arcs
            if before == node
            for rest in onward(after)
        ]

    return onward(BEGIN)


def weight(target, compressions):
    """Return the geometric mean of the shares of subjects who made the target's connections."""
    arcs = connections(compressions)
    shares = [arcs[connection] / len(compressions) for connection in itertools.pairwise(target)]
    return math.prod(shares) ** (1 / len(shares)) if shares else 1.0


def target(compressions, summary):
    """Return the nearest sequence: fewest errors, then most words, then greatest weight."""
    return min(
        sequences(compressions),
        key=lambda path: (edit_distance(path, summary), -len(path), -weight(path, compressions)),
    )
