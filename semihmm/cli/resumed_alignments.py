"""Writes the alignments of many pairs so that a run that ended early can be resumed."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version

from corpus_tools.alignments.alignment import Alignment, alignment_of_row, alignment_row
from corpus_tools.alignments.formats import WITHOUT_IDS, WRITERS
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import StrPath, replacing
from corpus_tools.storage.journal import Journal, can_be_resumed, open_journal
from corpus_tools.storage.new_folders import remove_file
from semihmm.aligner import Aligner
from semihmm.batches.training_cache import program_source
from semihmm.batches.units import empty_alignment, encoder_of
from semihmm.cli.messages import say

SKIPPED = "skipped"
"""The field of a row of the journal for a pair that was left out: its id."""


def write_all(
    aligner: Aligner,
    pairs: Sequence[Pair],
    output: StrPath,
    form: str | None = None,
    *,
    skip: bool = False,
    resume: bool = False,
) -> list[str]:
    """Align the pairs and write JSON lines; return the ids of the pairs that were left out.

    ``form``    one of ``WRITERS``, whose format is written instead. The journal is the same.
    ``skip``    whether pairs that make the model fail are left out. Formats without ids get an
                empty alignment of them.
    ``resume``  whether to go on from what an earlier run of the same left.

    Raises ``BadUsage`` if there is nothing that could be resumed, by its kind or by its content.
    """
    if not can_be_resumed(output):
        if resume:
            raise BadUsage("only an output that is a file can be resumed: name one with --output")
        return _write(_rows(aligner, pairs, 0, skip), pairs, output, form)
    with open_journal(output, _identity(aligner, pairs)) as journal:
        if resume:
            _resume(journal, skip)
        try:
            for row in _rows(aligner, pairs, journal.rows, skip):
                journal.add(row)
        except BaseException:
            _say_what_stays(journal, len(pairs))
            raise
        skipped = _write(journal.read(), pairs, output, form)
        remove_file(journal.path)
        return skipped


def _write(
    rows: Iterable[str], pairs: Sequence[Pair], output: StrPath, form: str | None
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
    rows: Iterable[str], pairs: Sequence[Pair], needs_all: bool, skipped: list[str]
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


def _rows(aligner: Aligner, pairs: Sequence[Pair], start: int, skip: bool) -> Iterator[str]:
    """Yield a row for each pair from ``start`` on: an alignment, or that there is none."""
    wanted = iter(pairs[start:])
    for alignment in aligner.align_all(pairs, start=start, skip_bad_pairs=skip):
        for pair in wanted:
            if pair.id == alignment.id:
                break
            yield json.dumps({SKIPPED: pair.id}, ensure_ascii=False)
        yield json.dumps(alignment_row(alignment), ensure_ascii=False)
    for pair in wanted:
        yield json.dumps({SKIPPED: pair.id}, ensure_ascii=False)


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
        say(f"{journal.rows} alignments are in {journal.path}: going on from them")
    else:
        say(f"nothing to resume in {journal.path}: aligning from the start")


def _say_what_stays(journal: Journal, total: int) -> None:
    if journal.rows:
        say(
            f"{journal.rows} of {total} alignments are in {journal.path}: "
            "the same command with --resume goes on from them"
        )


def _identity(aligner: Aligner, pairs: Sequence[Pair]) -> str:
    """Hash all that the rows depend on: pairs, model, settings, program."""
    versions = [program_source(), version("numba"), version("numpy"), platform.machine()]
    settings = aligner.settings
    encoder = encoder_of(settings).version if settings.needs_vectors else ""
    digest = hashlib.sha256(
        json.dumps([versions, aligner.loaded_from, settings.as_json(), encoder]).encode()
    )
    for pair in pairs:
        sides = (pair.document, pair.abstract)
        content = [pair.id, *([side.tokens, side.boundaries] for side in sides)]
        digest.update(json.dumps(content).encode())
        if pair.trees is not None:
            digest.update(repr(pair.trees).encode())
    return digest.hexdigest()
