"""Extractive fragments as the authors' program finds them, and n-grams, with loops alone."""

from collections import Counter


def fragments(abstract, document):
    """Return the lengths of the fragments: class Fragments of the Newsroom package, restated."""
    lengths = []
    a = 0
    while a < len(abstract):
        best, d = 0, 0
        while d < len(document):
            if abstract[a] != document[d]:
                d += 1
                continue
            length = 0
            while abstract[a + length : a + length + 1] == document[d : d + 1] != []:
                length, d = length + 1, d + 1
            best = max(best, length)
        lengths += [best] if best else []
        a += max(best, 1)
    return lengths


def counts(abstract, document):
    """Return what ``extractive_counts`` does, of words in lower case."""
    lengths = fragments(abstract, document)
    found = {
        "fragment words": sum(lengths),
        "fragment squares": sum(length**2 for length in lengths),
        "longest fragment": max([0, *lengths]),
    }
    for n in (1, 2, 3, 4):
        own, others = (
            Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
            for words in (abstract, document)
        )
        found[f"{n}-grams"] = len(own)
        found[f"novel {n}-grams"] = sum(one not in others for one in own)
        found[f"repeated {n}-grams"] = sum(own[one] >= 2 for one in own)
    return found


def linked(links, source, sentence, length=3):
    """Return how many words of a sentence are linked to a source; both have ``length`` words."""
    return len({a for d, a in links if a // length == sentence and d // length == source})


def runs(source):
    """Return the lengths of the runs of words whose sources follow one another: {a: d}."""
    starts = [a for a, d in source.items() if source.get(a - 1) != d - 1]
    return [
        next(n for n in range(1, len(source) + 2) if source.get(a + n) != source[a] + n)
        for a in starts
    ]
