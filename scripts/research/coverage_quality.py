"""Hold coverage against hand alignments: which abstract words does it find to be linked?

usage: python scripts/research/coverage_quality.py --data DIR

Documents stand for summaries and abstracts for references. The truth is whether annotators linked
an abstract word, surely or possibly. Each row is a way to say how likely a word is covered:

    same stem        1 if its stem is anywhere in the document: what idf-recall counts
    soft             the posterior of being linked: what coverage counts
    hard             1 if the decoder links it

Columns: AUC, the probability that a linked word is above one that is not; Brier, the mean
squared error; r, Pearson's correlation over pairs of the covered share and the linked share, words
weighted by their idf. Each has its 95 % bootstrap interval over pairs, and the difference of the
AUC to "same stem" on the same resamples. Models are trained on the texts of the scored file, never
on its links. DIR holds rte2/dev.jsonl and edinburgh/train.jsonl.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corpus_tools.base.resampling import draw_resamples, interval
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.forms import normal_form, stem
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import Table
from semihmm.aligner import Aligner
from semihmm.applications.measure.coverage import WHOLE_SUMMARY, linked_words
from semihmm.applications.measure.ngrams import Idf
from semihmm.applications.measure.words import split_words

GOLD = {"rte2": "rte2/dev.jsonl", "edinburgh": "edinburgh/train.jsonl"}
BASELINE = "same stem"
RESAMPLES = 1000
SEED = 0


class Judged(NamedTuple):
    """The pair that is aligned, in ROUGE's words, and which of its abstract words are linked.

    ``linked``  bool [abstract words], whether the annotators linked the token of the word.
    """

    pair: Pair
    linked: np.ndarray


Values = list[np.ndarray]
"""Of each pair, how likely each word of its abstract is covered: float64 [abstract words]."""


def rouge_words(text: Text) -> tuple[Text, list[int]]:
    """Return a text in ROUGE's words, and the token that each comes from."""
    sentences: list[list[str]] = []
    tokens: list[int] = []
    position = 0
    for sentence in text.sentences():
        sentences.append([])
        for token in sentence:
            words = split_words(token, "program")
            sentences[-1] += words
            tokens += [position] * len(words)
            position += 1
    return Text.from_sentences(sentences), tokens


def in_rouge_words(gold: Pair) -> Judged:
    """Return a pair in ROUGE's words; a word is linked if its token is."""
    document, _ = rouge_words(gold.document)
    abstract, tokens = rouge_words(gold.abstract)
    linked = {a for _, a in gold.gold_links()}
    truth = np.array([token in linked for token in tokens], dtype=bool)
    return Judged(Pair(gold.id, document, abstract), truth)


def stems_of(text: Text) -> list[str]:
    """Return the stems of a text's tokens."""
    return [stem(normal_form(token)) for token in text.tokens]


def same_stem(pairs: Sequence[Pair]) -> Values:
    """Say 1 of words whose stem is in the document."""
    return [
        np.isin(stems_of(pair.abstract), stems_of(pair.document)).astype(float) for pair in pairs
    ]


def hard(aligner: Aligner, pairs: Sequence[Pair]) -> Values:
    """Say 1 of words that the decoder links."""
    values = []
    for pair, alignment in zip(pairs, aligner.align(pairs), strict=True):
        linked = np.ones(len(pair.abstract))
        linked[list(alignment.null)] = 0.0
        values.append(linked)
    return values


WAYS: dict[str, Callable[[Aligner, Sequence[Pair]], Values]] = {"soft": linked_words, "hard": hard}


class Figures(NamedTuple):
    """The figures of all words and of each resample: the first row is that of all pairs."""

    auc: np.ndarray
    brier: np.ndarray
    r: np.ndarray


def areas(values: np.ndarray, truth: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the area under the curve for each row of the words' weights, [resamples, words]."""
    distinct, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    begins = np.searchsorted(group[order], np.arange(len(distinct)))
    linked = np.add.reduceat((weights * truth)[:, order], begins, axis=1)
    others = np.add.reduceat((weights * ~truth)[:, order], begins, axis=1)
    below = np.cumsum(others, axis=1) - others / 2
    result: np.ndarray = (linked * below).sum(axis=1) / (linked.sum(axis=1) * others.sum(axis=1))
    return result


def correlations(one: np.ndarray, other: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return Pearson's r of two figures of pairs for each row of the pairs' weights."""
    total = drawn.sum(axis=1)

    def mean(values: np.ndarray) -> np.ndarray:
        result: np.ndarray = drawn @ values / total
        return result

    covariance = mean(one * other) - mean(one) * mean(other)
    variances = [mean(values**2) - mean(values) ** 2 for values in (one, other)]
    result: np.ndarray = covariance / np.sqrt(variances[0] * variances[1])
    return result


def figures(judged: Sequence[Judged], values: Values, drawn: np.ndarray) -> Figures:
    """Return the figures of a way, where ``drawn`` says how often each pair counts."""
    truth = np.concatenate([one.linked for one in judged])
    flat = np.concatenate(values)
    sizes = [len(one.linked) for one in judged]
    weights = np.repeat(drawn, sizes, axis=1)
    brier = weights @ (flat - truth) ** 2 / weights.sum(axis=1)
    shares = _weighted_shares(judged, values)
    return Figures(areas(flat, truth, weights), brier, correlations(*shares, drawn))


def _weighted_shares(judged: Sequence[Judged], values: Values) -> tuple[np.ndarray, np.ndarray]:
    """Return of each pair the covered and the linked share of its words, weighted by idf."""
    numbers: dict[str, int] = {}
    ids = [
        np.array([numbers.setdefault(form, len(numbers)) for form in stems_of(one.pair.abstract)])
        for one in judged
    ]
    idf = Idf(ids)
    weights = [idf.weights(own) for own in ids]
    covered = [w @ v / w.sum() for w, v in zip(weights, values, strict=True)]
    linked = [w @ one.linked / w.sum() for w, one in zip(weights, judged, strict=True)]
    return np.array(covered), np.array(linked)


def shown(values: np.ndarray) -> str:
    """Return the first of some figures with the interval of the others."""
    low, high = interval(values[1:])
    return f"{values[0]:.3f} [{low:.3f}, {high:.3f}]"


def rows(gold: Sequence[Pair]) -> Iterator[list[str]]:
    """Yield the rows of the table of a corpus."""
    every = np.ones((1, len(gold)))
    drawn = np.concatenate([every, draw_resamples(len(gold), RESAMPLES, SEED)])
    judged = [in_rouge_words(pair) for pair in gold]
    pairs = [one.pair for one in judged]
    baseline = figures(judged, same_stem(pairs), drawn)
    yield ["", BASELINE, *map(shown, baseline), ""]
    for jump in ("relative", "sentences"):
        aligner = Aligner(jump=jump, extract=WHOLE_SUMMARY).fit(pairs)
        for name, way in WAYS.items():
            own = figures(judged, way(aligner, pairs), drawn)
            yield [jump, name, *map(shown, own), shown(own.auc - baseline.auc)]


def main() -> None:
    """Print a table for each corpus."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    for corpus, file in GOLD.items():
        gold = read_pairs(options.data / file, "whitespace")
        head = ["jumps", "covered", "AUC", "Brier", "r", "AUC - same stem"]
        print(f"\n{corpus}, {len(gold)} pairs")
        print(Table([head, *rows(gold)], align="<").text(), flush=True)


if __name__ == "__main__":
    main()
