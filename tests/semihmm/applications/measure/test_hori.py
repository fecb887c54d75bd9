"""The measures of Hori et al. (2003): the network, nearest paths, placed words, figures."""

import itertools
import random
from itertools import pairwise

import numpy as np
import pytest
import sacrebleu

from semihmm.applications.measure.hori import WordNetwork, place_words
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.summaries import UNKNOWN_POSITION, Compressions, SystemSummary
from semihmm.applications.measure.words import MeasureSettings
from tests.naive import word_network as naive

PLAIN = MeasureSettings(stem="none")
WORDS = ("The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring")
TABLE_1 = ((0, 2, 3, 4, 5), (1, 2, 3, 4, 5), (1, 2, 3, 7, 8), (2, 3, 6, 7, 8), (1, 2, 6, 7, 8))
"""The subjects A to E of the paper's Table 1."""
SOURCE = Compressions("hori", WORDS, TABLE_1)


def figure(metric, summaries, references, settings=PLAIN):
    """Return the one figure of a measure over summaries and references in order."""
    given = {str(k): one for k, one in enumerate(references)}
    named = [SystemSummary(str(k), "s", *one) for k, one in enumerate(summaries)]
    found = measure(named, given, [metric], settings, resamples=0).metrics[metric]
    side = 1 if metric == "bleu" or metric.startswith("word-string") else 2
    values = [value.value for value in found]
    assert np.isnan(np.delete(values, side)).all()
    return values[side]


def positions(*chosen):
    return (), chosen


EXAMPLES = {
    (2, 3, 4, 5, 6): ("cherry blossoms in Japan", 1, (4, 2, 2), 3 / 5, (1, 3 / 4, 2 / 3, 1 / 2, 0)),
    (1, 2, 3, 6, 7, 8): (
        "beautiful cherry blossoms bloom in spring",
        0,
        (3, 4, 1, 2, 3),
        4 / 5,
        (1, 1, 1, 2 / 3, 1 / 2),
    ),
    (0, 1, 6): ("The cherry bloom in spring", 3, (1, 1, 2, 3), 1 / 5, (1, 0, 0)),
}
"""Summaries by positions, of sections 3.4 and 3.5 and one made up.

The nearest sequence of the network of ``TABLE_1``, its errors, by how many of the five subjects
each of its connections was made, the word accuracy against the nearest subject, and the precision
of word strings by their length.
"""


def test_the_worked_examples():
    network = WordNetwork(TABLE_1)
    for chosen, (words, errors, subjects, accuracy, precisions) in EXAMPLES.items():
        target = network.nearest(list(chosen))
        assert " ".join(WORDS[position] for position in target.words) == words
        weight = np.prod([made / 5 for made in subjects]) ** (1 / len(subjects))
        found = target.errors, network.weight(target.words)
        assert found == pytest.approx((errors, weight))
        share = 1 - errors / len(target.words)
        figures = {"sumaccy": share, "wsumaccy": share * weight, "word-accuracy": accuracy}
        figures |= {f"word-string-precision-{n}": one for n, one in enumerate(precisions, start=1)}
        for metric, value in figures.items():
            found = figure(metric, [positions(*chosen)], [SOURCE])
            assert found == pytest.approx(value, abs=1e-9), (words, metric)


def test_the_nearest_path_beside_all_paths():
    for seed in range(150):
        generator = random.Random(seed)
        words = range(generator.randint(1, 8))
        subjects = [
            sorted(generator.sample(words, generator.randint(1, len(words))))
            for _ in range(generator.randint(1, 6))
        ]
        summary = [
            generator.choice([UNKNOWN_POSITION, *words]) for _ in range(generator.randint(0, 7))
        ]
        network = WordNetwork(subjects)
        target = network.nearest(summary)
        expected = naive.target(subjects, summary)
        assert target.words in naive.sequences(subjects)
        assert len(target.words) == len(expected)
        weight = pytest.approx(network.weight(target.words), rel=1e-12)
        for path in (expected, target.words):
            assert target.errors == naive.errors(path, summary)
            assert naive.weight(path, subjects) == weight


def test_bleu_is_that_of_sacrebleu_over_the_corpus():
    figures = []
    for seed in range(20):
        generator = random.Random(seed)

        def words(generator=generator, longest=2 + seed):
            return " ".join(generator.choices("ab", k=generator.randint(1, longest)))

        references = [[words() for _ in range(3)] for _ in range(6)]
        summaries = [words() for _ in range(5)] + [""]
        expected = sacrebleu.BLEU(tokenize="none", smooth_method="none").corpus_score(
            summaries, [list(column) for column in zip(*references, strict=True)]
        )
        given = [((summary,),) if summary else ((),) for summary in summaries]
        found = figure("bleu", given, references)
        assert found == pytest.approx(expected.score / 100, abs=1e-12)
        figures.append(found)
    # Where no summary has four words there is no hit of four.
    assert min(figures) == 0.0 and np.median(figures) > 0.1
    for summary in ((("BEAUTIFUL cherry blossoms in spring",),), positions(1, 2, 3, 7, 8)):
        assert figure("bleu", [summary], [SOURCE]) == pytest.approx(1.0)


def value(positions, network):
    """Return what placements are compared by, from the definition."""
    placed = [position for position in positions if position != UNKNOWN_POSITION]
    subjects = sum(network.connections[both] for both in pairwise(positions))
    if positions:
        subjects += network.begins[positions[0]] + network.ends[positions[-1]]
    return len(placed), -sum(after - before > 1 for before, after in pairwise(placed)), subjects


def test_the_placement_beside_all_placements():
    for seed in range(60):
        generator = random.Random(seed)
        source = [generator.choice("abc") for _ in range(generator.randint(1, 7))]
        subjects = tuple(
            tuple(sorted(generator.sample(range(len(source)), generator.randint(1, len(source)))))
            for _ in range(3)
        )
        compressions = Compressions("x", tuple(source), subjects)
        words = [generator.choice("abcd") for _ in range(generator.randint(0, 5))]
        choices = [
            [
                UNKNOWN_POSITION,
                *(position for position, other in enumerate(source) if other == word),
            ]
            for word in words
        ]
        increasing = [
            chosen
            for chosen in itertools.product(*choices)
            if all(a < b for a, b in pairwise([p for p in chosen if p != UNKNOWN_POSITION]))
        ]
        network = WordNetwork(subjects)
        found = place_words(words, compressions)
        assert found in increasing
        assert value(found, network) == max(value(chosen, network) for chosen in increasing)
