"""The walks of the double-exponential and the syntax-aware model, worked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.model_parts.encoding import Trees
from corpus_tools.model_parts.model_part import Corpus
from jump_models.walks import OTHER, WORD, Syntax, SyntaxSettings
from tests.jump_models.random_models import batch_of, form_of, random_counts, random_model

SHARED = {"after_null": False, "own_end": False}
"""Neither jumps after null nor jumps to the end are apart."""

SENTENCE = [("ROOT", 0, 5), ("NP", 0, 2), ("VP", 2, 5), ("PP", 3, 5)]
"""(ROOT (NP a b) (VP c (PP d e)))"""


def initial(labels, after_null=False):
    """Make the syntax model before training, of a corpus whose trees have the labels."""
    corpus = [batch_of([[[(label, 0, 1) for label in labels]]], [1])]
    settings = Syntax.Settings(**SHARED | {"after_null": after_null})
    return Syntax.initial(Corpus(corpus, 0), settings)


def syntax(**changes):
    """Make a model in which every decision is a coin toss, but for the changes.

    These are {(direction, label): probability} of the decisions to stop and to step over.
    """
    model = initial(("ROOT", "NP", "VP", "PP"))
    tables = {name: np.full_like(model.stop, 0.5) for name in ("stop", "over")}
    for name, table in changes.items():
        for (direction, label), probability in table.items():
            tables[name][0, direction, model.labels.index(label)] = probability
    return replace(model, **tables)


@pytest.mark.parametrize("own_end", [False, True])
@pytest.mark.parametrize("name", ["laplace", "syntax"])
def test_no_perturbed_m_step_is_better(name, own_end):
    """It maximises expected log-likelihood plus log prior, for counts that a walk could give."""
    rng = np.random.default_rng(2)
    settings = {"after_null": True, "own_end": own_end}
    batch = batch_of([[[("ROOT", 0, 1)]]], [1])
    before = random_model(rng, name, settings)
    counts = {"events": random_counts(rng, before, batch)["events"]}
    best = before.m_step(counts)
    # Events that never happen carry no weight.
    counts["events"][form_of(best, batch).events[0] == 0] = 0.0

    def gain(model):
        weights = form_of(model, batch).events[0]
        return (
            float((counts["events"] * np.log(np.where(weights > 0, weights, 1.0))).sum())
            + model.log_prior()
        )

    for _ in range(40):
        moved = {}
        for part in ("end", "stay", "forward", "stop", "over"):
            p = getattr(best, part)
            odds = p / (1 - p) * np.exp(0.1 * rng.standard_normal(p.shape))
            moved[part] = odds / (1 + odds)
        assert gain(replace(best, **moved)) < gain(best)


def test_a_rank_that_training_did_not_know_has_the_label_without_it():
    batch = batch_of([[[("ROOT#2", 0, 3)]]], [3])
    settings = SyntaxSettings()
    known = Syntax.initial(
        Corpus([batch_of([[[("ROOT", 0, 3)]]], [3])], len(batch.vocabulary)), settings
    )
    assert known.brackets(batch).label.tolist() == [2]
    more = known.warm_start(Corpus([batch], len(batch.vocabulary), np.zeros(1, int)), settings)
    assert more.labels == (OTHER, WORD, "ROOT", "ROOT#2")
    assert (more.stop[..., 3] == more.stop[..., 2]).all()
    assert more.brackets(batch).label.tolist() == [3]


def test_skipped_constituents_are_counted_by_label():
    """One path: from the start forward over NP to c, and on to the end over the rest."""
    from tests.naive.lattice import make_lattice
    from tests.semihmm.solved import solve

    model = syntax()
    batch = batch_of([[SENTENCE]], [5])
    form = form_of(model, batch)
    spans = np.array([[1, 0, 2, 3]], dtype=np.int32)
    lattice = make_lattice(
        np.zeros(1), spans, np.ones(1), np.zeros(1), np.zeros((0, 5)), np.full(2, 0.1)
    )
    rows = {
        row.label: row
        for row in model.skipped(
            model.expected_statistics(model.features(batch), solve(lattice, form).jump)
        )
    }
    assert {label: tuple(row.jumps) for label, row in rows.items() if sum(row.jumps)} == {
        "NP": (pytest.approx(1.0), 0.0),
        "PP": (pytest.approx(1.0), 0.0),
    }
    assert list(rows)[:2] in (["NP", "PP"], ["PP", "NP"])


def test_spans_may_count_from_the_sentence_or_from_the_document():
    moved = [(label, start + 5, end + 5) for label, start, end in SENTENCE]
    by_sentence, by_document = (
        Trees.from_brackets([[SENTENCE, SENTENCE]]),
        Trees.from_brackets([[SENTENCE, moved]]),
    )
    for one, other in zip(by_sentence[1:], by_document[1:], strict=True):
        np.testing.assert_array_equal(one, other)
