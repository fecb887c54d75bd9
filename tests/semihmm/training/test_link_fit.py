"""Weights of links that are fitted on hand alignments, and the hand alignments that are refused."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Source
from corpus_tools.texts.text import Text
from semihmm.aligner import Aligner
from semihmm.model.expectations import candidate_links
from semihmm.model.link_weights import LINK_FEATURES, array_of, shipped_weights
from semihmm.training.link_fit import LinkExamples, fit_link_weights, fitted_weights, link_examples

SHIPPED = shipped_weights()
PRIOR = array_of(SHIPPED.weights)


def made_examples(seed: int, size: int = 60) -> LinkExamples:
    draw = np.random.default_rng(seed)
    features = draw.normal(size=(size, len(LINK_FEATURES)))
    linked = (features[:, 0] + draw.normal(size=size) > 0).astype(float)
    return LinkExamples(features, linked, 1)


@pytest.mark.parametrize("strength", [0.3, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_weights_are_the_mode_of_likelihood_and_prior(seed, strength):
    examples = made_examples(seed)
    prior = np.random.default_rng(seed).normal(size=len(LINK_FEATURES))

    def loss(weights: np.ndarray) -> float:
        scores = np.where(examples.linked == 1, 1, -1) * (examples.features @ weights)
        return float(
            np.log1p(np.exp(-scores)).sum() + strength / 2 * ((weights - prior) ** 2).sum()
        )

    weights = fitted_weights(examples, prior, strength)
    other = minimize(loss, prior, method="BFGS", options={"gtol": 1e-6})
    assert loss(weights) <= other.fun + 1e-9
    assert weights == pytest.approx(other.x, abs=1e-3)


@pytest.mark.parametrize(("label", "problem"), [(0.0, "no sure link"), (1.0, "nothing but sure")])
def test_examples_of_one_kind_teach_nothing(label, problem):
    examples = made_examples(0)._replace(linked=np.full(60, label))
    with pytest.raises(BadData, match=f"there is {problem}"):
        fitted_weights(examples, PRIOR, 1.0)


def test_examples_are_candidates_and_possible_links_are_left_out(trained, sample):
    model, settings = trained.model, trained.settings
    some = [replace(pair, possible=pair.possible or frozenset()) for pair in sample[:4]]
    candidates = [*candidate_links(model, settings, some, 1)]
    assert [pair.id for pair, _ in candidates] == [pair.id for pair in some]
    every = [
        (pair, link)
        for pair, links in candidates
        for link in zip(links.document.tolist(), links.abstract.tolist(), strict=True)
    ]
    examples = link_examples(model, settings, some, 1)
    wanted = [link in pair.sure for pair, link in every if link not in pair.possible]
    assert examples.linked.tolist() == wanted
    assert 0 < sum(wanted) < len(wanted)
    assert examples.pairs == 4
    features = np.concatenate([links.features for _, links in candidates])
    kept = np.array([link not in pair.possible for pair, link in every])
    assert examples.features.tolist() == features[kept].tolist()


# In a training


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
    examples = link_examples(without.model, without.settings, gold[1:], 1)
    assert weights == fit_link_weights(examples, shipped_weights(), 10.0, "own")
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
