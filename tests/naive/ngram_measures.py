"""Lin and Hovy (2003), Soricut and Brill (2004) and Hori's BLEU from lists of n-grams."""

import math


def ngrams(words, n):
    return [tuple(words[k : k + n]) for k in range(len(words) - n + 1)]


def matches(one, other):
    """Return how many n-grams of one list find a partner in the other, each used once."""
    left = list(other)
    found = 0
    for ngram in one:
        if ngram in left:
            left.remove(ngram)
            found += 1
    return found


def share(part, whole):
    return part / whole if whole else 0.0


def geometric_mean(values):
    return math.prod(values) ** (1 / len(values))


def coverage(units, summary, n):
    """Return C_n (Lin and Hovy, eq. 5): each unit beside the whole summary."""
    found = sum(matches(ngrams(unit, n), ngrams(summary, n)) for unit in units)
    return share(found, sum(len(ngrams(unit, n)) for unit in units))


def ngram(units, summary, i, j):
    """Return Ngram(i,j) (eq. 6), BB = 1."""
    return geometric_mean([coverage(units, summary, n) for n in range(i, j + 1)])


def reduced(words, n, stop, whole_text):
    """Return the words without stop words: those of unigrams, or of all n-grams."""
    return [word for word in words if word not in stop] if whole_text or n == 1 else words


def shares(pairs, n, stop, whole_text):
    """Return P(n) and R(n) over pairs (summary, reference)."""
    found = in_summaries = in_references = 0
    for pair in pairs:
        summary, reference = (ngrams(reduced(words, n, stop, whole_text), n) for words in pair)
        found += matches(summary, reference)
        in_summaries += len(summary)
        in_references += len(reference)
    return share(found, in_summaries), share(found, in_references)


def lengths(pairs):
    return sum(len(summary) for summary, _ in pairs), sum(len(words) for _, words in pairs)


def ps(pairs, longest, stop, whole_text, brevity):
    c, r = lengths(pairs)
    if not c:
        return 0.0
    penalty = 1.0 if c >= brevity * r else math.exp(1 - brevity * r / c)
    sizes = range(1, longest + 1)
    return penalty * geometric_mean([shares(pairs, n, stop, whole_text)[0] for n in sizes])


def rs(pairs, longest, stop, whole_text, wordiness):
    c, r = lengths(pairs)
    if not r:
        return 0.0
    penalty = 1.0 if c <= wordiness * r else math.exp(1 - c / (wordiness * r))
    sizes = range(1, longest + 1)
    return penalty * geometric_mean([shares(pairs, n, stop, whole_text)[1] for n in sizes])


def aev(alpha, recall, precision):
    below = alpha * recall + (1 - alpha) * precision
    return precision * recall / below if below else 0.0
