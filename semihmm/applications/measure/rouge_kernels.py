"""Kernels of ROUGE: n-grams, skip-bigrams and common subsequences of two texts.

Words are numbers, int32. ``bounds`` are the offsets where the sentences of a text begin and end.
"""

import numpy as np

from corpus_tools.base.compiled_kernels import compiled, inner


@inner(makes_arrays=True)
def numbered_alike(summary, reference):
    """Return two sequences with new numbers for the words, below the length of the reference.

    A word of the summary that the reference lacks gets the length of the reference as its number.
    """
    # The new number of a word is its first place in the sorted reference.
    ordered = np.sort(reference)
    numbers = np.searchsorted(ordered, summary)
    for position in range(len(numbers)):
        place = numbers[position]
        if place < len(ordered) and ordered[place] != summary[position]:
            numbers[position] = len(ordered)
    return numbers, np.searchsorted(ordered, reference)


@inner(makes_arrays=True)
def clip_numbered(summary, reference, marked):
    """Do what ``clip`` does, for words that ``numbered_alike`` has numbered."""
    # available[word]: how many of the summary's occurrences are still unused.
    available = np.zeros(len(reference) + 1, np.int64)
    for word in summary:
        available[word] += 1
    counted = np.zeros(len(reference), np.bool_)
    for position in range(len(reference)):
        word = reference[position]
        if marked[position] and available[word] > 0:
            available[word] -= 1
            counted[position] = True
    return counted


@compiled
def clip(summary, reference, marked):
    """Return which marked words of the reference count, bool [words of the reference].

    A word counts at most as often as it occurs in the summary, its first occurrences first.
    """
    of_summary, others = numbered_alike(summary, reference)
    return clip_numbered(of_summary, others, marked)


@compiled
def ngram_hits(summary, reference, n):
    """Return the sum over the n-grams of min(count in the summary, count in the reference)."""
    own_words, other_words = numbered_alike(summary, reference)
    of_summary, others = own_words, other_words
    words = len(reference) + 1
    for k in range(1, n):
        # The key of an n-gram is made of the number of its first n - 1 words and its last word.
        longer = of_summary[:-1] * words + own_words[k:]
        of_summary, others = numbered_alike(longer, others[:-1] * words + other_words[k:])
    return clip_numbered(of_summary, others, np.ones(len(others), np.bool_)).sum()


@inner
def count_following(words, bounds, first, gap, counts):
    """Count how often each word follows the first one, with at most ``gap`` words between."""
    for part in range(len(bounds) - 1):
        # How many occurrences of the first word are within the distance before the position.
        reaching = 0
        for position in range(bounds[part] + 1, bounds[part + 1]):
            if words[position - 1] == first:
                reaching += 1
            too_far = position - gap - 2
            if too_far >= bounds[part] and words[too_far] == first:
                reaching -= 1
            counts[words[position]] += reaching


@compiled
def skip_hits(summary, summary_bounds, reference, reference_bounds, gap):
    """Return the sum over skip-bigrams of min(count in the summary, count in the reference).

    ``summary_bounds``, ``reference_bounds``  the bounds of parts: no skip-bigram crosses them.
    ``gap``     the most words between the two words of a skip-bigram.

    A text of 100,000 words has 5 * 10^9 skip-bigrams, too many for a list. So for one first word at
    a time, those that begin with it are counted by their second words.
    """
    of_summary, others = numbered_alike(summary, reference)
    size = len(reference) + 1
    in_summary = np.zeros(size, np.bool_)
    in_reference = np.zeros(size, np.bool_)
    in_summary[of_summary] = True
    in_reference[others] = True
    hits = 0
    for first in range(size):
        if in_summary[first] and in_reference[first]:
            hits_of_pair = np.zeros(size, np.int64)
            wanted = np.zeros(size, np.int64)
            count_following(of_summary, summary_bounds, first, gap, hits_of_pair)
            count_following(others, reference_bounds, first, gap, wanted)
            hits += np.minimum(hits_of_pair, wanted).sum()
    return hits


@compiled
def heaviest_subsequence(summary, reference, gains, losses, marked):
    """Mark the reference's words that are on the heaviest common subsequence of two sequences.

    ``gains``, ``losses``  float64: a word after a run of k words adds ``gains[k] - losses[k]``.

        weight(i, j) = weight(i - 1, j - 1) + gain of the run      for equal words
                       max(weight(i - 1, j), weight(i, j - 1))     otherwise

    Returns the weight. The last bit decides between subsequences: sums go from left to right. In a
    tie the word of the reference is dropped. Both are as in ROUGE-1.5.5.
    """
    # ``weights`` and ``runs`` hold row i of their tables up to column j, and row i - 1 after it.
    rows, columns = len(reference), len(summary)
    weights = np.zeros(columns + 1)
    runs = np.zeros(columns + 1, np.int32)
    dropped = np.zeros((rows, columns), np.bool_)
    for i in range(rows):
        weight_before = 0.0
        run_before = 0
        for j in range(columns):
            weight_above = weights[j + 1]
            run_above = runs[j + 1]
            if reference[i] == summary[j]:
                weights[j + 1] = weight_before + gains[run_before] - losses[run_before]
                runs[j + 1] = run_before + 1
            else:
                dropped[i, j] = weight_above >= weights[j]
                weights[j + 1] = max(weight_above, weights[j])
                runs[j + 1] = 0
            weight_before = weight_above
            run_before = run_above
    # Trace back from the end: equal words are on the subsequence.
    i, j = rows, columns
    while i > 0 and j > 0:
        if reference[i - 1] == summary[j - 1]:
            i -= 1
            j -= 1
            marked[i] = True
        elif dropped[i - 1, j - 1]:
            i -= 1
        else:
            j -= 1
    return weights[columns]


@compiled
def common_words(summary, summary_bounds, reference, reference_bounds, gains, losses):
    """Mark the reference's words that are on a common subsequence with a sentence of the summary.

    ``gains``, ``losses``  as in ``heaviest_subsequence``, of each two sentences.

    Returns bool [words of the reference].
    """
    marked = np.zeros(len(reference), np.bool_)
    for r in range(len(reference_bounds) - 1):
        start, end = reference_bounds[r], reference_bounds[r + 1]
        for s in range(len(summary_bounds) - 1):
            sentence = summary[summary_bounds[s] : summary_bounds[s + 1]]
            heaviest_subsequence(sentence, reference[start:end], gains, losses, marked[start:end])
    return marked


@compiled
def run_weight(marked, counted, bounds, powers):
    """Sum up the weights of runs of marked words, as ROUGE-1.5.5 does.

    The weight of a run is added at its last word, if that word counts. A marked word that does not
    count neither ends a run nor adds its weight.
    """
    total = 0.0
    for sentence in range(len(bounds) - 1):
        end = bounds[sentence + 1]
        run = 0
        for position in range(bounds[sentence], end):
            if counted[position]:
                run += 1
                if position + 1 == end or not marked[position + 1]:
                    total += powers[run]
                    run = 0
    return total
