"""Writes the alignments of pairs, in any process that can read the model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from platform import machine
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, alignment_row
from corpus_tools.alignments.formats import WITHOUT_IDS, WRITERS
from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.batches.training_cache import program_source
from semihmm.batches.units import empty_alignment, encoder_of
from semihmm.cli.output_parts import Pairs
from semihmm.cluster import Shared, read_model, shared_model
from semihmm.decoding.align import aligned_pairs


@dataclass(frozen=True)
class Aligning:
    """Aligns pairs.

    ``model``    the model and its settings, or the file in which they are (``shared_model``).
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
        model = self.model
        known = read_model(model) if isinstance(model, Path) else model
        skipped: list[str] = []
        aligned = aligned_pairs(*known, pairs, self.threads, self.by, self.skip)
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


@contextmanager
def sharing(aligner: Aligner, folder: Path, cluster: str | None) -> Iterator[Shared | Path]:
    """Give what an aligner knows: as it is or, for a cluster, as a file."""
    if cluster is None:
        yield Shared(aligner.model, aligner.settings)
    else:
        with shared_model(folder, aligner.model, aligner.settings) as path:
            yield path
