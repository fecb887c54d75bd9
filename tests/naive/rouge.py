"""ROUGE from its definitions: lists of words, counters and recursion, one reference."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations


def flat(sentences):
    return [word for sentence in sentences for word in sentence]


def shared(units, others):
    """Return how many units two lists share, and how many each has: hits, others, units."""
    hits = sum((Counter(units) & Counter(others)).values())
    return hits, len(others), len(units)


def ngrams(words, n):
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def skip_bigrams(words, gap):
    pairs = combinations(range(len(words)), 2)
    return [(words[i], words[j]) for i, j in pairs if gap is None or j - i - 1 <= gap]


def program_skip_units(sentences, gap, single):
    words = flat(sentences)
    return skip_bigrams(words, gap) + ([(word,) for word in words[:-1]] if single else [])


def paper_skip_units(sentences, gap, single):
    units = [pair for sentence in sentences for pair in skip_bigrams(sentence, gap)]
    return units + ([(word,) for word in flat(sentences)] if single else [])


def positions_of_one(reference, summary, weight):
    """Return the reference's positions on the subsequence that the program walks along.

    ``weight`` gives the weight of a run from its length.
    """

    @lru_cache(None)
    def best(i, j):
        """Return weight and run at the ends of the first i and j words."""
        if i == 0 or j == 0:
            return 0.0, 0
        if reference[i - 1] == summary[j - 1]:
            before, run = best(i - 1, j - 1)
            return before + weight(run + 1) - weight(run), run + 1
        return max(best(i - 1, j)[0], best(i, j - 1)[0]), 0

    i, j = len(reference), len(summary)
    positions = set()
    while i and j:
        if reference[i - 1] == summary[j - 1]:
            i, j = i - 1, j - 1
            positions.add(i)
        elif best(i - 1, j)[0] >= best(i, j - 1)[0]:
            i -= 1
        else:
            j -= 1
    return positions


def marked_words(reference, summary, weight):
    """Return for each reference sentence which positions are marked by any summary sentence."""
    return [
        set().union(*(positions_of_one(tuple(r), tuple(s), weight) for s in summary))
        for r in reference
    ]


def paper_weight(one, other, w):
    """Return the weighted subsequence by the recursion of Lin (2004), section 4."""

    @lru_cache(None)
    def cell(i, j):
        if i == 0 or j == 0:
            return 0.0, 0
        if one[i - 1] == other[j - 1]:
            before, run = cell(i - 1, j - 1)
            return before + (run + 1.0) ** w - float(run) ** w, run + 1
        return max(cell(i - 1, j)[0], cell(i, j - 1)[0]), 0

    return cell(len(one), len(other))[0]
