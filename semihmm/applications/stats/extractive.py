"""Counts copied, novel and repeated words by comparing strings.

Grusky, Naaman and Artzi (2018), "Newsroom", section 4, define extractive fragments. See, Liu and
Manning (2017) and Narayan, Cohen and Lapata (2018) define novel n-grams.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

NOVEL_ORDERS = (1, 2, 3, 4)
"""The lengths of the n-grams that may be novel."""

REPEATED_ORDERS = (1, 2, 3)
"""The lengths of the n-grams that an abstract may repeat."""


def lowered(tokens: Sequence[str]) -> list[str]:
    """Return the tokens in lower case, with one character for a letter and its accent."""
    if not "".join(tokens).isascii():
        tokens = [unicodedata.normalize("NFC", token) for token in tokens]
    return list(map(str.lower, tokens))


def copied_runs(abstract: Sequence[str], document: Sequence[str]) -> Iterator[range]:
    """Yield the extractive fragments of an abstract, from left to right: the places of their words.

    A fragment is the longest run of words that begins at the next word of the abstract and occurs
    in the document (Figure 1 of Grusky et al.). The next fragment begins after it.

    As in the authors' program, the search in the document continues after a run that was found, not
    within it. So for the abstract ``a a b`` and the document ``a a a b`` the fragments are
    ``a a`` and ``b``.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(document):
        places[word].append(place)
    a = 0
    while a < len(abstract):
        longest = searched = 0
        for place in places.get(abstract[a], ()):
            if place < searched:
                continue
            most = min(len(abstract) - a, len(document) - place)
            length = 1
            while length < most and abstract[a + length] == document[place + length]:
                length += 1
            longest = max(longest, length)
            searched = place + length
        if longest:
            yield range(a, a + longest)
        a += max(longest, 1)


def _ngrams(words: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """Yield the n-grams of a text. They may extend over the end of a sentence."""
    return zip(*(words[n:] for n in range(order)), strict=False)


def extractive_counts(
    abstract: Sequence[str], document: Sequence[str], copied: Iterable[range]
) -> dict[str, float]:
    """Return the counts for the figures of copied, novel and repeated words.

    ``abstract``, ``document``  the tokens in lower case (``lowered``).
    ``copied``                  the fragments (``copied_runs``).

    Returns, with a number for n:

    ``fragment words``, ``fragment squares``  the sums of the lengths and of the squared lengths.
    ``longest fragment``                      the greatest length of a fragment.
    ``n-grams``                               the number of distinct n-grams of the abstract.
    ``novel n-grams``                         how many of them the document lacks.
    ``repeated n-grams``                      how many of them the abstract has twice or more.
    """
    lengths = [*map(len, copied)]
    counts: dict[str, float] = {
        "fragment words": sum(lengths),
        "fragment squares": sum(length * length for length in lengths),
        "longest fragment": max(lengths, default=0),
    }
    for order in NOVEL_ORDERS:
        ngrams = Counter(_ngrams(abstract, order))
        counts[f"{order}-grams"] = len(ngrams)
        counts[f"novel {order}-grams"] = len(ngrams.keys() - set(_ngrams(document, order)))
        if order in REPEATED_ORDERS:
            counts[f"repeated {order}-grams"] = sum(count > 1 for count in ngrams.values())
    return counts
