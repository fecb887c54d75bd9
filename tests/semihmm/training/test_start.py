"""Training that starts from a trained model: what it takes over, and when it does."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.errors import BadUsage
from semihmm import Aligner
from semihmm.settings import ITERATIONS, STARTED_ITERATIONS, Settings
from semihmm.training.em import FEW_WORDS, chosen_start

SETTINGS = {"wordnet": "none"}


@pytest.fixture(scope="module")
def few(sample):
    return sample[:6]


@pytest.fixture(scope="module")
def started(few):
    """Return an aligner that started from the general model and went on for three iterations."""
    return Aligner(start="general", iterations=3, tolerance=-1.0, **SETTINGS).fit(few)


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}


def test_little_text_starts_from_the_general_model_by_default(few):
    aligner = Aligner(**SETTINGS).fit(few)
    assert aligner.provenance["start"] == {
        "model": "general",
        "identity": Aligner.load(**SETTINGS).trained.identity,
    }
    assert len(aligner.provenance["iterations"]) == STARTED_ITERATIONS < ITERATIONS


def test_much_text_starts_from_nothing_by_default():
    settings = Settings().changed(**SETTINGS)
    assert chosen_start(settings, FEW_WORDS) is None
    chosen = chosen_start(settings, FEW_WORDS - 1)
    assert chosen is not None and chosen[1]["model"] == "general"
    assert chosen_start(settings.changed(start="general"), FEW_WORDS) is not None


def test_a_start_of_other_parts_is_refused(few):
    with pytest.raises(BadUsage, match="the model general: its jump is sentences, not relative"):
        Aligner(start="general", jump="relative").fit(few)


def test_training_begins_with_the_parameters_of_the_start(few, tmp_path):
    general = Aligner.load(**SETTINGS)
    initial = Aligner(start="general", **SETTINGS)
    seen = []

    def note(iteration):
        seen.append(initial.model)

    initial.fit(few, report=note)
    model, start = initial.model, general.model
    assert model.vocabulary.forms[-1] in start.vocabulary.words
    assert set(start.vocabulary.words) <= set(model.vocabulary.words)
    assert not np.array_equal(model.rewrite.weights, start.rewrite.weights)
    base = start.rewrite.components[2].base
    # The general model knows no list of paraphrases.
    np.testing.assert_array_equal(model.rewrite.components[2].base[: len(base)], base)


def test_frequencies_are_those_of_the_start_and_of_the_own_abstracts(few, started):
    start = Aligner.load(**SETTINGS).model
    numbers = started.model.vocabulary.words
    before = start.rewrite.components[2].frequency
    frequency = started.model.rewrite.components[2].frequency
    np.testing.assert_allclose(frequency.sum(), 1.0, rtol=1e-12)
    # A word that the start does not know is likelier than an unseen one if an abstract has it.
    own = {form.lower() for one in few for form in one.abstract.tokens}
    new = sorted(own & set(numbers) - set(start.vocabulary.words))
    assert new and all(frequency[numbers[form]] > frequency[-1] for form in new)
    known = sorted(set(start.vocabulary.words) - own)
    ratio = [frequency[numbers[form]] / before[start.vocabulary.words[form]] for form in known]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-12)


@pytest.mark.parametrize("cached", [False, True], ids=["in memory", "on disk"])
def test_training_that_was_interrupted_ends_with_the_same_bytes(few, started, tmp_path, cached):
    cache = tmp_path / "cache" if cached else None
    whole, half = tmp_path / "whole", tmp_path / "half"
    settings = {"start": "general", "tolerance": -1.0, **SETTINGS}
    Aligner(iterations=3, **settings).fit(few, checkpoint=whole)
    Aligner(iterations=1, **settings).fit(few, checkpoint=half, cache=cache)
    resumed = Aligner.load(half, iterations=3)
    resumed.fit(few, resume=True, checkpoint=half, cache=cache)
    assert files_of(half) == files_of(whole)
