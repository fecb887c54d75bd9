from __future__ import annotations

import pytest

from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.evaluation.annotators import (
    GOLD,
    Kappa,
    annotator_names,
    kappas,
)


def annotated(sure, possible=(), document=("the", "Mac", "sold")):
    texts = (Text.from_sentences([document]), Text.from_sentences([["the", "Mac"]]))
    return [Pair("one", *texts, frozenset(sure), frozenset(possible))]


@pytest.mark.parametrize(
    "files",
    [
        ["a", "aa"],
        ["a", "aa", "aaa"],
        ["gold", "anna"],
        ["dev.gold", "dev.x"],
        ["gold"],
        ["x/a", "a"],
    ],
)
def test_no_annotator_has_the_name_of_another_or_of_the_gold(files):
    names = annotator_names(files)
    assert len({*names, GOLD}) == len(files) + 1


def test_kappas_of_every_two_annotators():
    annotators = {
        "A": annotated({(0, 0), (1, 1)}),
        "B": annotated({(0, 0)}, {(1, 1)}),
        "C": annotated({(0, 0), (1, 1)}),
    }
    one, same, _ = kappas(annotators, "default")
    # A and B, six decisions: both link 1, only A 1, neither 4. Observed 5/6, by chance
    # (2 + 20) / 36, so 8 / 14.
    assert one == Kappa(("A", "B"), pytest.approx(8 / 14), 1.0, 0.0, 1.0)
    assert same == Kappa(("A", "C"), 1.0, 1.0, 1.0, 1.0)
