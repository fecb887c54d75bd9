"""Reads the corpora of a command line, and divides their pairs into the columns of a portrait.

Pairs are stored on disk, since a portrait needs only their figures in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click

from corpus_tools.alignments.alignment import Alignment, gold_alignment
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.base.files import STANDARD_STREAM
from corpus_tools.base.folders import scratch_folder
from corpus_tools.base.reading import numbered_json_lines, shown_name
from corpus_tools.pairs.corpus_files import KeptPairs, ReadingStats, keep_pairs
from corpus_tools.pairs.fields import ALIGNMENT_KEYS, SYSTEM
from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.cli import arguments, reading
from semihmm.cli.command import Decorator, InputFile, Options, option, refuse_unused
from semihmm.cli.messages import info
from semihmm.model_choice import LanguageAligners, ModelChooser

OTHER_CORPORA_HELP = (
    "alignments of PAIRS (default: the hand alignments, or else those of the model); then other "
    "corpora, each followed by its alignments"
)


def other_corpora(help: str = OTHER_CORPORA_HELP) -> Decorator:
    """Add the files after PAIRS, and the options that divide pairs into columns."""
    return arguments.together(
        click.argument(
            "others", help=help, type=InputFile(), nargs=-1, metavar="[ALIGNMENTS] [OTHERS]"
        ),
        option(
            "--by",
            "a column for each value of this field of the pairs "
            f"(default: {SYSTEM}, where they have it)",
            arguments.TEXT,
            metavar="FIELD",
        ),
        option(
            "--documents",
            "compare systems: PAIRS has summaries, as semihmm measure reads them, and FILE has the "
            "pairs with their documents; each system has a column",
            InputFile(),
        ),
    )


class Corpus(NamedTuple):
    """The pairs of a file, with their statistics and their alignments.

    ``pairs``       the pairs; if there are several corpora, their ``system`` begins with ``name``.
    ``stats``       the statistics of the pairs.
    ``alignments``  the alignments of the file of alignments by id; ``None`` without such a file.
    ``has_gold``    whether all pairs have hand alignments.
    """

    name: str
    pairs: KeptPairs
    stats: ReadingStats
    alignments: Mapping[str, Alignment] | None
    has_gold: bool

    def aligned(
        self, aligner: Aligner | LanguageAligners | None
    ) -> Iterator[tuple[Pair, Alignment]]:
        """Yield the pairs with alignments of the file, else of the aligner, else hand alignments.

        Raises ``BadData`` for a pair without a hand alignment, if there is no aligner.
        """
        if self.alignments is not None:
            yield from ((pair, self.alignments[pair.id]) for pair in self.pairs)
        elif aligner is None:
            for pair in self.pairs:
                pair.sure_links()
                yield pair, gold_alignment(pair)
        else:
            yield from zip(self.pairs, aligner.align_all(self.pairs), strict=True)


@contextmanager
def read_corpora(
    options: Options, form: str = "jsonl", by: str | None = SYSTEM
) -> Iterator[list[Corpus]]:
    """Read PAIRS and the files after it. A file of alignments belongs to the pairs before it.

    With ``--documents``, all files are summaries of these documents by several systems. The pairs
    are removed at the end of the context.

    ``form``  the format of alignments.
    ``by``    the field of the pairs with their system, unless ``--by`` names another one.

    Raises ``BadUsage`` for two files of alignments after one file of pairs, and for alignments of
    several systems whose pairs have the same ids.
    """
    named = [*_files_by_name(options, form)]
    with ExitStack() as stack:
        corpora = []
        for name, values in named:
            of_corpus = Options(**vars(options) | values | {"by": options.by or by})
            prefix = name if len(named) > 1 else ""
            folder = stack.enter_context(scratch_folder())
            corpora.append(_read_corpus(of_corpus, name, prefix, form, folder))
        yield corpora


def _read_corpus(options: Options, name: str, prefix: str, form: str, folder: Path) -> Corpus:
    """Read a corpus, and store its pairs in a folder.

    ``prefix``  the first part of the pairs' ``system``.
    """
    ids: set[str] = set()
    has_gold = True

    def read() -> Iterator[Pair]:
        nonlocal has_gold
        for pair in reading.iterate_command_pairs(options):
            ids.add(pair.id)
            has_gold &= pair.sure is not None
            yield replace(pair, system=": ".join(filter(None, (prefix, pair.system))))

    pairs, stats = keep_pairs(read(), folder)
    alignments = None
    if options.alignments:
        if len(ids) < len(pairs):
            problem = "alignments name no system, and pairs of several systems have the same ids"
            hint = f"leave {options.alignments} out: the pairs are aligned"
            raise BadUsage(f"{options.pairs}: {problem}; {hint}")
        alignments = reading.read_alignments(options, options.alignments, [*pairs], form)
    return Corpus(name, pairs, stats, alignments, has_gold)


def _files_by_name(options: Options, form: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the names of corpora with the options ``pairs`` and ``alignments`` of each."""
    files = [options.pairs, *options.others]
    if options.documents is not None:
        refuse_unused(("by",), "--documents compares systems")
        yield _base_name(options.documents), {"pairs": files, "alignments": ""}
        return
    named = _with_alignments(files, form)
    names = [_base_name(pairs) for pairs, _ in named]
    if len(set(names)) < len(names):
        names = [", ".join(filter(None, map(shown_name, each))) for each in named]
    if len(set(names)) < len(names):
        raise BadUsage(f"the same file is named twice: {', '.join(names)}")
    for name, (pairs, alignments) in zip(names, named, strict=True):
        yield name, {"pairs": pairs, "alignments": alignments}


def _base_name(path: str) -> str:
    return Path(shown_name(path)).name


def _with_alignments(files: Sequence[str], form: str) -> list[list[str]]:
    """Return each file of pairs with its file of alignments; "" if it has none."""
    named = [[files[0], ""]]
    for number, file in enumerate(files[1:]):
        # Only JSON lines are recognized. In other formats the file after PAIRS has the alignments.
        if not (_are_alignments(file) if form == "jsonl" else number == 0):
            named.append([file, ""])
        elif named[-1][1]:
            raise BadUsage(f"{file} and {named[-1][1]} are alignments of one file")
        else:
            named[-1][1] = file
    return named


def _are_alignments(path: str) -> bool:
    """Tell whether a file begins with an alignment in JSON.

    Standard input cannot be read twice, so it counts as alignments.
    """
    if path == STANDARD_STREAM:
        return True
    try:
        rows = [row for _, row in islice(numbered_json_lines(path), 1)]
    except BadData:
        return False
    return bool(rows) and not ALIGNMENT_KEYS.isdisjoint(rows[0])


def only_corpus(corpora: Sequence[Corpus], what: str) -> Corpus:
    """Return the only corpus. Raises ``BadUsage`` for several."""
    if len(corpora) > 1:
        raise BadUsage(f"{what} shows one corpus: name one")
    return corpora[0]


def column_names(corpora: Sequence[Corpus]) -> list[str]:
    """Return the names of the columns: each has a corpus, or one of its systems."""
    names = (pair.system or corpus.name for corpus in corpora for pair in corpus.pairs)
    return [*dict.fromkeys(names)]


def matched(
    corpora: Sequence[Corpus], models: Mapping[str, Aligner]
) -> Iterator[tuple[str, Pair, Alignment]]:
    """Yield for each pair its column, the pair and its alignment.

    The first of the models aligns pairs without alignments; without models, the model of their
    language.
    """
    for corpus in corpora:
        aligner: Aligner | LanguageAligners | None = None
        if corpus.alignments is None and not corpus.has_gold:
            chosen = next(iter(models.values()), None)
            aligner = chosen or ModelChooser(None, info).aligners(corpus.pairs, corpus.stats)
        for pair, alignment in corpus.aligned(aligner):
            yield pair.system or corpus.name, pair, alignment
