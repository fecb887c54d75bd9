"""EM on a corpus small enough for every combination of models, and from a trained model on."""

import re
import threading
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

from corpus_tools.base.errors import BadUsage
from semihmm import Aligner
from semihmm.model.settings import PRESETS
from semihmm.training.em import Iteration, Sample, Stopwatch, converged, em
from semihmm.training.starts import initial_model, transferred_counts
from tests.semihmm.program_runs import PATIENCE, SAMPLE, contents, told
from tests.tiny_corpora import batches, expected_counts, pair, used, vocabulary_of, with_trees

NAMES = PRESETS["paper"].rewrite
PAIRS = [
    pair("1", "the dog walks up and the other dogs leave .", "dogs walk and leave ."),
    pair("2", "a canine took the left walk , then left .", "the dog left ."),
    pair("3", "Rex leaves the word processor", "Rex walks"),
    pair("4", "quick dogs pick up curbs quickly .", "the quick dog picks curbs . it walked"),
    pair("5", "dogs", "dogs"),
]


@pytest.fixture
def train(miniature):
    """Return a function that gives the models and the reports of some iterations, and the corpus.

    The first model is the one before training.
    """

    def trained(pairs=PAIRS, preset="default", iterations=7, start=None, **changes):
        wanted = {"limit": (2, 3), "wordnet": str(miniature), "extract": 0} | changes
        settings = PRESETS[preset].changed(**used(preset, wanted))
        vocabulary = vocabulary_of(pairs)
        corpus = [with_trees(batch) for batch in batches(pairs, vocabulary)]
        first = initial_model(corpus, vocabulary, settings)
        if start is not None:
            first = replace(first, transferred=transferred_counts(start, first))
        encoded = [first.encode(batch) for batch in corpus]
        steps = list(em(first, partial(expected_counts, encoded), iterations))
        return [first, *(model for model, _ in steps)], [report for _, report in steps], encoded

    return trained


@pytest.mark.parametrize(
    ("rewrite", "jump", "preset"),
    [
        (("identity", "stem", "relation", "multiword"), "sentences", "default"),
        (("stem", "relation", "embedding"), "relative", "default"),
        (NAMES, "relative", "paper"),
        (("wordnet", "lexical"), "syntax", "paper"),
    ],
    ids=lambda value: value if isinstance(value, str) else "+".join(value),
)
def test_the_objective_never_falls(train, rewrite, jump, preset):
    _, reports, _ = train(preset=preset, rewrite=rewrite, jump=jump)
    objective = np.array([report.objective for report in reports])
    assert np.all(np.isfinite(objective))
    assert np.diff(objective).min() >= -1e-9 * np.abs(objective).max()
    assert objective[-1] > objective[0]


def test_what_a_model_has_counted_is_a_prior_of_another(train):
    (*_, start), _, _ = train()
    models, reports, encoded = train(PAIRS[:3], start=start)
    objective = [report.objective for report in reports]
    assert np.diff(objective).min() >= -1e-9 * np.abs(objective).max()
    counts = expected_counts(encoded, models[-1])
    # So many counts that those of the corpus do not matter.
    many = {name: 1e9 * transferred for name, transferred in models[-1].transferred.items()}
    model = replace(models[0], transferred=many).m_step(counts)
    np.testing.assert_allclose(model.rewrite.weights, start.rewrite.weights, rtol=1e-5)
    # The density of that prior is the likelihood of the counts.
    own = replace(model, transferred={}).log_prior()
    twice = {name: 2 * transferred for name, transferred in many.items()}
    more = replace(model, transferred=twice).log_prior() - own
    assert more == pytest.approx(2 * (model.log_prior() - own)) and more < -1e9
    null = model.null_jump.probability
    counted = {name: start.counts[f"null_jump.{name}"] for name in ("null_jumps", "jumps")}
    np.testing.assert_allclose(null, counted["null_jumps"] / sum(counted.values()), rtol=1e-5)


def test_a_start_without_counts_is_refused(train):
    (first, *_), _, _ = train(iterations=1)
    with pytest.raises(BadUsage, match="has no counts"):
        transferred_counts(first, first)


def test_the_first_iterations_may_see_a_part_of_the_corpus(train):
    (first, *_), _, encoded = train(iterations=1)
    part, whole = (partial(expected_counts, some) for some in (encoded[:1], encoded))
    sample = Sample(2, part)
    steps = list(em(first, whole, 4, sample=sample))
    assert len(steps) == 4
    before = [first, *(model for model, _ in steps)]
    for number, e_step in enumerate((part, part, whole, whole)):
        model, (after, report) = before[number], steps[number]
        counts = e_step(model)
        assert report.objective == counts["corpus.log_likelihood"] + model.log_prior()
        assert report.null == model.null_words(counts) / counts["corpus.words"] > 0.0
        assert (report.number, report.weights) == (number + 1, after.rewrite.weights_by_name())
    # Resumed, training goes on with the part; and the step from it to the whole is no gain.
    done = [report for _, report in steps]
    resumed = list(em(before[1], whole, 4, done=done[:1], sample=sample))
    assert [report for _, report in resumed] == done[1:]
    assert len(list(em(first, whole, 4, least_gain=1e9, sample=sample))) == 4
    assert len(list(em(first, whole, 4, least_gain=1e9))) == 2


def test_training_again_leaves_neither_threads_nor_files(sample):
    aligner = Aligner(rewrite=("identity",), iterations=1, workers=2).fit(sample)
    threads, files = {*threading.enumerate()}, psutil.Process().num_fds()
    for _ in range(2):
        aligner.fit(sample)
    for thread in {*threading.enumerate()} - threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert psutil.Process().num_fds() == files


def test_a_training_ends_whose_gain_is_less_than_the_least_one():
    iterations = [Iteration(n, own, 0.5, {}) for n, own in enumerate((-9.0, -8.5, -8.1))]
    assert [converged(iterations[:n], 0.5) for n in range(4)] == [False, False, False, True]


def test_a_stopwatch_adds_up_the_laps_of_a_phase(monkeypatch):
    clocks = {"perf_counter": [0.0, 1.0, 3.0, 6.0], "process_time": [0.0, 2.0, 3.0, 7.0]}
    stub = SimpleNamespace(**{name: iter(times).__next__ for name, times in clocks.items()})
    monkeypatch.setattr("semihmm.training.em.time", stub)
    watch = Stopwatch()
    for phase in "aba":
        watch.lap(phase)
    assert str(watch) == "a 4.0 (6.0), b 2.0 (1.0)"


def test_what_training_says(worked_out, miniature, tmp_path):
    """All of it but seconds, of one training after another in a folder."""
    paths = {"PAIRS": SAMPLE, "FOLDER": str(tmp_path), "LIST": str(miniature)}

    def said(command):
        for name, path in paths.items():
            command = command.replace(name, path)
        status_and_messages = told(f"$ semihmm {command}")
        for name, path in paths.items():
            status_and_messages = status_and_messages.replace(path, name)
        return re.sub(r"\d+\.\d( s| \(\d+\.\d\))", "#", status_and_messages).splitlines()

    worked_out("trainings.txt", said)


def test_training_ends_when_a_word_gains_less_than_the_tolerance(sample):
    aligner, few = Aligner(wordnet="none", start="none", tolerance=0.03), sample[:4]
    iterations = aligner.fit(few).provenance["iterations"]
    gains = np.diff([one["objective"] for one in iterations])
    enough = gains >= 0.03 * sum(len(pair.abstract) for pair in few)
    assert enough.tolist() == [True] * (len(gains) - 1) + [False] and enough.any()


def test_more_text_has_the_counts_of_the_general_model_as_pseudo_counts(sample, tmp_path):
    pairs = [*sample, *(replace(pair, id=f"{pair.id} again") for pair in sample)]
    settings = {"iterations": 2, "tolerance": -1.0, "wordnet": "none"}
    aligner = Aligner(**settings).fit(pairs, checkpoint=tmp_path / "whole")
    counts = Aligner.load(wordnet="none").model.counts
    share = 3_000 / counts["corpus.words"]
    assert aligner.model.transferred["length.phrases"] == share * counts["length.phrases"]
    words = sum(len(pair.abstract) for pair in pairs)
    assert aligner.model.counts["corpus.words"] == words >= 1_000
    Aligner(**settings | {"iterations": 1}).fit(pairs, checkpoint=tmp_path / "half")
    resumed = Aligner.load(tmp_path / "half", iterations=2)
    resumed.fit(pairs, resume=True, checkpoint=tmp_path / "half")
    assert contents(tmp_path / "half") == contents(tmp_path / "whole")
