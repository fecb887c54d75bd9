"""Fusions straight from the definition: each is a pair of its own, with its own document."""

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corpus_tools.pairs.extract_methods import positions
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.model.units import AlignmentUnit, batch_of
from tests.tiny_corpora import with_parts


class NaiveFusion(NamedTuple):
    """A fusion of a unit: the unit of its sentences alone, where its words are, and its rank."""

    unit: AlignmentUnit
    words: np.ndarray
    rank: int


class NaiveCase(NamedTuple):
    """One fusion under a model without fusions, with its posterior."""

    fusion: NaiveFusion
    encoded: Encoded
    posterior: float


def fusions_of(unit: AlignmentUnit) -> list[NaiveFusion]:
    """List the fusions of a unit: the best sentence alone, and with each other one."""
    assert unit.ranks is not None and unit.roots is not None
    document, best = unit.pair.document, [*unit.ranks].index(0)
    fusions = []
    for other, rank in enumerate(unit.ranks):
        numbers = sorted({best, other})
        text = Text.from_sentences([document.sentences()[number] for number in numbers])
        pair = Pair(unit.pair.id, text, unit.pair.abstract)
        roots = [unit.roots[number] for number in numbers]
        alone = replace(unit, pair=pair, roots=roots, ranks=None)
        fusions.append(NaiveFusion(alone, positions(document, [numbers]), rank))
    return fusions


def cases_of(model: SemiHmm, unit: AlignmentUnit) -> tuple[list[NaiveCase], float]:
    """Return the fusions of a unit with their posteriors, and the log-likelihood of the unit."""
    assert model.fusion is not None
    simple = with_parts(model, fusion=None)
    fusions = fusions_of(unit)
    weights = np.array([float(model.fusion.weights[min(one.rank, 4)]) for one in fusions])
    encoded = [simple.encode(batch_of([one.unit], model.vocabulary)) for one in fusions]
    logs = np.log(weights / weights.sum())
    logs += [float(simple.posteriors(one).log_likelihoods[0]) for one in encoded]
    total = float(np.logaddexp.reduce(logs))
    return [*map(NaiveCase, fusions, encoded, np.exp(logs - total).tolist())], total


def expected_counts(model, units):
    """Return the expected counts of all parts but the fusion's own."""
    simple = with_parts(model, fusion=None)
    sums = Counter()
    for unit in units:
        cases, total = cases_of(model, unit)
        sums["corpus.log_likelihood"] += total
        for case in cases:
            for name, counts in simple.expected_counts(case.encoded).items():
                if name != "corpus.log_likelihood":
                    sums[name] = sums[name] + case.posterior * counts
    return sums
