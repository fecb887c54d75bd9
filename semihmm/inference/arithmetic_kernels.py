"""The arithmetic of the lattice: two semirings, and rows of numbers with a logarithmic scale.

Forward and Viterbi are one recursion over the same products of probabilities. In the sum-product
semiring the terms that enter a state are added up: that is forward. In the max-product semiring the
largest is taken: that is Viterbi. No term is negative, so 0 is the neutral element of both.

Kernels for both take ``semiring`` as their first argument. numba gives each constant a type of its
own and compiles such a kernel twice: the choice costs nothing at run time.
"""

import numpy as np

from corpus_tools.base.compiled_kernels import inner

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
    that are then at most about 1: such a difference stands beside values below exp(-700), near the
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
