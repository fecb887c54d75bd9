"""ROUGE from its definitions: lists of words, counters and recursion, one reference."""

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
