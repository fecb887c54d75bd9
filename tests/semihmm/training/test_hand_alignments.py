"""Training with hand alignments: what is fitted, what is refused, and with which words."""

from dataclasses import replace

import pytest

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Source
from corpus_tools.texts.text import Text
from semihmm.aligner import Aligner
from semihmm.model.link_weights import shipped_weights


@pytest.fixture
def settings(miniature):
    return {"iterations": 1, "wordnet": str(miniature), "workers": 1}


def test_the_weights_are_fitted_saved_and_used(sample, settings, tmp_path):
    gold = [replace(sample[0], sure=None, possible=None), *sample[1:8]]
    aligner = Aligner(**settings).fit(sample, gold=gold, checkpoint=tmp_path)
    weights = aligner.model.link_weights
    assert weights.provenance["pairs"] == 7
    assert weights.first == shipped_weights().first
    assert weights.weights != shipped_weights().weights
    again = Aligner.load(tmp_path)
    assert again.model.link_weights == weights
    assert again.align(sample) == aligner.align(sample)
    assert f" {weights.name}," in again.made_by
    without = Aligner(**settings).fit(sample)
    assert without.model.link_weights is None
    assert {one.phrases for one in without.align(sample)} != {
        one.phrases for one in aligner.align(sample)
    }
    # The model itself has not seen the links.
    assert aligner.log_likelihood(sample) == without.log_likelihood(sample)


def test_gold_may_be_other_pairs_and_a_model_that_is_trained_gets_its_weights(
    sample, settings, tmp_path
):
    once = Aligner(**settings).fit(sample[:10], gold=sample[10:])
    Aligner(**settings).fit(sample[:10], checkpoint=tmp_path)
    resumed = Aligner.load(tmp_path).fit(sample[:10], gold=sample[10:], resume=True)
    assert resumed.model.link_weights == once.model.link_weights


def no_links(pairs):
    return [replace(pair, sure=frozenset(), possible=frozenset()) for pair in pairs]


def undecided(pairs):
    return [replace(pair, sure=None, possible=None) for pair in pairs]


def of_other_texts(pairs):
    return [
        replace(pair, abstract=Text(("Other",), (0, 1)), sure=frozenset({(0, 0)})) for pair in pairs
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (no_links, "gold.jsonl, line 4: no hand alignment has a sure link"),
        (undecided, "gold.jsonl, line 4: pair 'sample-04' has no hand alignment"),
        (of_other_texts, "gold.jsonl, line 4: pair 'sample-04': its hand alignment is of other"),
        (lambda pairs: [], "there is no pair with a hand alignment"),
    ],
)
def test_wrong_hand_alignments_are_refused_before_training(sample, settings, change, problem):
    some = [
        replace(pair, source=Source("gold.jsonl", line))
        for line, pair in enumerate(sample[3:5], start=4)
    ]
    aligner = Aligner(**settings)
    with pytest.raises(BadData) as caught:
        aligner.fit(sample, gold=change(some))
    assert problem in str(caught.value)
    assert aligner.state is None
