"""GIZA++, where it and mkcls are on the path (Och and Ney 2003): the paper's HMM and Model 4.

As in section 5.1.1: five iterations of Model 1, five of the HMM and, for Model 4, five of it.
GIZA++ takes sentences of up to 100 words, cuts a target that has more than nine words for each
source word, and knows fertilities of up to 9; the paper raised these limits in its code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import WordLink
from corpus_tools.storage.files import replacing
from corpus_tools.storage.new_folders import scratch_folder
from semihmm.baselines.binaries import not_on_path, run_program
from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.number_words import number_words

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


@dataclass(frozen=True)
class Giza(WordAligner):
    """``model_4``: whether to go on from the HMM to Model 4."""

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
        return _read(folder / f"{OUTPUT}.{last}", len(source))

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


def _read(path: Path, count: int) -> list[list[WordLink]]:
    """Read the links in an A3 file.

    Each third line has the source words, each with the numbers of its target words. Raises
    ``BadData`` without the file, or if it has not as many sentence pairs as ``count``.
    """
    if not path.exists():
        raise BadData("GIZA++ wrote no alignments", path.name)
    lines = path.read_text(encoding="ascii").splitlines()[2::3]
    if len(lines) != count:
        raise BadData(f"GIZA++ aligned {len(lines)} of {count} sentence pairs", path.name)
    return [_links(line) for line in lines]


def _links(line: str) -> list[WordLink]:
    _, *words = re.findall(r"\(\{([\d ]*)\}\)", line)
    return [(s, int(t) - 1) for s, word in enumerate(words) for t in word.split()]


HMM = Giza("giza-hmm", model_4=False)
MODEL_4 = Giza("giza-model4", model_4=True)
