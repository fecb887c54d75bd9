"""The relative model's M-step on known jumps, whose likelihood can be written down directly."""

from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.model_parts.model_part import Corpus
from jump_models.distances import PSEUDO_COUNTS, DistanceSettings, Gaussian, Relative, moments
from jump_models.kernel_arrays import BUCKETS, HIGHEST, LOWEST, WIDTHS
from semihmm.inference.bucket_kernels import bucket_of

N = 40


def known_jumps(rng, sources, number=300):
    """Draw (source, e, j) of jumps in documents of N words, mostly short and forward.

    j = N is the end.
    """
    e = rng.integers(0, N + 1, number)
    j = np.clip(
        e
        + rng.geometric(0.3, number)
        - 1
        - (rng.random(number) < 0.2) * rng.integers(0, 20, number),
        0,
        N,
    )
    return list(zip(rng.integers(0, sources, number).tolist(), e.tolist(), j.tolist(), strict=True))


def table(model, k, e):
    """Return the weights of all targets 0..N from boundary e, and their buckets."""
    buckets = np.array([bucket_of(j - e) for j in range(N + 1)])
    return np.append(model.weights[k, buckets[:N]], model.end_weights[k, buckets[N]]), buckets


def counts_of(model, jumps):
    """Count as the kernels do: jumps by bucket, and 1 / normaliser for every possible target."""
    shape = (2, len(model.weights), BUCKETS)
    counts = {name: np.zeros(shape) for name in ("jumps", "exposure")}
    for k, e, j in jumps:
        weights, buckets = table(model, k, e)
        counts["jumps"][int(j == N), k, buckets[j]] += 1
        np.add.at(counts["exposure"][0, k], buckets[:N], 1 / weights.sum())
        counts["exposure"][1, k, buckets[N]] += 1 / weights.sum()
    return counts


def surrogate(model, counts):
    """Compute the lower bound that the M-step maximises, which touches the likelihood."""

    def part(weights, jumps, exposure):
        return float((jumps * np.log(weights) - exposure * weights).sum())

    tables = (model.weights, model.end_weights)
    both = map(part, tables, counts["jumps"], counts["exposure"])
    return sum(both) + model.log_prior()


def initial(own_end, after_null=False, renormalized=True):
    """Make the model before training."""
    return Relative.initial(Corpus([], 0), DistanceSettings(after_null, own_end, renormalized))


@pytest.mark.parametrize("own_end", [False, True])
def test_no_perturbed_m_step_is_better(own_end):
    rng = np.random.default_rng(6)
    before = initial(own_end)
    counts = counts_of(before, known_jumps(rng, 1))
    best = before.m_step(counts)
    for _ in range(50):
        factor = np.exp(0.1 * rng.standard_normal(best.weights.shape))
        ends = best.end_weights * (
            np.exp(0.1 * rng.standard_normal(factor.shape)) if own_end else factor
        )
        moved = replace(best, weights=best.weights * factor, end_weights=ends)
        assert surrogate(moved, counts) < surrogate(best, counts)


def test_one_table_serves_positions_and_end_unless_the_end_has_its_own():
    rng = np.random.default_rng(7)
    counts = {name: rng.random((2, 1, BUCKETS)) for name in ("jumps", "exposure")}
    shared = initial(False).m_step(counts)
    np.testing.assert_array_equal(shared.weights, shared.end_weights)
    jumps, exposure = (own.sum(axis=0) for own in counts.values())
    np.testing.assert_allclose(
        shared.weights, (jumps + PSEUDO_COUNTS) / (exposure + PSEUDO_COUNTS * WIDTHS)
    )
    own = initial(True).m_step(counts)
    both = (counts["jumps"] + PSEUDO_COUNTS) / (counts["exposure"] + PSEUDO_COUNTS * WIDTHS)
    np.testing.assert_allclose([own.weights, own.end_weights], both)


def test_without_renormalizing_weights_are_relative_frequencies():
    """Section 4.1.1. Distances of a bucket share its frequency."""
    before = initial(False, renormalized=False)
    jumps = known_jumps(np.random.default_rng(8), 1)
    model = before.m_step(counts_of(before, jumps))
    frequency = np.bincount([bucket_of(j - e) for _, e, j in jumps], minlength=BUCKETS) / len(jumps)
    np.testing.assert_allclose(model.weights, [frequency / WIDTHS], atol=1e-15)
    np.testing.assert_array_equal(model.weights, model.end_weights)
    assert (model.weights > 0.0).all(), "a distance that never occurred stays possible"
    apart = initial(True, renormalized=False).m_step(counts_of(before, jumps))
    total = (apart.weights + apart.end_weights) @ WIDTHS
    np.testing.assert_allclose(total, 1.0)


def test_a_gaussian_expects_as_many_jumps_as_there_were():
    rng = np.random.default_rng(9)
    counts = {name: rng.random((2, 1, BUCKETS)) for name in ("jumps", "exposure")}
    before = Gaussian.initial(Corpus([], 0), DistanceSettings(False, True))
    weights = replace(before, reach=N).m_step(counts).probabilities(None).tables[0, 0]
    np.testing.assert_allclose((weights * counts["exposure"][0]).sum(), counts["jumps"][0].sum())


def test_moments_count_a_far_jump_as_the_middle_of_its_bucket():
    far = 100
    middle = (LOWEST[bucket_of(far)] + HIGHEST[bucket_of(far)]) / 2
    assert LOWEST[bucket_of(far)] < middle < HIGHEST[bucket_of(far)]
    jumps = np.zeros(BUCKETS)
    jumps[[bucket_of(0), bucket_of(far)]] = 1.0
    mean, deviation = moments(jumps)
    assert mean == pytest.approx(middle / 2)
    assert deviation == pytest.approx(middle / 2)
