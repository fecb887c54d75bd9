"""An aligner has the parameters of an estimator: it can be shown, changed, copied and pickled."""

from __future__ import annotations

import dataclasses
import pickle
from typing import get_args, get_type_hints

import pytest

from corpus_tools.errors import BadUsage
from semihmm.aligner import Aligner
from semihmm.parameters import AllSettings
from semihmm.settings import Settings, all_options, registered


def test_the_keywords_have_the_types_of_the_settings():
    hints = get_type_hints(AllSettings)
    compared = set()
    for owner in (Settings, *(plugin.Settings for plugin in registered())):
        fields = {field.name for field in dataclasses.fields(owner)}
        for name, hint in get_type_hints(owner).items():
            if name in hints and name in fields and name != "rewrite":
                compared.add(name)
                own = set(get_args(hint)) - {type(None)} if type(None) in get_args(hint) else {hint}
                assert own == set(get_args(hints[name])) - {type(None)}, name
    assert compared == set(hints) - {"rewrite"}


def test_parameters_are_those_that_were_given():
    rewrite = ["identity", "stem"]
    aligner = Aligner("paper", rewrite=rewrite, iterations=3)
    parameters = aligner.get_params()
    assert parameters["rewrite"] is rewrite
    assert (parameters["preset"], parameters["iterations"]) == ("paper", 3)
    assert parameters["jump"] is None and parameters["workers"] is None
    assert set(parameters) == {*all_options(), "workers", "verbose"}


def test_parameters_are_changed_together_or_not_at_all():
    aligner = Aligner(jump="relative", iterations=3)
    assert aligner.set_params(iterations=None, threshold=0.7, workers=2) is aligner
    assert aligner.settings == Aligner(jump="relative", threshold=0.7).settings
    assert aligner.workers == 2
    for wrong in ({"jump": "no"}, {"workers": 0}, {"iteration": 1}, {"limit": (2, 2)}):
        with pytest.raises(BadUsage):
            aligner.set_params(extract=1, **wrong)
    assert aligner.settings == Aligner(jump="relative", threshold=0.7).settings
    aligner.set_params(preset="paper", threshold=None)
    assert aligner.settings.as_json() == Aligner("paper", jump="relative").settings.as_json()


def test_pickles_untrained_and_trained(trained, sample):
    untrained = Aligner("paper", iterations=2)
    assert pickle.loads(pickle.dumps(untrained)).settings == untrained.settings
    assert pickle.loads(pickle.dumps(trained)).align(sample[:2]) == trained.align(sample[:2])
