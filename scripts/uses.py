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
from difflib import SequenceMatcher
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit
from scipy.stats import mannwhitneyu

from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text_table import markdown_table
from semihmm import Aligner
from semihmm.support import sources, support, words
from semihmm.support.conflicts import Conflict
from semihmm.support.evidence import Evidence

PENALTY = 1.0
"""Of the squared weights of standardized figures. Set by hand: there are some thousand cases."""

_FUNCTION_WORDS = """
    a an the and or but if of to in on at by for with from as is are was were be been being has have
    had do does did will would can could may might shall should must not no nor so than that this
    these those it its he she they him his their i you we my your our who whom which what when
    where why how there here also very s t"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Links of these alone make no source."""

SIDES = ("abstract", "document")


class Scored(NamedTuple):
    """A pair as people judged it, with its numbers."""

    row: dict[str, Any]
    pair: Pair
    evidence: Evidence
    conflicts: Sequence[Conflict]


# Weights that are fitted on judgements


def fitted(figures: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the weights of a logistic regression, float64 [F + 1], the intercept last.

    ``figures`` float64 [n, F], ``right`` bool [n].
    """
    mean, deviation = figures.mean(axis=0), figures.std(axis=0) + 1e-12
    standard = np.column_stack([(figures - mean) / deviation, np.ones(len(figures))])
    sign = np.where(right, 1.0, -1.0)
    # The intercept is free.
    penalty = np.append(np.full(figures.shape[1], PENALTY), 0.0)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margins = sign * (standard @ weights)
        gradient = penalty * weights - standard.T @ (sign * expit(-margins))
        return float(penalty @ weights**2 / 2 - log_expit(margins).sum()), gradient

    start = np.zeros(len(penalty))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    weights = found[:-1] / deviation
    return np.append(weights, found[-1] - weights @ mean)


def in_folds(
    figures: Sequence[np.ndarray], right: Sequence[np.ndarray], folds: Sequence[int]
) -> list[np.ndarray]:
    """Return the probabilities of each pair's cases, fitted on the pairs of other folds."""
    weights = {}
    for fold in {*folds}:
        others = [number for number, own in enumerate(folds) if own != fold]
        theirs = [np.concatenate([some[number] for number in others]) for some in (figures, right)]
        weights[fold] = fitted(*theirs)
    rows = zip(figures, folds, strict=True)
    return [expit(own @ weights[fold][:-1] + weights[fold][-1]) for own, fold in rows]


def show_weights(
    module: str, names: Sequence[str], figures: Sequence[np.ndarray], right: Sequence[np.ndarray]
) -> None:
    """Print the weights that are fitted on all pairs, as ``semihmm/support`` has them."""
    *weights, intercept = fitted(np.concatenate(figures), np.concatenate(right))
    print(f"semihmm/support/{module}.py: intercept {intercept:.3f}")
    for name, weight in zip(names, weights, strict=True):
        print(f'    "{name}": {weight:.3f},')


# Scores


def area(right: np.ndarray, scores: np.ndarray) -> float:
    """Return the area under the ROC curve."""
    count = right.sum() * (~right).sum()
    return float(mannwhitneyu(scores[right], scores[~right]).statistic / count)


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
        # A cut stands only between different scores.
        f[:-1][ranked[:-1] == ranked[1:]] = 0.0
        chosen[fold] = scores[fold] >= ranked[f.argmax()]
    return f_score(right, chosen)


def f_score(right: np.ndarray, chosen: np.ndarray) -> float:
    return float(2 * (right & chosen).sum() / (right.sum() + chosen.sum()))


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
    return any(map(str.isalnum, token)) and token.lower() not in FUNCTION_WORDS


def word_judgements(pair: dict[str, Any], scored: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Return which tokens people call supported, and the word that each token is a part of."""
    ends = np.cumsum([len(word) + 1 for word in pair["words"]])
    starts = [characters.start for characters in scored.abstract.characters or ()]
    words = np.searchsorted(ends, starts, side="right")
    return np.array(pair["hallucinated"])[words] == 0, words


# Other ways to see what an abstract has of its document


def run_share(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D], the share of each abstract sentence that stands in greedy runs there.

    The longest run that both have in common is taken first, then the next of what is left.
    """
    abstract, document = evidence.abstract, evidence.document
    share = np.zeros((len(abstract.spans), len(document.spans)))
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(document.forms.tolist())
    for sentence, (start, end) in enumerate(abstract.spans):
        left = abstract.forms[start:end].copy()
        while True:
            matcher.set_seq1(left.tolist())
            word, place, length = matcher.find_longest_match()
            if not length:
                break
            # No word of the document has this number.
            left[word : word + length] = -1
            share[sentence, document.sentence[place]] += length / (end - start)
    return share


def bags(stems: np.ndarray) -> list[Counter[Any]]:
    """Return the unigrams and the bigrams of some words."""
    words = stems.tolist()
    return [Counter(words), Counter(pairwise(words))]


def rouge(reference: list[Counter[Any]], chosen: list[Counter[Any]]) -> float:
    """Return ROUGE-1 + ROUGE-2, F1, of bags of n-grams."""
    both = zip(reference, chosen, strict=True)
    return sum(2 * (r & c).total() / max(1, r.total() + c.total()) for r, c in both)


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
    chosen = bags(np.zeros(0))
    taken = np.zeros(len(sentences), dtype=bool)
    best = 0.0
    while True:
        with_each = [[a + b for a, b in zip(chosen, one, strict=True)] for one in sentences]
        scores = np.array([rouge(reference, one) for one in with_each]) * ~taken
        if scores.max() <= best:
            return taken
        best = float(scores.max())
        taken[scores.argmax()] = True
        chosen = with_each[int(scores.argmax())]


def rouge_2_precision(evidence: Evidence) -> float:
    """Return the share of the abstract's bigrams that the document has."""
    abstract, document = (bags(side.stems)[1] for side in (evidence.abstract, evidence.document))
    return (abstract & document).total() / max(1, abstract.total())


# Tables: each has a row for each way


def of_sources(cases: Sequence[Scored], model: str, fit: bool) -> Iterator[list[str]]:
    """Give the table of the sources of sentences."""
    right = [source_judgements(case.row) for case in cases]
    figures = [sources.source_features(case.evidence) for case in cases]
    rows = [one.reshape(-1, one.shape[2]) for one in figures], [one.ravel() for one in right]
    topics = sorted({case.row["topic"] for case in cases})
    folds = [topics.index(case.row["topic"]) % 2 for case in cases]
    if fit:
        show_weights("sources", [*sources.FEATURES], *rows)
    ours = zip(in_folds(*rows, folds), right, strict=True)
    columns = {
        name: [one[:, :, number] for one in figures] for number, name in enumerate(sources.FEATURES)
    }
    ways = {
        f"support, {model} model": [one.reshape(own.shape) for one, own in ours],
        f"linked words, {model} model": columns["share"],
    }
    if model == "general":
        ways["tf-idf cosine"] = columns["root cosine"]
        ways["greedy runs"] = [run_share(case.evidence) for case in cases]
        ways["ROUGE-1 + ROUGE-2"] = [rouge_of_sentences(case.evidence) for case in cases]
    yield ["sources: SPARK", "AP", "F1", "first", "used: AP", "used: F1"]
    for name, shares in ways.items():
        yield [name, *(f"{figure:.3f}" for figure in source_scores(right, shares, folds))]
    if model == "general":
        used = np.concatenate([one.any(axis=0) for one in right])
        taken = np.concatenate([oracle(case.evidence) for case in cases])
        yield ["greedy ROUGE oracle", "", "", "", "", f"{f_score(used, taken):.3f}"]


def source_scores(
    right: Sequence[np.ndarray], shares: Sequence[np.ndarray], folds: Sequence[int]
) -> list[float]:
    """Return how well shares tell pairs of sentences, first sources, and sentences used at all."""
    of_pairs: list[float] = []
    of_used: list[float] = []
    for scores, cases in ((of_pairs, np.ravel), (of_used, lambda one: one.max(axis=0))):
        own, values = (np.concatenate([*map(cases, some)]) for some in (right, shares))
        of_cases = np.repeat(folds, [cases(one).size for one in right])
        scores += [average_precision(own, values), best_f(own, values, of_cases)]
    sentences = zip(chain.from_iterable(right), chain.from_iterable(shares), strict=True)
    found = [own[values.argmax()] for own, values in sentences if own.any()]
    return [*of_pairs, float(np.mean(found)), *of_used]


def of_words(cases: Sequence[Scored], model: str, fit: bool) -> Iterator[list[str]]:
    """Give the table of the words that people call supported."""
    judged = [word_judgements(case.row, case.pair) for case in cases]
    figures = [words.word_features(case.evidence) for case in cases]
    tokens = [right for right, _ in judged]
    # Systems summarized the same documents.
    folds = [zlib.crc32(" ".join(case.pair.document.tokens).encode()) % 5 for case in cases]
    if fit:
        show_weights("words", [*words.FEATURES], figures, tokens)
    ours = in_folds(figures, tokens, folds)
    for one, case in zip(ours, cases, strict=True):
        for conflict in case.conflicts:
            span = slice(*conflict.abstract)
            one[span] = np.minimum(one[span], support.BOUND)
    ways = {
        f"support, {model} model": ours,
        f"posterior of the link, {model} model": [case.evidence.linked for case in cases],
    }
    if model == "general":
        ways["length of the copied run"] = [case.evidence.runs for case in cases]
    right = np.concatenate([np.array(case.row["hallucinated"]) == 0 for case in cases])
    # Judged were words between blanks: each counts as its worst token.
    before = accumulate((len(case.row["words"]) for case in cases[:-1]), initial=0)
    places = np.concatenate([own + n for (_, own), n in zip(judged, before, strict=True)])
    yield ["words: XSum", "AUC"]
    for name, values in ways.items():
        least = np.ones(len(right))
        np.minimum.at(least, places, np.concatenate(values))
        yield [name, f"{area(right, least):.3f}"]


def of_abstracts(cases: Sequence[Scored], model: str, fit: bool) -> Iterator[list[str]]:
    """Give the table of the summaries without an error."""
    right = np.array([case.row["types"] in {"correct", ""} for case in cases])
    origins = np.array([case.row["origin"] for case in cases])
    rows = [abstract_figures(case.evidence) for case in cases], [*right[:, None]]
    if fit:
        show_weights("support", ["mean", "novel"], *rows)
    ours = np.concatenate(in_folds(*rows, [n % 10 for n in range(len(cases))]))
    bound = [support.BOUND if case.conflicts else 1.0 for case in cases]
    ways = {f"support, {model} model": np.minimum(ours, bound)}
    if model == "general":
        ways["without conflicts"] = ours
        ways["ROUGE-2 precision"] = np.array([rouge_2_precision(case.evidence) for case in cases])
        # The mean length of the copied run of a word (Grusky, Naaman and Artzi 2018).
        ways["density"] = np.array([case.evidence.runs.mean() for case in cases])
    yield ["summaries: CLIFF", "AUC CNN/DM", "AUC XSum"]
    for name, values in ways.items():
        areas = [area(right[origins == one], values[origins == one]) for one in ("cnndm", "xsum")]
        yield [name, *(f"{one:.3f}" for one in areas)]


def abstract_figures(evidence: Evidence) -> np.ndarray:
    """Return float64 [1, 2], the figures of a whole abstract."""
    novel = evidence.abstract.content & (evidence.runs < support.SHORTEST_RUN)
    return support.text_features(words.word_support(evidence), novel)[None]


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
    lines = path.read_text(encoding="utf-8").splitlines()
    cases = []
    for line, one in zip(lines, aligner.aligned(pairs), strict=True):
        conflicts = [own for sentence in one.support().sentences for own in sentence.conflicts]
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
