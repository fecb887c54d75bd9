"""The report of all scores: by hand, beside the naive twin, and how it is printed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.scores.registry import SCORES
from corpus_tools.scores.scopes import SCOPES, scoped_links
from corpus_tools.scores.score_report import score
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


def test_a_link_counts_by_its_abstract_word_alone():
    # The content word "Mac" is linked to "the": an error that the ignore list must not hide.
    by_scope = counts(MAC, aligned("mac", (0, 1), length=3), frozenset({"the"}))
    assert by_scope["outside_ignore_list"] == (1, 0, 0, 1)
    by_scope = counts(MAC, aligned("mac", (2, 0), length=3), frozenset({"the"}))
    assert by_scope["outside_ignore_list"] == (0, 0, 0, 1)


def test_zero_denominators():
    gold = [replace(MAC, id=id, sure=frozenset(), possible=frozenset()) for id in ("a", "b")]
    nothing = {"a": Alignment("a"), "b": Alignment("b")}
    assert values(score(gold, nothing, "none"), "all_words") == [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    wrong = {**nothing, "b": aligned("b", (0, 0), length=3)}
    assert values(score(gold, wrong, "none"), "all_words") == [0.0, 0.0, 0.0, 1.0, 0.5, 1.0, 0.5]
    missed = [MAC, gold[1]]
    report = score(missed, {"mac": Alignment("mac"), "b": Alignment("b")}, "none")
    assert values(report, "all_words") == [0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.5]


def test_the_signature_says_how():
    pairs = [MAC, replace(MAC, id="b", tokenizer="treebank")]
    alignments = {id: aligned(id, (2, 1), length=3) for id in ("mac", "b")}
    parts = score(pairs, alignments, resamples=7, seed=3).signature.split(" | ")
    assert parts[0].startswith("semihmm ")
    assert parts[1:] == [
        "pairs 2",
        "links soft",
        "ignore default:58 by abstract word",
        "bootstrap 7 seed 3",
        "tokenizer treebank+whitespace",
    ]


def test_the_report_as_json_and_as_a_table():
    report = score([MAC], {"mac": aligned("mac", (2, 1), (3, 1), (0, 2), length=3)})
    plain = json.loads(json.dumps(report.as_dict()))
    assert list(plain["scores"]) == list(SCOPES)
    assert list(plain["scores"]["all_words"]) == list(SCORES)
    assert plain["scores"]["all_words"]["recall"] == {"value": 0.5, "low": 0.5, "high": 0.5}
    lines = report.table().splitlines()
    assert lines[0].split("  ")[-1] == "outside the ignore list"
    assert lines[1] == "SoftP         0.667 [0.667, 0.667]     0.667 [0.667, 0.667]"
    assert lines[len(SCORES) + 4] == "SoftP         1.000 [1.000, 1.000]     1.000 [1.000, 1.000]"
    assert lines[-1] == report.signature


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
