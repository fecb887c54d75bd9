"""The M-steps of the models of distances, whose results can be written down directly."""

from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.model_parts.model_part import Corpus
from jump_models.distances import DistanceSettings, Gaussian, Relative, moments
from semihmm.inference.bucket_kernels import bucket_of
from tests.jump_models.random_models import batch_of
from tests.naive.buckets import BUCKETS, LOWEST, SPANS, WIDTHS


def initial(own_end, after_null=False, renormalized=True):
    """Make the model before training."""
    return Relative.initial(Corpus([], 0), DistanceSettings(after_null, own_end, renormalized))


DOCUMENTS = [batch_of([], [5]), batch_of([], [20, 3])]


@pytest.mark.parametrize("own_end", [False, True])
def test_before_training_all_distances_in_the_longest_document_are_equally_likely(own_end):
    """With ``own_end`` half of the jumps go to the end. The Gaussian is as flat."""
    inside = np.array([len(range(max(low, -20), min(high, 20) + 1)) for low, high in SPANS])
    expected = inside / WIDTHS / 41 / (1 + own_end)
    settings = DistanceSettings(False, own_end, renormalized=False)
    for kind in (Relative, Gaussian):
        jumps = kind.initial(Corpus(DOCUMENTS, 0), settings).probabilities(None)
        np.testing.assert_allclose(jumps.tables, np.full((2, 1, BUCKETS), expected), atol=1e-90)
        assert not jumps.renormalized


def test_before_training_all_targets_are_equally_likely_with_the_scale_of_the_prior():
    settings = DistanceSettings()
    model = Relative.initial(Corpus(DOCUMENTS, 0), settings)
    assert np.ptp(np.stack([model.weights, model.end_weights])) == 0.0
    for factor in (0.99, 1.01):
        moved = model.weights * factor
        assert replace(model, weights=moved, end_weights=moved).log_prior() < model.log_prior()
    gaussian = Gaussian.initial(Corpus(DOCUMENTS, 0), settings)
    weights = gaussian.probabilities(None).tables[0][:, abs(LOWEST) <= 8]
    np.testing.assert_allclose(weights, model.weights[0, 0])
    np.testing.assert_array_equal(gaussian.end_weights, model.end_weights)


@pytest.mark.parametrize("renormalized", [False, True])
def test_one_table_for_all_jumps_has_the_prior_of_one_table(renormalized):
    table = np.random.default_rng(1).random((1, BUCKETS))
    once, twice = (Relative(table, table, own_end, renormalized) for own_end in (False, True))
    assert twice.log_prior() == 2 * once.log_prior() != 0


@pytest.mark.parametrize("own_end", [False, True])
@pytest.mark.parametrize("renormalized", [False, True])
def test_weights_are_relative_frequencies_or_jumps_by_exposure(own_end, renormalized):
    """Section 4.1.1. Distances of a bucket share its frequency; without jumps they are possible."""
    jumps, exposure = np.random.default_rng(7).random((2, 2, 1, BUCKETS))
    jumps[:, :, bucket_of(7)] = 0.0
    model = initial(own_end, renormalized=renormalized)
    model = model.m_step({"jumps": jumps, "exposure": exposure})
    if not own_end:  # one table serves positions and the end
        jumps, exposure = (np.tile(own.sum(axis=0), (2, 1, 1)) for own in (jumps, exposure))
    expected = (jumps + 0.1) / (exposure + 0.1 * WIDTHS)
    if not renormalized:
        expected = jumps / jumps.sum() / WIDTHS * (1 if own_end else 2)
        assert model.log_prior() == pytest.approx(0.0, abs=1e-90), "the paper has no prior here"
    tables = np.stack([model.weights, model.end_weights])
    np.testing.assert_allclose(tables, expected, atol=1e-15)
    assert (tables > 0.0).all()


def test_moments_count_a_far_jump_as_the_middle_of_its_bucket():
    far, middle = 100, (97 + 128) / 2
    jumps = np.zeros(BUCKETS)
    jumps[[bucket_of(0), bucket_of(far)]] = 1.0
    mean, deviation = moments(jumps)
    assert mean == pytest.approx(middle / 2)
    assert deviation == pytest.approx(middle / 2)
    jumps[bucket_of(far)] = 0.0
    assert moments(jumps) == (0.0, 0.3), "no deviation is less"


@pytest.mark.parametrize("own_end", [False, True])
def test_a_gaussian_expects_as_many_jumps_as_there_were(own_end):
    """It keeps what it has of a source that never jumps. Mean and deviation have no prior."""
    rng = np.random.default_rng(9)
    counts = {name: rng.random((2, 2, BUCKETS)) for name in ("jumps", "exposure")}
    counts["jumps"][:, 1] = 0.0
    before = replace(Gaussian.initial(Corpus([], 0), DistanceSettings(True, own_end)), reach=40)
    after = before.m_step(counts)
    # Without parameters of its own the end is a target like others.
    jumps, exposure = (own[0, 0] if own_end else own[:, 0].sum(axis=0) for own in counts.values())
    weights = after.probabilities(None).tables[0]
    np.testing.assert_allclose(weights[0] @ exposure, jumps.sum())
    np.testing.assert_array_equal(weights[1], before.probabilities(None).tables[0, 1])
    assert after.deviation[0] < before.deviation[0]
    assert own_end or (before.log_prior(), after.log_prior()) == (0.0, 0.0)
