"""Settings: their texts and JSON, what plug-ins own of them, and the resources that they name."""

import dataclasses
import json
import os
import shutil
import time

import nltk.data
import pytest

from corpus_tools.base.errors import BadResource, BadUsage, MissingResource, NoWordNet, warn_caller
from corpus_tools.plugins import Options, option
from corpus_tools.texts import lexicons
from corpus_tools.texts.lexicons import paraphrases
from rewrite_models.null_factor import NullFactor
from rewrite_models.registry import NULL_FACTORS, REWRITE_MODELS
from rewrite_models.relation import Relation
from semihmm import Aligner
from semihmm.cli.messages import reporting
from semihmm.model.settings import PRESETS, Settings, all_options, open_after_training, preset
from semihmm.model.settings import read_configuration as read
from tests.paths import ROOT
from tests.tiny_wordnet import write_wordnet

OTHERS = {
    "start": "general",
    "rewrite": ("stem", "wordnet"),
    "limit": (1, 2),
    "wordnet": "folder",
    "paraphrases": "list",
    "encoder": "folder",
    "language": "de",
    "threshold": 0.2,
}
"""Values of settings that are neither numbers nor chosen from a list; no preset has them."""


@pytest.mark.parametrize("name", PRESETS)
def test_a_change_of_each_setting_comes_back_from_json(name):
    told = PRESETS[name].as_json()
    assert len(set(told) - set(Settings.described())) > 4
    for setting in told:
        other = other_value(setting, told[setting])
        changed = PRESETS[name].changed(**{setting: other})
        again = Settings().changed(**json.loads(json.dumps(changed.as_json())))
        assert again.as_json()[setting] == other
        assert again.as_json() == changed.as_json()
        assert setting == "preset" or changed.differences() == {setting: other}


def other_value(name, value):
    """Return a value of a setting that is allowed and not the present one."""
    if name in OTHERS:
        return OTHERS[name]
    if names := all_options()[name].names:
        return next(other for other in names if other != value)
    if value is None or isinstance(value, int):
        return not value if isinstance(value, bool) else (value or 0) + 1
    return (value + 0.5) / 2


# Changes


@dataclasses.dataclass(frozen=True)
class Switch(Options):
    damped: bool = option(False, "whether null is damped")


def test_a_factor_of_null_of_another_package_is_saved_where_it_is_used(monkeypatch):
    without = Settings().as_json()
    factor = type("Damped", (NullFactor,), {"name": "damped", "Settings": Switch})
    monkeypatch.setitem(NULL_FACTORS, "damped", factor)
    assert Settings().as_json() == without and "damped" not in Settings().parts()
    damped = Settings().changed(damped=True)
    assert damped.as_json() == {**without, "damped": True}
    assert Settings().changed(**damped.as_json()).parts()["damped"] is factor


# A configuration in one line


def test_a_configuration_is_a_preset_and_changes(worked_out):
    """A wrong one is said, and a setting needs its owner. Presets are printed in full."""

    def outcome(text):
        try:
            name, changes = read(text)
            yield f"{name} {changes}"
            told = preset(name).changed(**changes).as_json()
        except BadUsage as error:
            yield str(error)
        else:
            assert told.items() >= changes.items()
            yield from () if changes else (f"{name}: {value}" for name, value in told.items())

    worked_out("configurations.txt", outcome)


def test_a_trained_model_admits_settings_that_no_parameter_depends_on():
    admitted = {*open_after_training()}
    assert {"decoder", "threshold", "extract", "language", "iterations", "tolerance"} <= admitted
    assert admitted.isdisjoint({"preset", "jump", "rewrite", "start", "fusion", "limit"})


def test_one_rewrite_model_alone_explains_every_word(monkeypatch):
    other = type("Other", (Relation,), {"name": "other"})
    monkeypatch.setitem(REWRITE_MODELS, "other", other)
    with pytest.raises(BadUsage, match="choose one of the rewrite models relation, other"):
        Settings(rewrite=("stem", "relation", "other"))
    assert Settings(rewrite=("stem", "other")).components()[1] is other
    with pytest.raises(BadUsage, match="must be a list of names, not 'stem'"):
        Settings(rewrite="stem")


# Resources


@pytest.fixture
def nothing_installed(tmp_path, monkeypatch):
    """Hide every resource of this machine."""
    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(lexicons, "WORDNET_DIRECTORIES", (str(tmp_path / "nowhere"),))


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_missing_is_left_out_and_said_once_of_english(language, miniature, recwarn):
    """Texts of other languages have the lists alone that are named."""
    settings = Settings(language=language)
    settings.resolve_resources()
    # Python itself repeats no warning of the same line.
    resolved = settings.resolve_resources()
    assert resolved.resources_read() == ["without WordNet", "without paraphrases"]
    missing = [MissingResource] * 2 if language == "en" else []
    assert [kept.category for kept in recwarn.list] == missing
    named = settings.changed(wordnet=str(miniature)).resolve_resources()
    assert named.resources_read() == ["WordNet 9.9", "without paraphrases"]
    problem = r"leave out wordnet: rewrite=identity,stem\.$"
    if language != "en":
        problem = "WordNet knows English words, and the texts are"
    with pytest.raises(NoWordNet, match=problem):
        settings.changed(rewrite=("identity", "wordnet", "stem")).resolve_resources()
    assert settings.changed(rewrite=("identity",), asides=False).resources_read() == []


@pytest.mark.usefixtures("nothing_installed")
def test_the_default_goes_on_without_resources_and_the_model_remembers(sample, tmp_path, recwarn):
    aligner, some = Aligner(), sample[:3]
    with pytest.warns(MissingResource, match=r"WordNet[\s\S]*nltk\.downloader"):
        aligner.fit(some)
    assert aligner.settings.as_json()["wordnet"] == "none"
    explicit = Aligner(wordnet="none", paraphrases="none").fit(some)
    assert aligner.align(some) == explicit.align(some)
    aligner.save(tmp_path / "model")
    recwarn.clear()
    assert Aligner.load(tmp_path / "model").settings.as_json()["wordnet"] == "none"
    assert not recwarn.list, "the model knows that it has none"


def test_damage_is_no_pairs_fault(sample, tmp_path):
    directory = write_wordnet(tmp_path / "wordnet")
    words = {token.lower() for pair in sample for token in pair.document.tokens}
    line = "n 1 0 1 0 99999999  \n"
    (directory / "index.noun").write_text("".join(f"{word} {line}" for word in sorted(words)))
    with pytest.raises(BadResource, match="damaged"):
        Aligner(wordnet=str(directory)).fit(sample, skip_bad_pairs=True)


def test_the_command_line_says_once_a_day_what_is_not_installed(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for hours, said in ((0, 1), (23.9, 0), (24.1, 1)):
        for note in tmp_path.glob("semihmm/said-*"):
            os.utime(note, times=(time.time() - 3600 * hours,) * 2)
        with reporting(quiet=False):
            warn_caller(MissingResource("no list"))
        assert capsys.readouterr().err.count("no list") == said


def test_an_installed_archive_of_paraphrases_is_read(tmp_path, monkeypatch):
    (tmp_path / "misc").mkdir()
    folder = str(ROOT / "tests" / "nltk_data" / "misc")
    shutil.make_archive(str(tmp_path / "misc" / "mwa_ppdb"), "zip", folder, "mwa_ppdb")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    paraphrases.cache_clear()
    assert paraphrases(None)["big"] == ("dog",)
