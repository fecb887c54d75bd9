"""What a list of brackets must be to be a tree, and how alike two are, spelled out slowly."""

from __future__ import annotations

from collections import Counter

CATEGORIES = ("NP", "VP", "PP", "ADVP", "ADJP", "SBAR", "S")
PUNCTUATION = (",", ".", "``", "''", ":", ";", "--", "?", "!")


def problems(tree, length):
    """Why ``tree`` is no tree of ``length`` tokens: an empty list if it is one."""
    found = []
    if tree[0] != ("ROOT", 0, length):
        found.append(f"the first bracket is {tree[0]}")
    for place, (label, start, end) in enumerate(tree[1:], start=1):
        if not label or not 0 <= start < end <= length:
            found.append(f"{tree[place]} is empty or outside")
        for _, other_start, other_end in tree[:place]:
            apart = other_end <= start
            around = other_start <= start and end <= other_end
            if not (apart or around):
                found.append(f"{tree[place]} crosses or precedes one before it")
    for token in range(length):
        places = [
            place for place, bracket in enumerate(tree) if bracket.start <= token < bracket.end
        ]
        if tree[places[-1]][1:] != (token, token + 1):
            found.append(f"token {token} has no tag")
    return found


def constituents(tree, tokens):
    """Label and tokens without punctuation of each bracket of a category that has any, with how often it occurs."""
    return Counter(
        (label, *(place for place in range(start, end) if tokens[place] not in PUNCTUATION))
        for label, start, end in tree
        if label in CATEGORIES and any(token not in PUNCTUATION for token in tokens[start:end])
    )


def bracket_scores(gold, found):
    """Precision, recall and F over sentences, each ``constituents``."""
    common = sum((one & other).total() for one, other in zip(gold, found, strict=True))
    precision = common / sum(one.total() for one in found)
    recall = common / sum(one.total() for one in gold)
    return precision, recall, 2 * precision * recall / (precision + recall)
