"""Checks that a list of brackets is a tree, and compares trees, case by case."""

import itertools
from collections import Counter

CATEGORIES = ("NP", "VP", "PP", "ADVP", "ADJP", "SBAR", "S")
PUNCTUATION = (",", ".", "``", "''", ":", ";", "--", "?", "!")


def problems(tree, length):
    """List what is wrong with a tree of ``length`` tokens."""
    wrong = []
    if tree[0] != ("ROOT", 0, length):
        wrong.append(f"the first bracket is {tree[0]}")
    for index, (label, start, end) in enumerate(tree[1:], start=1):
        if not label or not 0 <= start < end <= length:
            wrong.append(f"{tree[index]} is empty or outside")
        for _, other_start, other_end in tree[:index]:
            apart = other_end <= start
            around = other_start <= start and end <= other_end
            if not (apart or around):
                wrong.append(f"{tree[index]} crosses or precedes one before it")
    for token in range(length):
        covering = [bracket for bracket in tree if bracket.start <= token < bracket.end]
        if covering[-1][1:] != (token, token + 1):
            wrong.append(f"token {token} has no tag")
    return wrong


def constituents(tree, tokens):
    """Count the constituents by label and tokens without punctuation.

    Only brackets of a category count that have other tokens than punctuation.
    """
    return Counter(
        (label, *(t for t in range(start, end) if tokens[t] not in PUNCTUATION))
        for label, start, end in tree
        if label in CATEGORIES and any(token not in PUNCTUATION for token in tokens[start:end])
    )


def bracket_scores(gold, parsed):
    """Return precision, recall and F over sentences, each given as ``constituents``."""
    common = sum((one & other).total() for one, other in zip(gold, parsed, strict=True))
    precision = common / sum(one.total() for one in parsed)
    recall = common / sum(one.total() for one in gold)
    return precision, recall, 2 * precision * recall / (precision + recall)


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
