"""The walks of the double-exponential and the syntax-aware model, worked by hand."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.model_parts.model_part import Corpus
from corpus_tools.model_parts.text_arrays import Trees
from jump_models.jump_model import JumpSettings
from jump_models.kernel_arrays import FORWARD, OVER, STAY, STOP
from jump_models.walks import OTHER_LABEL, WORD_LABEL, Laplace, Syntax, SyntaxSettings
from tests.jump_models.random_models import batch_of, random_model

SENTENCE = [("ROOT", 0, 5), ("NP", 0, 2), ("VP", 2, 5), ("PP", 3, 5)]
"""(ROOT (NP a b) (VP c (PP d e)))"""


def test_a_rank_that_training_did_not_know_has_the_label_without_it():
    batch = batch_of([[[("ROOT#2", 0, 3)]]], [3])
    # Trees may have the names of our own labels, too.
    trees = [[("ROOT", 0, 3), (WORD_LABEL, 0, 1), (OTHER_LABEL, 1, 2)]]
    known = Syntax.initial(Corpus([batch_of([trees], [3])], 0), SyntaxSettings())
    assert known.labels == (OTHER_LABEL, WORD_LABEL, "ROOT")
    assert known.brackets(batch).label.tolist() == [2]
    more = known.warm_start(Corpus([batch], 0, np.zeros(1, int)), SyntaxSettings())
    assert more.labels == (OTHER_LABEL, WORD_LABEL, "ROOT", "ROOT#2")
    assert (more.stop[..., 3] == more.stop[..., 2]).all()
    assert more.brackets(batch).label.tolist() == [3]


@pytest.mark.parametrize("own_end", [False, True])
@pytest.mark.parametrize("after_null", [False, True])
def test_an_m_step_counts_the_decisions_of_all_events(after_null, own_end):
    """The order of the events is that of ``jump_models.steps``; either outcome has half a count."""
    rng = np.random.default_rng(3)
    model = random_model(rng, "syntax", {"after_null": after_null, "own_end": own_end})
    columns = range(len(model.labels))
    boundaries = range(max(model.end.shape[1], 1))
    two = range(2)
    order = [
        *(("end", boundary) for boundary in boundaries),
        *product(["leave"], boundaries, two, two, range(3)),
        *product(["walk"], two, columns, two, two, range(3)),
        ("never",),
    ]
    events = rng.random((len(model.stay), len(order)))
    # No walk meets a constituent of the last label: its averages are NaN.
    events[:, [event[0] == "walk" and event[2] == columns[-1] for event in order]] = 0.0
    asked, yes, jumps = Counter(), Counter(), Counter()

    def count(decision, outcome, times):
        asked[decision] += times
        yes[decision] += times * outcome

    for (k, number), times in np.ndenumerate(events):
        match order[number]:
            case ("end", boundary):
                count(("end", k, boundary), True, times)
            case ("leave", boundary, direction_open, stay_open, action):
                count(("end", k, boundary), False, times)
                count(("stay", k), action == STAY, times * stay_open)
                walks = direction_open and action != STAY
                count(("forward", k), action == FORWARD, times * walks)
            case ("walk", way, column, over_open, stop_open, action):
                count(("stop", k, way, column), action == STOP, times * stop_open)
                goes_on = over_open and action != STOP
                count(("over", k, way, column), action == OVER, times * goes_on)
                jumps[way, column] += times * (action == OVER)
    best = model.m_step({"events": events})
    for name in ("end", "stay", "forward", "stop", "over"):
        for place, p in np.ndenumerate(getattr(best, name)):
            decision = name, *place
            assert p == pytest.approx((yes[decision] + 0.5) / (asked[decision] + 1.0)), decision
    rows = model.skipped({"events": events})
    numbers = [model.labels.index(row.label) for row in rows]
    assert numbers == sorted(columns, key=lambda column: -jumps[0, column] - jumps[1, column])
    for row, column in zip(rows, numbers, strict=True):
        assert row.jumps == pytest.approx([jumps[way, column] for way in two])
        for way, name in product(two, ("stop", "over")):
            weights = [asked[name, k, way, column] for k in range(len(model.stay))]
            own = getattr(model, name)[:, way, column]
            average = np.average(own, weights=weights) if sum(weights) else np.nan
            assert getattr(row, name)[way] == pytest.approx(average, nan_ok=True)


def test_parameters_before_training():
    """The constants that were chosen."""
    batch = batch_of([[SENTENCE]], [5])
    walks = [
        (Syntax.initial(Corpus([batch], 0), SyntaxSettings(after_null=True)), 0.1),
        (Laplace.initial(Corpus([batch], 0), JumpSettings(after_null=False)), 0.01),
    ]
    for model, stop in walks:
        chosen = {"end": 0.01, "stay": 0.5, "forward": 0.5, "stop": stop, "over": 0.5}
        for name, value in chosen.items():
            assert np.unique(getattr(model, name)).tolist() == [value]
    assert walks[0][0].labels == (OTHER_LABEL, WORD_LABEL, "NP", "PP", "ROOT", "VP")


def test_spans_may_count_from_the_sentence_or_from_the_document():
    moved = [(label, start + 5, end + 5) for label, start, end in SENTENCE]
    trees = (Trees.from_brackets([[SENTENCE, again]]) for again in (SENTENCE, moved))
    for one, other in list(zip(*trees, strict=True))[1:]:
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("words", [4, 6])
def test_trees_of_another_text_are_refused(words):
    """Whether it has fewer or more words than theirs."""
    model = Syntax.initial(Corpus([batch_of([[SENTENCE]], [5])], 0), SyntaxSettings())
    batch = batch_of([[SENTENCE], [SENTENCE]], [5, words])
    with pytest.raises(BadData, match=f"'pair-1': the trees have 5 words, the document {words}"):
        model.features(batch)
    with pytest.raises(BadUsage, match="needs the documents' trees"):
        model.features(replace(batch, trees=None))
