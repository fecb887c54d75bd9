"""Runs ``semihmm support``, and compares systems by the support of their summaries.

Summaries of a document by several systems are compared with each other, so that documents which are
hard to summarize are so for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from corpus_tools.base import files, folders
from corpus_tools.base.progress import write_above_bars
from corpus_tools.base.reading import numbered_json_lines
from corpus_tools.base.resampling import bootstrap_sums, interval, shown_p
from corpus_tools.texts.text_table import Table
from semihmm.applications.support.report import MIN_SUPPORT
from semihmm.cli.align_options import (
    LABELS,
    SUPPORT,
    arguments_of_aligning,
    threshold_function,
    verdict_options,
)
from semihmm.cli.aligning import run_aligning
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.messages import info, write_result
from semihmm.model.settings import SUPPORT_SETTINGS


@command(
    "support",
    "pairs.jsonl --output support.jsonl",
    "Show where each sentence of an abstract comes from, how likely the document is to support "
    "each word, and what contradicts the document.",
)
@arguments_of_aligning(
    "A setting that is not given keeps its value from training, except --extract and "
    "--extract-method: support needs more document sentences than alignments do.",
    **SUPPORT_SETTINGS,
)
@option(
    "--labels",
    "write training data for extractive summarizers: the document sentences, which of them are "
    "used, and a score for each",
)
@option(
    "--documents",
    "compare systems: PAIRS has summaries, as semihmm measure reads them, and FILE has the pairs "
    "with their documents",
    InputFile(),
)
@verdict_options
def run_support(options: Options) -> None:
    """Write the support of abstracts, or show that of one pair."""
    if options.labels:
        refuse_unused(("calibrate", "error"), "--labels writes no verdicts")
        refuse_unused(("documents",), "--labels compares no systems")
    thresholds_of = threshold_function(options)
    form = LABELS if options.labels else SUPPORT
    with folders.scratch_folder() as folder:
        path = options.output
        # The table is computed from the lines, so without a file there is a copy of them.
        is_kept = options.documents is None or (path is not None and files.can_be_resumed(path))
        options.output = path if is_kept else str(folder / "lines")
        run_aligning(options, form, thresholds_of, **SUPPORT_SETTINGS)
        if form == SUPPORT and options.output and files.can_be_resumed(options.output):
            _tell_wrong_citations(options.output)
        if options.documents is not None:
            _show_systems(options.output, path)


def _tell_wrong_citations(lines: str) -> None:
    """Tell how many sentences of a file of support cite other passages than their sources'."""
    cite = wrong = 0
    for _, row in numbered_json_lines(lines):
        for sentence in row.get("sentences", ()):
            cite += bool(sentence.get("cites"))
            wrong += bool(sentence.get("citation"))
    if cite:
        info(
            f"{wrong} of {cite} sentences with citations cite passages that are not their source: "
            'see the field "citation", or semihmm view --support'
        )


# Systems by the support of their summaries. Summaries of a document by several systems are compared
# with each other, so that documents which are hard to summarize are so for all of them.


def _show_systems(lines: str, path: str | None) -> None:
    """Print the table that compares the systems of summaries.

    ``lines``  the file with the support of all summaries.
    ``path``   the output of these lines; ``None``: nobody wants them. To a stream they are copied,
               and the table is written to stderr.
    """

    table = table_of_systems(row for _, row in numbered_json_lines(lines))
    if path is None or lines == path:
        write_result(table)
        return
    with files.replacing(path) as stream, open(lines, encoding="utf-8") as kept:
        stream.writelines(kept)
    write_above_bars(table)


COMPARABLE = (
    "Compare only systems that copy to a similar degree: a system that rewrites may have less "
    "support than one that copies and errs. Means are over sentences, with the 95 % bootstrap "
    "interval over documents in brackets; p is that of the paired t test against the system in the "
    "first row. It was not shown that this mean ranks systems as people do (docs/uses.md)."
)
"""The meaning of the table (docs/uses.md)."""

RESAMPLES = 1000
"""The draws of the bootstrap."""

SYSTEM_HEAD = ("system", "summaries", "sentences", "support", "under 0.5", "conflicts in 100", "p")
"""The heads of the columns of the table of systems."""


def table_of_systems(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the systems as a table for a terminal, the best supported first.

    ``rows``  lines of JSON as ``Support.as_dict`` makes them, each with its system.
    """
    systems: dict[str, dict[str, np.ndarray]] = {}
    for row in rows:
        systems.setdefault(row["system"], {})[row["id"]] = _statistics(row)
    sums = {name: np.array([*own.values()]) for name, own in systems.items()}
    # A system without claims has no mean: it is the last.
    means = {name: _means_of(own.sum(axis=0))[0] for name, own in sums.items()}
    ordered = sorted(means, key=lambda name: -np.nan_to_num(means[name], nan=-1.0))
    table = [[*SYSTEM_HEAD]]
    for name in ordered:
        own = sums[name]
        bounds = interval(_means_of(bootstrap_sums(own, RESAMPLES, 0)))
        forms = "{:.3f}", "{:.3f}", "{:.1f}"
        shown = map(_with_interval, _means_of(own.sum(axis=0)), *bounds, forms)
        p = "" if name == ordered[0] else _paired(systems[ordered[0]], systems[name])
        table.append([name, str(len(own)), f"{own[:, 1].sum():.0f}", *shown, p])
    return f"{COMPARABLE}\n\n{Table(table, align='<>>>>>>').text()}"


def _statistics(row: Mapping[str, Any]) -> np.ndarray:
    """Return float64 [4]: the sum of the supports of sentences, their number, low ones, conflicts.

    Sentences that claim nothing do not count.
    """
    known = [one for one in row["sentences"] if one["support"] is not None]
    supports = [one["support"] for one in known]
    low = sum(support < MIN_SUPPORT for support in supports)
    return np.array([sum(supports), len(known), low, sum(len(one["conflicts"]) for one in known)])


def _means_of(sums: np.ndarray) -> np.ndarray:
    """Return float64 [..., 3]: the mean support, the share of low ones, conflicts in 100 sentences.

    ``sums``  float64 [..., 4], of ``_statistics``.
    """
    sentences = np.where(sums[..., 1:2], sums[..., 1:2], np.nan)
    return sums[..., [0, 2, 3]] / sentences * [1.0, 1.0, 100.0]


def _with_interval(value: float, low: float, high: float, form: str) -> str:
    if np.isnan(value):
        return "-"
    return f"{form.format(value)} [{form.format(low)}, {form.format(high)}]"


def _paired(first: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> str:
    """Return the p-value of the difference in the mean support of the summaries of a document."""
    from semihmm.applications.measure import pair_tests

    both = [(first[id], other[id]) for id in first if id in other]
    means = np.array([[_means_of(own)[0] for own in each] for each in both]).reshape(-1, 2)
    return shown_p(abs(pair_tests(means[~np.isnan(means).any(axis=1)], "paired")[0]))
