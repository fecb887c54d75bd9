"""The features of links, the fitted decoder, and the weights that are fitted on gold.

Twins go link by link.
"""

import random
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import minimize

from corpus_tools.base.errors import BadData
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.pairs.pair import Pair, Source
from corpus_tools.texts.text import Text
from rewrite_models.kinds import is_function_word
from semihmm.aligner import Aligner
from semihmm.model.decoders.fitted import fitted_probabilities, link_features
from semihmm.model.expectations import candidate_links
from semihmm.model.link_posteriors import LinkPosteriors
from semihmm.model.link_weights import LINK_FEATURES, array_of, shipped_weights
from semihmm.training.link_fit import LinkExamples, fit_link_weights, fitted_weights, link_examples
from tests.naive import decoding as naive
from tests.tiny_corpora import one_batch, pair

WORDS = ("dog", "dogs", "Rome", "the", "of", ",", "7", "B52", "hund", "\u72d7")


class Drawn(NamedTuple):
    """A pair with posteriors of some of its links, and what its words have of them."""

    pair: Pair
    links: dict[naive.Link, float]
    claims: list[float]
    null: list[float]


def drawn(draw: random.Random, number: int) -> Drawn:
    """Draw a pair."""
    document, abstract = (draw.choices(WORDS, k=draw.randint(1, most)) for most in (9, 6))
    every = list(product(range(len(abstract)), range(len(document))))
    some = sorted(draw.sample(every, draw.randint(0, len(every))))
    links = {link: draw.choice((0.001, 0.01, 0.02, 0.3, 0.9, 1.0, draw.random())) for link in some}
    of_words = ([draw.random() for _ in words] for words in (document, abstract))
    return Drawn(pair(str(number), " ".join(document), " ".join(abstract)), links, *of_words)


def joined(cases: list[Drawn]) -> tuple[Batch, LinkPosteriors]:
    """Return the batch of some pairs and its links."""
    batch = one_batch(*(case.pair for case in cases))
    offsets = np.stack([batch.abstract_offsets, batch.document_offsets], axis=1)
    links = [np.array([*case.links]).reshape(-1, 2) for case in cases]
    words = np.concatenate([own + first for own, first in zip(links, offsets, strict=False)])
    columns = [[*case.links.values()] for case in cases], *list(zip(*cases, strict=True))[2:]
    probability, *of_words = map(np.concatenate, columns)
    phrases = np.zeros((0, 4), dtype=np.int32)
    abstract, document = words.astype(np.int64).T
    return batch, LinkPosteriors(abstract, document, probability, phrases, *of_words)


def naive_features(case: Drawn) -> dict[naive.Link, list[float]]:
    """Compute the columns of a pair."""
    batch = one_batch(case.pair)

    def side(words: np.ndarray, capitals: np.ndarray) -> naive.Side:
        forms = [batch.vocabulary.forms[word] for word in words.tolist()]
        stems = [str(batch.vocabulary.stem_of[word]) for word in words.tolist()]
        return naive.Side(forms, stems, [*map(is_function_word, forms)], (capitals == 2).tolist())

    assert batch.capitals is not None
    abstract, document = map(side, (batch.abstract, batch.document), batch.capitals)
    first = [*shipped_weights().first.values()]
    return naive.link_features(case.links, abstract, document, case.claims, case.null, first)


def draw_cases(seed: int) -> list[Drawn]:
    draw = random.Random(seed)
    return [drawn(draw, number) for number in range(draw.randint(1, 4))]


@pytest.mark.parametrize("seed", range(12))
def test_features_and_probabilities_are_those_of_the_definitions(seed):
    cases, weights = draw_cases(seed), shipped_weights()
    batch, links = joined(cases)
    features = link_features(links, batch, weights)
    rows = [naive_features(case).get(link) for case in cases for link in case.links]
    assert features.rows.tolist() == [number for number, row in enumerate(rows) if row]
    assert features.values.shape[1] == len(LINK_FEATURES)
    for found, row in zip(features.values.tolist(), filter(None, rows), strict=True):
        named = dict(zip(LINK_FEATURES, row, strict=True))
        assert dict(zip(LINK_FEATURES, found, strict=True)) == pytest.approx(named, abs=1e-9)
    numbers = [weights.weights[name] for name in LINK_FEATURES]
    expected = [naive.probability(numbers, row) if row else 0.0 for row in rows]
    assert fitted_probabilities(links, batch, weights).tolist() == pytest.approx(expected)


def test_other_languages_than_english_have_fewer_candidates():
    """Their models may make a chain of links between texts that have nothing in common."""
    batch, links = joined(draw_cases(3))
    korean = replace(batch, vocabulary=replace(batch.vocabulary, code="ko"))
    rows = link_features(links, korean, shipped_weights()).rows
    assert rows.tolist() == np.flatnonzero(links.probability > 0.1).tolist()
    assert len(rows) < len(link_features(links, batch, shipped_weights()).rows)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"constant": float("nan")}, "the weight 'constant' of links is nan, not a number"),
        ({"constant": "1"}, "the weight 'constant' of links is '1', not a number"),
        ({"weather": 1.0}, "the weights of links have other features: weather"),
    ],
)
def test_wrong_weights_are_refused(wrong, problem):
    with pytest.raises(ValueError, match=problem):
        replace(shipped_weights(), weights={**shipped_weights().weights, **wrong})


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

    def loss(weights: np.ndarray) -> float:
        scores = np.where(examples.linked == 1, 1, -1) * (examples.features @ weights)
        of_prior = strength / 2 * ((weights - prior) ** 2).sum()
        return float(np.log1p(np.exp(-scores)).sum() + of_prior)

    weights = fitted_weights(examples, prior, strength)
    other = minimize(loss, prior, method="BFGS", options={"gtol": 1e-6})
    assert loss(weights) <= other.fun + 1e-9
    assert weights == pytest.approx(other.x, abs=1e-3)


@pytest.mark.parametrize(("label", "problem"), [(0.0, "no sure link"), (1.0, "nothing but sure")])
def test_examples_of_one_kind_teach_nothing(label, problem):
    examples = made_examples(0)._replace(linked=np.full(60, label))
    with pytest.raises(BadData, match=f"there is {problem}"):
        fitted_weights(examples, array_of(shipped_weights().weights), 1.0)


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
