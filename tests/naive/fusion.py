"""Fusions straight from the definition: each is a pair of its own, with its own document."""

import math
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
    assert unit.ranks is not None
    (best,) = (number for number, rank in enumerate(unit.ranks) if rank == 0)
    return [
        _fusion(unit, sorted({best, other}), unit.ranks[other]) for other in range(len(unit.ranks))
    ]


def _fusion(unit: AlignmentUnit, numbers: list[int], rank: int) -> NaiveFusion:
    document = unit.pair.document
    text = Text.from_sentences([document.sentences()[number] for number in numbers])
    assert unit.roots is not None
    roots = [unit.roots[number] for number in numbers]
    pair = Pair(unit.pair.id, text, unit.pair.abstract)
    return NaiveFusion(
        replace(unit, pair=pair, roots=roots, ranks=None), positions(document, [numbers]), rank
    )


def cases_of(model: SemiHmm, unit: AlignmentUnit) -> tuple[list[NaiveCase], float]:
    """Return the fusions of a unit with their posteriors, and the log-likelihood of the unit."""
    assert model.fusion is not None
    simple = with_parts(model, fusion=None)
    fusions = fusions_of(unit)
    weights = [float(model.fusion.weights[min(one.rank, 4)]) for one in fusions]
    encoded = [simple.encode(batch_of([one.unit], model.vocabulary)) for one in fusions]
    logs = [
        math.log(weight / sum(weights)) + float(simple.posteriors(one).log_likelihoods[0])
        for weight, one in zip(weights, encoded, strict=True)
    ]
    total = float(np.logaddexp.reduce(logs))
    cases = [
        NaiveCase(fusion, one, math.exp(log - total))
        for fusion, one, log in zip(fusions, encoded, logs, strict=True)
    ]
    return cases, total


def expected_counts(model: SemiHmm, units: list[AlignmentUnit]) -> dict[str, np.ndarray]:
    """Return the expected counts of all parts but the fusion's own."""
    simple = with_parts(model, fusion=None)
    sums: dict[str, np.ndarray] = {}
    for unit in units:
        cases, total = cases_of(model, unit)
        for case in cases:
            for name, counts in simple.expected_counts(case.encoded).items():
                sums[name] = sums.get(name, 0.0) + case.posterior * counts
        sums["corpus.log_likelihood"] += total - sum(
            case.posterior * float(simple.posteriors(case.encoded).log_likelihoods[0])
            for case in cases
        )
    return sums
