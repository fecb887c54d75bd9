"""The form of jumps whose probability depends on a bucket of the distance alone.

See ``form_kernels`` for what a form is and ``bucket_kernels`` for the buckets.

Letters: n document words, B buckets, K sources, k a source, b a bucket.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms import form_kernels
from jump_models.forms.bucket_kernels import (
    bucket_of,
    land_best_by_bucket,
    land_by_bucket,
    leave_by_bucket,
    new_pyramid,
)
from jump_models.forms.form_kernels import implements


class Windows(NamedTuple):
    """The form: p(j | k, e) = weights[k, bucket(j - e)] / the sum over the document's targets.

    ``weights``       float64 [K, B], jumps to a position.
    ``end_weights``   float64 [K, B], the jump to the document's end, by the bucket of n - e.
    ``renormalized``  whether there is that sum; without it, p is the weight itself.
    """

    weights: np.ndarray
    end_weights: np.ndarray
    renormalized: bool = True


class WindowCounts(NamedTuple):
    """Expected counts of jumps, float64 [K, B] each.

    ``buckets``   of jumps to positions; ``ends``, of jumps to the document's end.
    ``exposure``  for each bucket the sum over departures of (possible targets in the bucket) /
                  normaliser, which the M-step of a renormalised jump model divides by;
                  ``end_exposure``, the same for the end.
    """

    buckets: np.ndarray
    ends: np.ndarray
    exposure: np.ndarray
    end_exposure: np.ndarray


class WindowWork(NamedTuple):
    """The workspace, with the ``pyramid`` of ``bucket_kernels``; float64.

    ``normaliser`` [K, n + 1], the sum of the weights of all targets; ``scaled`` [K, n + 1], the
    sources divided by it.
    ``jumps`` and ``ends`` [K, B], expected counts divided by the weights; ``leaving`` [K, n + 1],
    divided by the normaliser.
    """

    pyramid: np.ndarray
    normaliser: np.ndarray
    scaled: np.ndarray
    jumps: np.ndarray
    ends: np.ndarray
    leaving: np.ndarray


@compiled
def normalisers(form, n):
    """Return what the weights of the jumps that leave each boundary are divided by.

    float64 [K, n + 1]: their sum, or 1 where they are not renormalized.
    """
    if not form.renormalized:
        return np.ones((len(form.weights), n + 1))
    out = np.zeros((len(form.weights), n + 1))
    unused = np.zeros(form.weights.shape)
    leave_by_bucket(form.weights, np.ones(n), np.zeros(out.shape), new_pyramid(n), out, unused)
    for k in range(len(out)):
        for e in range(n + 1):
            out[k, e] += form.end_weights[k, bucket_of(n - e)]
    return out


@compiled
def _over_normaliser(sources, weight, work):
    """Set ``work.scaled`` to weight * sources / normaliser, and to 0 where nothing can leave."""
    for k in range(len(sources)):
        for e in range(sources.shape[1]):
            normaliser = work.normaliser[k, e]
            work.scaled[k, e] = weight * sources[k, e] / normaliser if normaliser > 0.0 else 0.0


@implements(form_kernels.source_count, Windows)
def _window_source_count(form):
    return len(form.weights)


@implements(form_kernels.of_pair, Windows)
def _window_of_pair(form, pair):
    return form


@implements(form_kernels.new_workspace, Windows)
def _window_new_workspace(form, n):
    shape, shape_of_tables = (len(form.weights), n + 1), form.weights.shape
    return WindowWork(
        new_pyramid(n), normalisers(form, n), np.zeros(shape),
        np.zeros(shape_of_tables), np.zeros(shape_of_tables), np.zeros(shape),
    )  # fmt: skip


@implements(form_kernels.land, Windows)
def _window_land(form, work, sources, out):
    _over_normaliser(sources, 1.0, work)
    for k in range(len(sources)):
        land_by_bucket(form.weights[k], work.scaled[k], work.pyramid, out)


@implements(form_kernels.new_best_workspace, Windows)
def _window_new_best_workspace(form, work, n):
    return work


@implements(form_kernels.land_best, Windows)
def _window_land_best(form, best_work, sources, out):
    _over_normaliser(sources, 1.0, best_work)
    for k in range(len(sources)):
        land_best_by_bucket(form.weights[k], best_work.scaled[k], best_work.pyramid, out)


@implements(form_kernels.leave, Windows)
def _window_leave(form, work, targets, sources, weight, out):
    n = len(targets) - 1
    _over_normaliser(sources, weight, work)
    out[:] = 0.0
    leave_by_bucket(form.weights, targets[:n], work.scaled, work.pyramid, out, work.jumps)
    for k in range(len(out)):
        for e in range(n + 1):
            if targets[n] > 0.0:
                b = bucket_of(n - e)
                out[k, e] += form.end_weights[k, b] * targets[n]
                work.ends[k, b] += work.scaled[k, e] * targets[n]
            normaliser = work.normaliser[k, e]
            out[k, e] = out[k, e] / normaliser if normaliser > 0.0 else 0.0
            work.leaving[k, e] += work.scaled[k, e] * out[k, e]


@implements(form_kernels.reach, Windows)
def _window_reach(form, work, j, out):
    n = out.shape[1] - 1
    table = form.weights if j < n else form.end_weights
    for k in range(len(out)):
        for e in range(n + 1):
            normaliser = work.normaliser[k, e]
            out[k, e] = table[k, bucket_of(j - e)] / normaliser if normaliser > 0.0 else 0.0


@implements(form_kernels.new_counts, Windows)
def _window_new_counts(form):
    shape = form.weights.shape
    return WindowCounts(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))


@implements(form_kernels.count, Windows)
def _window_count(form, work, counts):
    n = work.leaving.shape[1] - 1
    counts.buckets[:] += work.jumps * form.weights
    counts.ends[:] += work.ends * form.end_weights
    unused = np.zeros(work.leaving.shape)
    leave_by_bucket(
        np.zeros(form.weights.shape),
        np.ones(n),
        work.leaving,
        work.pyramid,
        unused,
        counts.exposure,
    )
    for k in range(len(work.leaving)):
        for e in range(n + 1):
            counts.end_exposure[k, bucket_of(n - e)] += work.leaving[k, e]
