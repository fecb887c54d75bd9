"""The report of all scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.scores import SCOPES, scoped_links, score
from tests.corpus_tools.scores.random_corpora import aligned, pair

MAC = pair(
    "mac", "the new Mac sold well", "The Mac sold", sure=[(0, 0), (2, 1)], possible=[(1, 1), (3, 1)]
)
"""An example to work by hand: nothing is aligned to the abstract's "sold"."""


WORKED = (
    "soft_precision",
    "recall",
    "soft_f",
    "aer",
    "macro_soft_precision",
    "macro_recall",
    "macro_soft_f",
)
"""The scores that are worked by hand here, in this order."""


def values(report, scope):
    """Return the figures that are worked by hand."""
    return [report.scores[scope][name].value for name in WORKED]


def counts(pair, alignment, ignored):
    """Return |A|, |A & P|, |A & S|, |S| by scope."""
    counts_by_scope = {}
    for scope, (links,) in scoped_links([(pair, alignment)], SCOPES, ignored).items():
        system, sure, possible, _ = links
        counts_by_scope[scope] = (
            len(system),
            len(system & possible),
            len(system & sure),
            len(sure),
        )
    return counts_by_scope


def test_a_pair_worked_by_hand():
    system = Alignment("mac", (PhraseLink((0, 1), (1, 2), 1.0), PhraseLink((1, 3), (2, 4), 1.0)))
    # "Mac sold" twice: the diagonal. A = {(1, 0), (2, 1), (3, 2)}; P has (2, 1), and so has S.
    assert counts(MAC, system, frozenset({"the"})) == {
        "all_words": (3, 1, 1, 2),
        "outside_ignore_list": (2, 1, 1, 1),
        "oracle_null_all_words": (2, 1, 1, 2),
        "oracle_null_outside_ignore_list": (1, 1, 1, 1),
    }
    report = score([MAC], {"mac": system}, "none")
    expected = [1 / 3, 1 / 2, 2 / 5, 1 - 2 / 5, 1 / 3, 1 / 2, 2 / 5]
    np.testing.assert_allclose(values(report, "all_words"), expected, rtol=1e-15)


def test_zero_denominators():
    gold = [replace(MAC, id=id, sure=frozenset(), possible=frozenset()) for id in ("a", "b")]
    nothing = {"a": Alignment("a"), "b": Alignment("b")}
    assert values(score(gold, nothing, "none"), "all_words") == [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    wrong = {**nothing, "b": aligned("b", (0, 0), length=3)}
    assert values(score(gold, wrong, "none"), "all_words") == [0.0, 0.0, 0.0, 1.0, 0.5, 1.0, 0.5]
    missed = [MAC, gold[1]]
    report = score(missed, {"mac": Alignment("mac"), "b": Alignment("b")}, "none")
    assert values(report, "all_words") == [0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.5]


def test_what_cannot_be_scored():
    alignments = {"mac": Alignment("mac")}
    with pytest.raises(BadData, match="pair 'mac' has no hand alignment"):
        score([replace(MAC, sure=None, possible=None)], alignments)
    with pytest.raises(BadData, match="no pairs to score"):
        score([], {})
    with pytest.raises(BadData, match="1 only in the pairs"):
        score([MAC], {})
    with pytest.raises(BadUsage, match="at least 1 resample, not 0"):
        score([MAC], alignments, resamples=0)
