"""Fits the weights of ``semihmm support`` on judgements, and scores what judges people replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit
from scipy.stats import mannwhitneyu

PENALTY = 1e-3
"""Of the squared weights of standardized figures. Set by hand: there are thousands of cases."""

SAMPLES = 1000
"""Of the bootstrap."""


class Weights(NamedTuple):
    """Of figures, and the intercept."""

    of_figures: np.ndarray
    intercept: float

    def logits(self, figures: np.ndarray) -> np.ndarray:
        return figures @ self.of_figures + self.intercept


class Cases(NamedTuple):
    """What people judged of a set. What is right counts as much as what is not if ``balanced``.

    ``figures``  float64 [n, F], of all parts.
    ``texts``    int64 [n], the text that each part is of: it is right if all of its parts are.
    ``right``    bool [T], whether a text is right.
    """

    figures: np.ndarray
    texts: np.ndarray
    right: np.ndarray
    balanced: bool = True


def cases_of(figures: Sequence[np.ndarray], right: np.ndarray) -> Cases:
    """Join the figures of texts, each float64 [parts, F]."""
    texts = np.repeat(np.arange(len(figures)), [len(one) for one in figures])
    return Cases(np.concatenate(figures), texts, right)


def single(figures: np.ndarray, right: np.ndarray, balanced: bool = True) -> Cases:
    """Return cases that are a part each."""
    return Cases(figures, np.arange(len(right)), right, balanced)


def log_right(cases: Cases, logits: np.ndarray) -> np.ndarray:
    """Return float64 [T], the logarithm of the probability that a text is right."""
    return np.bincount(cases.texts, log_expit(logits), len(cases.right))


def _shares(cases: Cases) -> np.ndarray:
    """Return how much each text counts."""
    right, wrong = cases.right.sum(), (~cases.right).sum()
    if not cases.balanced:
        return np.full(len(cases.right), 1.0 / min(right, wrong))
    return np.where(cases.right, 0.5 / right, 0.5 / wrong)


def fitted(sets: Sequence[Cases]) -> Weights:
    """Return the weights of a logistic regression of sets, each of which counts the same.

    Each set has its own intercept: that of the result is their mean.
    """
    figures = np.concatenate([one.figures for one in sets])
    mean, deviation = figures.mean(axis=0), figures.std(axis=0) + 1e-12
    count = figures.shape[1]
    standard = [(one.figures - mean) / deviation for one in sets]
    shares = [_shares(one) for one in sets]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value = PENALTY * float(weights[:count] @ weights[:count]) / 2
        gradient = np.append(PENALTY * weights[:count], np.zeros(len(sets)))
        for number, (cases, own, share) in enumerate(zip(sets, standard, shares, strict=True)):
            logits = own @ weights[:count] + weights[count + number]
            log_p = np.minimum(log_right(cases, logits), -1e-9)
            odds = np.exp(log_p) / -np.expm1(log_p)
            value -= share @ np.where(cases.right, log_p, np.log(-np.expm1(log_p)))
            of_texts = share * np.where(cases.right, 1.0, -odds)
            slope = of_texts[cases.texts] * expit(-logits)
            gradient[:count] -= own.T @ slope
            gradient[count + number] -= slope.sum()
        return float(value), gradient

    start = np.zeros(count + len(sets))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    weights = found[:count] / deviation
    return Weights(weights, float(found[count:].mean() - weights @ mean))


def leaving_out(sets: Mapping[str, Cases], families: Mapping[str, str]) -> dict[str, Weights]:
    """Return for each set the weights that are fitted on the sets of other families.

    ``families``  of the sets that may be fitted on.
    """
    return {
        name: fitted([sets[one] for one in families if families[one] != families.get(name)])
        for name in sets
    }


def show_signs(module: str, names: Sequence[str], sets: Mapping[str, Cases]) -> None:
    """Print the weights of all sets, as the application has them, and those of each alone."""
    weights, intercept = fitted([*sets.values()])
    alone = {name: fitted([one]).of_figures for name, one in sets.items()}
    print(f"semihmm/applications/support/{module}.py: intercept {intercept:.3f}")
    for number, name in enumerate(names):
        others = ", ".join(f"{one} {own[number]:.2f}" for one, own in alone.items())
        print(f'    "{name}": {weights[number]:.3f},   # alone: {others}')


# Scores


def area(right: np.ndarray, scores: np.ndarray) -> float:
    """Return the area under the ROC curve."""
    count = right.sum() * (~right).sum()
    return float(mannwhitneyu(scores[right], scores[~right]).statistic / count)


def interval(
    score: Callable[[np.ndarray, np.ndarray], float],
    right: np.ndarray,
    scores: np.ndarray,
    documents: np.ndarray,
) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a score. Documents are drawn, with all that is theirs.

    ``documents``  int64 [n], numbered from 0.
    """
    generator = np.random.default_rng(0)
    order = np.argsort(documents, kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(documents))[:-1])
    found = []
    for _ in range(SAMPLES):
        drawn = generator.integers(len(groups), size=len(groups))
        places = np.concatenate([groups[one] for one in drawn])
        own = right[places]
        if own.any() and not own.all():
            found.append(score(own, scores[places]))
    low, high = np.quantile(found, [0.025, 0.975]).tolist()
    return low, high


def average_precision(right: np.ndarray, scores: np.ndarray) -> float:
    """Return the mean precision at the ranks of what is right."""
    ranked = right[np.argsort(-scores, kind="stable")]
    precision = ranked.cumsum() / np.arange(1, len(ranked) + 1)
    return float(precision[ranked].mean())


def best_f(right: np.ndarray, scores: np.ndarray, folds: np.ndarray) -> float:
    """Return F1 of two folds, each cut where the other has its best F1."""
    chosen = np.zeros(len(right), dtype=bool)
    for fold in (folds == 0, folds == 1):
        order = np.argsort(-scores[~fold], kind="stable")
        theirs, ranked = right[~fold][order], scores[~fold][order]
        f = 2 * theirs.cumsum() / (theirs.sum() + np.arange(1, len(theirs) + 1))
        # A cut is only between different scores.
        f[:-1][ranked[:-1] == ranked[1:]] = 0.0
        chosen[fold] = scores[fold] >= ranked[f.argmax()]
    return f_score(right, chosen)


def f_score(right: np.ndarray, chosen: np.ndarray) -> float:
    return float(2 * (right & chosen).sum() / (right.sum() + chosen.sum()))
