"""Between sentences and the plain text of other programs: numbers for words, so that no word looks like a separator."""

from __future__ import annotations

from pathlib import Path

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import WordLink
from semihmm.baselines.directed import Sentences


def number_words(*sides: Sentences) -> list[list[str]]:
    """Each side as lines of numbers, separated by spaces; equal words have equal numbers on all sides."""
    numbers: dict[str, str] = {}
    return [
        [
            " ".join(numbers.setdefault(word, str(len(numbers) + 2)) for word in sentence)
            for sentence in side
        ]
        for side in sides
    ]


def read_pharaoh(path: Path, count: int) -> list[list[WordLink]]:
    """The links ``i-j`` of each line. Raises ``BadData`` if there are not as many lines as sentence pairs."""
    lines = path.read_text(encoding="ascii").splitlines()
    if len(lines) != count:
        raise BadData(f"the aligner gave {len(lines)} lines for {count} sentence pairs", path.name)
    return [[tuple(map(int, link.split("-"))) for link in line.split()] for line in lines]
