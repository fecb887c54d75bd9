"""Compressions: a source's words, and which of them each of several people chose.

Hori et al. (2003): the word network of the compressions, and the place of a summary's words in it.
"""

from __future__ import annotations

import math
import reprlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.errors import BadData
from corpus_tools.texts.tokenizers import normal_form

UNKNOWN = -1
"""The position of a summary word that is not a word of the source, or not in its order."""

BEGIN = -1
"""What stands before the first word of a path."""

Sentences = tuple[str, ...]
"""A text, sentence by sentence."""


References = Mapping[str, Sequence[Sentences]]
"""The references of each id."""


class SystemSummary(NamedTuple):
    """A summary that is measured.

    ``id``         the id of what is summarized; its references have the same.
    ``system``     the name of the system that wrote it.
    ``positions``  of its words in the source, counted from 0, if it is given by these instead of
                   sentences; its references are compressions of the same source.
    """

    id: str
    system: str
    sentences: Sentences
    positions: tuple[int, ...] | None = None


def to_sentences(text: str | Sequence[str]) -> Sentences:
    """Return the sentences of a text: the lines of a string that are not blank, or a list's items.

    So ROUGE-1.5.5 reads plain text (format SPL).
    """
    if isinstance(text, str):
        return tuple(line for line in text.split("\n") if line.strip())
    return tuple(text)


# Word networks


@dataclass(frozen=True)
class Target:
    """The word sequence of a network that is nearest to a summary.

    ``positions``  of its words in the source.
    ``errors``     the substitutions, insertions and deletions between it and the summary.
    ``weight``     the geometric mean, over its connections of two words, of the share of the
                   subjects who made the connection; 1 for a single word (the product of eq. 7).
    """

    positions: tuple[int, ...]
    errors: int
    weight: float

    @property
    def accuracy(self) -> float:
        """The word accuracy of the summary against this target (eq. 2): SumACCY."""
        words = len(self.positions)
        return (words - self.errors) / words


class WordNetwork:
    """All word sequences made of connections that some subject made, begin and end included.

    ``subjects``  how many subjects there are.
    ``begins``    how many began with a word, by its position.
    ``ends``      how many ended with a word.
    ``made``      how many made a connection, by the positions of its two words.
    """

    def __init__(self, compressions: Sequence[Sequence[int]]) -> None:
        """Merge compressions: increasing positions of the chosen words, at least one each."""
        self.subjects = len(compressions)
        self.begins = Counter(positions[0] for positions in compressions)
        self.ends = Counter(positions[-1] for positions in compressions)
        self.made = Counter(both for positions in compressions for both in pairwise(positions))
        self._into: dict[int, list[tuple[int, float]]] = {
            word: [(BEGIN, 0.0)] for word in self.begins
        }
        for (word, after), subjects in sorted(self.made.items()):
            weight = -float(np.log(subjects / self.subjects))
            self._into.setdefault(after, []).append((word, weight))

    def nearest(self, positions: Sequence[int]) -> Target:
        """Return the target of a summary: fewest errors, then longest, then heaviest.

        ``positions``  of the summary's words in the source, or ``UNKNOWN``.
        """
        # The best path to each word, beside so many words of the summary.
        paths: dict[int, _Path] = {}
        for read, word in enumerate((UNKNOWN, *positions)):
            before = paths
            paths = {BEGIN: _Path(read, 0, 0.0, ())}
            for node in sorted(self._into):
                # The path has a word more, which the summary lacks.
                ways = [paths[last].to(node, 1, more) for last, more in self._into[node]]
                if read:
                    unlike = int(word != node)
                    ways += [before[last].to(node, unlike, more) for last, more in self._into[node]]
                    # The summary has a word more.
                    ways.append(before[node]._replace(errors=before[node].errors + 1))
                paths[node] = min(ways, key=_rank)
        best = min((paths[word] for word in sorted(self.ends)), key=_rank)
        shares = [self.made[both] / self.subjects for both in pairwise(best.words)]
        weight = float(np.exp(np.mean(np.log(shares)))) if shares else 1.0
        return Target(best.words, best.errors, weight)


class _Path(NamedTuple):
    """A path through a network: its words, and the errors of a summary beside it.

    ``length``, ``weight``  with a minus, so that less is better.
    """

    errors: int
    length: int
    weight: float
    words: tuple[int, ...]

    def to(self, word: int, errors: int, weight: float) -> _Path:
        """Return the path that goes on to a word."""
        words = (*self.words, word)
        return _Path(self.errors + errors, self.length - 1, self.weight + weight, words)


def _rank(path: _Path) -> tuple[int, int, float]:
    return path.errors, path.length, path.weight


@dataclass(frozen=True)
class Compressions(Sequence[Sentences]):
    """A source and its compressions by several people (Hori et al. 2003, section 3.4).

    As a sequence they are references like others: the compressions as texts of one sentence.

    ``words``         of the source, in order.
    ``compressions``  of each subject the positions of the chosen words, counted from 0: increasing,
                      at least one.
    """

    id: str
    words: tuple[str, ...]
    compressions: tuple[tuple[int, ...], ...]

    @cached_property
    def network(self) -> WordNetwork:
        """The word network of the compressions."""
        return WordNetwork(self.compressions)

    def chosen(self, positions: Iterable[int]) -> Choice:
        """Return the choice of some words by their positions."""
        known = tuple(positions)
        return Choice(self, known, tuple(self.words[position] for position in known))

    def __len__(self) -> int:
        return len(self.compressions)

    def __getitem__(self, index: Any) -> Any:
        return self._texts[index]

    @cached_property
    def _texts(self) -> list[Sentences]:
        return [(" ".join(self.chosen(one).words),) for one in self.compressions]


class Choice(NamedTuple):
    """Words of a source, chosen by a subject or by a system.

    ``positions``  in the source, or ``UNKNOWN`` for a word that is not one of the source.
    ``words``      the word of each position.
    """

    source: Compressions
    positions: tuple[int, ...]
    words: tuple[str, ...]


# Checks


def check_positions(positions: object, size: float, what: str) -> None:
    """Raise ``BadData`` unless this is a list of increasing positions of a source.

    ``size``  the number of the source's words; infinite where it is not known yet.
    ``what``  says in the message whose positions they are.
    """
    if not isinstance(positions, list):
        raise BadData(f"{what} is {reprlib.repr(positions)}, expected a list of positions")
    for position in positions:
        if type(position) is not int:
            raise BadData(
                f"{what}: a position is {reprlib.repr(position)}, expected a whole number"
            )
        if not 0 <= position < size:
            has = f"the source has {size} words, numbered" if size < math.inf else "they count"
            raise BadData(f"{what}: position {position} is out of range: {has} from 0")
    for before, after in pairwise(positions):
        if after <= before:
            raise BadData(f"{what}: position {after} follows {before}, expected increasing ones")


def check_summary(summary: SystemSummary, references: Sequence[Sentences]) -> None:
    """Raise ``BadData`` if a summary has positions that its references have no words for."""
    if summary.positions is None:
        return
    what = f"the summary {summary.id!r} of {summary.system!r}"
    if not isinstance(references, Compressions):
        problem = "has positions, but its references are no compressions of a source"
        raise BadData(f"{what} {problem}")
    check_positions(list(summary.positions), len(references.words), what)


# Placed words


class _Placed(NamedTuple):
    """A summary word at a position, with the best placement of the words before it.

    ``value``   what placements are compared by: words with a position, gaps (negative), subjects
                who made the connections.
    ``before``  the word that is placed before it, or ``None``.
    """

    word: int
    position: int
    value: tuple[int, int, int]
    before: _Placed | None


def place_words(words: Sequence[str], source: Compressions) -> tuple[int, ...]:
    """Return the position of each word in the source, increasing, or ``UNKNOWN``.

    The words do not say which of several equal words of the source was chosen (Hori et al. 2003,
    Table 1: "in" of subject C).

    As many words as possible get a position. Among such placements the one with the fewest gaps
    counts, where two words one after the other do not follow each other in the source; then the
    one whose connections most subjects made; then the first.
    """
    occurrences = defaultdict(list)
    for position, form in enumerate(map(normal_form, source.words)):
        occurrences[form].append(position)
    placed: list[_Placed] = []
    for word, form in enumerate(map(normal_form, words)):
        is_last = word == len(words) - 1
        placed += [
            _placed(word, position, is_last, placed, source.network)
            for position in occurrences.get(form, [])
        ]
    positions = [UNKNOWN] * len(words)
    step = max(placed, key=_value, default=None)
    while step is not None:
        positions[step.word] = step.position
        step = step.before
    return tuple(positions)


def _placed(
    word: int, position: int, is_last: bool, earlier: Sequence[_Placed], network: WordNetwork
) -> _Placed:
    """Place a word at a position after the earlier word that leaves the best value."""
    # The connections to the begin and to the end of the summary count like others.
    end = network.ends[position] if is_last else 0
    begin = 0 if word else network.begins[position]
    ways = [_Placed(word, position, (1, 0, begin + end), None)]
    for before in earlier:
        if before.position < position:
            number, gaps, subjects = before.value
            gap = position - before.position > 1
            made = network.made[before.position, position] if word - before.word == 1 else 0
            value = (number + 1, gaps - gap, subjects + made + end)
            ways.append(_Placed(word, position, value, before))
    return max(ways, key=_value)


def _value(placed: _Placed) -> tuple[int, int, int]:
    return placed.value
