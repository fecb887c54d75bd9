"""The program fast_align, where it is on the path (Dyer, Chahuneau and Smith 2013)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from semihmm.baselines.binaries import not_on_path, run_program
from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.number_words import number_words, read_pharaoh


class FastAlignBinary(WordAligner):
    """The program with the options that its authors recommend. Sentences may be of any length."""

    name = "fast_align-binary"

    def missing(self) -> str | None:
        return not_on_path("fast_align")

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            lines = map(" ||| ".join, zip(*number_words(source, target), strict=True))
            (folder / "pairs").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
            output = folder / "links"
            run_program(["fast_align", "-i", "pairs", "-d", "-o", "-v"], folder, output)
            return list(read_pharaoh(output, len(source)))
