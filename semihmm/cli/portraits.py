"""Reads the corpora that the command line names, and makes a column of the portrait of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from corpus_tools.alignments.alignment import GOLD, Alignment, gold_alignment
from corpus_tools.alignments.portrait import PortraitColumn
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.base.files import STANDARD_STREAM
from corpus_tools.base.reading import numbered_json_lines, shown_name
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import ALIGNMENT_KEYS
from corpus_tools.texts.lexicons import read_ignore_list
from semihmm.aligner import Aligner
from semihmm.cli import reading
from semihmm.cli.command import Options, refuse_unused
from semihmm.cli.models import CommandModel


class Corpus(NamedTuple):
    """The pairs of a file, and their known alignments (``reading.known_alignments``)."""

    name: str
    pairs: list[Pair]
    known: Mapping[str, Mapping[str, Alignment]]


def read_corpora(options: Options, form: str = "jsonl", by: str | None = None) -> list[Corpus]:
    """Read PAIRS and the files after it. A file of alignments belongs to the pairs before it.

    With ``--documents``, all files are summaries of these documents, by some systems.

    ``form``  the format of alignments.
    ``by``    the field of the pairs with their system.

    Raises ``BadUsage`` for two files of alignments after one file of pairs, and for alignments of
    several systems whose pairs have the same ids.
    """
    files = [options.pairs, *options.others]
    if getattr(options, "documents", None) is not None:
        refuse_unused(("by",), "--documents compares systems")
        given = Options(**vars(options) | {"pairs": files})
        return [Corpus(_base_name(options.documents), reading.read_command_pairs(given), {})]
    named = list(_with_alignments(files, form))
    names = [_base_name(pairs) for pairs, _ in named]
    if len(set(names)) < len(names):
        names = [", ".join(filter(None, map(shown_name, each))) for each in named]
    if len(set(names)) < len(names):
        raise BadUsage(f"the same file is named twice: {', '.join(names)}")
    corpora = []
    for name, (file, alignments) in zip(names, named, strict=True):
        own = Options(**vars(options) | {"pairs": file, "alignments": alignments, "by": by})
        pairs = reading.read_command_pairs(own)
        if alignments and len({pair.id for pair in pairs}) < len(pairs):
            problem = "alignments name no system, and pairs of several systems have the same ids"
            raise BadUsage(f"{file}: {problem}; leave {alignments} out: the pairs are aligned")
        corpora.append(Corpus(name, pairs, reading.known_alignments(own, pairs, form)))
    return corpora


def _base_name(path: str) -> str:
    return Path(shown_name(path)).name


def _with_alignments(files: Sequence[str], form: str) -> Iterator[tuple[str, str]]:
    """Yield each file of pairs with that of its alignments, "" for none."""
    # Alignments in other formats cannot be recognized: they are the file after PAIRS.
    are_alignments = [
        n > 0 and (_are_alignments(file) if form == "jsonl" else n == 1)
        for n, file in enumerate(files)
    ]
    starts = [n for n, is_alignment in enumerate(are_alignments) if not is_alignment]
    for start, end in zip(starts, [*starts[1:], len(files)], strict=True):
        if end - start > 2:
            raise BadUsage(f"{files[end - 1]} and {files[end - 2]} are alignments of one file")
        pairs, alignments = [*files[start:end], ""][:2]
        yield pairs, alignments


def _are_alignments(path: str) -> bool:
    """Tell whether a file begins with an alignment in JSON.

    Standard input cannot be looked at before it is read, so it is taken for alignments.
    """
    if path == STANDARD_STREAM:
        return True
    try:
        rows = [row for _, row in islice(numbered_json_lines(path), 1)]
    except BadData:
        return False
    return bool(rows) and not ALIGNMENT_KEYS.isdisjoint(rows[0])


def pairs_by_column(corpora: Sequence[Corpus]) -> dict[str, list[Pair]]:
    """Return the pairs by column: a column is a corpus, or one of its systems."""
    columns: dict[str, list[Pair]] = {}
    for corpus in corpora:
        for pair in corpus.pairs:
            columns.setdefault(_column_of(corpus, pair, corpora), []).append(pair)
    return columns


def _column_of(corpus: Corpus, pair: Pair, corpora: Sequence[Corpus]) -> str:
    if not pair.system:
        return corpus.name
    return pair.system if len(corpora) == 1 else f"{corpus.name}: {pair.system}"


def portrait_columns(
    options: Options, corpora: Sequence[Corpus], models: Mapping[str, Aligner]
) -> list[PortraitColumn]:
    """Make a column of each corpus, or of each of its systems.

    Pairs without alignments are aligned by the first of the models, or by that of their language.
    """
    ignore = getattr(options, "ignore", "default")
    columns: dict[str, PortraitColumn] = {}
    for corpus in corpora:
        for pair, alignment in _aligned(corpus, models):
            name = _column_of(corpus, pair, corpora)
            column = columns.setdefault(name, PortraitColumn(name))
            column.add(pair, alignment, read_ignore_list(ignore, pair.language))
    return list(columns.values())


def _aligned(corpus: Corpus, models: Mapping[str, Aligner]) -> Iterator[tuple[Pair, Alignment]]:
    """Yield the pairs with their known alignments, or with those of a model."""
    if "alignments" in corpus.known:
        yield from ((pair, corpus.known["alignments"][pair.id]) for pair in corpus.pairs)
    elif GOLD in corpus.known:
        yield from ((pair, gold_alignment(pair)) for pair in corpus.pairs)
    else:
        chosen = next(iter(models.values()), None) or CommandModel(None).aligners_of(corpus.pairs)
        yield from zip(corpus.pairs, chosen.align_all(corpus.pairs), strict=True)
