"""The scores as the paper words them, from sets of links without statistics and arrays."""

from __future__ import annotations


def word_links(phrases, document, abstract):
    """Return the word links of phrases ``((a, a_end), (d, d_end))``, spelled out case by case."""
    links = set()
    for (a, a_end), (d, d_end) in phrases:
        same = len(range(a, a_end)) == len(range(d, d_end)) and all(
            abstract[a + k].lower() == document[d + k].lower() for k in range(a_end - a)
        )
        for x in range(d, d_end):
            for y in range(a, a_end):
                if not same or x - d == y - a:
                    links.add((x, y))
    return links


def share(part, whole, empty):
    return len(part) / len(whole) if whole else empty


def harmonic_mean(one, other):
    return 2 * one * other / (one + other) if one + other else 0.0


def soft_precision(system, sure, possible, empty=0.0):
    return share(system & possible, system, empty)


def recall(system, sure, possible, empty=0.0):
    return share(system & sure, sure, empty)


def soft_f(system, sure, possible, empty=0.0):
    both = (figure(system, sure, possible, empty) for figure in (soft_precision, recall))
    return harmonic_mean(*both)


def alignment_error_rate(system, sure, possible):
    size = len(system) + len(sure)
    return 1 - (len(system & sure) + len(system & possible)) / size if size else 0.0


def of_corpus(figure):
    """Return the twin of a score over all links of a corpus.

    It takes pairs ``(system, sure, possible)``.
    """

    def corpus_figure(pairs):
        links = [{(n, *link) for n, pair in enumerate(pairs) for link in pair[k]} for k in range(3)]
        return figure(*links)

    return corpus_figure


def mean(figure):
    """Return the twin of a score that is a mean over pairs."""

    def mean_figure(pairs):
        return sum(figure(*pair, empty=1.0) for pair in pairs) / len(pairs)

    return mean_figure


TWINS = {
    "soft_precision": of_corpus(soft_precision),
    "recall": of_corpus(recall),
    "soft_f": of_corpus(soft_f),
    "aer": of_corpus(alignment_error_rate),
    "macro_soft_precision": mean(soft_precision),
    "macro_recall": mean(recall),
    "macro_soft_f": mean(soft_f),
}
"""The figure of pairs ``(system, sure, possible)`` by the name of the score."""
