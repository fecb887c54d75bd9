"""The pairs of the sample in several files."""

from __future__ import annotations

import gzip
from pathlib import Path

from tests.semihmm.program_runs import SAMPLE, rows, write

ENDS = (4, 5, 9, 20)
"""The index after the last pair of each file."""

BAD = "sample-07"
"""A pair of the third file."""


def sample_in_files(folder: Path) -> Path:
    """Write the pairs into four files of a new directory, one of them packed, and return it."""
    folder.mkdir()
    pairs = rows(SAMPLE)
    assert len(pairs) == ENDS[-1] and pairs[6]["id"] == BAD
    for number, (begin, end) in enumerate(zip((0, *ENDS), ENDS, strict=False)):
        write(folder / f"{number}.jsonl", *pairs[begin:end])
    first = folder / "0.jsonl"
    (folder / "0.jsonl.gz").write_bytes(gzip.compress(first.read_bytes()))
    first.unlink()
    return folder
