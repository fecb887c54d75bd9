"""The form of a mixture of two forms.

p(j | k, e) = share[k] p_first(j | k, e) + (1 - share[k]) p_second(j | k, e). The letters are those
of ``form_kernels``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jump_models.forms import form_kernels
from jump_models.forms.form_kernels import (
    count,
    implements,
    land,
    leave,
    new_counts,
    new_workspace,
    of_pair,
    reach,
    source_count,
)


class Sum(NamedTuple):
    """The form. ``share`` float64 [K] is the first one's.

    Either may be a sum itself; both have the same K.
    """

    first: NamedTuple
    second: NamedTuple
    share: np.ndarray


class SumCounts(NamedTuple):
    """What each form counts; ``used`` float64 [K, 2], how many jumps each is expected to make."""

    first: NamedTuple
    second: NamedTuple
    used: np.ndarray


class SumWork(NamedTuple):
    """The workspaces of both, and float64 arrays.

    ``part`` [K, n + 1], a form's share of the sources; ``by_first`` and ``by_second`` [K, n + 1],
    what each form gives; ``used`` [K, 2] as in ``SumCounts``.
    """

    first: NamedTuple
    second: NamedTuple
    part: np.ndarray
    by_first: np.ndarray
    by_second: np.ndarray
    used: np.ndarray


@implements(form_kernels.source_count, Sum)
def _sum_source_count(form):
    return source_count(form.first)


@implements(form_kernels.of_pair, Sum)
def _sum_of_pair(form, pair):
    return Sum(of_pair(form.first, pair), of_pair(form.second, pair), form.share)


@implements(form_kernels.new_workspace, Sum)
def _sum_new_workspace(form, n):
    shape = (len(form.share), n + 1)
    return SumWork(
        new_workspace(form.first, n), new_workspace(form.second, n),
        np.empty(shape), np.empty(shape), np.empty(shape), np.zeros((len(form.share), 2)),
    )  # fmt: skip


@implements(form_kernels.land, Sum)
def _sum_land(form, work, sources, out):
    for k in range(len(sources)):
        work.part[k] = form.share[k] * sources[k]
    land(form.first, work.first, work.part, out)
    for k in range(len(sources)):
        work.part[k] = (1.0 - form.share[k]) * sources[k]
    land(form.second, work.second, work.part, out)


@implements(form_kernels.leave, Sum)
def _sum_leave(form, work, targets, sources, weight, out):
    for k in range(len(sources)):
        work.part[k] = form.share[k] * sources[k]
    leave(form.first, work.first, targets, work.part, weight, work.by_first)
    for k in range(len(sources)):
        work.used[k, 0] += weight * (work.part[k] * work.by_first[k]).sum()
        work.part[k] = (1.0 - form.share[k]) * sources[k]
    leave(form.second, work.second, targets, work.part, weight, work.by_second)
    for k in range(len(sources)):
        work.used[k, 1] += weight * (work.part[k] * work.by_second[k]).sum()
        out[k] = form.share[k] * work.by_first[k] + (1.0 - form.share[k]) * work.by_second[k]


@implements(form_kernels.reach, Sum)
def _sum_reach(form, work, j, out):
    reach(form.first, work.first, j, work.by_first)
    reach(form.second, work.second, j, work.by_second)
    for k in range(len(out)):
        out[k] = form.share[k] * work.by_first[k] + (1.0 - form.share[k]) * work.by_second[k]


@implements(form_kernels.new_best_workspace, Sum)
def _sum_new_best_workspace(form, work, n):
    # The largest of sums is not the sum of the largest: Viterbi alone needs all n by n jumps.
    table, column = np.empty((len(form.share), n + 1, n)), np.empty((len(form.share), n + 1))
    for j in range(n):
        reach(form, work, j, column)
        table[:, :, j] = column
    return table


@implements(form_kernels.land_best, Sum)
def _sum_land_best(form, best_work, sources, out):
    for k in range(len(sources)):
        for e in range(sources.shape[1]):
            source, row = sources[k, e], best_work[k, e]
            if source > 0.0:
                for j in range(len(out)):
                    out[j] = max(out[j], source * row[j])


@implements(form_kernels.new_counts, Sum)
def _sum_new_counts(form):
    return SumCounts(
        new_counts(form.first), new_counts(form.second), np.zeros((len(form.share), 2))
    )


@implements(form_kernels.count, Sum)
def _sum_count(form, work, counts):
    count(form.first, work.first, counts.first)
    count(form.second, work.second, counts.second)
    counts.used[:] += work.used
