"""Models that earlier versions of the program saved still load."""

from __future__ import annotations

import json

import pytest

from corpus_tools.errors import BadModel
from semihmm import Aligner
from semihmm.saving.manifest import MANIFEST
from semihmm.saving.saved_model import load
from tests.semihmm.saved_arrays import contents
from tests.semihmm.saving.model_files import earlier_version
from tests.semihmm.used_settings import used

VERSION_1 = {
    "preset": "default",
    "jump": "syntax",
    "rewrite": ["identity", "stem", "relation"],
    "iterations": 1,
    "tolerance": 1e-4,
    "extract": 3,
    "own_sentences": True,
    "limit": [3, 3],
    "lexical_start": 1.0,
    "table_entries": None,
    "after_null": True,
    "own_end": True,
    "null_prior": ["unigram", 1e6],
    "farthest": None,
    "wordnet": None,
    "parser": "none",
    "encoder": None,
    "layer": 4,
    "decoder": "posterior",
    "threshold": 0.4,
}
"""The settings of the preset ``default`` as version 1 saved them: those of all plug-ins."""

PAPER = {
    "preset": "paper",
    "jump": "relative",
    "rewrite": ["identity", "stem", "wordnet", "lexical"],
    "own_sentences": False,
    "lexical_start": 0.0,
    "after_null": False,
    "own_end": False,
    "null_prior": ["lexical", 2.0],
    "parser": "chunks",
    "decoder": "viterbi",
}
NEURAL = {
    "preset": "neural",
    "rewrite": ["identity", "stem", "relation", "embedding"],
    "threshold": 0.5,
}

EARLIER = {
    "extract": 3,
    "extract_method": "marcu",
    "fusion": False,
    "asides": False,
    "stray_punctuation": True,
    "paraphrases": "none",
    "standardized": False,
    "competition": "argmax",
}
"""Settings that version 1 did not have or had other values of, with those that it had."""

each_model = pytest.mark.parametrize(
    ("preset", "changes", "earlier"),
    [
        ("default", {}, {}),
        ("paper", {}, PAPER),
        ("neural", {}, NEURAL),
        ("default", {"jump": "relative+sentences"}, {"jump": "relative+syntax"}),
        (
            "default",
            {"jump": "relative+syntax", "parser": "chunks"},
            {"jump": "relative+syntax", "parser": "chunks"},
        ),
        ("default", {"jump": "uniform", "threshold": 0.2}, {"jump": "uniform", "threshold": 0.2}),
        (
            "paper",
            {"limit": (2, 1), "farthest": 3, "table_entries": 50},
            PAPER | {"limit": [2, 1], "farthest": 3, "table_entries": 50},
        ),
    ],
)


def as_version_1(directory, settings):
    """Replace the manifest by one of version 1; the other files have not changed since."""
    earlier_version(directory, 1)
    path = directory / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | {"settings": settings}))


@each_model
def test_a_model_of_version_1_is_the_same_model(
    sample, miniature, tmp_path, preset, changes, earlier
):
    wanted = {"iterations": 1, "start": "none", "wordnet": str(miniature)} | EARLIER | changes
    wanted["rewrite"] = tuple((VERSION_1 | earlier)["rewrite"])
    aligner = Aligner(preset, **used(preset, wanted)).fit(sample)
    aligner.save(tmp_path / "now")
    aligner.save(tmp_path / "earlier")
    as_version_1(tmp_path / "earlier", VERSION_1 | {"wordnet": str(miniature)} | earlier)
    loaded = Aligner.load(tmp_path / "earlier")
    assert loaded.settings.as_json() == aligner.settings.as_json()
    assert loaded.align(sample) == aligner.align(sample)
    loaded.save(tmp_path / "earlier")
    assert contents(tmp_path / "earlier") == contents(tmp_path / "now")


def test_training_goes_on_from_a_model_of_version_1(sample, miniature, tmp_path):
    own = {"start": "none", "wordnet": str(miniature), "rewrite": tuple(VERSION_1["rewrite"])}
    settings = used("default", EARLIER | own)
    Aligner(iterations=2, **settings).fit(sample, checkpoint=tmp_path / "whole")
    Aligner(iterations=1, **settings).fit(sample, checkpoint=tmp_path / "parts")
    as_version_1(tmp_path / "parts", VERSION_1 | {"wordnet": str(miniature)})
    aligner = Aligner.load(tmp_path / "parts", iterations=2)
    aligner.fit(sample, resume=True, checkpoint=tmp_path / "parts")
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (VERSION_1 | {"unheard_of": 1}, "unknown settings: unheard_of"),
        (VERSION_1 | {"null_strength": 1.0, "nul_prior": 1}, "unknown settings: nul_prior"),
        (VERSION_1 | {"jump": "gaussain"}, "unknown jump model 'gaussain'"),
        (VERSION_1 | {"null_prior": ["unigrams", 1.0]}, "unknown null prior 'unigrams'"),
        (VERSION_1 | {"null_prior": 3}, "cannot unpack"),
    ],
)
def test_settings_of_version_1_are_checked(model_directory, settings, message):
    as_version_1(model_directory, settings)
    with pytest.raises(BadModel, match=f"settings do not fit.*{message}.*train the model again"):
        load(model_directory)
