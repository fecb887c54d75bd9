"""The program fast_align, where it is on the path (Dyer, Chahuneau and Smith 2013)."""

from __future__ import annotations

from corpus_tools.storage.files import replacing
from corpus_tools.storage.new_folders import scratch_folder
from semihmm.baselines.binaries import not_on_path, run_program
from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.number_words import number_words, read_pharaoh


class FastAlignBinary(WordAligner):
    """The program with the options that its authors recommend. Sentences may be of any length."""

    name = "fast_align-binary"

    def missing(self) -> str | None:
        return not_on_path("fast_align")

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        with scratch_folder() as folder:
            lines = map(" ||| ".join, zip(*number_words(source, target), strict=True))
            with replacing(folder / "pairs") as stream:
                stream.writelines(f"{line}\n" for line in lines)
            output = folder / "links"
            run_program(["fast_align", "-i", "pairs", "-d", "-o", "-v"], folder, output)
            return list(read_pharaoh(output, len(source)))
