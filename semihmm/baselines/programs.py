"""Word aligners that are programs of others: fast_align and eflomal.

They get numbers for words, so that no word looks like a separator.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import WordLink
from corpus_tools.storage.files import replacing, replacing_bytes
from corpus_tools.storage.folders import scratch_folder
from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.system import missing_modules

TOO_LONG = 1024
"""eflomal passes over sentences of so many words."""


def not_on_path(*programs: str) -> str | None:
    """Return a message that names the programs that are not on the path; ``None`` if all are."""
    missing = [program for program in programs if shutil.which(program) is None]
    return f"not installed: no {' and no '.join(missing)} on the path" if missing else None


def run_program(command: list[str], folder: Path, output: Path | None = None) -> None:
    """Run a program in a folder.

    ``output``  the file for its output; ``None``: a file in the folder that nobody reads.

    Raises ``BadUsage`` with the last line of its messages, if it fails.
    """
    with replacing_bytes(output or folder / "output") as stream:
        done = subprocess.run(
            command, cwd=folder, stdout=stream, stderr=subprocess.PIPE, check=False
        )
    if done.returncode:
        messages = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
        raise BadUsage(
            f"{command[0]} ended with status {done.returncode}; "
            f"the last line of its messages: {messages[-1]}"
        )


def number_words(*sides: Sentences) -> list[list[str]]:
    """Return each side as lines of numbers, separated by spaces.

    Equal words have equal numbers on all sides.
    """
    numbers: dict[str, str] = {}

    def number(word: str) -> str:
        return numbers.setdefault(word, str(len(numbers)))

    return [[" ".join(map(number, sentence)) for sentence in side] for side in sides]


def read_pharaoh(path: Path, count: int) -> list[list[WordLink]]:
    """Read the links ``i-j`` of each line.

    Raises ``BadData`` if there are not as many lines as sentence pairs, ``count``.
    """
    lines = path.read_text(encoding="ascii").splitlines()
    if len(lines) != count:
        raise BadData(f"the aligner gave {len(lines)} lines for {count} sentence pairs", path.name)
    return [[_word_link(link) for link in line.split()] for line in lines]


def _word_link(text: str) -> WordLink:
    source, target = text.split("-")
    return int(source), int(target)


class FastAlignBinary(WordAligner):
    """The program fast_align, where it is on the path (Dyer, Chahuneau and Smith 2013).

    It has the options that its authors recommend. Sentences may be of any length.
    """

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
            every = read_pharaoh(output, len(source))
        lengths = (max(len(s), len(t)) for s, t in zip(source, target, strict=True))
        return [
            links if length < TOO_LONG else None
            for links, length in zip(every, lengths, strict=True)
        ]
