"""ROUGE and measures of n-grams from their definitions: lists, counters and recursion.

Lin (2004), of one reference; Lin and Hovy (2003), Soricut and Brill (2004).
"""

import math
from collections import Counter
from functools import cache
from itertools import combinations
from operator import itemgetter


def flat(sentences):
    return [word for sentence in sentences for word in sentence]


def shared(units, others):
    """Return how many units two lists share, and how many each has: hits, others, units."""
    hits = sum((Counter(units) & Counter(others)).values())
    return hits, len(others), len(units)


def ngrams(words, n):
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def skip_bigrams(words, gap):
    pairs = combinations(enumerate(words), 2)
    return [(one, other) for (i, one), (j, other) in pairs if gap is None or j - i - 1 <= gap]


def skip_units(sentences, gap, single, program):
    """Return pairs and words: of a text as one sequence, or of sentences in the paper."""
    words = flat(sentences)
    pairs = flat(skip_bigrams(part, gap) for part in ([words] if program else sentences))
    own = words[:-1] if program else words
    return pairs + ([(word,) for word in own] if single else [])


def subsequence(reference, summary, w):
    """Return the weight of the heaviest common subsequence and its places in the reference.

    The recursion of Lin (2004), section 4. In a tie the word of the reference is dropped.
    """

    @cache
    def cell(i, j):
        """Return the weight, the length of the run at the end, and the places."""
        if i == 0 or j == 0:
            return 0.0, 0, set()
        if reference[i - 1] == summary[j - 1]:
            before, run, places = cell(i - 1, j - 1)
            return before + (run + 1.0) ** w - float(run) ** w, run + 1, places | {i - 1}
        weight, _, places = max(cell(i - 1, j), cell(i, j - 1), key=itemgetter(0))
        return weight, 0, places

    weight, _, places = cell(len(reference), len(summary))
    return weight, places


def by_sentences(summary, reference, w, program, by_runs):
    """Return the hits of L and W by sentences, and the weights of the reference and the summary."""
    left = Counter(flat(summary))
    hits = 0.0
    for sentence in reference:
        marked = set().union(*(subsequence(sentence, own, w)[1] for own in summary))
        run = 0
        for place in sorted(marked):
            word = sentence[place]
            # For the program a word counts at most as often as the summary has it.
            if program and not left[word]:
                continue
            left[word] -= 1
            run += 1
            if not by_runs or place + 1 not in marked:
                hits += run**w if by_runs else 1
                run = 0
    whole = sum(float(len(sentence)) ** w for sentence in reference)
    return hits, whole**w, float(len(flat(summary))) ** w


def units(name, summary, reference, program):
    """Return the weights of common units, of the reference's and of the summary's, by name.

    ``name``  of a measure, as "rouge-su4".
    """
    _, kind, *rest = name.split("-")
    if kind.isdigit():
        n = int(kind)
        return shared(ngrams(flat(summary), n), ngrams(flat(reference), n))
    if kind.startswith("s"):
        gap = None if name.endswith("*") else int(kind.lstrip("su"))
        made = (skip_units(text, gap, "u" in kind, program) for text in (summary, reference))
        return shared(*made)
    w = float(rest[0]) if kind == "w" else 1.0
    if rest == ["sequence"] or (kind == "w" and not program):
        one, other = flat(reference), flat(summary)
        return subsequence(one, other, w)[0], float(len(one)) ** w, float(len(other)) ** w
    return by_sentences(summary, reference, w, program, kind == "w")


# Lin and Hovy, Soricut and Brill


def share(part, whole):
    return part / whole if whole else 0.0


def geometric_mean(values):
    return math.prod(values) ** (1 / len(values))


def coverage(units, summary, n):
    """Return C_n (Lin and Hovy, eq. 5): each unit beside the whole summary."""
    found = sum(shared(ngrams(unit, n), ngrams(summary, n))[0] for unit in units)
    return share(found, sum(len(ngrams(unit, n)) for unit in units))


def ngram(units, summary, i, j):
    """Return Ngram(i,j) (eq. 6), BB = 1."""
    return geometric_mean([coverage(units, summary, n) for n in range(i, j + 1)])


def reduced(words, n, stop, whole_text):
    """Return the words without stop words: those of unigrams, or of all n-grams."""
    return [word for word in words if word not in stop] if whole_text or n == 1 else words


def shares(pairs, n, stop, whole_text):
    """Return P(n) and R(n) over pairs (summary, reference)."""
    counts = [
        shared(*(ngrams(reduced(words, n, stop, whole_text), n) for words in pair))
        for pair in pairs
    ]
    found, in_references, in_summaries = map(sum, zip(*counts, strict=True))
    return share(found, in_summaries), share(found, in_references)


def recall_and_precision(pairs, longest, stop, whole_text, wordiness, brevity):
    """Return RS and PS: means of R(n) and P(n), less where summaries are too long or too short."""
    c, r = (sum(map(len, side)) for side in zip(*pairs, strict=True))
    precisions, recalls = zip(
        *(shares(pairs, n, stop, whole_text) for n in range(1, longest + 1)), strict=True
    )
    ways = (r, recalls, c, wordiness * r), (c, precisions, brevity * r, c)
    return [
        geometric_mean(values) * math.exp(min(0.0, 1 - more / least)) if words else 0.0
        for words, values, more, least in ways
    ]


def aev(alpha, recall, precision):
    below = alpha * recall + (1 - alpha) * precision
    return precision * recall / below if below else 0.0
