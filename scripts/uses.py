"""Measures sources, support and conflicts against people's judgements, beside simpler ways.

usage: python scripts/uses.py --data DATA [--models general,own,neural] [--fit]

DATA has spark/dev.jsonl, xsum-words/dev.jsonl and cliff/val.jsonl (docs/uses.md says what these
are). What was fitted on such data is fitted anew without the pairs that are scored: on the other
topics, documents, or tenths. With --fit the script prints the weights of all pairs, which are those
in semihmm/support.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit
from scipy.stats import rankdata

from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text_table import markdown_table
from semihmm import Aligner
from semihmm.support.conflicts import Conflict
from semihmm.support.evidence import Evidence
from semihmm.support.sources import FEATURES as OF_SOURCES
from semihmm.support.sources import source_features
from semihmm.support.support import (
    BOUND,
    SHORTEST_RUN,
    installed_wordnet,
    support_of,
    text_features,
)
from semihmm.support.words import FEATURES as OF_WORDS
from semihmm.support.words import word_features, word_support

PENALTY = 1.0
"""Of the squared weights of standardized figures. Set by hand: there are some thousand cases."""

FUNCTION_WORDS = """
a an the and or but if of to in on at by for with from as is are was were be been being has have had
do does did will would can could may might shall should must not no nor so than that this these
those
it its he she they him his her their i you we my your our who whom which what when where why how
there here also very s t
"""
"""Links of these alone make no source."""


SIDES = ("abstract", "document")


class Scored(NamedTuple):
    """A pair as people judged it, with its numbers."""

    row: dict[str, Any]
    pair: Pair
    evidence: Evidence
    conflicts: Sequence[Conflict]


class Weights(NamedTuple):
    """A logistic regression of figures."""

    weights: np.ndarray
    intercept: float

    def probabilities(self, figures: np.ndarray) -> np.ndarray:
        """Return the probability of each row of figures."""
        probabilities: np.ndarray = expit(figures @ self.weights + self.intercept)
        return probabilities


def fitted(figures: np.ndarray, right: np.ndarray) -> Weights:
    """Fit a logistic regression. ``figures`` float64 [n, F], ``right`` bool [n]."""
    mean, deviation = figures.mean(axis=0), figures.std(axis=0) + 1e-12
    standard = (figures - mean) / deviation
    sign = np.where(right, 1.0, -1.0)

    def loss(both: np.ndarray) -> tuple[float, np.ndarray]:
        margins = sign * (standard @ both[:-1] + both[-1])
        wrong = -sign * expit(-margins)
        gradient = np.append(standard.T @ wrong + PENALTY * both[:-1], wrong.sum())
        return float(-log_expit(margins).sum() + PENALTY * both[:-1] @ both[:-1] / 2), gradient

    start = np.zeros(figures.shape[1] + 1)
    both = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    weights = both[:-1] / deviation
    return Weights(weights, float(both[-1] - weights @ mean))


def in_folds(
    figures: Sequence[np.ndarray], right: Sequence[np.ndarray], folds: Sequence[int]
) -> list[np.ndarray]:
    """Return the probabilities of each pair's cases, fitted on the pairs of other folds."""
    probabilities: list[np.ndarray] = [np.zeros(0)] * len(figures)
    for fold in sorted(set(folds)):
        others = [number for number, own in enumerate(folds) if own != fold]
        weights = fitted(
            np.concatenate([figures[number] for number in others]),
            np.concatenate([right[number] for number in others]),
        )
        for number, own in enumerate(folds):
            if own == fold:
                probabilities[number] = weights.probabilities(figures[number])
    return probabilities


# Scores


def area(right: np.ndarray, scores: np.ndarray) -> float:
    """Return the area under the ROC curve."""
    ranks = rankdata(scores)
    positive = int(right.sum())
    below = ranks[right].sum() - positive * (positive + 1) / 2
    return float(below / (positive * (len(right) - positive)))


def average_precision(right: np.ndarray, scores: np.ndarray) -> float:
    """Return the mean precision at the ranks of what is right."""
    ranked = right[np.argsort(-scores, kind="stable")]
    precision = ranked.cumsum() / np.arange(1, len(ranked) + 1)
    return float(precision[ranked].mean())


def best_f(right: np.ndarray, scores: np.ndarray, folds: np.ndarray) -> float:
    """Return F1 of two folds, each cut where the other has its best F1."""
    hits = chosen = 0
    for fold in (0, 1):
        theirs = right[folds != fold], scores[folds != fold]
        order = np.argsort(-theirs[1], kind="stable")
        found = theirs[0][order].cumsum()
        f = 2 * found / (theirs[0].sum() + np.arange(1, len(found) + 1))
        # A cut stands only between different scores.
        f[:-1][theirs[1][order][:-1] == theirs[1][order][1:]] = 0.0
        own = scores[folds == fold] >= theirs[1][order][f.argmax()]
        hits += int(right[folds == fold][own].sum())
        chosen += int(own.sum())
    return 2 * hits / (chosen + int(right.sum()))


# Judgements


def source_judgements(pair: dict[str, Any]) -> np.ndarray:
    """Return bool [A, D], the pairs of sentences that have a proposition in common."""
    right = np.zeros((len(pair["abstract"]), len(pair["document"])), dtype=bool)
    tokens = {side: [token for one in pair[side] for token in one] for side in SIDES}
    sentence = {side: [n for n, one in enumerate(pair[side]) for _ in one] for side in SIDES}
    for link in pair["links"]:
        abstract, document = (
            {sentence[side][token] for token in link[side] if is_content(tokens[side][token])}
            for side in SIDES
        )
        right[np.ix_(sorted(abstract), sorted(document))] = True
    return right


def is_content(token: str) -> bool:
    return any(map(str.isalnum, token)) and token.lower() not in FUNCTION_WORDS.split()


def word_judgements(pair: dict[str, Any], scored: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Return which tokens people call supported, and the word that each token is a part of."""
    ends = np.cumsum([len(word) + 1 for word in pair["words"]])
    starts = [characters.start for characters in scored.abstract.characters or ()]
    words = np.searchsorted(ends, starts, side="right")
    return np.array(pair["hallucinated"])[words] == 0, words


def least_of_words(tokens: np.ndarray, words: np.ndarray, count: int) -> np.ndarray:
    """Return the least value of the tokens of each word."""
    least = np.ones(count)
    np.minimum.at(least, words, tokens)
    return least


# Other ways to see what an abstract has of its document


def run_share(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D], the share of each abstract sentence that stands in greedy runs there.

    The longest run that both have in common is taken first, then the next of what is left.
    """
    abstract, document = evidence.abstract, evidence.document
    share = np.zeros((len(abstract.spans), len(document.spans)))
    for sentence, (start, end) in enumerate(abstract.spans):
        left = np.ones(end - start, dtype=bool)
        same = abstract.forms[start:end, None] == document.forms
        while True:
            length, word, place = longest_diagonal(same & left[:, None])
            if not length:
                break
            left[word : word + length] = False
            share[sentence, document.sentence[place]] += length / (end - start)
    return share


def longest_diagonal(same: np.ndarray) -> tuple[int, int, int]:
    """Return the length of the longest run of equal words, and where it begins on both sides."""
    ending = np.zeros(same.shape[1] + 1, dtype=np.int64)
    best = (0, 0, 0)
    for word, row in enumerate(same):
        ending[1:] = np.where(row, ending[:-1] + 1, 0)
        place = int(ending.argmax())
        if ending[place] > best[0]:
            length = int(ending[place])
            best = length, word - length + 1, place - length
    return best


def bags(stems: np.ndarray) -> list[Counter[Any]]:
    """Return the unigrams and the bigrams of some words."""
    words = stems.tolist()
    return [Counter(words), Counter(pairwise(words))]


def rouge(reference: list[Counter[Any]], chosen: list[Counter[Any]]) -> float:
    """Return ROUGE-1 + ROUGE-2, F1, of bags of n-grams."""
    both = [
        2 * (r & c).total() / max(1, r.total() + c.total())
        for r, c in zip(reference, chosen, strict=True)
    ]
    return sum(both)


def rouge_of_sentences(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D], ROUGE-1 + ROUGE-2 of each two sentences."""
    abstract, document = (
        [bags(side.stems[slice(*span)]) for span in side.spans]
        for side in (evidence.abstract, evidence.document)
    )
    return np.array([[rouge(own, other) for other in document] for own in abstract])


def oracle(evidence: Evidence) -> np.ndarray:
    """Return bool [D], the sentences that greedily raise ROUGE-1 + ROUGE-2 of the abstract.

    It is what extractors are usually trained on (Nallapati, Zhai and Zhou 2017).
    """
    reference = bags(evidence.abstract.stems)
    sentences = [bags(evidence.document.stems[slice(*span)]) for span in evidence.document.spans]
    chosen = [Counter[Any](), Counter[Any]()]
    taken = np.zeros(len(sentences), dtype=bool)
    best = 0.0
    while True:
        with_each = [[a + b for a, b in zip(chosen, one, strict=True)] for one in sentences]
        scores = np.array([rouge(reference, one) for one in with_each])
        scores[taken] = 0.0
        if scores.max() <= best:
            return taken
        best = float(scores.max())
        taken[scores.argmax()] = True
        chosen = with_each[int(scores.argmax())]


def rouge_2_precision(evidence: Evidence) -> float:
    """Return the share of the abstract's bigrams that the document has."""
    abstract, document = (bags(side.stems)[1] for side in (evidence.abstract, evidence.document))
    return (abstract & document).total() / max(1, abstract.total())


def density(evidence: Evidence) -> float:
    """Return the mean length of the copied run of a word (Grusky, Naaman and Artzi 2018)."""
    return float(evidence.runs.mean())


# Tables: each has a row for each way


def of_sources(cases: Sequence[Scored], model: str, fit: bool) -> Iterator[list[str]]:
    """Give the table of the sources of sentences."""
    right = [source_judgements(case.row) for case in cases]
    figures = [source_features(case.evidence) for case in cases]
    flat = [one.reshape(-1, one.shape[2]) for one in figures]
    topics = sorted({case.row["topic"] for case in cases})
    folds = [topics.index(case.row["topic"]) % 2 for case in cases]
    if fit:
        show_weights("sources", list(OF_SOURCES), flat, [one.ravel() for one in right])
    ours = in_folds(flat, [one.ravel() for one in right], folds)
    shares = [one.reshape(own.shape) for one, own in zip(ours, right, strict=True)]
    yield ["sources: SPARK", "AP", "F1", "first", "used: AP", "used: F1"]
    yield source_row(f"support, {model} model", right, shares, folds)
    share = list(OF_SOURCES).index("share")
    yield source_row(
        f"linked words, {model} model", right, [one[:, :, share] for one in figures], folds
    )
    if model == "general":
        cosine = list(OF_SOURCES).index("root cosine")
        yield source_row("tf-idf cosine", right, [one[:, :, cosine] for one in figures], folds)
        others = {"greedy runs": run_share, "ROUGE-1 + ROUGE-2": rouge_of_sentences}
        for name, way in others.items():
            yield source_row(name, right, [way(case.evidence) for case in cases], folds)
        used = np.concatenate([one.any(axis=0) for one in right])
        taken = np.concatenate([oracle(case.evidence) for case in cases])
        f = 2 * (used & taken).sum() / (used.sum() + taken.sum())
        yield ["greedy ROUGE oracle", "", "", "", "", f"{f:.3f}"]


def source_row(
    name: str, right: list[np.ndarray], shares: list[np.ndarray], folds: list[int]
) -> list[str]:
    """Return the row of a way to tell sources."""
    rows = [
        (own[row], values[row])
        for own, values in zip(right, shares, strict=True)
        for row in range(len(own))
    ]
    found = [own[values.argmax()] for own, values in rows if own.any()]
    pairs = [np.concatenate([one.ravel() for one in some]) for some in (right, shares)]
    of_pairs = np.repeat(folds, [one.size for one in right])
    used = [np.concatenate([one.max(axis=0) for one in some]) for some in (right, shares)]
    of_used = np.repeat(folds, [one.shape[1] for one in right])
    figures = (
        average_precision(pairs[0], pairs[1]),
        best_f(pairs[0], pairs[1], of_pairs),
        float(np.mean(found)),
        average_precision(used[0], used[1]),
        best_f(used[0], used[1], of_used),
    )
    return [name, *(f"{figure:.3f}" for figure in figures)]


def of_words(cases: Sequence[Scored], model: str, fit: bool) -> Iterator[list[str]]:
    """Give the table of the words that people call supported."""
    judged = [word_judgements(case.row, case.pair) for case in cases]
    figures = [word_features(case.evidence) for case in cases]
    tokens = [right for right, _ in judged]
    # Systems summarized the same documents.
    folds = [zlib.crc32(" ".join(case.pair.document.tokens).encode()) % 5 for case in cases]
    if fit:
        show_weights("words", list(OF_WORDS), figures, tokens)
    right = np.concatenate([np.array(case.row["hallucinated"]) == 0 for case in cases])
    ours = in_folds(figures, tokens, folds)
    for one, case in zip(ours, cases, strict=True):
        for conflict in case.conflicts:
            span = slice(*conflict.abstract)
            one[span] = np.minimum(one[span], BOUND)
    ways = {
        f"support, {model} model": ours,
        f"posterior of the link, {model} model": [case.evidence.linked for case in cases],
    }
    if model == "general":
        ways["length of the copied run"] = [case.evidence.runs for case in cases]
    yield ["words: XSum", "AUC"]
    for name, values in ways.items():
        least = [
            least_of_words(own, words, len(case.row["words"]))
            for own, (_, words), case in zip(values, judged, cases, strict=True)
        ]
        yield [name, f"{area(right, np.concatenate(least)):.3f}"]


def of_abstracts(cases: Sequence[Scored], model: str, fit: bool) -> Iterator[list[str]]:
    """Give the table of the summaries without an error."""
    right = np.array([case.row["types"] in {"correct", ""} for case in cases])
    origins = np.array([case.row["origin"] for case in cases])
    figures = [abstract_figures(case.evidence)[None] for case in cases]
    own = [one[None] for one in right]
    if fit:
        show_weights("support", ["mean", "novel"], figures, own)
    ours = np.concatenate(in_folds(figures, own, [n % 10 for n in range(len(cases))]))
    bound = [BOUND if case.conflicts else 1.0 for case in cases]
    ways = {f"support, {model} model": np.minimum(ours, bound)}
    if model == "general":
        ways["without conflicts"] = ours
        ways["ROUGE-2 precision"] = np.array([rouge_2_precision(case.evidence) for case in cases])
        ways["density"] = np.array([density(case.evidence) for case in cases])
    yield ["summaries: CLIFF", "AUC CNN/DM", "AUC XSum"]
    for name, values in ways.items():
        areas = [area(right[origins == one], values[origins == one]) for one in ("cnndm", "xsum")]
        yield [name, *(f"{one:.3f}" for one in areas)]


def abstract_figures(evidence: Evidence) -> np.ndarray:
    """Return the figures of a whole abstract."""
    novel = evidence.abstract.content & (evidence.runs < SHORTEST_RUN)
    return text_features(word_support(evidence), novel)


def show_weights(
    module: str, names: list[str], figures: Sequence[np.ndarray], right: Sequence[np.ndarray]
) -> None:
    """Print the weights that are fitted on all pairs, as ``semihmm/support`` has them."""
    weights = fitted(np.concatenate(figures), np.concatenate(right))
    print(f"semihmm/support/{module}.py: intercept {weights.intercept:.3f}")
    for name, weight in zip(names, weights.weights, strict=True):
        print(f'    "{name}": {weight:.3f},')


TABLES: dict[str, Callable[[Sequence[Scored], str, bool], Iterator[list[str]]]] = {
    "spark/dev.jsonl": of_sources,
    "xsum-words/dev.jsonl": of_words,
    "cliff/val.jsonl": of_abstracts,
}


def scored(path: Path, model: str) -> list[Scored]:
    """Align the pairs of a file and find their conflicts."""
    pairs = read_pairs(str(path))
    if model == "general":
        aligner = Aligner.load().set_params(extract=0)
    else:
        aligner = Aligner("default" if model == "own" else model, extract=0).fit(pairs)
    wordnet = installed_wordnet()
    cases = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, one in zip(lines, aligner.aligned(pairs), strict=True):
        said = support_of(one.pair, one.alignment, wordnet)
        conflicts = [conflict for sentence in said.sentences for conflict in sentence.conflicts]
        evidence = Evidence(one.pair, one.alignment)
        cases.append(Scored(json.loads(line), one.pair, evidence, conflicts))
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", default="general,own", help="of general, own, neural")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    for name, table in TABLES.items():
        rows: list[list[str]] = []
        for model in given.models.split(","):
            some = list(table(scored(given.data / name, model), model, given.fit))
            rows += some[1:] if rows else some
        print(markdown_table(rows), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
