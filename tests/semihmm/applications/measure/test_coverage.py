"""Tests of the posteriors of words of being linked, and of the words that are not covered."""

import random

import pytest

from corpus_tools.base.errors import BadUsage
from semihmm.applications.measure.coverage import covering_words, linked_words, uncovered_words
from semihmm.applications.measure.coverage_page import coverage_views
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
    some, numbers = sample[:8], set()
    for one, covering in zip(some, covering_words(trained, some), strict=True):
        links = trained.posteriors(one).links
        for a, own in enumerate(covering):
            likely = sorted((-p, d) for d, p in enumerate(links[:, a]) if p >= 0.05)[:3]
            assert own == [(d, pytest.approx(-p)) for p, d in likely]
            numbers.add(len(own))
    assert numbers == {0, 1, 2, 3}


def test_linked_words_are_what_null_leaves_over(trained, sample, measured):
    """By a model that reads extracts and by one that reads whole texts."""
    for aligner in (trained, measured.measures["coverage"].directions[0].aligner):
        *found, nothing = linked_words(aligner, [*sample[:8], pair("empty", "", "a b")])
        for one, linked in zip(sample[:8], found, strict=True):
            assert linked == pytest.approx(1 - aligner.posteriors(one).null)
        assert nothing.tolist() == [0, 0]


# Words beside what covers them


SUMMARIES = [
    ("a", "one", ["The old bridge, closed in May.", "Cars use a ferry."]),
    ("a", "two", "It will be closed to cars."),
    ("b", "one", ""),
]
REFERENCES = {
    "a": [["The old Mill Bridge will be closed for cars in May."], ["A ferry took cars (in May)."]],
    "b": ["Rain fell."],
}


def words_and_what_covers_them(trained):
    """Yield all that coverage tells of texts, with a model and where nothing can be aligned."""
    settings = MeasureSettings(stem="nltk", stop_words=True, beta=3)
    for summaries, model in ((SUMMARIES, trained), (SUMMARIES[2:], None)):
        found = measure(summaries, REFERENCES, ["coverage"], settings, model=model, resamples=0)
        coverage = found.measures["coverage"]
        for row in found.values["coverage"]:
            yield "recall, precision, f:" + "".join(map(" {:.4f}".format, row))
        for view in coverage_views(coverage, found.summaries):
            yield from ("", view.pair.id)
            sides = view.pair.abstract.tokens, view.pair.document.tokens
            for tokens, others, words in zip(sides, sides[::-1], view.covered, strict=True):
                for token, word in zip(tokens, words, strict=True):
                    by = [f"{others[n]} {link:.4f}" for n, link in word.by] if word else []
                    yield f"{token}: {word.posterior:.4f} {', '.join(by)}" if word else token
                yield ""
        for one in uncovered_words(coverage, found.summaries):
            shown = "{word} {position} {posterior:.4f} {weight:.4f}".format_map
            uncovered = map(shown, one.pop("words"))
            yield f"not covered, {one}: {', '.join(uncovered)}"


@pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")
def test_words_have_what_was_looked_at(trained, looked_at):
    made = "\n".join(words_and_what_covers_them(trained)) + "\n"
    assert made == looked_at("coverage.txt", made)
