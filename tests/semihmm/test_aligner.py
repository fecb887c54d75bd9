"""Aligners: what they keep and admit; settings, and what plug-ins own of them."""

from __future__ import annotations

import dataclasses
import inspect
import json

import pytest

from corpus_tools.errors import BadUsage, OtherLanguage
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS
from corpus_tools.plugins.options import Options, option
from rewrite_models.null_factor import NullFactor
from rewrite_models.registry import NULL_FACTORS
from semihmm import Aligner, align
from semihmm.batches import units as batches_module
from semihmm.settings import PRESETS, Settings, all_options
from tests.semihmm.program_runs import contents

OTHER_NAMES = {
    "start": "general",
    "preset": "neural",
    "jump": "gaussian",
    "rewrite": ("stem", "wordnet"),
    "decoder": "viterbi",
    "null_prior": "lexical",
    "limit": (1, 2),
    "wordnet": "folder",
    "paraphrases": "list",
    "encoder": "folder",
    "language": "de",
}
"""Values of settings that are no numbers, which no preset has."""

each_preset = pytest.mark.parametrize("name", PRESETS)


# As JSON


@each_preset
def test_a_change_of_each_setting_comes_back_from_json(name):
    told = PRESETS[name].as_json()
    assert len(set(told) - set(Settings.described())) > 4
    for setting in told:
        other = other_value(setting, told[setting])
        changed = PRESETS[name].changed(**{setting: other})
        again = Settings().changed(**json.loads(json.dumps(changed.as_json())))
        assert again.as_json()[setting] == other
        assert again.as_json() == changed.as_json()


def other_value(name, value):
    """Return a value of a setting that is allowed and not the present one."""
    if name in OTHER_NAMES:
        return OTHER_NAMES[name]
    if name == "extract_method":
        return next(other for other in EXTRACT_METHODS if other != value)
    if isinstance(value, bool):
        return not value
    if value is None or isinstance(value, int):
        return (value or 0) + 1
    return (value + 0.5) / 2


def test_texts_in_another_language_are_warned_of():
    pair = ("Der Rat hat die alte Brücke am 3. Mai gesperrt.", "Die Brücke ist gesperrt.")
    aligner = Aligner.load(wordnet="none", paraphrases="none")
    with pytest.warns(OtherLanguage, match="texts are German, and .* trained on English texts"):
        aligner.align(pair)
    with pytest.warns(OtherLanguage, match="German, of which there is no general model, and 5 "):
        found = align(*pair)
    assert [phrase.abstract.text for phrase in found.phrases] == ["Die", "Brücke", "gesperrt."]


# Changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"limit": (2, 2)}, "nothing uses the setting 'limit': it belongs to lexical, which"),
        (
            {"decoder": "viterbi", "threshold": 0.5},
            "nothing uses the setting 'threshold': it belongs to posterior, which",
        ),
        (
            {"rewrite": ("identity",), "wordnet": "folder"},
            "it belongs to wordnet and relation and multiword, which",
        ),
        ({"treshold": 0.5}, "unknown setting 'treshold'. Did you mean 'threshold'"),
    ],
)
def test_a_setting_needs_its_owner(changes, message):
    with pytest.raises(BadUsage, match=message):
        Settings().changed(**changes)


def test_a_factor_of_null_of_another_package_is_saved_where_it_is_used(monkeypatch):
    @dataclasses.dataclass(frozen=True)
    class Switch(Options):
        damped: bool = option(False, "whether null is damped")

    class Damped(NullFactor):
        name = "damped"
        Settings = Switch

    without = Settings().as_json()
    monkeypatch.setitem(NULL_FACTORS._plugins, "damped", Damped)
    assert Settings().as_json() == without
    damped = Settings().changed(damped=True)
    assert Settings().changed(**damped.as_json()).as_json() == damped.as_json()
    assert damped.as_json().keys() - without.keys() == {"damped"}
    assert damped.parts()["damped"] is Damped and "damped" not in Settings().parts()


# Parameters


def test_parameters_are_those_that_were_given():
    rewrite = ["identity", "stem"]
    aligner = Aligner("paper", rewrite=rewrite, iterations=3)
    parameters = aligner.get_params()
    assert parameters["rewrite"] is rewrite
    assert (parameters["preset"], parameters["iterations"]) == ("paper", 3)
    assert parameters["jump"] is None and parameters["workers"] is None
    assert set(parameters) == {*all_options(), "workers", "verbose"}
    assert set(inspect.signature(Aligner).parameters) == set(parameters)


def test_pairs_are_aligned_as_a_stream(trained, sample, monkeypatch):
    """No more of them are taken than the batches that threads work on, and a batch ahead."""
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    monkeypatch.setattr(trained, "workers", 1)
    expected = trained.align(sample)
    taken = []

    def stream():
        for one in sample * 3:
            taken.append(one.id)
            yield one

    aligned = trained.align_all(stream())
    ahead = [len(taken) - number for number, _ in enumerate(aligned)]
    assert max(ahead) <= 5
    assert len(taken) == len(ahead) == 3 * len(sample)
    assert list(trained.align_all(iter(sample))) == expected


@pytest.mark.parametrize("preset", PRESETS)
def test_the_model_is_the_same_for_any_number_of_workers(
    sample, miniature, tmp_path, monkeypatch, preset
):
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 200)  # so that there is something to share
    for workers in (1, 4):
        settings = {"start": "none", "iterations": 2, "wordnet": str(miniature)}
        aligner = Aligner(preset, **settings, workers=workers)
        aligner.fit(sample, checkpoint=tmp_path / str(workers))
    assert contents(tmp_path / "1") == contents(tmp_path / "4")


def test_a_saved_model_aligns_alike(trained, sample, model_directory):
    loaded = Aligner.load(model_directory)
    assert loaded.align(sample) == trained.align(sample)
    assert loaded.log_likelihood(sample) == trained.log_likelihood(sample)


def test_what_a_trained_model_admits(trained, sample, model_directory):
    loaded = Aligner.load(model_directory, decoder="viterbi", workers=1)
    assert loaded.settings.as_json() == trained.settings.changed(decoder="viterbi").as_json()
    assert loaded.workers == 1
    with pytest.raises(BadUsage, match="unknown setting of a trained model 'jump'"):
        Aligner.load(model_directory, jump="uniform")
    with pytest.raises(BadUsage, match="Did you mean 'threshold'"):
        Aligner.load(model_directory, treshold=0.5)
