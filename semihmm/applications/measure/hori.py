"""Measures of compressions (Hori et al. 2003): words, strings of words, networks of words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.texts.forms import normal_form
from semihmm.applications.measure.measure import CountingMeasure, MeanMeasure, Sides, Texts
from semihmm.applications.measure.summaries import UNKNOWN_POSITION, Compressions
from semihmm.applications.measure.words import WORD_SETTINGS, MeasuredText, MeasureSettings

PATH_BEGIN = -1
"""The node before the first word of every path."""

# Word networks


class WordNetwork:
    """The network of all subjects' compressions (Hori et al. 2003, Figure 1).

    A connection joins a word to the next one that a subject chose. A path begins where some
    subject began, goes along connections, and ends where some subject ended.

    ``subjects``     the number of subjects.
    ``begins``       the number of subjects who began with a word, by its position.
    ``ends``         the number of subjects who ended with a word, by its position.
    ``connections``  the number of subjects who made a connection, by the positions of its words.
    """

    def __init__(self, compressions: Sequence[Sequence[int]]) -> None:
        """Merge compressions: increasing positions of the chosen words, at least one each."""
        self.subjects = len(compressions)
        self.begins = Counter(positions[0] for positions in compressions)
        self.ends = Counter(positions[-1] for positions in compressions)
        self.connections = Counter(chain.from_iterable(map(pairwise, compressions)))
        # For each word the words before it, each with the weight of the connection.
        self._before: dict[int, list[tuple[int, float]]] = {
            word: [(PATH_BEGIN, 0.0)] for word in self.begins
        }
        for (word, after), subjects in sorted(self.connections.items()):
            weight = -float(np.log(subjects / self.subjects))
            self._before.setdefault(after, []).append((word, weight))

    def nearest(self, positions: Sequence[int]) -> Path:
        """Return the path that is nearest to a summary: fewest errors, then longest, then heaviest.

        ``positions``  of the summary's words in the source, or ``UNKNOWN_POSITION``.
        """
        # Edit distance to all paths at once: paths[node] is the path to a node that is nearest to
        # the words read so far, and shorter[node] is nearest to all of them but the last.
        paths: dict[int, Path] = {}
        for read, word in enumerate((UNKNOWN_POSITION, *positions)):
            shorter = paths
            paths = {PATH_BEGIN: Path(read, 0, 0.0, ())}
            for node in sorted(self._before):
                edges = self._before[node]
                # Deletion: the summary lacks the word of the path.
                reached = [paths[last].to(node, 1, weight) for last, weight in edges]
                if read:
                    # A match, or a substitution.
                    error = int(word != node)
                    reached += [shorter[last].to(node, error, weight) for last, weight in edges]
                    # Insertion: the path lacks the word of the summary.
                    reached.append(shorter[node]._replace(errors=shorter[node].errors + 1))
                paths[node] = min(reached)
        return min(paths[word] for word in self.ends)

    def weight(self, words: Sequence[int]) -> float:
        """Return the weight of a word sequence of the network (the product of equation 7).

        A connection weighs the share of the subjects who made it. The weight of the sequence is
        the geometric mean over its connections; 1 for a single word.
        """
        shares = [self.connections[both] / self.subjects for both in pairwise(words)]
        return float(np.exp(np.mean(np.log(shares)))) if shares else 1.0


class Path(NamedTuple):
    """A path through a network, compared with a summary.

    Less is better, from the first field on, so length and weight have a minus.

    ``errors``  the substitutions, insertions and deletions between the path and the summary.
    ``length``  minus the number of words.
    ``weight``  minus the sum, over its connections, of the logarithms of the shares of subjects.
    ``words``   the positions of its words in the source.
    """

    errors: int
    length: int
    weight: float
    words: tuple[int, ...]

    def to(self, word: int, errors: int, weight: float) -> Path:
        """Return the path with one word more, and add its errors and its weight."""
        words = (*self.words, word)
        return Path(self.errors + errors, self.length - 1, self.weight + weight, words)


# Positions of a summary's words

Placement = tuple[tuple[int, int, int], tuple[tuple[int, int], ...]]
"""A value, and pairs of a summary word and its position. The highest value is the best: the number
of words with a position, minus the number of gaps, the number of subjects who made connections."""


def place_words(words: Sequence[str], source: Compressions) -> tuple[int, ...]:
    """Return the position of each word in the source, increasing, or ``UNKNOWN_POSITION``.

    A word may occur several times in the source (Hori et al. 2003, Table 1: "in" of subject C). As
    many words as possible get a position. Among such placements the one with the fewest gaps wins,
    then the one whose connections most subjects made, then the first. A gap is between neighbours
    in the summary that are no neighbours in the source.
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
    """Return the best placement that ends with a word at a position.

    ``placed``  the best placements that end with earlier words.
    """
    # The begin and the end of the summary count as connections.
    end = network.ends[position] if is_last else 0
    begin = 0 if word else network.begins[position]
    placements: list[Placement] = [((1, 0, begin + end), ())]
    for (words, gaps, subjects), chosen in placed:
        last_word, last = chosen[-1]
        if last < position:
            more = network.connections[last, position] if word - last_word == 1 else 0
            gap = position - last > 1
            placements.append(((words + 1, gaps - gap, subjects + more + end), chosen))
    value, chosen = max(placements, key=itemgetter(0))
    return value, (*chosen, (word, position))


# Measures


def word_numbers(text: MeasuredText, settings: MeasureSettings) -> list[int]:
    """Return a number for each word of a text: words are compared by their numbers.

    In a compression the number is the position in the source, where a word that occurs twice is
    two words (Hori et al. 2003, section 3.2). In other texts equal words have the same number.
    """
    if text.choice is not None:
        return list(text.choice.positions)
    return text.words(settings).ids.tolist()


def word_errors(target: Sequence[int], summary: Sequence[int]) -> int:
    """Return the fewest substitutions, insertions and deletions between two sequences of words."""
    summary_words = np.array(summary, dtype=np.int64)
    places = np.arange(len(summary_words) + 1)
    # errors[j]: the distance of the target's words so far from the first j words of the summary.
    errors = places
    for word in target:
        after = errors + 1
        after[1:] = np.minimum(after[1:], errors[:-1] + (summary_words != word))
        # Insertions from place k to place j cost j - k: the minimum over all k <= j.
        errors = np.minimum.accumulate(after - places) + places
    return int(errors[-1])


class WordAccuracy(CountingMeasure):
    """(Len - Sub - Ins - Del) / Len, where Len is the number of the reference's words (equation 2).

    It may be negative. Errors count missing words and superfluous words, so it is given as F.
    """

    name = "word-accuracy"
    pattern = "word-accuracy"
    examples = ("word-accuracy",)

    def counts(self, summary: MeasuredText, reference: MeasuredText, /) -> np.ndarray:
        """Return the number of the reference's words less the errors, and that number."""
        words = word_numbers(reference, self.settings)
        errors = word_errors(words, word_numbers(summary, self.settings))
        return np.array([len(words) - errors, len(words)], dtype=float)

    def of_counts(self, counts: np.ndarray, /) -> Sides:
        """Return the accuracy."""
        right, words = counts.tolist()
        return np.nan, np.nan, right / words if words else 0.0


class WordStringPrecision(MeanMeasure):
    """p_n: the share of the summary's strings of n words that some reference has (equation 3).

    By default n = 1. A string counts each time it occurs in the summary. The setting ``several``
    has no effect: a string may come from any reference.
    """

    name = "word-string-precision"
    pattern = "word-string-precision(?:-(?P<n>[1-9]))?"
    examples = ("word-string-precision", "word-string-precision-2")
    side = "precision"
    uses = WORD_SETTINGS

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        strings = self._strings(summary)
        reference_strings = set(chain(*map(self._strings, references)))
        found = sum(string in reference_strings for string in strings)
        return np.nan, found / max(len(strings), 1), np.nan

    def _strings(self, text: MeasuredText) -> list[tuple[int, ...]]:
        """Return the strings of n words, one after the other."""
        words = word_numbers(text, self.settings)
        n = int(self.parameters["n"] or 1)
        return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


class NetworkAccuracy(MeanMeasure):
    """SumACCY: the word accuracy of a summary against the nearest word sequence of the network.

    WSumACCY is SumACCY times the weight of that sequence (equation 7). The network of all subjects
    is one reference, so the setting ``several`` has no effect. An accuracy may be negative. Words
    are compared by their positions in the source.
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
