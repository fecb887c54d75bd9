"""Checks that a list of brackets is a tree, lists what is in it, and makes random trees."""

import itertools

CATEGORIES = ("NP", "VP", "PP", "ADVP", "ADJP", "SBAR", "S")
PUNCTUATION = (",", ".", "``", "''", ":", ";", "--", "?", "!")


def is_tree(tree, length):
    """Tell whether a list of brackets is a tree of so many tokens, each of which has a tag."""
    spans = [bracket[1:] for bracket in tree]
    inside = all(label and 0 <= start < end <= length for label, start, end in tree[1:])
    pairs = itertools.combinations(spans, 2)
    nested = all(
        end <= start or (first <= start and last <= end) for (first, end), (start, last) in pairs
    )
    tagged = all((token, token + 1) in spans for token in range(length))
    return tree[0] == ("ROOT", 0, length) and inside and nested and tagged


def constituents(tree, tokens):
    """Return the label and the tokens without punctuation of each bracket of a category.

    Brackets of punctuation alone do not count.
    """
    return {
        (label, *(t for t in range(start, end) if tokens[t] not in PUNCTUATION))
        for label, start, end in tree
        if label in CATEGORIES and any(token not in PUNCTUATION for token in tokens[start:end])
    }


# Random trees, with unary chains, flat parts and words that have no bracket of their own


LABELS = ("S", "NP", "VP", "PP", "DT")


def random_tree(rng, start, end, root="ROOT"):
    """Return the brackets (label, start, end) of one sentence in pre-order."""
    rows = [(root, start, end)]
    if rng.random() < 0.3:
        rows.append((str(rng.choice(LABELS)), start, end))
    if end - start == 1:
        return rows
    number = rng.integers(1, min(4, end - start))
    inside = rng.choice(range(start + 1, end), number, replace=False)
    cuts = [start, *sorted(inside), end]
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
