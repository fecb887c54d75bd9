"""Runs ``semihmm support``."""

from __future__ import annotations

from corpus_tools.base import files, folders
from corpus_tools.base.progress import write_above_bars
from corpus_tools.base.reading import numbered_json_lines
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


def _show_systems(lines: str, path: str | None) -> None:
    """Print the table that compares the systems of summaries.

    ``lines``  the file with the support of all summaries.
    ``path``   the output of these lines; ``None``: nobody wants them. To a stream they are copied,
               and the table is written to stderr.
    """
    from semihmm.applications.support.systems import table_of_systems  # slow to import

    table = table_of_systems(row for _, row in numbered_json_lines(lines))
    if path is None or lines == path:
        write_result(table)
        return
    with files.replacing(path) as stream, open(lines, encoding="utf-8") as kept:
        stream.writelines(kept)
    write_above_bars(table)
