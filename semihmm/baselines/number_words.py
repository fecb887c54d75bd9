"""Writes numbers for words into files for other programs.

So no word looks like a separator.
"""

from __future__ import annotations

from pathlib import Path

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import WordLink
from semihmm.baselines.directed import Sentences

FIRST_NUMBER = 2
"""GIZA++ keeps 0 for the empty word and 1 for unknown words."""


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
