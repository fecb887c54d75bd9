"""Scores over corpora and means over pairs, of links as sets (``semihmm.reference``)."""

from semihmm import reference


def soft_precision(system, sure, possible, empty=0.0):
    if not system:
        return empty if sure else 1.0
    return reference.soft_precision(system, possible)


def recall(system, sure, possible, empty=0.0):
    if not sure:
        return empty if system else 1.0
    return reference.recall(system, sure)


def soft_f(system, sure, possible, empty=0.0):
    both = (figure(system, sure, possible, empty) for figure in (soft_precision, recall))
    return reference.soft_f(*both)


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
