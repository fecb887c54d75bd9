"""The rewrite models of the paper: words are strings, phrases tuples, tables dictionaries.

Daumé III and Marcu (2005), sections 4.2 to 4.4. Everything is listed.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

from corpus_tools.texts.stems import stem

SINGLETON = 2.0
IDENTICAL = 4.0
SAME_STEMS = 3.0


def spans(words, longest=None):
    """Return (start, end) of every phrase of up to ``longest`` words."""
    longest = len(words) if longest is None else longest
    return [(i, j) for i, j in itertools.combinations(range(len(words) + 1), 2) if j - i <= longest]


def phrases(words, longest=None):
    """Return the distinct phrases of a text."""
    return {tuple(words[i:j]) for i, j in spans(words, longest)}


def runs(abstract, document):
    """Return (a_start, a_end, d_start, d_end) of every pair of equal phrases."""
    pairs = itertools.product(spans(abstract), spans(document))
    return {(*a, *d) for a, d in pairs if list(abstract[slice(*a)]) == list(document[slice(*d)])}


def stems(phrase):
    return tuple(map(stem, phrase))


def identity(s, d):
    return float(s == d)


def stem_phrases(s, d, vocabulary):
    """Return all phrases with the stems of d, of the abstracts' words and those of s."""
    choices = [
        sorted(form for form in vocabulary | {own} if stem(form) == stem(word))
        for own, word in zip(s, d, strict=True)
    ]
    return list(itertools.product(*choices))


def stem_rewrite(s, d, vocabulary):
    """Equation 4: uniform over the phrases with the stems of d."""
    if stems(s) != stems(d):
        return 0.0
    return 1.0 / len(stem_phrases(s, d, vocabulary))


def fake(s, d):
    """Return the sum of the fake counts of section 4.3."""
    singleton, same = len(s) == len(d) == 1, stems(s) == stems(d)
    return SINGLETON * singleton + IDENTICAL * (s == d) + SAME_STEMS * same


def cooccurring(texts, limit):
    """Return {document phrase: abstract phrases that share a pair with it}.

    ``texts`` are (abstract, document) of each pair.
    """
    together = defaultdict(set)
    for abstract, document in texts:
        for d in phrases(document, limit[1]):
            together[d] |= phrases(abstract, limit[0])
    return together


def estimate(together, counts):
    """Return {(s, d): p(s | d)}.

    Counts plus fake counts, over their sum for all that share a pair with d.
    """
    table = {}
    for d, possible in together.items():
        row = {s: counts[s, d] + fake(s, d) for s in possible}
        total = sum(row.values())
        table |= {(s, d): count / total if total else 0.0 for s, count in row.items()}
    return table


def lexical_start(together, start=1.0):
    """Return the prior's mode after ``start`` counts for each co-occurring pair (section 4.4)."""
    return estimate(
        together, Counter({(s, d): start for d, possible in together.items() for s in possible})
    )


def spread(together, base_score):
    """Return {(s, d): count}: those of d, divided among the abstract words of its pairs."""
    counts = Counter()
    for d, count in base_score.items():
        words = [s for s in together[d] if len(s) == 1]
        counts.update({(s, d): count / len(words) for s in words})
    return counts
