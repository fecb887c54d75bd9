"""Word aligners that are programs of others: fast_align and eflomal.

They get numbers for words, so that no word looks like a separator.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

from corpus_tools.alignments.formats.pharaoh import link_of
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import WordLink
from corpus_tools.storage.files import replacing
from corpus_tools.storage.folders import scratch_folder
from semihmm.baselines.system import missing_modules
from semihmm.baselines.word_aligners import Links, Sentences, WordAligner

TOO_LONG = 1024
"""eflomal passes over sentences of so many words."""


def number_words(*sides: Sentences) -> list[list[str]]:
    """Return each side as lines of numbers, separated by spaces.

    Equal words have equal numbers on all sides.
    """
    numbers: dict[str, str] = {}

    def number(word: str) -> str:
        return numbers.setdefault(word, str(len(numbers)))

    return [[" ".join(map(number, sentence)) for sentence in side] for side in sides]


def read_pharaoh(lines: Sequence[str], count: int) -> list[list[WordLink]]:
    """Read the links ``i-j`` of each line.

    Raises ``BadData`` if there are not as many lines as sentence pairs, ``count``.
    """
    if len(lines) != count:
        raise BadData(f"the aligner gave {len(lines)} lines for {count} sentence pairs")
    return [list(map(link_of, line.split())) for line in lines]


class FastAlignBinary(WordAligner):
    """The program fast_align, where it is on the path (Dyer, Chahuneau and Smith 2013).

    It has the options that its authors recommend. Sentences may be of any length.
    """

    name = "fast_align-binary"

    def missing(self) -> str | None:
        found = shutil.which("fast_align")
        return None if found else "not installed: no fast_align on the path"

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        """Align. Raises ``BadUsage`` with the last line of its messages, if the program fails."""
        with scratch_folder() as folder:
            lines = map(" ||| ".join, zip(*number_words(source, target), strict=True))
            with replacing(folder / "pairs") as stream:
                stream.writelines(f"{line}\n" for line in lines)
            command = ["fast_align", "-i", "pairs", "-d", "-o", "-v"]
            done = subprocess.run(
                command, cwd=folder, capture_output=True, check=False, text=True, errors="replace"
            )
        if done.returncode:
            messages = done.stderr.strip().splitlines() or ["nothing"]
            raise BadUsage(
                f"fast_align ended with status {done.returncode}; "
                f"the last line of its messages: {messages[-1]}"
            )
        return list(read_pharaoh(done.stdout.splitlines(), len(source)))


class Eflomal(WordAligner):
    """eflomal: the Bayesian HMM with fertilities, by Gibbs sampling (Östling and Tiedemann 2016).

    PyPI: eflomal, with its own settings: model 3, three samplers. It has no seed: its figures
    differ a little from run to run. It passes over sentences of 1,024 words or more.
    """

    name = "eflomal"

    def missing(self) -> str | None:
        return missing_modules("eflomal")

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        import eflomal  # an extra

        with scratch_folder() as folder:
            output = folder / "forward"
            eflomal.Aligner().align(*number_words(source, target), links_filename_fwd=str(output))
            every = read_pharaoh(output.read_text(encoding="ascii").splitlines(), len(source))
        lengths = (max(len(s), len(t)) for s, t in zip(source, target, strict=True))
        return [
            links if length < TOO_LONG else None
            for links, length in zip(every, lengths, strict=True)
        ]
