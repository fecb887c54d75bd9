"""GIZA++, where it and mkcls are on the path (Och and Ney 2003): the paper's own rival, the HMM and Model 4.

As in section 5.1.1: five iterations of Model 1, five of the HMM and, for Model 4, five of it. It takes sentences of up to 100
words, cuts a target that has more than nine words for each source word, and knows fertilities of up to 9; the paper raised
these limits in its code.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import WordLink
from semihmm.baselines.binaries import not_on_path, run_program
from semihmm.baselines.directed import Links, Sentences, WordAligner
from semihmm.baselines.number_words import number_words

LONGEST = 100
ITERATIONS = 5


@dataclass(frozen=True)
class Giza(WordAligner):
    """``model_4``: whether to go on from the HMM to Model 4."""

    name: str
    model_4: bool

    def missing(self) -> str | None:
        return not_on_path("GIZA++", "mkcls")

    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        sides = number_words(source, target)
        short = [max(len(s), len(t)) <= LONGEST for s, t in zip(source, target, strict=True)]
        taken = [[line for line, fits in zip(side, short, strict=True) if fits] for side in sides]
        with tempfile.TemporaryDirectory() as scratch:
            found = iter(self._run(Path(scratch), *taken))
        return [next(found) if fits else None for fits in short]

    def _run(self, folder: Path, source: list[str], target: list[str]) -> list[list[WordLink]]:
        for name, lines in (("source", source), ("target", target)):
            _write(folder, name, lines)
            run_program(
                ["mkcls", "-c50", "-n2", f"-p{name}", f"-V{name}.vcb.classes", "opt"], folder
            )
        pairs = [f"1\n{s}\n{t}\n" for s, t in zip(source, target, strict=True)]
        (folder / "pairs.snt").write_text("".join(pairs), encoding="ascii")
        (folder / "pairs.cooc").write_text(_together(source, target), encoding="ascii")
        run_program(["GIZA++", *self._options()], folder)
        return _read(
            folder / ("result.A3.final" if self.model_4 else f"result.Ahmm.{ITERATIONS}"),
            len(source),
        )

    def _options(self) -> list[str]:
        files = [
            "-S",
            "source.vcb",
            "-T",
            "target.vcb",
            "-C",
            "pairs.snt",
            "-CoocurrenceFile",
            "pairs.cooc",
            "-o",
            "result",
        ]
        last = ITERATIONS if self.model_4 else 0
        numbers = {
            "model1iterations": ITERATIONS,
            "hmmiterations": ITERATIONS,
            "model2iterations": 0,
            "model3iterations": 0,
        }
        numbers |= {"model4iterations": last, "hmmdumpfrequency": 0 if last else ITERATIONS}
        return files + [
            part for name, number in numbers.items() for part in (f"-{name}", str(number))
        ]


def _write(folder: Path, name: str, lines: list[str]) -> None:
    (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    words = Counter(word for line in lines for word in line.split())
    entries = (
        f"{word} {word} {count}\n"
        for word, count in sorted(words.items(), key=lambda item: int(item[0]))
    )
    (folder / f"{name}.vcb").write_text("".join(entries), encoding="ascii")


def _together(source: list[str], target: list[str]) -> str:
    """The pairs of words that occur together, sorted; 0 is the empty word."""
    pairs = {(int(s), int(t)) for one, other in zip(source, target, strict=True)
             for s in ("0", *one.split()) for t in other.split()}  # fmt: skip
    return "".join(f"{s} {t}\n" for s, t in sorted(pairs))


def _read(path: Path, count: int) -> list[list[WordLink]]:
    """The links in an A3 file: each third line has the source words, each with the numbers of its target words."""
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
