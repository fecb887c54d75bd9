"""Runs ``semihmm align``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from platform import machine
from typing import TextIO

import click

from corpus_tools.alignments.alignment import Alignment, alignment_row
from corpus_tools.alignments.formats import JOINABLE, WITHOUT_IDS, WRITERS
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.files_of_pairs import KeptPairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import as_pairs
from corpus_tools.storage.files import STANDARD_STREAM, replacing
from corpus_tools.views.pair_view import alone
from corpus_tools.views.terminal import print_views
from semihmm.aligner import Aligner
from semihmm.batches.training_cache import program_source
from semihmm.batches.units import empty_alignment, encoder_of, extract_choice
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.messages import warn, warn_of_empty
from semihmm.cli.output_parts import (
    CorpusPart,
    FilePart,
    Output,
    Pairs,
    is_by_file,
    parts_in_files,
    write_parts,
)
from semihmm.cli.outputs import is_directory, output_files
from semihmm.cli.reading import (
    OF_PAIRS,
    given_text,
    iterate_command_pairs,
    say_what_was_read,
    text_or_file,
    trees_files,
    with_trees_of,
)
from semihmm.cluster import Shared, known, workers_for
from semihmm.decoding import aligned_pairs
from semihmm.saving import GENERAL_MODEL
from semihmm.settings import all_options

SIDES = ("document", "abstract")

ONE_PAIR = (
    "One pair",
    "In place of PAIRS; shown as semihmm view shows it, unless --output is given.",
)


@dataclass(frozen=True)
class Aligning:
    """Aligns pairs.

    ``model``    the model and its settings, or the file in which they are (``semihmm.cluster``).
    ``by``       what alignments say they were made by.
    ``form``     the format of the alignments: one of ``WRITERS``.
    ``skip``     whether pairs that make the model fail are left out. Formats without ids get an
                 empty alignment of them.
    ``threads``  how many align.
    """

    model: Shared | Path
    by: str
    form: str | None
    skip: bool
    threads: int

    def __call__(self, pairs: Pairs, stream: TextIO) -> list[str]:
        """Write the alignments and return the ids of the pairs that were left out."""
        skipped: list[str] = []
        aligned = aligned_pairs(*known(self.model), pairs, self.threads, self.by, self.skip)
        matched = self._matched(aligned, skipped)
        if self.form is None:
            rows = (alignment_row(alignment) for _, alignment in matched)
            stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        else:
            WRITERS[self.form](matched, stream)
        return skipped

    def _matched(
        self, aligned: Iterable[tuple[Pair, Alignment | None]], skipped: list[str]
    ) -> Iterator[tuple[Pair, Alignment]]:
        for pair, alignment in aligned:
            if alignment is not None:
                yield pair, alignment
                continue
            skipped.append(pair.id)
            if self.form in WITHOUT_IDS:
                yield pair, empty_alignment(pair)


def basis_of(aligner: Aligner, form: str | None) -> str:
    """Name all that the alignments of pairs depend on: program, model, settings, format."""
    versions = [program_source(), version("numba"), version("numpy"), machine()]
    settings = aligner.settings
    encoder = encoder_of(settings).version if settings.needs_vectors else ""
    made_by = [aligner.loaded_from, aligner.made_by]
    return json.dumps([versions, *made_by, settings.as_json(), encoder, form])


def _one_pair(options: Options) -> Pair | None:
    """Return the pair that the command line gives in place of the file PAIRS, if any.

    Raises ``BadUsage`` if it gives both, neither, or half a pair, for options that are of PAIRS
    alone, and for what looks like the name of a file that does not exist; ``BadData`` for a file
    that cannot be read, has no words, or holds pairs.
    """
    given = [getattr(options, side) for side in SIDES]
    if given == [None, None]:
        if not options.pairs:
            raise BadUsage("name the file PAIRS, or give one pair with --document and --abstract")
        return None
    if options.pairs:
        problem = "--document and --abstract in place of PAIRS, not beside it: leave out"
        raise BadUsage(f"{problem} {' '.join(options.pairs)}")
    if None in given:
        raise BadUsage("--document needs --abstract, and --abstract --document: a pair has both")
    of_pairs = (*OF_PAIRS, "resume", "skip_bad_pairs", "cluster")
    refuse_unused(of_pairs, "it is of PAIRS, and there is one pair")
    document, abstract = map(given_text, SIDES, given)
    (pair,) = as_pairs((document, abstract), options.tokenizer)
    return pair


@command("align", "pairs.jsonl --output aligned.jsonl")
@arguments.pairs(optional="the one pair", several=True)
@arguments.model("where semihmm train put the model (default: the general model of the program)")
@arguments.output(f"{arguments.SHARDS} (default: stdout)", has_shards=True, default=None)
@option(
    "--format",
    "write what semihmm export writes of the alignments (default: JSON lines without characters "
    "and texts)",
    click.Choice(WRITERS),
)
@option("--resume", "go on from the parts in FILE.partial, which a run that ended early left")
@option("--skip-bad-pairs", "leave out pairs that make the model fail, and name them")
@arguments.trees()
@arguments.threads()
@arguments.cluster("does each file of PAIRS")
@arguments.together(
    *(
        option(
            f"--{side}",
            f"the text of the {side}, or a file of it, plain or gzip; - for standard input "
            "(default: the pairs of PAIRS)",
            InputFile(text_or_file),
            metavar="TEXT|FILE",
            group=ONE_PAIR,
        )
        for side in SIDES
    )
)
@arguments.settings(
    "What is not given is as it was in training.",
    {name: one for name, one in all_options().items() if one.after_training},
    default="as in training",
)
def run_align(options: Options) -> None:
    """Align all pairs and write their alignments, or show that of one pair."""
    pair = _one_pair(options)
    model = GENERAL_MODEL if options.model is None else options.model
    given = arguments.given_settings(all_options())
    aligner = Aligner.load(model, workers=options.workers, **given)
    trees = trees_files(options, aligner.settings)
    path = options.output or STANDARD_STREAM
    # Some formats count or add over the whole corpus.
    in_parts = options.format in {None, *JOINABLE}
    by_file = pair is None and is_by_file(options)
    with ExitStack() as stack:
        if by_file:
            parts: Sequence[CorpusPart] = _files(options, aligner, bool(trees), in_parts)
        else:
            read = _read(options, aligner) if pair is None else [pair]
            # All of them: what is wrong with them is said before any is aligned.
            pairs = stack.enter_context(KeptPairs(with_trees_of(trees, read)))
            warn_of_empty(pairs.seen.empty)
            if pair is not None and options.output is None and options.format is None:
                view = alone(pair, aligner.align(pair))
                print_views([view], stack.enter_context(replacing(STANDARD_STREAM)))
                return
            parts = pairs.parts(whole=not in_parts)
        output = Output(
            path,
            output_files(options, path),
            basis_of(aligner, options.format),
            options.resume,
            options.skip_bad_pairs,
        )
        folder = stack.enter_context(output.folder())
        runner = stack.enter_context(
            workers_for(options.cluster, aligner.workers, in_threads=False)
        )
        shared = stack.enter_context(runner.sharing(folder, aligner.model, aligner.settings))
        threads = aligner.workers if options.cluster is None else 1
        work = Aligning(shared, aligner.made_by, options.format, options.skip_bad_pairs, threads)
        made = write_parts(output, folder, parts, work, "aligning", runner)
    if by_file:
        say_what_was_read(options, *(one.seen for one in made))
        warn_of_empty([identity for one in made for identity in one.seen.empty])
    if skipped := [identity for one in made for identity in one.skipped]:
        warn(
            "pairs that make the model fail, which have no alignment: "
            f"{len(skipped)} ({', '.join(skipped)})"
        )


def _read(options: Options, aligner: Aligner) -> Iterator[Pair]:
    # Not with the tokenizer of training: all commands must count the tokens of a file alike.
    extracts = extract_choice(aligner.settings)
    processes = aligner.workers
    return iterate_command_pairs(options, options.pairs, extracts=extracts, processes=processes)


def _files(options: Options, aligner: Aligner, own_trees: bool, in_parts: bool) -> list[FilePart]:
    """Return the files of the pairs, each of which is aligned by itself."""
    files = parts_in_files(options, aligner.workers, extract_choice(aligner.settings), own_trees)
    if options.trees is not None:
        raise BadUsage(
            f"--trees {options.trees} belongs to all files: put the trees into the field trees of "
            "PAIRS, as semihmm parse does"
        )
    if not (is_directory(options.output) or len(files) == 1 or in_parts):
        raise BadUsage(
            f"the format {options.format} cannot be written file by file into one: "
            f"name a directory with --output, as in {options.output}/"
        )
    return files
