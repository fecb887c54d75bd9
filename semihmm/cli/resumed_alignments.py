"""Writes the alignments of many pairs so that a run that ended early can be resumed."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import version

from corpus_tools.alignments.alignment import alignment_row
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import StrPath, replacing
from corpus_tools.storage.journal import Journal, can_be_resumed, open_journal
from corpus_tools.storage.new_folders import remove_file
from semihmm.aligner import Aligner
from semihmm.batches.training_cache import program_source
from semihmm.batches.units import encoder_of
from semihmm.cli.messages import progress, say

SKIPPED = "skipped"
"""The field of a row of the journal for a pair that was left out: its id."""


def write_all(
    aligner: Aligner, pairs: Sequence[Pair], output: StrPath, skip: bool, resume: bool
) -> list[str]:
    """Align the pairs and write JSON lines; return the ids of the pairs that were left out.

    ``skip``    whether pairs that make the model fail are left out.
    ``resume``  whether to go on from what an earlier run of the same left.

    Raises ``BadUsage`` if there is nothing that could be resumed, by its kind or by its content.
    """
    if not can_be_resumed(output):
        if resume:
            raise BadUsage("only an output that is a file can be resumed: name one with --output")
        return _write_stream(aligner, pairs, output, skip)
    with open_journal(output, _identity(aligner, pairs)) as journal:
        if resume:
            _resume(journal, skip)
        try:
            rows = _rows(aligner, pairs, journal.rows, skip)
            for row in progress(rows, "aligning", len(pairs) - journal.rows):
                journal.add(row)
        except BaseException:
            _say_what_stays(journal, len(pairs))
            raise
        return _finish(journal, output)


def _write_stream(
    aligner: Aligner, pairs: Sequence[Pair], output: StrPath, skip: bool
) -> list[str]:
    skipped = []
    with replacing(output) as stream:
        for row in progress(_rows(aligner, pairs, 0, skip), "aligning", len(pairs)):
            if _skipped_id(row) is None:
                stream.write(row + "\n")
            else:
                skipped.append(_skipped_id(row) or "")
    return skipped


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


def _finish(journal: Journal, output: StrPath) -> list[str]:
    """Write the output from the journal, and remove the journal."""
    skipped = []
    with replacing(output) as stream:
        for row in journal.read():
            identity = _skipped_id(row)
            if identity is None:
                stream.write(row + "\n")
            else:
                skipped.append(identity)
    remove_file(journal.path)
    return skipped


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
