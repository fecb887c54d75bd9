"""What a form of jump can do, chosen by the form's type.

A form is a NamedTuple of arrays that holds p(j | k, e) for a whole batch. Here e (0..n) is the
boundary where the last phrase ended, k is the source (what the previous abstract word came from),
and j is the position where the next phrase starts, or n, the document's end. Over all j the
probabilities sum to one.

The kernels of the lattice are written once and call the functions below. Each form implements them
in a module of its own. numba compiles the lattice once for each form: there are no callbacks, and
all compiled code is cached on disk. Without compilation (``NUMBA_DISABLE_JIT=1``) the same
functions run as Python.

Letters: n document words, K sources (one; or two, after a phrase and after null), e boundaries,
j positions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from numba.extending import overload

IMPLEMENTATIONS: dict[tuple[str, type], Callable] = {}
"""By function and form."""


def of_each_form(function: Callable) -> Callable:
    """Declare a function that each form implements.

    Python calls the implementation of the first argument's type; numba chooses it at compile time.
    Raises ``KeyError`` for a form that does not implement it.
    """

    @functools.wraps(function)
    def look_up(form, *arguments):
        return IMPLEMENTATIONS[function.__name__, type(form)](form, *arguments)

    return look_up


@of_each_form
def source_count(form):
    """Return K."""


@of_each_form
def of_pair(form, pair):
    """Return the form with the data of one pair of the batch only."""


@of_each_form
def new_workspace(form, n):
    """Return the workspace for one pair: arrays to reuse, and sums for the counts."""


@of_each_form
def land(form, work, sources, out):
    """Make the forward step: ``out[j] += sum over k, e of sources[k, e] p(j | k, e)``.

    ``sources`` float64 [K, n + 1]; ``out`` float64 [n].
    """


@of_each_form
def leave(form, work, targets, sources, weight, out):
    """Make the backward step: ``out[k, e] = sum over j of p(j | k, e) targets[j]``.

    Also adds this step's share of the expected counts to the workspace: each jump counts
    ``weight * sources[k, e] * p(j | k, e) * targets[j]``.
    ``targets`` float64 [n + 1]; ``sources`` and ``out`` float64 [K, n + 1].
    """


@of_each_form
def reach(form, work, j, out):
    """Fill in all ways to one target: ``out[k, e] = p(j | k, e)``, float64 [K, n + 1]."""


@of_each_form
def new_best_workspace(form, work, n):
    """Return the workspace of ``land_best``."""


@of_each_form
def land_best(form, best_work, sources, out):
    """Make the Viterbi step: ``out[j] = max(out[j], max over k, e of sources[k, e] p(j | k, e))``.

    The maximum is exact. ``sources`` float64 [K, n + 1]; ``out`` float64 [n].
    """


@of_each_form
def new_counts(form):
    """Return empty counts for a batch: a NamedTuple of arrays, as the model's M-step needs them."""


@of_each_form
def count(form, work, counts):
    """Add to the counts what the workspace has collected from one pair."""


def implements(function: Callable, form: type) -> Callable:
    """Register an implementation of one of the functions above for a form.

    It has the parameters of the function. Its name must be unique in its module: numba names
    compiled code by it.
    """

    def register(implementation: Callable) -> Callable:
        @functools.wraps(implementation)
        def choose(first, *rest):
            return implementation if getattr(first, "instance_class", None) is form else None

        overload(function)(choose)
        IMPLEMENTATIONS[function.__name__, form] = implementation
        return implementation

    return register
