"""Word aligners that are programs of others: fast_align, eflomal and GIZA++.

They get numbers for words, so that no word looks like a separator.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import WordLink
from corpus_tools.storage.files import replacing, replacing_bytes
from corpus_tools.storage.new_folders import scratch_folder
from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.system import missing_modules

LONGEST = 100
"""Words of the longest sentence that GIZA++ takes."""
ITERATIONS = 5
"""Iterations of each model (section 5.1.1)."""
CLASSES = 50
"""Word classes for Model 4, GIZA++'s usual number."""
INPUT_FILES = {
    "-S": "source.vcb",
    "-T": "target.vcb",
    "-C": "pairs.snt",
    "-CoocurrenceFile": "pairs.cooc",
}
OUTPUT = "result"

TOO_LONG = 1024
"""eflomal passes over sentences of so many words."""

FIRST_NUMBER = 2
"""GIZA++ keeps 0 for the empty word and 1 for unknown words."""


def not_on_path(*programs: str) -> str | None:
    """Return a message that names the programs that are not on the path; ``None`` if all are."""
    missing = [program for program in programs if shutil.which(program) is None]
    return f"not installed: no {' and no '.join(missing)} on the path" if missing else None


def run_program(command: list[str], folder: Path, output: Path | None = None) -> None:
    """Run a program in a folder.

    ``output``  the file for its output; ``None``: a file in the folder that nobody reads.

    Raises ``BadUsage`` with the last line of its messages, if it fails.
    """
    # GIZA++ asks for the user's name, and crashes where there is none.
    environment = {"USER": "semihmm"} | os.environ
    with replacing_bytes(output or folder / "output") as stream:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=stream, stderr=subprocess.PIPE, check=False
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
        return numbers.setdefault(word, str(len(numbers) + FIRST_NUMBER))

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


@dataclass(frozen=True)
class Giza(WordAligner):
    """GIZA++, where it and mkcls are on the path (Och and Ney 2003): the paper's HMM and Model 4.

    As in section 5.1.1: five iterations of Model 1, five of the HMM and, for Model 4, five of it.
    GIZA++ takes sentences of up to 100 words, cuts a target that has more than nine words for each
    source word, and knows fertilities of up to 9; the paper raised these limits in its code.

    ``model_4``  whether to go on from the HMM to Model 4.
    """

    name: str
    model_4: bool

    def missing(self) -> str | None:
        return not_on_path("GIZA++", "mkcls")

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        sides = number_words(source, target)
        fits = [max(len(s), len(t)) <= LONGEST for s, t in zip(source, target, strict=True)]
        taken = [[line for line, fit in zip(side, fits, strict=True) if fit] for side in sides]
        with scratch_folder() as scratch:
            links = iter(self._run(scratch, *taken))
        return [next(links) if fit else None for fit in fits]

    def _run(self, folder: Path, source: list[str], target: list[str]) -> list[list[WordLink]]:
        for name, lines in (("source", source), ("target", target)):
            _write_side(folder, name, lines)
            classes = ["mkcls", f"-c{CLASSES}", "-n2", f"-p{name}", f"-V{name}.vcb.classes", "opt"]
            run_program(classes, folder)
        pairs = [f"1\n{s}\n{t}\n" for s, t in zip(source, target, strict=True)]
        _write(folder / INPUT_FILES["-C"], pairs)
        _write(folder / INPUT_FILES["-CoocurrenceFile"], _cooccurrences(source, target))
        run_program(["GIZA++", *self._options()], folder)
        last = "A3.final" if self.model_4 else f"Ahmm.{ITERATIONS}"
        return _read_a3(folder / f"{OUTPUT}.{last}", len(source))

    def _options(self) -> list[str]:
        options = INPUT_FILES | {
            "-o": OUTPUT,
            "-model1iterations": f"{ITERATIONS}",
            "-hmmiterations": f"{ITERATIONS}",
            "-model2iterations": "0",
            "-model3iterations": "0",
            "-model4iterations": f"{ITERATIONS if self.model_4 else 0}",
            "-hmmdumpfrequency": f"{0 if self.model_4 else ITERATIONS}",
        }
        return [part for option in options.items() for part in option]


def _write_side(folder: Path, name: str, lines: list[str]) -> None:
    """Write the sentences for mkcls and the vocabulary for GIZA++."""
    _write(folder / name, (f"{line}\n" for line in lines))
    words = Counter(word for line in lines for word in line.split())
    by_number = sorted(words.items(), key=lambda item: int(item[0]))
    entries = (f"{word} {word} {count}\n" for word, count in by_number)
    _write(folder / f"{name}.vcb", entries)


def _write(path: Path, lines: Iterable[str]) -> None:
    with replacing(path) as stream:
        stream.writelines(lines)


def _cooccurrences(source: list[str], target: list[str]) -> Iterator[str]:
    """Yield the pairs of words that occur together, sorted; 0 is the empty word."""
    pairs = set()
    for source_line, target_line in zip(source, target, strict=True):
        for s in ("0", *source_line.split()):
            for t in target_line.split():
                pairs.add((int(s), int(t)))
    return (f"{s} {t}\n" for s, t in sorted(pairs))


def _read_a3(path: Path, count: int) -> list[list[WordLink]]:
    """Read the links in an A3 file.

    Each third line has the source words, each with the numbers of its target words. Raises
    ``BadData`` without the file, or if it has not as many sentence pairs as ``count``.
    """
    if not path.exists():
        raise BadData("GIZA++ wrote no alignments", path.name)
    lines = path.read_text(encoding="ascii").splitlines()[2::3]
    if len(lines) != count:
        raise BadData(f"GIZA++ aligned {len(lines)} of {count} sentence pairs", path.name)
    return [_a3_links(line) for line in lines]


def _a3_links(line: str) -> list[WordLink]:
    _, *words = re.findall(r"\(\{([\d ]*)\}\)", line)
    return [(s, int(t) - 1) for s, word in enumerate(words) for t in word.split()]


GIZA_HMM = Giza("giza-hmm", model_4=False)
GIZA_MODEL_4 = Giza("giza-model4", model_4=True)
