"""What a form of jump can do, chosen by its type when a kernel is compiled.

A form is a NamedTuple of arrays: p(j | e) for a whole batch, where e (0..n) is the boundary where the last phrase ended and
j the position where the next one starts, or n, the document's end. It is a proper distribution: over all j it sums to one.
The kernels of the lattice are written once, against the functions here. Each form implements them in a file of its own, and
numba compiles the lattice once for each form: there are no callbacks, and everything is cached on disk.

Letters: n document words, K kinds of source (one; or after a phrase and after null apart).
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from numba.extending import overload


def kinds(form):
    """K."""


def of_pair(form, pair):
    """The form with the data of one pair of the batch alone."""


def new_workspace(form, n):
    """What the functions below work with for one pair: arrays to reuse, and sums for the counts."""


def land(form, work, sources, out):
    """Forward step: ``out[j] += sum over k, e of sources[k, e] p(j | k, e)``. sources [K, n + 1], out [n]."""


def leave(form, work, targets, sources, weight, out):
    """Backward step: ``out[k, e] = sum over j of p(j | k, e) targets[j]``, and its share of the counts.

    Each jump counts ``weight * sources[k, e] * p(j | k, e) * targets[j]``. targets [n + 1], sources and out [K, n + 1].
    """


def reach(form, work, j, out):
    """All ways to one target: ``out[k, e] = p(j | k, e)``, [K, n + 1]."""


def new_best_workspace(form, work, n):
    """What ``land_best`` works with."""


def land_best(form, best_work, sources, out):
    """Viterbi step: ``out[j] = max(out[j], max over k, e of sources[k, e] p(j | k, e))``, exactly."""


def new_counts(form):
    """Empty counts for a batch: a NamedTuple of arrays, as the model's M-step needs them."""


def count(form, work, counts):
    """Add to the counts what the workspace has seen of one pair."""


def implements(function: Callable, form: type) -> Callable:
    """Register an implementation of one of the functions above for a form, with the same parameters."""

    def register(implementation):
        @functools.wraps(implementation)
        def choose(first, *rest):
            return implementation if getattr(first, "instance_class", None) is form else None

        overload(function)(choose)
        return implementation

    return register
