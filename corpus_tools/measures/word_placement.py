"""Finds the positions in the source of a compression that is given by its words alone.

The words do not say which of several equal words of the source was chosen (Hori et al. 2003,
Table 1: "in" of subject C).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from corpus_tools.measures.compressions import Compressions
from corpus_tools.measures.word_network import UNKNOWN, WordNetwork
from corpus_tools.texts.tokenizers import normal_form


class _Placed(NamedTuple):
    """A summary word at a position, with the best placement of the words before it.

    ``value``     what placements are compared by: words with a position, gaps (negative), subjects
                  who made the connections.
    ``previous``  the index of the word placed before it, or ``None``.
    """

    word: int
    position: int
    value: tuple[int, int, int]
    previous: int | None


def place_words(words: Sequence[str], source: Compressions) -> tuple[int, ...]:
    """Return the position of each word in the source, increasing, or ``UNKNOWN``.

    As many words as possible get a position. Among such placements the one with the fewest gaps
    counts, where two words one after the other do not follow each other in the source; then the
    one whose connections most subjects made; then the first.
    """
    network = source.network
    placed: list[_Placed] = []
    for word, positions in enumerate(_occurrences(words, source.words)):
        before = len(placed)
        for position in positions:
            placed.append(_best(placed[:before], word, position, network))
    values = [_with_end(last, len(words), network) for last in placed]
    positions = [UNKNOWN] * len(words)
    row = values.index(max(values)) if values else None
    while row is not None:
        last = placed[row]
        positions[last.word] = last.position
        row = last.previous
    return tuple(positions)


def _occurrences(words: Sequence[str], source: Sequence[str]) -> list[list[int]]:
    """Return the positions of the source that have each word."""
    positions = defaultdict(list)
    for position, word in enumerate(source):
        positions[normal_form(word)].append(position)
    return [positions.get(normal_form(word), []) for word in words]


def _best(placed: Sequence[_Placed], word: int, position: int, network: WordNetwork) -> _Placed:
    """Place a word at a position after the words that leave the best value."""
    best = _Placed(word, position, (1, 0, 0 if word else network.begins[position]), None)
    for row, last in enumerate(placed):
        if last.position >= position:
            continue
        number, gaps, subjects = last.value
        gap = position - last.position > 1
        made = network.made[last.position, position] if word - last.word == 1 else 0
        value = (number + 1, gaps - gap, subjects + made)
        if value > best.value:
            best = _Placed(word, position, value, row)
    return best


def _with_end(last: _Placed, words: int, network: WordNetwork) -> tuple[int, int, int]:
    """Return the value of a placement with the connection to the end, if its last word is last."""
    number, gaps, subjects = last.value
    return number, gaps, subjects + (network.ends[last.position] if last.word == words - 1 else 0)
