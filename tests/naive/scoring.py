"""Scores over corpora and means over pairs, of links as sets (``semihmm.reference``)."""

from functools import partial

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


def of_corpus(figure, pairs):
    """Return a score over all links of a corpus, of pairs ``(system, sure, possible)``."""
    return figure(
        *({(n, *link) for n, pair in enumerate(pairs) for link in pair[k]} for k in range(3))
    )


def mean(figure, pairs):
    """Return a score that is a mean over pairs."""
    return sum(figure(*pair, empty=1.0) for pair in pairs) / len(pairs)


FIGURES = {"soft_precision": soft_precision, "recall": recall, "soft_f": soft_f}
TWINS = {
    **{name: partial(of_corpus, figure) for name, figure in FIGURES.items()},
    **{f"macro_{name}": partial(mean, figure) for name, figure in FIGURES.items()},
    "aer": partial(of_corpus, alignment_error_rate),
}
"""The figure of pairs ``(system, sure, possible)`` by the name of the score."""
