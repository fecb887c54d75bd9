"""The check of plug-ins: ours pass it, and what is wrong is said with the name of the plug-in."""

from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadUsage
from jump_models.distances import Relative
from jump_models.registry import JUMP_MODELS
from rewrite_models.ngrams import Identity, Stem
from rewrite_models.registry import REWRITE_MODELS
from rewrite_models.rewrite_model import Features
from semihmm.testing import check


@pytest.mark.parametrize("name", [*REWRITE_MODELS, *JUMP_MODELS])
def test_every_part_of_ours_passes(name, miniature):
    kind = {**REWRITE_MODELS, **JUMP_MODELS}[name]
    check(kind, wordnet=str(miniature))


def spans_changed(change):
    """Make a model whose spans are not those that it should have."""

    class Wrong(Stem):
        name = "wrong"

        def features(self, batch):
            features = super().features(batch)
            spans = change(features.spans.copy())
            return Features(
                spans, {key: value[: len(spans)] for key, value in features.data.items()}
            )

    return Wrong


def probabilities(change, base=Identity):
    class Wrong(base):
        name = "wrong"

        def probabilities(self, features):
            return change(super().probabilities(features))

    return Wrong


def with_beyond(spans):
    spans[-1, 3] += 9
    return spans


def with_twice(spans):
    spans[1] = spans[0]
    return spans


def negative(jumps):
    return jumps._replace(tables=-jumps.tables)


class Changing(Relative):
    name = "wrong"

    def m_step(self, counts):
        self.weights[...] = 0.5
        return replace(self, weights=self.weights.copy())


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (probabilities(lambda values: values * 3 + 3.0), r"expected 0 to 1"),
        (probabilities(lambda values: values * np.nan), "not finite"),
        (probabilities(lambda values: values[:-1]), "one for each candidate"),
        (probabilities(lambda values: 1 / 0), "ZeroDivisionError"),
        (spans_changed(with_beyond), "goes beyond the text"),
        (spans_changed(with_twice), "among the spans twice"),
        (spans_changed(lambda spans: spans.astype(np.int64)), "expected int32"),
        (probabilities(negative, Relative), "'tables' has values that are negative"),
        (Changing, "m_step changes the part"),
        (dict, "neither a rewrite model nor a jump model"),
    ],
)
def test_what_is_wrong_is_said_with_the_name_of_the_plug_in(wrong, problem):
    with pytest.raises(BadUsage, match=f"plug-in .*(wrong|dict).*: .*{problem}"):
        check(wrong)
