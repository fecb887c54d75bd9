"""The lattice of one pair: its states, what enters it, and what both directions share.

Daumé III and Marcu (2005), section 3.5 and Figure 5. A state is a boundary e (0..n), where the last
phrase ended, with the source of the word before: 0, a phrase or the start; 1, null. From a state

- with probability ``null_jump[source]`` the null state of the same boundary emits one word;
- else a jump goes to a position j; the phrase that starts there emits an abstract phrase, and its
  end is the next boundary;
- after the last word a jump goes to the end of the document.

The probability of a jump comes from ``semihmm.inference.jump_kernels``. ``forward_kernels``,
``backward_kernels`` and ``viterbi_kernels`` have the recursions.

Probabilities are kept as they are, not as logarithms. Each row has a logarithmic scale of its own;
an exact 0 means impossible. A phrase of k words joins rows whose scales may be hundreds of orders
of magnitude apart. So the largest term that enters a row is found first, and becomes the row's
scale.

Letters: m abstract words, n document words, C candidate phrase pairs (``Lattice.spans``), K sources
that the jump model distinguishes (1 or 2), G classes of abstract words with equal background
emissions (0 without a background emission); s and t boundaries of the abstract (a phrase starts
after s words and ends after t), j a position and e a boundary of the document.
"""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from semihmm.inference.arithmetic_kernels import plus

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
