"""Writes the alignments of many pairs so that a run that ended early can be resumed."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import islice

from corpus_tools.alignments.alignment import Alignment, alignment_of_row, alignment_row
from corpus_tools.alignments.formats import WITHOUT_IDS, WRITERS
from corpus_tools.errors import BadUsage, number_of
from corpus_tools.pairs.kept_pairs import KeptPairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import StrPath, replacing
from corpus_tools.storage.journal import Journal, open_journal
from corpus_tools.storage.new_folders import remove_file
from semihmm.aligner import Aligner
from semihmm.batches.training_cache import program_source
from semihmm.batches.units import empty_alignment, encoder_of
from semihmm.cli.messages import say

SKIPPED = "skipped"
"""The field of a row of the journal for a pair that was left out: its id."""


def aligner_identity(aligner: Aligner) -> str:
    """Name all that alignments depend on beside the pairs: program, model, settings."""
    versions = [program_source(), version("numba"), version("numpy"), platform.machine()]
    settings = aligner.settings
    encoder = encoder_of(settings).version if settings.needs_vectors else ""
    made_by = [aligner.loaded_from, aligner.made_by]
    return json.dumps([versions, *made_by, settings.as_json(), encoder])


class RunIdentity:
    """The hash of all that the rows of a run depend on: program, model, settings, pairs."""

    def __init__(self, aligner: Aligner) -> None:
        self._digest = hashlib.sha256(aligner_identity(aligner).encode())

    def add(self, pair: Pair) -> None:
        """Add the next pair."""
        sides = (pair.document, pair.abstract)
        content = [pair.id, *([side.tokens, side.boundaries] for side in sides)]
        self._digest.update(json.dumps(content).encode())
        if pair.trees is not None:
            self._digest.update(repr(pair.trees).encode())

    def __str__(self) -> str:
        return self._digest.hexdigest()


def write_all(
    aligner: Aligner,
    pairs: KeptPairs,
    identity: RunIdentity | None,
    output: StrPath,
    form: str | None = None,
    *,
    skip: bool = False,
    resume: bool = False,
) -> list[str]:
    """Align the pairs and write JSON lines; return the ids of the pairs that were left out.

    ``identity``  has all pairs; ``None`` if the output cannot be resumed (``can_be_resumed``).
    ``form``      one of ``WRITERS``, whose format is written instead. The journal is the same.
    ``skip``      whether pairs that make the model fail are left out. Formats without ids get an
                  empty alignment of them.
    ``resume``    whether to go on from what an earlier run of the same left.

    Raises ``BadUsage`` if there is nothing that could be resumed, by its kind or by its content.
    """
    if identity is None:
        if resume:
            raise BadUsage("only an output that is a file can be resumed: name one with --output")
        alignments = aligner.align_all(pairs, skip_bad_pairs=skip)
        return write_rows(rows_of(alignments, pairs.ids), pairs, output, form)
    with open_journal(output, str(identity)) as journal:
        if resume:
            _resume(journal, skip)
        try:
            start = journal.rows
            alignments = aligner.align_all(pairs, start=start, skip_bad_pairs=skip)
            for row in rows_of(alignments, islice(pairs.ids, start, None)):
                journal.add(row)
        except BaseException:
            _say_what_stays(journal, len(pairs))
            raise
        skipped = write_rows(journal.read(), pairs, output, form)
        remove_file(journal.path)
        return skipped


def write_rows(
    rows: Iterable[str], pairs: KeptPairs, output: StrPath, form: str | None
) -> list[str]:
    """Write the rows, one of each pair, and return the ids of the pairs that were left out."""
    skipped: list[str] = []
    with replacing(output) as stream:
        if form is not None:
            WRITERS[form](_matched(rows, pairs, form in WITHOUT_IDS, skipped), stream)
            return skipped
        for row in rows:
            identity = _skipped_id(row)
            if identity is None:
                stream.write(row + "\n")
            else:
                skipped.append(identity)
    return skipped


def _matched(
    rows: Iterable[str], pairs: KeptPairs, needs_all: bool, skipped: list[str]
) -> Iterator[tuple[Pair, Alignment]]:
    """Yield the pairs with the alignments of their rows.

    ``needs_all``  whether a pair that was left out comes with an empty alignment, or not at all.
    ``skipped``    gets the ids of the pairs that were left out.
    """
    for pair, row in zip(pairs, rows, strict=True):
        identity = _skipped_id(row)
        if identity is None:
            yield pair, alignment_of_row(json.loads(row))
            continue
        skipped.append(identity)
        if needs_all:
            yield pair, empty_alignment(pair)


def rows_of(alignments: Iterable[Alignment], ids: Iterable[str]) -> Iterator[str]:
    """Yield a row for each pair: its alignment, or that there is none.

    ``ids``  those of all pairs, in the order of the alignments.
    """
    wanted = iter(ids)
    for alignment in alignments:
        for identity in wanted:
            if identity == alignment.id:
                break
            yield json.dumps({SKIPPED: identity}, ensure_ascii=False)
        yield json.dumps(alignment_row(alignment), ensure_ascii=False)
    for identity in wanted:
        yield json.dumps({SKIPPED: identity}, ensure_ascii=False)


def _skipped_id(row: str) -> str | None:
    """Return the id of a pair that was left out, or ``None`` for an alignment's row."""
    if not row.startswith(f'{{"{SKIPPED}": '):
        return None
    return str(json.loads(row)[SKIPPED])


def _resume(journal: Journal, skip: bool) -> None:
    journal.resume()
    if not skip:
        # The first pair that was left out is tried again, and names the error.
        bad = (index for index, row in enumerate(journal.read()) if _skipped_id(row) is not None)
        journal.rows = next(bad, journal.rows)
    if journal.rows:
        found = number_of(journal.rows, "alignment is", "alignments are")
        say(f"{found} in {journal.path}: going on")
    else:
        say(f"nothing to resume in {journal.path}: aligning from the start")


def _say_what_stays(journal: Journal, total: int) -> None:
    if journal.rows:
        say(
            f"{journal.rows} of {total} alignments are in {journal.path}: "
            "the same command with --resume goes on from them"
        )
