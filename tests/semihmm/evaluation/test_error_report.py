from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.alignments.alignment import from_word_links
from corpus_tools.scores.score_report import score
from semihmm.aligner import Aligner
from semihmm.decoding.component_links import component_links
from semihmm.evaluation.error_report import Identity, error_report
from tests.semihmm.evaluation.gold_pairs import PAIRS


def answers(links):
    return {
        pair.id: from_word_links(pair.id, dict.fromkeys(links[pair.id], 1.0), len(pair.abstract))
        for pair in PAIRS
    }


ALIGNED = answers({"one": {(0, 0), (1, 1)}, "two": {(0, 0), (1, 1)}})


def test_the_figures_by_hand():
    report = error_report(PAIRS, ALIGNED)
    # Gold: the-the, Mac-Mac, sells-sells, a-a. System: the first two, a-a, and dog-cat.
    assert report.gold == Identity(1.0, 1.0, 1.0, 1.0)
    assert report.system == Identity(0.75, 0.75, 0.75, 0.75)
    assert {kind: count for kind, count in report.kinds.items() if count} == {
        "right": 3,
        "null missed": 1,
        "missed identity": 1,
    }
    assert report.words == report.kinds
    assert report.components == {}
    assert report.scores == score(PAIRS, ALIGNED)
    assert [(e.kind, e.abstract, e.true, e.aligned) for e in report.examples] == [
        ("null missed", "cat", "null", "dog"),
        ("missed identity", "sells", "sells", "null"),
    ]


def test_shares_of_components_are_means_over_the_links_of_a_kind():
    parts = {
        "one": {(0, 0): np.array([0.3, 0.1]), (1, 1): np.array([0.5, 0.5])},
        "two": {(0, 0): np.array([0.0, 0.2])},
    }
    report = error_report(PAIRS, ALIGNED, components=(("identity", "stem"), parts))
    # Three right links: 3/4 and 1/4, a half each, 0 and 1. The wrong one has no evidence, so its
    # kind is left out.
    assert report.components == {"right": pytest.approx({"identity": 1.25 / 3, "stem": 1.75 / 3})}


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_the_components_of_a_link_sum_to_its_posterior(sample, miniature, preset):
    aligner = Aligner(preset, iterations=1, wordnet=str(miniature), extract=1).fit(sample)
    names, by_pair = component_links(aligner.model, aligner.settings, sample)
    asides = ("asides",) if aligner.settings.has_asides else ()
    assert names == (*aligner.settings.rewrite, *asides)
    for pair in sample:
        sums = np.zeros((len(pair.document), len(pair.abstract)))
        for link, parts in by_pair[pair.id].items():
            sums[link] = parts.sum()
        np.testing.assert_allclose(
            np.minimum(sums, 1.0), aligner.posteriors(pair).links, atol=1e-12
        )
