"""Summaries and references, and compressions: words that people chose from a source.

Hori et al. (2003): the word network of the compressions, and the place of a summary's words in it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Source, place_of
from corpus_tools.texts.tokenizers import normal_form

UNKNOWN = -1
"""The position of a summary word that is not a word of the source, or not in its order."""

BEGIN = -1
"""What stands before the first word of a path."""

Sentences = tuple[str, ...]
"""A text, sentence by sentence."""


@dataclass(frozen=True)
class SystemSummary:
    """A summary that is measured.

    ``id``         the id of what is summarized; its references have the same.
    ``system``     the name of the system that wrote it.
    ``positions``  of its words in the source, counted from 0, if it is given by these instead of
                   sentences; its references are compressions of the same source.
    ``source``     where it stands, for errors; ``None`` if it was read from no file.
    """

    id: str
    system: str
    sentences: Sentences
    positions: tuple[int, ...] | None = None
    source: Source | None = field(default=None, compare=False, repr=False)

    def error(self, problem: str) -> BadData:
        """Make the error of a problem, which says where the summary stands."""
        what = f"the summary {self.id!r} of {self.system!r}"
        return BadData(f"{what} {problem}", *place_of(self.source))


def to_sentences(text: str | Sequence[str]) -> Sentences:
    """Return the sentences of a text: the lines of a string that are not blank, or a list's items.

    So ROUGE-1.5.5 reads plain text (format SPL).
    """
    if isinstance(text, str):
        return tuple(line for line in text.split("\n") if line.strip())
    return tuple(text)


def require_distinct(summaries: Iterable[SystemSummary]) -> None:
    """Raise ``BadData``, with its place, for the second summary of an id by one system."""
    first: dict[tuple[str, str], SystemSummary] = {}
    for number, one in enumerate(summaries):
        earlier = first.setdefault((one.system, one.id), one)
        if len(first) <= number:
            where = f": the other is {earlier.source}" if earlier.source else ""
            raise one.error(f"is given twice{where}")


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


_rank = attrgetter("errors", "length", "weight")


@dataclass(frozen=True)
class Compressions:
    """A source and its compressions by several people (Hori et al. 2003, section 3.4).

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

    @property
    def choices(self) -> list[Choice]:
        """The words that each subject chose."""
        return [self.chosen(positions) for positions in self.compressions]

    def chosen(self, positions: tuple[int, ...]) -> Choice:
        """Return the choice of some words by their positions."""
        return Choice(self, positions, tuple(self.words[position] for position in positions))


class Choice(NamedTuple):
    """Words of a source, chosen by a subject or by a system.

    ``positions``  in the source, or ``UNKNOWN`` for a word that is not one of the source.
    ``words``      the word of each position.
    """

    source: Compressions
    positions: tuple[int, ...]
    words: tuple[str, ...]

    @property
    def sentences(self) -> Sentences:
        """The words as a text of one sentence, which measures of all texts take."""
        return (" ".join(self.words),)


OfOneId = Sequence[Sentences] | Compressions
"""The references of an id: one or more."""

References = Mapping[str, OfOneId]
"""The references of each id."""


def problem_of_positions(positions: object, size: float = math.inf) -> str:
    """Return what is wrong where these are no increasing positions of a source; empty if nothing.

    ``size``  the number of the source's words; infinite where it is not known yet.
    """
    if not isinstance(positions, list) or any(type(one) is not int for one in positions):
        return "expected a list of positions, whole numbers"
    for before, position in pairwise([-1, *positions]):
        if not before < position < size:
            limit = f" and below {size}, the number of words" if size < math.inf else ""
            return f"position {position} follows {before}: expected larger ones, from 0 on{limit}"
    return ""


# Placed words


class _Placed(NamedTuple):
    """A summary word at a position, with the best placement of the words before it.

    ``value``   what placements are compared by: words with a position, gaps (negative), subjects
                who made the connections. Of equal ones the first counts.
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
    step = max(placed, key=attrgetter("value"), default=None)
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
    return max(ways, key=attrgetter("value"))
