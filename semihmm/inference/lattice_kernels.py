"""The lattice of one pair: its states, what enters it, and what both directions share.

Daumé III and Marcu (2005), section 3.5 and Figure 5. A state is a boundary e (0..n), where the last
phrase ended, with the source of the word before: 0, a phrase or the start; 1, null. From a state

- with probability ``null_jump[source]`` the null state of the same boundary emits one word;
- else a jump goes to a position j; the phrase that starts there emits an abstract phrase, and its
  end is the next boundary;
- after the last word a jump goes to the end of the document.

The probability of a jump comes from ``semihmm.inference.jump_kernels``. ``forward_kernels`` and
``backward_kernels`` have the recursions.

Probabilities are kept as they are, not as logarithms. Each row has a logarithmic scale of its own;
an exact 0 means impossible. A phrase of k words joins rows whose scales may be hundreds of orders
of magnitude apart. So the largest term that enters a row is found first, and becomes the row's
scale.

Letters: m abstract words, n document words, C candidate phrase pairs (``Lattice.spans``), K sources
that the jump model distinguishes (1 or 2), G classes of abstract words with equal background
emissions (0 without a background emission); s and t boundaries of the abstract (a phrase starts
after s words and ends after t), j a position and e a boundary of the document.

Forward and Viterbi are one recursion over the same products of probabilities. In the sum-product
semiring the terms that enter a state are added up: that is forward. In the max-product semiring the
largest is taken: that is Viterbi. No term is negative, so 0 is the neutral element of both. Kernels
for both take ``semiring`` as their first argument. numba gives each constant a type of its own and
compiles such a kernel twice: the choice costs nothing at run time.
"""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from semihmm.inference.lattice_arrays import Lattice

PHRASE, NULL = 0, 1
"""The sources."""


class Forward(NamedTuple):
    """The alpha table.

    ``state``      float64 [m + 1, 2, n + 1]; times exp(``log_scale[t]``) it is p(the first t words,
                   source, at e).
    ``start``      float64 [m, n]; in the same scale, p(the first t words, jumped to j).
    ``log_scale``  float64 [m + 1].
    ``log_total``  the log-likelihood of the pair, -inf where the model cannot explain it.
    """

    state: np.ndarray
    start: np.ndarray
    log_scale: np.ndarray
    log_total: float


# The arithmetic: two semirings, and rows of numbers with a logarithmic scale

SUM_PRODUCT, MAX_PRODUCT = 0, 1
"""The semirings."""


@inner
def plus(semiring, a, b):
    """Add two terms in a semiring: a + b, or the larger of both."""
    # The semiring is known when this is compiled: no comparison is left in the loops.
    return max(a, b) if semiring == MAX_PRODUCT else a + b


# Four sums or maxima at a time: the processor need not wait for one addition before the next. The
# order is fixed, unlike with ``fastmath``, so that every processor gives the same digits.


@inner
def total_of(semiring, rows):
    """Add up all numbers of float64 [2 or K, n + 1]: their sum, or the largest of them."""
    total, rest = 0.0, rows.shape[1] % 4
    whole = rows.shape[1] - rest
    for k in range(len(rows)):
        row = rows[k]
        a, b = 0.0, 0.0
        c, d = 0.0, 0.0
        for i in range(0, whole, 4):
            a = plus(semiring, a, row[i])
            b = plus(semiring, b, row[i + 1])
            c = plus(semiring, c, row[i + 2])
            d = plus(semiring, d, row[i + 3])
        for i in range(whole, len(row)):
            a = plus(semiring, a, row[i])
        # The four partial results, then the rows.
        in_row = plus(semiring, plus(semiring, a, b), plus(semiring, c, d))
        total = plus(semiring, total, in_row)
    return total


@inner
def dot(left, right):
    """Return the scalar product of float64 [n]."""
    # sum over i of left[i] right[i], as four partial sums
    rest = len(left) % 4
    whole = len(left) - rest
    a, b = 0.0, 0.0
    c, d = 0.0, 0.0
    for i in range(0, whole, 4):
        a += left[i] * right[i]
        b += left[i + 1] * right[i + 1]
        c += left[i + 2] * right[i + 2]
        d += left[i + 3] * right[i + 3]
    for i in range(whole, len(left)):
        a += left[i] * right[i]
    return (a + b) + (c + d)


@inner
def log_of(probability):
    """Return the logarithm, -inf for 0."""
    return np.log(probability) if probability > 0.0 else -np.inf


@inner
def ratio(log_scale, log_reference):
    """Return exp(log_scale - log_reference), and 0 for a row in which nothing is possible.

    The difference is cut at 700 because exp overflows beyond 709. The result is a factor of terms
    that are then at most about 1: such a difference is next to values below exp(-700), near the
    smallest that a double can hold, and the cut keeps their product finite.
    """
    return 0.0 if log_scale == -np.inf else np.exp(min(log_scale - log_reference, 700.0))


@inner
def rescale(row, scale, total):
    """Divide the row by its sum or peak ``total``. Return its new scale, -inf if that is 0."""
    if total <= 0.0:
        return -np.inf
    # A division for each: a product with the inverse would have other digits.
    for source in range(2):
        for e in range(row.shape[1]):
            row[source, e] /= total
    return scale + np.log(total)


# What leaves a boundary, and the candidates that meet there


@inner
def departures(semiring, state, null_jump, out):
    """Fill ``out[k, e]``: the mass that leaves e by a jump; where K is 1, from both sources."""
    for source in range(2):
        # A jump model that does not tell the sources apart gets the mass of both in one row.
        k = min(source, len(out) - 1)
        # The rest of the probability, 1 - p(null | source), jumps to a position or to the end.
        leave = 1.0 - null_jump[source]
        for e in range(out.shape[1]):
            # Row k is empty at first; the second source adds to it where both share it.
            before, mass = out[k, e] if k < source else 0.0, leave * state[source, e]
            out[k, e] = plus(semiring, before, mass)


@inner
def group_end(spans, c):
    """Return the end of the group of candidates that have the abstract phrase of candidate c."""
    # Candidates are sorted by a_end, then from the last a_start to the first: a group is together.
    end = c + 1
    while end < len(spans) and spans[end, 1] == spans[c, 1] and spans[end, 0] == spans[c, 0]:
        end += 1
    return end


@inner
def end_of_row(spans, first, t):
    """Return the end of the candidates, from ``first`` on, that end at abstract boundary t."""
    # Candidates are sorted by their abstract end.
    last = first
    while last < len(spans) and spans[last, 1] == t:
        last += 1
    return last


@inner
def begin_of_row(spans, last, t):
    """Return where the candidates begin, up to ``last``, that end at abstract boundary t."""
    first = last
    while first > 0 and spans[first - 1, 1] == t:
        first -= 1
    return first


# Lattices in the scales of the boundaries, where walks are too improbable for doubles.
# ``jump_kernels.Transitions`` explains the scales. A phrase from boundary j to boundary e moves
# mass from the scale of j to that of e: its emission is multiplied by
# exp(log_scales[j] - log_scales[e]).


@inner(makes_arrays=True)
def scaled_lattice(lattice, log_scales):
    """Return the lattice in the scales of the boundaries (``jump_kernels.Transitions``).

    ``log_scales``  float64 [n + 1].
    """
    if log_scales[-1] == 0.0:
        return lattice
    emission = np.empty(len(lattice.emission))
    for i in range(len(emission)):
        emission[i] = lattice.emission[i] * _scale_factor(lattice.spans, i, log_scales)
    # The background links single words: from boundary j to j + 1.
    background_document = lattice.background_document.copy()
    for g in range(len(background_document)):
        for j in range(background_document.shape[1]):
            background_document[g, j] *= np.exp(log_scales[j] - log_scales[j + 1])
    return Lattice(
        lattice.null,
        lattice.spans,
        emission,
        lattice.background_abstract,
        lattice.background_class,
        background_document,
        lattice.null_jump,
    )


@inner
def _scale_factor(spans, i, log_scales):
    """Return the factor of the emission of candidate i."""
    return np.exp(log_scales[spans[i, 2]] - log_scales[spans[i, 3]])


@inner
def unscale_posteriors(spans, log_scales, posterior_per_emission):
    """Undo the scales in ``posterior_per_emission``, float64 [C].

    Posteriors are the same in any scale, but the emissions that they are divided by are not.
    """
    if log_scales[-1] < 0.0:
        for i in range(len(posterior_per_emission)):
            posterior_per_emission[i] *= _scale_factor(spans, i, log_scales)
