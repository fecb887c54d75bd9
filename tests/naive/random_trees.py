"""Random trees, with unary chains, flat parts and words that have no bracket of their own."""

from __future__ import annotations

import itertools

LABELS = ("S", "NP", "VP", "PP", "DT")


def random_tree(rng, start, end, root="ROOT"):
    """Return the brackets (label, start, end) of one sentence in pre-order."""
    rows = [(root, start, end)]
    if rng.random() < 0.3:
        rows.append((str(rng.choice(LABELS)), start, end))
    if end - start == 1:
        return rows
    cuts = [
        start,
        *sorted(
            rng.choice(range(start + 1, end), rng.integers(1, min(4, end - start)), replace=False)
        ),
        end,
    ]
    for a, b in itertools.pairwise(cuts):
        if b - a > 1 or rng.random() < 0.7:
            rows += random_tree(rng, int(a), int(b), str(rng.choice(LABELS)))
        if b - a > 1 and rng.random() < 0.2:
            return [row for row in rows if row[1:] != (a, b)]
    return rows


def random_document(rng, n, longest=8):
    """Return the sentences of a document of n words, each a list of brackets over the document."""
    sentences = []
    start = 0
    while start < n:
        end = min(n, start + int(rng.integers(1, longest + 1)))
        sentences.append(random_tree(rng, start, end))
        start = end
    return sentences
