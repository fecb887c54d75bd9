"""The walks of the double-exponential and the syntax-aware model, worked by hand."""

import numpy as np
import pytest

from corpus_tools.base.errors import BadData
from corpus_tools.model_parts.encoding import Trees
from corpus_tools.model_parts.model_part import Corpus
from jump_models.walks import OTHER_LABEL, WORD_LABEL, Syntax, SyntaxSettings
from tests.jump_models.random_models import batch_of, form_of
from tests.naive.lattice import make_lattice
from tests.semihmm.solved import solve

SENTENCE = [("ROOT", 0, 5), ("NP", 0, 2), ("VP", 2, 5), ("PP", 3, 5)]
"""(ROOT (NP a b) (VP c (PP d e)))"""


def test_a_rank_that_training_did_not_know_has_the_label_without_it():
    batch = batch_of([[[("ROOT#2", 0, 3)]]], [3])
    settings = SyntaxSettings()
    known = Syntax.initial(
        Corpus([batch_of([[[("ROOT", 0, 3)]]], [3])], len(batch.vocabulary)), settings
    )
    assert known.brackets(batch).label.tolist() == [2]
    more = known.warm_start(Corpus([batch], len(batch.vocabulary), np.zeros(1, int)), settings)
    assert more.labels == (OTHER_LABEL, WORD_LABEL, "ROOT", "ROOT#2")
    assert (more.stop[..., 3] == more.stop[..., 2]).all()
    assert more.brackets(batch).label.tolist() == [3]


def test_skipped_constituents_are_counted_by_label():
    """One path: from the start forward over NP to c, and on to the end over the rest."""
    batch = batch_of([[SENTENCE]], [5])
    settings = SyntaxSettings(after_null=False, own_end=False)
    model = Syntax.initial(Corpus([batch], 0), settings)
    spans, null = np.array([[1, 0, 2, 3]], dtype=np.int32), np.zeros(1)
    lattice = make_lattice(null, spans, np.ones(1), null, np.zeros((0, 5)), np.full(2, 0.1))
    jump = solve(lattice, form_of(model, batch))[0].jump
    rows = model.skipped(model.expected_statistics(model.features(batch), jump))
    jumps = {row.label: tuple(row.jumps) for row in rows if sum(row.jumps)}
    assert jumps == dict.fromkeys(("NP", "PP"), (pytest.approx(1.0), 0.0))
    assert {row.label for row in rows[:2]} == {"NP", "PP"}


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
