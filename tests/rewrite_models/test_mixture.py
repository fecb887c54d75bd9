import itertools
import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from rewrite_models.emissions import Mixture, Rewritten, merge
from rewrite_models.rewrite_model import Background, Features, RewriteModel
from tests.tiny_corpora import all_spans, batches, random_pairs, vocabulary_of


@dataclass(frozen=True)
class Given(RewriteModel):
    """A component with given probabilities."""

    name: str  # type: ignore[misc]  # each of these components has a name of its own
    table: dict[tuple[int, int, int, int], float]
    counts: dict = field(default_factory=dict)

    @classmethod
    def initial(cls, corpus, vocabulary, settings):
        raise NotImplementedError

    from_arrays = initial

    def features(self, batch):
        rows = np.array(list(self.table), dtype=np.int32).reshape(-1, 4)
        return Features(rows, {"probability": np.array(list(self.table.values()))})

    def probabilities(self, features):
        return features.data["probability"]

    def expected_statistics(self, features, posteriors):
        return {"spans": posteriors}

    def m_step(self, counts):
        return Given(self.name, self.table, counts)

    def log_prior(self):
        return -float(len(self.table))

    def to_arrays(self):
        return {}


@dataclass(frozen=True)
class GivenWithBackground(Given):
    """A component that also has a background emission for every pair of words."""

    has_background = True

    def background(self, batch, features):
        words = len(batch.abstract)
        classes = np.zeros(words, dtype=np.int32)
        return Background(np.full(words, 0.5), classes, np.full((1, len(batch.document)), 0.2))

    def expected_background_statistics(self, batch, features, posteriors):
        return {"background": posteriors.sum()}


def mixture_of(*components, weights):
    return Mixture(components, np.array(weights))


def random_mixture(generator, batch, has_background=False):
    """Return a mixture of up to four components, with candidates in any order or with none."""
    candidates = all_spans(batch)
    tables = [
        {
            span: generator.random()
            for span in generator.sample(
                candidates, generator.choice([0, 1, len(candidates) // 2, len(candidates)])
            )
        }
        for _ in range(generator.randint(1, 4))
    ]
    kinds = itertools.chain(
        [GivenWithBackground] if has_background else [], itertools.repeat(Given)
    )
    components = tuple(
        kind(str(number), table)
        for number, (kind, table) in enumerate(zip(kinds, tables, strict=False))
    )
    weights = np.array([generator.random() for _ in components])
    return mixture_of(*components, weights=weights / weights.sum())


def one_batch(generator):
    pairs = random_pairs(generator, 2, longest=4)
    return batches(pairs, vocabulary_of(pairs))[0]


def total_probabilities(mixture, candidates):
    """Return {candidate: equation 2}."""
    total = np.zeros(len(candidates.spans))
    for indices, probability in zip(
        candidates.indices, mixture.probabilities(candidates), strict=True
    ):
        np.add.at(total, indices, probability)
    return dict(zip(map(tuple, candidates.spans.tolist()), total, strict=True))


def equation_2(mixture):
    total = {}
    for component, weight in zip(mixture.components, mixture.weights, strict=True):
        for span, probability in component.table.items():
            total[span] = total.get(span, 0.0) + weight * probability
    return total


@pytest.mark.parametrize("seed", range(6))
def test_candidates_are_merged_and_probabilities_add_up(seed):
    generator = random.Random(seed)
    batch = one_batch(generator)
    mixture = random_mixture(generator, batch)
    candidates = merge(mixture.features(batch))
    assert candidates.spans.dtype == np.int32 and candidates.spans.shape[1] == 4
    assert total_probabilities(mixture, candidates) == pytest.approx(equation_2(mixture))
    for component, indices in zip(mixture.components, candidates.indices, strict=True):
        assert list(map(tuple, candidates.spans[indices].tolist())) == list(component.table)


def posteriors_by_component(mixture, gamma):
    """Return {component: {candidate: posterior}}, shared by the terms of the components."""
    parts = zip(mixture.components, mixture.weights, strict=True)
    return {
        c.name: {span: gamma[span] * weight * probability for span, probability in c.table.items()}
        for c, weight in parts
    }


@pytest.mark.parametrize("has_background", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_components_share_a_candidates_posterior(seed, has_background):
    generator = random.Random(seed)
    batch = one_batch(generator)
    mixture = random_mixture(generator, batch, has_background)
    candidates = merge(mixture.features(batch))
    gamma = {tuple(span): generator.random() for span in candidates.spans.tolist()}
    background = np.full((1, len(batch.document)), 0.25 * has_background)
    values = np.array(list(gamma.values()))
    own = zip(mixture.probabilities(candidates), candidates.indices, strict=True)
    posteriors = [probabilities * values[rows] for probabilities, rows in own]
    counts = mixture.expected_statistics(candidates, Rewritten(batch, posteriors, background))
    expected = posteriors_by_component(mixture, gamma)
    used = {name: sum(table.values()) for name, table in expected.items()}
    used["0"] += background.sum()
    assert dict(zip(used, counts["used"], strict=True)) == pytest.approx(used)
    for component in mixture.components:
        statistics = dict(zip(component.table, counts[f"{component.name}.spans"], strict=True))
        assert statistics == pytest.approx(expected[component.name])
    assert ("0.background" in counts) == has_background


def test_the_m_step_takes_the_weights_from_use_and_gives_each_component_its_own_counts():
    mixture = mixture_of(Given("one", {}), Given("only", {}), weights=[0.5, 0.5])
    counts = {
        "used": np.array([1.0, 3.0]),
        "one.spans": np.array([7.0]),
        "only.spans": np.array([8.0]),
    }
    better = mixture.m_step(counts)
    assert better.weights.tolist() == [0.25, 0.75]
    assert [component.counts for component in better.components] == [
        {"spans": [7.0]},
        {"spans": [8.0]},
    ]
    assert mixture.weights.tolist() == [0.5, 0.5], "models are values"
