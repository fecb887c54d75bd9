"""Jumps by bucket of their distance: sums and maxima over all of them in linear time.

A jump leaves a boundary e (0..n, where the last phrase ended) for a position j (0..n-1, where the
next one starts). Its distance is j - e: 0 goes to the very next word (the paper counts that jump as
+1). Each short distance has a bucket of its own. Far distances share two buckets an octave in each
direction, whose widths are powers of two. The sum over such a bucket is then one entry of a pyramid
of window sums, made by doubling: ``pyramid[l, i] = sum(values[i : i + 2**l])``. All terms are
positive, so nothing cancels, unlike in prefix sums. With the maximum in place of the sum the same
pyramid serves Viterbi.

    p(j | e) = w_b / Z_e,  Z_e = sum over the positions j of w_b, plus the weight of the end

Letters: n document words, B buckets, K sources, L levels of the pyramid, e boundaries, j positions.
"""

import numpy as np

from corpus_tools.base.compiled_kernels import compiled, inner
from jump_models.kernel_arrays import (
    BUCKET_LEVELS,
    DISTANCE_OCTAVES,
    EXACT_DISTANCES,
    HIGHEST_DISTANCES,
    LOWEST_DISTANCES,
)
from semihmm.inference.lattice_kernels import SUM_PRODUCT, plus


@compiled
def bucket_of(distance):
    """Return the bucket of a distance."""
    if -EXACT_DISTANCES <= distance <= EXACT_DISTANCES:
        return distance + EXACT_DISTANCES
    # With size = |distance| - 1, octave o has the sizes from EXACT_DISTANCES 2**o to
    # EXACT_DISTANCES 2**(o + 1) - 1, in two halves; each has a bucket forward and one backward.
    size = abs(distance) - 1
    octave = 0
    while size >= EXACT_DISTANCES << (octave + 1):
        octave += 1
    half = 2 * octave + (
        1 if size >= (EXACT_DISTANCES << octave) + (EXACT_DISTANCES << octave) // 2 else 0
    )
    return 2 * EXACT_DISTANCES + 1 + 2 * half + (1 if distance < 0 else 0)


@inner
def buckets_in_reach(n):
    """Return how many of the buckets, from the first on, a document of n words can use."""
    # An octave has four buckets: two halves, each forward and backward.
    octaves = 0
    while octaves < DISTANCE_OCTAVES and EXACT_DISTANCES << octaves < n:
        octaves += 1
    return 2 * EXACT_DISTANCES + 1 + 4 * octaves


@inner(makes_arrays=True)
def new_pyramid(n):
    """Return an empty pyramid for up to n + 1 values.

    It has room for windows that hang over either side.
    """
    # The widest window of a document of n words decides about the number of levels.
    levels = BUCKET_LEVELS[buckets_in_reach(n) - 1] + 1
    return np.zeros((levels, n + 1 + 2 * (1 << (levels - 1))))


@inner
def _fill(pyramid, values):
    """Write the values to row 0, between zeros. Return the number of zeros on their left."""
    pad, row = 1 << (pyramid.shape[0] - 1), pyramid[0]
    after = pad + len(values)
    # One by one: numba takes seconds to compile an assignment to a slice.
    for i in range(pad):
        row[i] = 0.0
    for i in range(pad, after):
        row[i] = values[i - pad]
    for i in range(after, len(row)):
        row[i] = 0.0
    return pad


@inner
def fill_pyramid(semiring, pyramid, values):
    """Fill ``pyramid[l, pad + i] = sum of values[i : i + 2**l]``. Return pad.

    The sum is that of the semiring. The values must not be negative: the padding is 0.
    """
    pad = _fill(pyramid, values)
    for level in range(1, pyramid.shape[0]):
        # A window is made of two of half its size.
        half = 1 << (level - 1)
        below, row = pyramid[level - 1], pyramid[level]
        for i in range(len(row) - half):
            row[i] = plus(semiring, below[i], below[i + half])
    return pad


@inner
def _span(shift, level, size, count):
    """Return the range of i in 0..count-1 whose window meets 0..size-1.

    The window of i is i + shift .. i + shift + 2**level - 1.
    """
    return max(0, 1 - shift - (1 << level)), min(count, size - shift)


@inner
def forward_by_bucket(semiring, weights, sources, pyramid, out):
    """Make the forward step: ``out[j] += sum over e of weights[bucket(j - e)] * sources[e]``.

    The sums are those of the semiring: in Viterbi ``out[j]`` is raised to the largest of the terms.
    ``weights`` float64 [B], ``sources`` float64 [n + 1], ``out`` float64 [n].
    """
    pad = fill_pyramid(semiring, pyramid, sources)
    n = len(out)
    for b in range(buckets_in_reach(n)):
        # Position j is reached by this bucket from a window of boundaries e = j - distance.
        low, high = _span(-HIGHEST_DISTANCES[b], BUCKET_LEVELS[b], n + 1, n)
        if low < high:
            weight, step = weights[b], out[low:high]
            window = pyramid[
                BUCKET_LEVELS[b],
                low + pad - HIGHEST_DISTANCES[b] : high + pad - HIGHEST_DISTANCES[b],
            ]
            for j in range(high - low):
                step[j] = plus(semiring, step[j], weight * window[j])


@compiled(fastmath={"reassoc"})
def _dot(left, right):
    """Return the scalar product; ``reassoc`` lets the compiler use vector instructions."""
    total = 0.0
    for i in range(len(left)):
        total += left[i] * right[i]
    return total


@inner
def backward_by_bucket(weights, targets, sources, pyramid, out, counts):
    """Make the backward step, and add its share of the expected counts.

    ``out[k, e] += sum over j of weights[k, bucket(j - e)] * targets[j]`` and
    ``counts[k, b] += sum over e, j with j - e in bucket b of sources[k, e] * targets[j]``. The
    counts are still to be multiplied by the weights.
    ``weights`` and ``counts`` float64 [K, B], ``targets`` float64 [n], ``sources`` and ``out``
    float64 [K, n + 1].
    """
    pad = fill_pyramid(SUM_PRODUCT, pyramid, targets)
    n = len(targets)
    for b in range(buckets_in_reach(n)):
        # Boundary e reaches by this bucket a window of positions j = e + distance.
        low, high = _span(LOWEST_DISTANCES[b], BUCKET_LEVELS[b], n, n + 1)
        if low < high:
            window = pyramid[
                BUCKET_LEVELS[b], low + pad + LOWEST_DISTANCES[b] : high + pad + LOWEST_DISTANCES[b]
            ]
            for k in range(len(weights)):
                weight, step = weights[k, b], out[k, low:high]
                for e in range(high - low):
                    step[e] += weight * window[e]
                counts[k, b] += _dot(sources[k, low:high], window)


@inner
def set_all(out, value):
    """Set all of float64 [K, n + 1] to a value."""
    for k in range(len(out)):
        for e in range(out.shape[1]):
            out[k, e] = value


@inner(makes_arrays=True)
def _ones(n):
    ones = np.empty(n)
    for j in range(n):
        ones[j] = 1.0
    return ones


@inner(makes_arrays=True)
def fill_normaliser(weights, end_weights, pyramid, out):
    """Set ``out`` [K, n + 1], which is 0, to Z_e: the sum of the weights of all targets from e."""
    n = out.shape[1] - 1
    # The sum of the weights is the backward step of targets that are all 1.
    none, uncounted = np.zeros(out.shape), np.zeros(weights.shape)
    backward_by_bucket(weights, _ones(n), none, pyramid, out, uncounted)
    for k in range(len(out)):
        for e in range(n + 1):
            out[k, e] += end_weights[k, bucket_of(n - e)]


@inner
def depart(sources, weight, normaliser, out):
    """Set ``out`` to weight * sources / normaliser, and to 0 where nothing can leave.

    The arrays are float64 [K, n + 1].
    """
    for k in range(len(out)):
        for e in range(out.shape[1]):
            # Z_e is 0 where no target has a weight.
            total = normaliser[k, e]
            out[k, e] = weight * sources[k, e] / total if total > 0.0 else 0.0


@inner
def backward_to_end(end_weights, target, sources, out, counts):
    """Do what ``backward_by_bucket`` does for the one jump to the document's end."""
    n = out.shape[1] - 1
    for k in range(len(out)):
        for e in range(n + 1):
            b = bucket_of(n - e)
            out[k, e] += end_weights[k, b] * target
            counts[k, b] += sources[k, e] * target


@inner(makes_arrays=True)
def add_exposure(leaving, pyramid, exposure, end_exposure):
    """Add the exposure of each bucket to float64 [K, B], for jumps to positions and to the end.

        x_b = sum over e of leaving(e) * (number of targets in bucket b, seen from e)

    ``leaving`` float64 [K, n + 1] is divided by Z_e already.
    """
    # The backward step of targets that are all 1 counts how many targets a bucket has.
    n, unused = leaving.shape[1] - 1, np.zeros(leaving.shape)
    none = np.zeros(exposure.shape)
    backward_by_bucket(none, _ones(n), leaving, pyramid, unused, exposure)
    backward_to_end(none, 1.0, leaving, unused, end_exposure)
