"""Aligns what a command line names, part by part, for ``align`` and ``support``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from contextvars import Context
from functools import partial
from io import StringIO
from pathlib import Path
from platform import machine
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.alignment_rows import alignment_row
from corpus_tools.alignments.formats import (
    OWN_WRITERS,
    WITHOUT_IDS,
    WRITERS,
    MatchedAlignments,
    Writer,
)
from corpus_tools.base import files, folders
from corpus_tools.base.errors import BadUsage
from corpus_tools.base.library_loading import installed_version
from corpus_tools.pairs.corpus_files import ReadingStats, require_unique_ids
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.kept_pairs import KeptPairs, keep_pairs, keep_span
from corpus_tools.pairs.pair import ExtractChoice, Pair
from semihmm.aligned_pair import AlignedPair
from semihmm.cli import arguments, outputs, reading
from semihmm.cli.command import Decorator, InputFile, Options, given, option, refuse_unused
from semihmm.cli.messages import info, warn_of_failed
from semihmm.decoding import aligned_pairs
from semihmm.model.settings import all_options
from semihmm.model.units import empty_alignment, encoder_of
from semihmm.model_choice import LanguageAligners, ModelChooser, in_languages
from semihmm.registry import application
from semihmm.training.cluster import SharedModel, read_shared, workers_for
from semihmm.training.training_cache import program_source

if TYPE_CHECKING:
    from semihmm.applications.support import Thresholds
    from semihmm.training.cluster import Workers

TEXT_SIDES = ("document", "abstract")

ONE_PAIR = (
    "One pair",
    "These give one pair in place of PAIRS. Without --output, it is shown in the terminal.",
)


SUPPORT, LABELS = "support", "support labels"
"""The formats of ``semihmm support``: the support of abstracts, or labels of document sentences.

``semihmm.applications.support.support`` writes both.
"""


class SharedAligner(NamedTuple):
    """An aligner in the form that workers get.

    ``model``  the model and its settings, or their file (``semihmm.training.cluster``).
    ``by``     the field ``by`` of the alignments.
    """

    model: SharedModel | Path
    by: str


def aligned(
    main: str,
    aligners: Mapping[str, SharedAligner],
    skip: bool,
    threads: int,
    pairs: Iterable[Pair],
) -> Iterator[tuple[Pair, Alignment | None]]:
    """Yield each pair with its alignment; ``None`` for a pair that is left out.

    ``main``      the code of the language of most pairs.
    ``aligners``  the aligner of each language, by code.
    ``skip``      whether pairs that make the model fail are left out.
    ``threads``   the number of threads.
    """

    def work(
        aligner: SharedAligner, pairs: Iterable[Pair]
    ) -> Iterator[tuple[Pair, Alignment | None]]:
        return aligned_pairs(*read_shared(aligner.model), pairs, threads, aligner.by, skip)

    works = {code: partial(work, aligner) for code, aligner in aligners.items()}
    return in_languages(pairs, main, works)


def lines_of_pairs(
    align: Callable[[Iterable[Pair]], Iterator[tuple[Pair, Alignment | None]]],
    form: str | None,
    thresholds: Thresholds | None,
    pairs: Iterable[Pair],
) -> Iterator[bytes]:
    """Align the pairs and yield their lines in ``OUTPUT.partial``.

    ``align``       ``aligned`` with its first arguments.
    ``form``        the format: one of ``OWN_WRITERS``, ``SUPPORT``, ``LABELS``, or ``None`` for
                    that of ``semihmm align``. Formats without ids get an empty alignment of a pair
                    that is left out.
    ``thresholds``  the thresholds of verdicts, for ``SUPPORT``.
    """
    write = _writer(form, thresholds)
    for pair, alignment in align(pairs):
        text = StringIO()
        if alignment is not None:
            write([(pair, alignment)], text)
        elif form in WITHOUT_IDS:
            write([(pair, empty_alignment(pair))], text)
        yield outputs.line_of(pair, text.getvalue(), alignment is None)


def _writer(form: str | None, thresholds: Thresholds | None) -> Writer:
    """Return the function that writes alignments in a format."""
    if form is None:
        return _write_rows
    if form not in {SUPPORT, LABELS}:
        return WRITERS[form]
    support = application("support")  # slow to import
    if form == LABELS:
        return support.write_labels
    return partial(support.write_support, thresholds=thresholds)


def _write_rows(matched: MatchedAlignments, stream: TextIO) -> None:
    stream.writelines(files.json_line(alignment_row(alignment)) for _, alignment in matched)


def basis_of(aligners: LanguageAligners, form: str | None, thresholds: Thresholds | None) -> str:
    """Return all that the output depends on: program, models, settings, format, thresholds."""
    # On another machine, or compiled by another numba, kernels may round differently.
    versions = [program_source(), installed_version("numba"), installed_version("numpy"), machine()]
    models = []
    for code, aligner in sorted(aligners.of_language.items()):
        settings = aligner.settings
        encoder = encoder_of(settings).version if settings.needs_vectors else ""
        made_by = [aligner.trained.identity, aligner.made_by]
        models.append([code, *made_by, settings.as_json(), encoder])
    return json.dumps([versions, aligners.main, models, form, str(thresholds)])


def _one_pair(options: Options) -> Pair | None:
    """Return the pair that the command line gives in place of the file PAIRS, if any.

    Raises ``BadUsage`` if it gives both, neither, or one side only, for options that only apply to
    PAIRS, and for the name of a file that does not exist; ``BadData`` for a file that cannot be
    read, has no words, or is a file of pairs.
    """
    given = [getattr(options, side) for side in TEXT_SIDES]
    if given == [None, None] and options.pairs:
        return None
    if None in given or options.pairs:
        raise BadUsage("name the file PAIRS, or give one pair: --document and --abstract")
    of_pairs = (*reading.PAIR_OPTIONS, "documents", "resume", "skip_bad_pairs", "cluster")
    refuse_unused(of_pairs, "it applies to PAIRS, and one pair is given")
    document, abstract = (reading.given_text(options, side) for side in TEXT_SIDES)
    (pair,) = as_pairs((document, abstract), options.tokenizer, language=options.language)
    return pair


def arguments_of_aligning(about: str, **shown_defaults: Any) -> Decorator:
    """Add the arguments that ``align`` and ``support`` share.

    ``about``           the first line of the settings in the help text.
    ``shown_defaults``  the defaults of settings that are not those of training.
    """
    return arguments.together(
        arguments.pairs(optional="--document and --abstract", several=True),
        arguments.model(
            "directory of a trained model (default: the general model for English; for other "
            "languages, a model that is trained on PAIRS)"
        ),
        arguments.output("JSON lines (default: stdout)", default=None),
        option("--resume", "continue an interrupted run from the pairs in FILE.partial"),
        option("--skip-bad-pairs", "leave out pairs on which the model fails, and name them"),
        arguments.threads(),
        arguments.cluster("aligns the pairs", "PAIRS and $XDG_CACHE_HOME"),
        *(
            option(
                f"--{side}",
                f"the text of the {side}, or a file with it, plain or gzip; - for standard input "
                "(default: the pairs of PAIRS)",
                InputFile(reading.text_or_file),
                metavar="TEXT|FILE",
                group=ONE_PAIR,
            )
            for side in TEXT_SIDES
        ),
        arguments.settings(
            about,
            {
                name: setting
                for name, setting in all_options().items()
                if setting.after_training and name not in arguments.TEXT_SETTINGS
            },
            shown_defaults=shown_defaults,
        ),
    )


def run_aligning(
    options: Options,
    form: str | None,
    thresholds_of: Callable[[LanguageAligners], Thresholds] | None = None,
    **defaults: Any,
) -> None:
    """Align all pairs and write the results, or show the result of one pair.

    ``form``           as in ``align_part``.
    ``thresholds_of``  returns the thresholds of verdicts, if the command line asks for these.
    ``defaults``       settings that hold unless the command line gives others.
    """
    pair = _one_pair(options)
    changes = {**defaults, **given(all_options())}
    model = ModelChooser(options.model, info, options.workers, **changes)
    path = options.output or files.STANDARD_STREAM
    if pair is not None and options.output is None and form in {None, SUPPORT}:
        aligners = model.aligners_of([pair])
        thresholds = thresholds_of(aligners) if thresholds_of else None
        _show(AlignedPair(pair, next(aligners.align_all([pair]))), form, thresholds)
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
        shared = {}
        for code, own in aligners.of_language.items():
            of_own = stack.enter_context(runner.sharing(folder, own.model, own.settings))
            shared[code] = SharedAligner(of_own, own.made_by)
        # Each worker of a cluster has one thread.
        threads = options.workers if options.cluster is None else 1
        align = partial(aligned, aligners.main, shared, output.skip, threads)
        if form is None or form in {SUPPORT, LABELS, *OWN_WRITERS}:
            work = partial(lines_of_pairs, align, form, thresholds)
            basis = basis_of(aligners, form, thresholds)
            skipped = outputs.write_results(output, folder, pairs, basis, work, runner)
        else:
            skipped = _write_at_once(form, path, align(pairs))
    warn_of_failed(skipped, "have no alignment")


def _write_at_once(
    form: str, path: str, aligned: Iterable[tuple[Pair, Alignment | None]]
) -> list[str]:
    """Write a format of another package, which may need all pairs at once.

    Return the ids of the pairs that were left out.
    """
    left_out: list[str] = []

    def matched() -> Iterator[tuple[Pair, Alignment]]:
        for pair, alignment in aligned:
            if alignment is None:
                left_out.append(pair.id)
            else:
                yield pair, alignment

    with files.replacing(path) as stream:
        WRITERS[form](matched(), stream)
    return left_out


def _show(aligned: AlignedPair, form: str | None, thresholds: Thresholds | None) -> None:
    """Show the alignment of one pair, or its support."""
    with files.replacing(files.STANDARD_STREAM) as stream:
        if form is None:
            from corpus_tools.pages.pair_view import alone  # slow to import
            from corpus_tools.pages.terminal import print_views

            print_views([alone(aligned.pair, aligned.alignment)], stream)
            return
        support = aligned.support()
        stream.write(f"{support if thresholds is None else thresholds.judged(support)}\n")
        info(application("support").MEANING)


def _read_and_keep(
    options: Options, folder: Path, runner: Workers, extracts: ExtractChoice
) -> tuple[KeptPairs, ReadingStats]:
    """Read the pairs of the command line and keep them in the folder.

    The workers of a cluster read files, each a file or a span of one; other pairs are read here.
    """
    # The tokenizer of training is not used: all commands must count tokens alike.
    given = reading.files_of_pairs(options) if runner.executor is not None else None
    if given is None:
        read = reading.iterate_command_pairs(options, None, extracts, options.workers)
        return keep_pairs(read, folder)
    spans = [*given.spans()]
    work = partial(keep_span, given.reading, folder)
    kept = [*runner.each(work, [*enumerate(spans)], "reading", "parts")]
    of_spans = [stats for _, stats in kept]
    require_unique_ids(of_spans, [file for file, _ in spans], given.reading)
    every = ReadingStats.of_parts(of_spans)
    reading.report_pairs(options, every)
    return KeptPairs([part for own, _ in kept for part in own.parts]), every


def _answer_lines(options: Options, model: ModelChooser, form: str | None) -> None:
    """Align each pair of standard input and write its line before the next pair is read.

    So another program can send a pair, wait for its alignment, and send the next pair.
    """
    skipped: list[str] = []
    with files.replacing(files.STANDARD_STREAM) as stream:
        for pair in reading.iterate_command_pairs(options):
            skip = options.skip_bad_pairs
            aligner = model.aligner_of_pair(pair)
            shared = SharedModel(aligner.model, aligner.settings)
            own = {pair.language: SharedAligner(shared, aligner.made_by)}
            align = partial(aligned, pair.language, own, skip, 1)
            for line in lines_of_pairs(align, form, None, [pair]):
                _, text, left_out = json.loads(line)
                stream.write(text)
                skipped += [] if left_out is None else [left_out]
            stream.flush()
    warn_of_failed(skipped, "have no alignment")


# semihmm extract
