"""Measures other than ROUGE and coverage: Ngram(i,j), PS, RS and AEv, BLEU, recall by idf, Hori's.

They are compared with naive twins, sacreBLEU, and examples of the papers.
"""

import itertools
import random
from itertools import pairwise
from math import log

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from nltk import edit_distance

from semihmm.applications.measure.hori import WordNetwork, place_words
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.ngrams import Idf
from semihmm.applications.measure.summaries import UNKNOWN_POSITION, Compressions, SystemSummary
from semihmm.applications.measure.words import REFERENCE_COMBINATIONS, MeasureSettings
from tests.examples import fuzz
from tests.naive import rouge as naive
from tests.naive import word_network

PLAIN = MeasureSettings(stem="none")


def evaluated(metric, cases, settings=PLAIN):
    """Return recall, precision and F over cases of a summary and its references.

    A summary is a list of sentences or a tuple of positions.
    """
    summaries, references = zip(*cases, strict=True)
    named = [
        SystemSummary(str(k), "s", *(((), one) if isinstance(one, tuple) else (tuple(one),)))
        for k, one in enumerate(summaries)
    ]
    by_id = {str(k): one for k, one in enumerate(references)}
    figures = measure(named, by_id, [metric], settings, resamples=0).metrics[metric]
    return np.array([figure.value for figure in figures])


def random_cases(seed, references=1):
    generator = random.Random(seed)

    def text():
        return [" ".join(generator.choices("abc", k=generator.randint(1, 9))) for _ in range(2)]

    return [(text(), [text() for _ in range(references)]) for _ in range(4)]


@pytest.mark.parametrize(("i", "j"), [(1, 1), (1, 2), (2, 3), (1, 4)])
def test_ngram_beside_its_twin_over_summaries_and_references(i, j):
    cases = random_cases(10 * i + j, references=3)
    ways = {several: [] for several in REFERENCE_COMBINATIONS}
    for summary, references in cases:
        words = " ".join(summary).split()
        units = [[unit.split() for unit in reference] for reference in references]
        *values, joined = [naive.ngram(one, words, i, j) for one in (*units, naive.flat(units))]
        ways["best"].append(max(values))
        ways["mean"].append(np.mean(values))
        ways["jackknife"].append(np.mean([max(two) for two in itertools.combinations(values, 2)]))
        ways["sum"].append(joined)
    for several, values in ways.items():
        settings = MeasureSettings(stem="none", several=several)
        found = evaluated(f"ngram-{i}-{j}", cases, settings)[0]
        assert found == pytest.approx(np.mean(values), abs=1e-12)


FEW_WORDS = st.lists(st.sampled_from(["the", "the", "cat", "dog"]), max_size=6)


@pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")
@fuzz(60)
@given(
    pairs=st.lists(st.tuples(FEW_WORDS, FEW_WORDS), min_size=1, max_size=3),
    n=st.integers(1, 4),
    stop=st.sampled_from([(), ("the",)]),
    whole_text=st.booleans(),
    penalties=st.sampled_from([("", 1, 2), ("-b0.5-w1", 0.5, 1), ("-b2-w0.5", 2, 0.5)]),
    alpha=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_soricut_and_brill_beside_their_twins(pairs, n, stop, whole_text, penalties, alpha):
    """Texts may be shorter than n words, or have stop words only."""
    settings = MeasureSettings(stem="none", stop_words=bool(stop), language="en")
    texts = [([" ".join(summary)], [[" ".join(words)]]) for summary, words in pairs]
    named, brevity, wordiness = penalties
    recall, precision = naive.recall_and_precision(pairs, n, stop, whole_text, wordiness, brevity)
    found = evaluated(f"aev-{alpha}-{n}{named}{'-text' * whole_text}", texts, settings)
    expected = [recall, precision, naive.aev(alpha, recall, precision)]
    assert found == pytest.approx(expected, abs=1e-12)


def test_bleu_is_that_of_sacrebleu_and_ps_4_with_one_reference():
    """Section 4.1 of Soricut and Brill says so in words."""
    program = sacrebleu.BLEU(tokenize="none", smooth_method="none")
    found = []
    for seed in range(20):
        cases = [*random_cases(seed, 1 + seed % 3), ([], [["a b c"]] * (1 + seed % 3))]
        summaries, references = zip(*cases, strict=True)
        columns = [[*map(" ".join, column)] for column in zip(*references, strict=True)]
        expected = program.corpus_score([*map(" ".join, summaries)], columns).score / 100
        found.append(evaluated("bleu", cases)[1])
        assert found[-1] == pytest.approx(expected, abs=1e-12)
        if len(columns) == 1:
            figures = evaluated("ps-4", cases)[1], evaluated("aev-1-4", cases)[2]
            assert figures == pytest.approx([expected] * 2, abs=1e-12)
    # Where no summary has four words there is no hit of four.
    assert min(found) == 0.0 and np.median(found) > 0.1


@given(texts=st.lists(st.lists(st.integers(0, 5), max_size=4)), ids=st.lists(st.integers(0, 8)))
def test_a_word_weighs_less_the_more_references_have_it(texts, ids):
    references = [np.array(text, np.int32) for text in texts]
    # A word that no reference has counts as one of a single reference.
    expected = [
        log((max(len(texts), 1) + 1) / max(sum(word in text for text in texts), 1)) for word in ids
    ]
    assert Idf(references).weights(np.array(ids, np.int32)) == pytest.approx(expected)


# Compressions (Hori et al. 2003)


WORDS = ("The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring")
TABLE_1 = ((0, 2, 3, 4, 5), (1, 2, 3, 4, 5), (1, 2, 3, 7, 8), (2, 3, 6, 7, 8), (1, 2, 6, 7, 8))
"""The subjects A to E of the paper's Table 1."""
SOURCE = Compressions("hori", WORDS, TABLE_1)

EXAMPLES = {
    (2, 3, 4, 5, 6): ((2, 3, 4, 5), 3 / 4, (4, 2, 2), 3 / 5, (1, 3 / 4, 2 / 3, 1 / 2, 0)),
    (1, 2, 3, 6, 7, 8): ((1, 2, 3, 6, 7, 8), 1, (3, 4, 1, 2, 3), 4 / 5, (1, 1, 1, 2 / 3, 1 / 2)),
    (0, 1, 6): ((0, 2, 6, 7, 8), 2 / 5, (1, 1, 2, 3), 1 / 5, (1, 0, 0)),
}
"""Summaries by positions, of sections 3.4 and 3.5 and one made up.

The nearest sequence of the network of ``TABLE_1``, the word accuracy against it, by how many of the
five subjects each of its connections was made, the word accuracy against the nearest subject, and
the precision of word strings by their length.
"""


def test_the_worked_examples():
    for chosen, (nearest, share, subjects, accuracy, precisions) in EXAMPLES.items():
        assert WordNetwork(TABLE_1).nearest(list(chosen)).words == nearest
        weight = np.prod([made / 5 for made in subjects]) ** (1 / len(subjects))
        figures = {"sumaccy": share, "wsumaccy": share * weight, "word-accuracy": accuracy}
        figures |= {f"word-string-precision-{n}": one for n, one in enumerate(precisions, start=1)}
        for metric, value in figures.items():
            found = evaluated(metric, [(chosen, SOURCE)])
            assert found[~np.isnan(found)] == pytest.approx([value], abs=1e-9), (chosen, metric)
    for summary in (["BEAUTIFUL cherry blossoms in spring"], (1, 2, 3, 7, 8)):
        assert evaluated("bleu", [(summary, SOURCE)])[1] == pytest.approx(1.0)


def random_subjects(generator, words, number):
    """Draw compressions of a source of some words."""
    return tuple(
        tuple(sorted(generator.sample(range(words), generator.randint(1, words))))
        for _ in range(number)
    )


def test_the_nearest_path_beside_all_paths():
    for seed in range(150):
        generator = random.Random(seed)
        words = generator.randint(1, 8)
        subjects = random_subjects(generator, words, generator.randint(1, 6))
        summary = generator.choices([UNKNOWN_POSITION, *range(words)], k=generator.randint(0, 7))
        network = WordNetwork(subjects)
        target = network.nearest(summary)
        assert target.words in word_network.sequences(subjects)
        weight = pytest.approx(network.weight(target.words), rel=1e-12)
        for path in (word_network.target(subjects, summary), target.words):
            errors = edit_distance(path, summary)
            assert (errors, len(path)) == (target.errors, len(target.words))
            assert word_network.weight(path, subjects) == weight


def value(positions, subjects):
    """Return what placements are compared by, from the definition."""
    placed = [position for position in positions if position != UNKNOWN_POSITION]
    made = word_network.connections(subjects)
    bounds = [word_network.BEGIN, *positions, word_network.END] if positions else []
    by_subjects = sum(made[both] for both in pairwise(bounds))
    return len(placed), -sum(after - before > 1 for before, after in pairwise(placed)), by_subjects


def test_the_placement_beside_all_placements():
    for seed in range(800):
        generator = random.Random(seed)
        source = generator.choices("abc", k=generator.randint(1, 7))
        subjects = random_subjects(generator, len(source), 3)
        words = generator.choices("abcd", k=generator.randint(0, 5))
        places = [[n for n, other in enumerate(source) if other == word] for word in words]
        increasing = [
            chosen
            for chosen in itertools.product(*([UNKNOWN_POSITION, *own] for own in places))
            if all(a < b for a, b in pairwise(p for p in chosen if p != UNKNOWN_POSITION))
        ]
        found = place_words(words, Compressions("x", tuple(source), subjects))
        assert found in increasing
        assert value(found, subjects) == max(value(chosen, subjects) for chosen in increasing)
