"""Measures of compressions (Hori et al. 2003): words, strings of words, networks of words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.measures.measure import CountingMeasure, MeanMeasure, Sides, Texts
from corpus_tools.measures.settings import WORD_SETTINGS, MeasureSettings
from corpus_tools.measures.summaries import UNKNOWN_POSITION, Compressions
from corpus_tools.measures.words import MeasuredText
from corpus_tools.texts.forms import normal_form

PATH_BEGIN = -1
"""The mark before the first word of a path."""

# Word networks


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
            word: [(PATH_BEGIN, 0.0)] for word in self.begins
        }
        for (word, after), subjects in sorted(self.made.items()):
            weight = -float(np.log(subjects / self.subjects))
            self._into.setdefault(after, []).append((word, weight))

    def nearest(self, positions: Sequence[int]) -> Path:
        """Return the path that is nearest to a summary: fewest errors, then longest, then heaviest.

        ``positions``  of the summary's words in the source, or ``UNKNOWN_POSITION``.
        """
        # The best path to each word, beside so many words of the summary.
        paths: dict[int, Path] = {}
        for read, word in enumerate((UNKNOWN_POSITION, *positions)):
            before = paths
            paths = {PATH_BEGIN: Path(read, 0, 0.0, ())}
            for node in sorted(self._into):
                # The path has a word more, which the summary lacks.
                ways = [paths[last].to(node, 1, more) for last, more in self._into[node]]
                if read:
                    unlike = int(word != node)
                    ways += [before[last].to(node, unlike, more) for last, more in self._into[node]]
                    # The summary has a word more.
                    ways.append(before[node]._replace(errors=before[node].errors + 1))
                paths[node] = min(ways, key=_rank)
        return min((paths[word] for word in sorted(self.ends)), key=_rank)

    def weight(self, words: Sequence[int]) -> float:
        """Return the weight of a word sequence of the network (the product of equation 7).

        It is the geometric mean, over its connections of two words, of the share of the subjects
        who made the connection; 1 for a single word.
        """
        shares = [self.made[both] / self.subjects for both in pairwise(words)]
        return float(np.exp(np.mean(np.log(shares)))) if shares else 1.0


class Path(NamedTuple):
    """A path through a network beside a summary.

    ``errors``  the substitutions, insertions and deletions between it and the summary.
    ``length``  of its words, and ``weight``, the sum over its connections of the logarithm of the
                share of the subjects who made them, both with a minus, so that less is better.
    ``words``   their positions in the source.
    """

    errors: int
    length: int
    weight: float
    words: tuple[int, ...]

    def to(self, word: int, errors: int, weight: float) -> Path:
        """Return the path that goes on to a word."""
        words = (*self.words, word)
        return Path(self.errors + errors, self.length - 1, self.weight + weight, words)


_rank = attrgetter("errors", "length", "weight")


# Placed words

Placement = tuple[tuple[int, int, int], tuple[tuple[int, int], ...]]
"""Words of a summary with their positions, and before them what placements are compared by: words
with a position, gaps (negative), subjects who made the connections."""


def place_words(words: Sequence[str], source: Compressions) -> tuple[int, ...]:
    """Return the position of each word in the source, increasing, or ``UNKNOWN_POSITION``.

    The words do not say which of several equal words of the source was chosen (Hori et al. 2003,
    Table 1: "in" of subject C).

    As many words as possible get a position. Among such placements the one with the fewest gaps
    counts, where two words one after the other do not follow each other in the source; then the
    one whose connections most subjects made; then the first.
    """
    network = WordNetwork(source.compressions)
    occurrences = defaultdict(list)
    for position, form in enumerate(map(normal_form, source.words)):
        occurrences[form].append(position)
    # The best placement that ends with each word at each of its positions.
    placed: list[Placement] = []
    for word, form in enumerate(map(normal_form, words)):
        is_last = word == len(words) - 1
        placed += [
            _placed(word, position, is_last, placed, network)
            for position in occurrences.get(form, [])
        ]
    _, best = max(placed, key=itemgetter(0), default=((0, 0, 0), ()))
    positions = dict(best)
    return tuple(positions.get(word, UNKNOWN_POSITION) for word in range(len(words)))


def _placed(
    word: int, position: int, is_last: bool, placed: Sequence[Placement], network: WordNetwork
) -> Placement:
    """Place a word at a position after the earlier word that leaves the best value."""
    # The connections to the begin and to the end of the summary count like others.
    end = network.ends[position] if is_last else 0
    begin = 0 if word else network.begins[position]
    ways: list[Placement] = [((1, 0, begin + end), ())]
    for before, chosen in placed:
        last_word, last = chosen[-1]
        if last < position:
            made = network.made[last, position] if word - last_word == 1 else 0
            gap = position - last > 1
            ways.append(((before[0] + 1, before[1] - gap, before[2] + made + end), chosen))
    value, chosen = max(ways, key=itemgetter(0))
    return value, (*chosen, (word, position))


# Measures


def compared(text: MeasuredText, settings: MeasureSettings) -> list[int]:
    """Return numbers by which the words of a text are compared, one after the other.

    Those of a compression are positions in the source: a word that occurs twice there is two words
    (Hori et al. 2003, section 3.2). Those of other texts number equal words alike.
    """
    if text.choice is not None:
        return list(text.choice.positions)
    return text.words(settings).ids.tolist()


def word_errors(target: Sequence[int], summary: Sequence[int]) -> int:
    """Return the fewest substitutions, insertions and deletions between two sequences of words."""
    found = np.array(summary, dtype=np.int64)
    places = np.arange(len(found) + 1)
    # The errors of the words of the target so far beside those of the summary up to each place.
    row = places
    for word in target:
        after = row + 1
        after[1:] = np.minimum(after[1:], row[:-1] + (found != word))
        # What the summary has too much costs one a word: the least of all places before.
        row = np.minimum.accumulate(after - places) + places
    return int(row[-1])


class WordAccuracy(CountingMeasure):
    """(Len - Sub - Ins - Del) / Len, Len being the reference's words (equation 2).

    It may be negative. Errors count what is missing and what is too much, so it stands as F.
    """

    name = "word-accuracy"
    pattern = "word-accuracy"
    examples = ("word-accuracy",)

    def counts(self, summary: MeasuredText, reference: MeasuredText, /) -> np.ndarray:
        """Return the reference's words less the errors, and its words."""
        words = compared(reference, self.settings)
        errors = word_errors(words, compared(summary, self.settings))
        return np.array([len(words) - errors, len(words)], dtype=float)

    def of_counts(self, counts: np.ndarray, /) -> Sides:
        """Return the accuracy."""
        right, words = counts.tolist()
        return np.nan, np.nan, right / words if words else 0.0


class WordStringPrecision(MeanMeasure):
    """p_n: the share of the summary's strings of n words that some reference has; by default n = 1.

    Equation 3. Strings are not clipped. Of several references any one counts, whatever ``several``
    says.
    """

    name = "word-string-precision"
    pattern = "word-string-precision(?:-(?P<n>[1-9]))?"
    examples = ("word-string-precision", "word-string-precision-2")
    side = "precision"
    uses = WORD_SETTINGS

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        found = self._strings(summary)
        known = set(chain(*map(self._strings, references)))
        return np.nan, sum(string in known for string in found) / max(len(found), 1), np.nan

    def _strings(self, text: MeasuredText) -> list[tuple[int, ...]]:
        """Return the strings of n words, one after the other."""
        words = compared(text, self.settings)
        n = int(self.parameters["n"] or 1)
        return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


class NetworkAccuracy(MeanMeasure):
    """SumACCY: the word accuracy of a summary against the nearest word sequence of the network.

    WSumACCY is SumACCY times the weight of that sequence (equation 7). The network of all subjects
    is one reference, so ``several`` is not used. An accuracy may be negative. The words are those
    of the source.
    """

    name = "sumaccy"
    pattern = "(?P<weighted>w?)sumaccy"
    examples = ("sumaccy", "wsumaccy")
    uses = ()

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        chosen = summary.choice
        if chosen is None:
            raise BadUsage(
                f"{self.metric} needs compressions as references: "
                "JSON lines with 'words' and 'compressions' (lists of positions)"
            )
        network = WordNetwork(chosen.source.compressions)
        target = network.nearest(chosen.positions)
        weight = network.weight(target.words) if self.parameters["weighted"] else 1.0
        accuracy = (len(target.words) - target.errors) / len(target.words)
        return np.nan, np.nan, weight * accuracy
