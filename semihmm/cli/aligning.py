"""Aligns what a command line names, part by part, for ``align`` and ``support``."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from contextvars import Context
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base import files, folders
from corpus_tools.base.errors import BadUsage
from corpus_tools.pairs.corpus_files import (
    KeptPairs,
    ReadingStats,
    keep_pairs,
    keep_span,
    require_unique_ids,
)
from corpus_tools.pairs.pair import ExtractChoice, Pair
from semihmm.aligned_pair import AlignedPair
from semihmm.cli import outputs, reading
from semihmm.cli.align_options import LABELS, SUPPORT, pair_of_options
from semihmm.cli.aligned_lines import basis_of, lines_of_pairs
from semihmm.cli.command import Options, given
from semihmm.cli.messages import info, warn_of_failed
from semihmm.model.settings import all_options
from semihmm.model_choice import LanguageAligners, ModelChooser
from semihmm.registry import application
from semihmm.training.cluster import workers_for

if TYPE_CHECKING:
    from semihmm.applications.support import Thresholds
    from semihmm.training.cluster import Workers


def run_aligning(
    options: Options,
    form: str | None,
    thresholds_of: Callable[[LanguageAligners], Thresholds] | None = None,
    **defaults: Any,
) -> None:
    """Align all pairs and write the results, or show the result of one pair.

    ``form``           as in ``lines_of_pairs``.
    ``thresholds_of``  returns the thresholds of verdicts, if the command line asks for these.
    ``defaults``       settings that hold unless the command line gives others.
    """
    pair = pair_of_options(options)
    changes = {**defaults, **given(all_options())}
    model = ModelChooser(options.model, info, options.workers, **changes)
    path = options.output or files.STANDARD_STREAM
    if pair is not None and options.output is None and form in {None, SUPPORT}:
        aligners = model.aligners_of([pair])
        thresholds = thresholds_of(aligners) if thresholds_of else None
        show_pair(pair, next(aligners.align_all([pair])), form, thresholds)
        return
    streams = options.pairs == (files.STANDARD_STREAM,) and path == files.STANDARD_STREAM
    at_once = form in {None, SUPPORT, LABELS} and thresholds_of is None
    if streams and at_once and not options.resume:
        # A new context has no progress bars: each pair would show its own.
        Context().run(_answer_lines, options, model, form)
        return
    if options.cluster is not None and not files.can_be_resumed(path):
        raise BadUsage("a cluster writes to a file: name one with --output")
    output = outputs.Output(path, options.resume, options.skip_bad_pairs)
    with ExitStack() as stack:
        stack.enter_context(output.opened())
        folder = stack.enter_context(folders.scratch_folder())
        runner = stack.enter_context(
            workers_for(options.cluster, options.workers if options.cluster else 1)
        )
        # All pairs are read first: errors in them are reported before any is aligned.
        if pair is None:
            pairs, stats = _read_and_keep(options, folder, runner, model.settings.extract_choice)
        else:
            pairs, stats = keep_pairs([pair], folder)
        aligners = model.aligners(pairs, stats, output.skip)
        thresholds = thresholds_of(aligners) if thresholds_of else None
        shared = stack.enter_context(runner.sharing(folder, aligners))
        # Each worker of a cluster has one thread.
        threads = options.workers if options.cluster is None else 1
        work = partial(lines_of_pairs, shared, output.skip, threads, form, thresholds)
        basis = basis_of(aligners, form, thresholds)
        skipped = outputs.write_results(output, folder, pairs, basis, work, runner)
    warn_of_failed(skipped, "have no alignment")


def _read_and_keep(
    options: Options, folder: Path, runner: Workers, extracts: ExtractChoice
) -> tuple[KeptPairs, ReadingStats]:
    """Read the pairs of the command line and keep them in the folder.

    The workers of a cluster read files, each a file or a span of one; other pairs are read here.
    """
    # The tokenizer of training is not used: all commands must count tokens alike.
    files_read = reading.files_of_pairs(options) if runner.executor is not None else None
    if files_read is None:
        read = reading.iterate_command_pairs(options, None, extracts, options.workers)
        return keep_pairs(read, folder)
    spans = [*files_read.spans()]
    work = partial(keep_span, files_read.reading, folder)
    kept_spans = [*runner.each(work, [*enumerate(spans)], "reading", "parts")]
    of_spans = [stats for _, stats in kept_spans]
    require_unique_ids(of_spans, [file for file, _ in spans], files_read.reading)
    every = ReadingStats.of_parts(of_spans)
    reading.report_pairs(options, every)
    return KeptPairs([part for of_span, _ in kept_spans for part in of_span.parts]), every


def _answer_lines(options: Options, model: ModelChooser, form: str | None) -> None:
    """Align each pair of standard input and write its line before the next pair is read.

    So another program can send a pair, wait for its alignment, and send the next pair.
    """
    skipped: list[str] = []
    with files.replacing(files.STANDARD_STREAM) as stream:
        for pair in reading.iterate_command_pairs(options):
            of_language = {pair.language: model.aligner_of_pair(pair)}
            aligners = LanguageAligners(pair.language, of_language)
            for line in lines_of_pairs(aligners, options.skip_bad_pairs, 1, form, None, [pair]):
                _, text, left_out = json.loads(line)
                stream.write(text)
                skipped += [] if left_out is None else [left_out]
            stream.flush()
    warn_of_failed(skipped, "have no alignment")


def show_pair(
    pair: Pair, alignment: Alignment, form: str | None, thresholds: Thresholds | None
) -> None:
    """Show the alignment of one pair, or its support."""
    with files.replacing(files.STANDARD_STREAM) as stream:
        if form is None:
            from corpus_tools.pages.pair_view import alone  # slow to import
            from corpus_tools.pages.terminal import print_views

            print_views([alone(pair, alignment)], stream)
            return
        support = AlignedPair(pair, alignment).support()
        stream.write(f"{support if thresholds is None else thresholds.judged(support)}\n")
        info(application("support").MEANING)
