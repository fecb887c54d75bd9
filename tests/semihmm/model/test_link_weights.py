"""The features of links, the fitted decoder, and the weights that are fitted on gold.

Twins go link by link.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Source
from corpus_tools.texts.text import Text
from rewrite_models.kinds import is_function_word
from semihmm.aligner import Aligner
from semihmm.model.decoders.fitted import fitted_probabilities, link_features
from semihmm.model.expectations import candidate_links
from semihmm.model.link_posteriors import link_posteriors
from semihmm.model.link_weights import LINK_FEATURES, array_of, shipped_weights
from semihmm.model.units import batch_of, units_for
from semihmm.training.link_fit import LinkExamples, fit_link_weights, fitted_weights, link_examples
from tests.naive import decoding as naive
from tests.tiny_corpora import pair


def sides_of(batch, unit):
    """Yield where the abstract of a unit begins, and the text; then those of its document."""
    vocabulary = batch.vocabulary
    for side in ("abstract", "document"):
        begin, end = getattr(batch, f"{side}_offsets")[unit : unit + 2].tolist()
        words = getattr(batch, side)[begin:end].tolist()
        forms = [vocabulary.forms[word] for word in words]
        names = (getattr(batch.capitals, side)[begin:end] == 2).tolist()
        stems = [vocabulary.stem_of[word] for word in words]
        yield begin, naive.Side(forms, stems, [*map(is_function_word, forms)], names)


def naive_features(batch, links):
    """Compute the columns of each link above .01, by the number of the link."""
    first = [*shipped_weights().first.values()]
    found = zip(links.abstract.tolist(), links.document.tolist(), strict=True)
    number_of = {link: number for number, link in enumerate(found)}
    rows = {}
    for unit in range(len(batch)):
        (a, abstract), (d, document) = sides_of(batch, unit)
        m, n = len(abstract.forms), len(document.forms)
        own = {
            (i - a, j - d): links.probability[number]
            for (i, j), number in number_of.items()
            if a <= i < a + m
        }
        words = links.claims[d : d + n], links.null[a : a + m]
        for (i, j), row in naive.link_features(own, abstract, document, *words, first).items():
            rows[number_of[a + i, d + j]] = row
    return rows


@pytest.mark.parametrize(("most", "digits"), [(99, 1), (99, 2), (99, 9), (1, 9)])
def test_features_and_probabilities_are_those_of_the_definitions(trained, sample, most, digits):
    """With few digits links have the same probability, 1, or the least one of candidates."""
    model, weights = trained.model, shipped_weights()
    # One word is linked with the last word of the document, the next one with the first.
    odd = pair("odd", "Rome B52 hund 7 , \u72d7", "in \u72d7 Rome , B52")
    units = [*units_for([odd, *sample[:8]], trained.settings)][:most]
    batch = batch_of(units, model.vocabulary)
    links = link_posteriors(model, model.encode(batch))
    links = links._replace(probability=np.round(links.probability, digits))
    features, expected = link_features(links, batch, weights), naive_features(batch, links)
    assert features.rows.tolist() == sorted(expected)
    found = dict(zip(features.rows.tolist(), features.values.tolist(), strict=True))
    for row, values in found.items():
        named = dict(zip(LINK_FEATURES, expected[row], strict=True))
        assert dict(zip(LINK_FEATURES, values, strict=True)) == pytest.approx(named, abs=1e-9)
    numbers = [weights.weights[name] for name in LINK_FEATURES]
    probabilities = np.zeros(len(links.probability))
    for row, values in expected.items():
        probabilities[row] = naive.probability(numbers, values)
    assert fitted_probabilities(links, batch, weights) == pytest.approx(probabilities)
    # Other languages have fewer candidates, for their models may link texts with nothing in common.
    korean = replace(batch, vocabulary=replace(batch.vocabulary, code="ko"))
    rows = link_features(links, korean, weights).rows
    assert rows.tolist() == np.flatnonzero(links.probability > 0.1).tolist()
    nothing = links._replace(probability=np.zeros(len(links.probability)))
    assert not fitted_probabilities(nothing, batch, weights).any()


def test_wrong_weights_are_refused(worked_out):
    def problem(changes):
        with pytest.raises(ValueError, match="of links") as caught:
            replace(shipped_weights(), weights=shipped_weights().weights | json.loads(changes))
        return [str(caught.value)]

    worked_out("wrong_weights.txt", problem)


# Weights that are fitted


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
    weights = fitted_weights(examples, prior, strength)
    # The sum of both is concave: its mode is where its slope is 0.
    expected = 1 / (1 + np.exp(-examples.features @ weights))
    slope = examples.features.T @ (examples.linked - expected) - strength * (weights - prior)
    np.testing.assert_allclose(slope, 0, atol=1e-5)


@pytest.mark.parametrize(("label", "problem"), [(0.0, "no sure link"), (1.0, "nothing but sure")])
def test_examples_of_one_kind_teach_nothing(label, problem):
    examples = made_examples(0)._replace(linked=np.full(60, label))
    with pytest.raises(BadData, match=f"there is {problem}"):
        fitted_weights(examples, array_of(shipped_weights().weights), 1.0)


def test_examples_are_candidates_and_possible_links_are_left_out(trained, sample):
    model, settings = trained.model, trained.settings
    some = [replace(one, possible=one.possible or frozenset()) for one in sample[:4]]
    candidates = [*candidate_links(model, settings, some, 1)]
    assert [one.id for one, _ in candidates] == [one.id for one in some]
    rows = [
        [(document, abstract) in one.sure, *features]
        for one, links in candidates
        for document, abstract, *features in np.column_stack(links).tolist()
        if (document, abstract) not in one.possible
    ]
    examples = link_examples(model, settings, some, 1)
    assert np.column_stack([examples.linked, examples.features]).tolist() == rows
    assert {0.0, 1.0} == {*examples.linked.tolist()} and examples.pairs == 4


# In a training


@pytest.fixture
def settings(miniature):
    return {"iterations": 1, "wordnet": str(miniature), "workers": 1}


def test_the_weights_are_fitted_saved_and_used(sample, settings, tmp_path):
    some, gold = sample[:8], [replace(sample[0], sure=None, possible=None), *sample[1:8]]
    aligner = Aligner(**settings).fit(some, gold=gold, checkpoint=tmp_path)
    weights = aligner.model.link_weights
    assert weights.provenance["pairs"] == 7
    assert weights.first == shipped_weights().first
    assert weights.weights != shipped_weights().weights
    again = Aligner.load(tmp_path)
    assert again.model.link_weights == weights
    assert again.align(some) == aligner.align(some)
    assert f" {weights.name}," in again.made_by
    without = Aligner(**settings).fit(some)
    examples = link_examples(without.model, without.settings, gold[1:], 1)
    assert weights == fit_link_weights(examples, shipped_weights(), 10.0, "own")
    assert without.model.link_weights is None
    shipped, own = ([one.phrases for one in used.align(some)] for used in (without, aligner))
    assert shipped != own
    # The model itself has not seen the links.
    assert aligner.log_likelihood(some) == without.log_likelihood(some)


def test_gold_may_be_other_pairs_and_its_weights_come_later(sample, settings, tmp_path):
    once = Aligner(**settings).fit(sample[:4], gold=sample[4:8])
    Aligner(**settings).fit(sample[:4], checkpoint=tmp_path)
    resumed = Aligner.load(tmp_path).fit(sample[:4], gold=sample[4:8], resume=True)
    assert resumed.model.link_weights == once.model.link_weights


OTHER_TEXT = {"abstract": Text(("Other",), (0, 1)), "sure": frozenset({(0, 0)})}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"sure": frozenset(), "possible": frozenset()}, "line 4: no hand alignment has a sure"),
        ({"sure": None, "possible": None}, "line 4: pair 'sample-04' has no hand alignment"),
        (OTHER_TEXT, "line 4: pair 'sample-04': its hand alignment is of other"),
    ],
)
def test_wrong_hand_alignments_are_refused_before_training(sample, settings, changes, problem):
    numbered = enumerate(sample[3:5], start=4)
    gold = [replace(own, source=Source("gold.jsonl", n), **changes) for n, own in numbered]
    aligner = Aligner(**settings)
    with pytest.raises(BadData, match=f"gold.jsonl, {problem}"):
        aligner.fit(sample, gold=gold)
    with pytest.raises(BadData, match="there is no pair with a hand alignment"):
        aligner.fit(sample, gold=[])
    assert aligner.state is None
