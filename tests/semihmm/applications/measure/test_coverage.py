"""Tests of the posteriors of words of being linked, and of the words that are not covered."""

import random

import numpy as np
import pytest

from corpus_tools.base.errors import BadUsage
from semihmm.applications.measure.coverage import (
    Coverage,
    covering_words,
    linked_words,
    uncovered_words,
)
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.summaries import SystemSummary
from semihmm.applications.measure.words import MeasuredText, MeasureSettings, WordIndexes
from tests.tiny_corpora import pair

NOUNS = [f"{begin}{end}" for begin in ("lion", "tiger", "camel", "zebra") for end in "klmnoprtu"]
STEMS = MeasureSettings(stem="nltk")


@pytest.fixture(scope="module")
def measured():
    """Return halves of references and an empty summary, measured; no test changes it."""
    generator = random.Random(1)
    nouns = {str(n): generator.sample(NOUNS, 8) for n in range(24)}
    halves = [SystemSummary(id, "half", (" ".join(words[:4]),)) for id, words in nouns.items()]
    references = {id: [(" ".join(words),)] for id, words in nouns.items()}
    empty = SystemSummary("0", "empty", ())
    return measure([*halves, empty], references, ["coverage", "idf-recall"], STEMS, resamples=10)


def test_words_that_are_copied_are_covered_in_both_directions(measured):
    coverage = measured.measures["coverage"]
    for (both,) in coverage.covered[:-1]:
        assert (both.reference.covered[:4] > 0.5).all()
        assert (both.reference.covered[4:] < 0.5).all()
        assert (both.summary.covered > 0.5).all()
    for both, figures in zip(coverage.covered, measured.values["coverage"], strict=True):
        shares = [one.covered @ one.weights / max(one.weights.sum(), 1) for one in both[0]]
        assert figures[:2] == pytest.approx(shares)
    # Summaries are short: an extract would lose what covers a word.
    for direction, longer in zip(coverage.directions, (False, True), strict=True):
        used = direction.aligner.settings.as_json()
        names = "extract", "jump", "language"
        assert [used[name] for name in names] == [0, "relative", coverage.language]
        (first, *_) = direction.pairs
        assert (len(first.document) > len(first.abstract)) == longer


def test_f_has_the_beta_of_the_settings():
    measure = Coverage("coverage", {}, MeasureSettings(beta=3))
    counts = np.array([1.0, 2.0, 1.0, 4.0])
    assert measure.of_counts(counts) == pytest.approx((0.5, 0.25, 10 * 0.125 / (9 * 0.25 + 0.5)))


def test_words_that_are_probably_not_covered_are_listed(measured):
    coverage = measured.measures["coverage"]
    listed = uncovered_words(coverage, measured.summaries)
    for one, (both,) in zip(listed, coverage.covered, strict=True):
        text = both.reference
        assert one["words"] == [
            {"word": word, "position": n, "posterior": covered, "weight": weight}
            for n, (word, weight, covered) in enumerate(zip(*text[1:], strict=True))
            if covered < 0.5
        ]
    assert {(one["system"], one["reference"]) for one in listed} == {("half", 1), ("empty", 1)}


def test_a_given_model_is_used_and_not_trained(trained):
    both = "Apple sold Macs.", "Apple sold the Macs."
    with pytest.raises(BadUsage, match="no metric uses the model"):
        measure(*([text] for text in both), ["rouge-1"], model=trained)
    given = measure(*([text] for text in both), ["coverage"], STEMS, model=trained, resamples=0)
    assert f" | coverage by {trained.made_by}" in given.signature
    ((covered,),) = given.measures["coverage"].covered
    assert covered.reference.words == ("apple", "sold", "the", "macs")
    aligned = pair("a", "apple sold macs", "apple sold the macs")
    expected = 1 - trained.posteriors(aligned).null
    assert covered.reference.covered == pytest.approx(expected)
    summary, reference = (MeasuredText([text], WordIndexes()) for text in both)
    alone = given.measures["coverage"].statistics(summary, [reference])
    assert alone == pytest.approx(given.statistics["coverage"][0])


def test_what_covers_a_word_is_what_it_is_linked_to(trained, sample):
    """The three likeliest words, if their links have .05 or more."""
    numbers = set()
    for one, covering in zip(sample, covering_words(trained, sample), strict=True):
        links = trained.posteriors(one).links
        for a, own in enumerate(covering):
            likely = sorted((-p, d) for d, p in enumerate(links[:, a]) if p >= 0.05)[:3]
            assert own == [(d, pytest.approx(-p)) for p, d in likely]
            numbers.add(len(own))
    assert numbers == {0, 1, 2, 3}


def test_linked_words_are_what_null_leaves_over(trained, sample, measured):
    """By a model that reads extracts and by one that reads whole texts."""
    for aligner in (trained, measured.measures["coverage"].directions[0].aligner):
        *found, nothing = linked_words(aligner, [*sample, pair("empty", "", "a b")])
        for one, linked in zip(sample, found, strict=True):
            assert linked == pytest.approx(1 - aligner.posteriors(one).null)
        assert nothing.tolist() == [0, 0]
