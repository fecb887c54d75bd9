"""Ngram(i,j), PS, RS and AEv, and recall by idf: worked examples, twins."""

import itertools
import random
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadUsage
from corpus_tools.languages.language import Language
from semihmm.applications.measure import words as words_of_texts
from semihmm.applications.measure.measuring import make_measure, measure
from semihmm.applications.measure.ngrams import Idf
from semihmm.applications.measure.summaries import SystemSummary
from semihmm.applications.measure.words import MeasureSettings
from tests.examples import fuzz
from tests.naive import rouge as naive

PLAIN = MeasureSettings(stem="none")


def evaluated(metric, pairs, settings=PLAIN):
    """Return recall, precision and F over pairs of a summary and its references."""
    summaries = [SystemSummary(str(k), "s", tuple(pair[0])) for k, pair in enumerate(pairs)]
    references = {str(k): [tuple(text) for text in pair[1]] for k, pair in enumerate(pairs)}
    figures = measure(summaries, references, [metric], settings, resamples=0).metrics[metric]
    return np.array([figure.value for figure in figures])


def random_pairs(seed, references=1):
    generator = random.Random(seed)

    def text():
        return [" ".join(generator.choices("abcde", k=generator.randint(1, 9))) for _ in range(2)]

    return [(text(), [text() for _ in range(references)]) for _ in range(4)]


def words(text):
    return " ".join(text).split()


# Lin and Hovy


@pytest.mark.parametrize(("i", "j"), [(1, 1), (1, 2), (2, 3), (1, 4)])
def test_ngram_beside_its_twin_over_summaries_and_references(i, j):
    pairs = random_pairs(10 * i + j)
    expected = [
        naive.ngram([unit.split() for unit in reference], words(summary), i, j)
        for summary, (reference,) in pairs
    ]
    assert evaluated(f"ngram-{i}-{j}", pairs)[0] == pytest.approx(np.mean(expected), abs=1e-12)
    ((summary, references),) = random_pairs(i + j, references=3)[:1]
    units = [[unit.split() for unit in reference] for reference in references]
    values = [naive.ngram(of_one, words(summary), 1, 2) for of_one in units]
    ways = {
        "best": max(values),
        "mean": np.mean(values),
        "jackknife": np.mean([max(two) for two in itertools.combinations(values, 2)]),
        "sum": naive.ngram(list(itertools.chain(*units)), words(summary), 1, 2),
    }
    for several, value in ways.items():
        settings = MeasureSettings(stem="none", several=several)
        found = evaluated("ngram-1-2", [(summary, references)], settings)[0]
        assert found == pytest.approx(value, abs=1e-12)


# Soricut and Brill, by their sums


FEW_WORDS = st.lists(st.sampled_from("aabc"), max_size=6)


@pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")
@fuzz(60)
@given(
    pairs=st.lists(st.tuples(FEW_WORDS, FEW_WORDS), min_size=1, max_size=3),
    n=st.integers(1, 4),
    stop=st.sampled_from(["a", ""]),
    whole_text=st.booleans(),
    penalties=st.sampled_from([(1.0, 2.0), (0.5, 1.0), (2.0, 0.5)]),
    alpha=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_soricut_and_brill_beside_their_twins(pairs, n, stop, whole_text, penalties, alpha):
    """Texts may be shorter than n words, or have stop words only."""
    own = Language("en", "English", stop_words=frozenset(stop))
    settings = MeasureSettings(stem="none", stop_words=True)
    texts = [([" ".join(summary)], [[" ".join(words)]]) for summary, words in pairs]
    brevity, wordiness = penalties
    recall = naive.rs(pairs, n, stop, whole_text, wordiness)
    precision = naive.ps(pairs, n, stop, whole_text, brevity)
    metric = f"aev-{alpha}-{n}-b{brevity}-w{wordiness}{'-text' * whole_text}"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(words_of_texts, "language", lambda code: own)
        found = evaluated(metric, texts, settings)
    expected = [recall, precision, naive.aev(alpha, recall, precision)]
    assert found == pytest.approx(expected, abs=1e-12)


# Soricut and Brill, by their names


def test_ps_4_is_bleu_whose_unigrams_alone_are_stems_without_stop_words():
    """Section 4.1 of Soricut and Brill says so in words."""
    pairs = [(["a b c d e d e f"], [["a b c d x d e f g h"]]), (["a b c d"], [["a b c d"]])]
    bleu = evaluated("bleu", pairs)[1]
    assert 0 < bleu < 1
    assert evaluated("aev-1-4", pairs)[2] == evaluated("ps-4", pairs)[1] == pytest.approx(bleu)
    stems, pairs = MeasureSettings(stem="nltk"), [(["the dogs barked"], [["the dog barks"]])]
    for metric, shared in {"ps-1": 1, "ps-2": 0, "ps-2-text": 1}.items():
        assert evaluated(metric, pairs, stems)[1] == shared


def test_names_that_are_no_measure():
    for metric, problem in {
        "rogue-1": "'rogue-1'.*'rouge-1'",
        "ngram-2-1": "first number",
        "ngram-1-5": "'ngram-1-5'",
        "ps-4-b0": "greater than 0",
        "rs-4-w0": "greater than 0",
        "aev-1.5-4": "alpha",
    }.items():
        with pytest.raises(BadUsage, match=problem):
            make_measure(metric, PLAIN)


# Recall by idf


@given(texts=st.lists(st.lists(st.integers(0, 5), max_size=4)), ids=st.lists(st.integers(0, 8)))
def test_a_word_weighs_less_the_more_references_have_it(texts, ids):
    references = [np.array(text, np.int32) for text in texts]
    # A word that no reference has counts as one of a single reference.
    expected = [
        log((max(len(texts), 1) + 1) / max(sum(word in text for text in texts), 1)) for word in ids
    ]
    assert Idf(references).weights(np.array(ids, np.int32)) == pytest.approx(expected)
