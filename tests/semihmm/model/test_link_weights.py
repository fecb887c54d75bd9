"""The features of links, the fitted decoder, and the weights that are fitted on gold.

Twins go link by link.
"""

import random
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from corpus_tools.base.errors import BadData
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


def texts(draw: random.Random, number: int) -> Pair:
    document, abstract = (" ".join(draw.choices(WORDS, k=draw.randint(1, most))) for most in (9, 6))
    return pair(str(number), document, abstract)


def drawn(seed: int) -> tuple[list[Pair], LinkPosteriors]:
    """Draw pairs and posteriors of some of the links within each."""
    draw = random.Random(seed)
    pairs = [texts(draw, number) for number in range(draw.randint(1, 4))]
    links, a_first, d_first = [], 0, 0
    for one in pairs:
        a_end, d_end = a_first + len(one.abstract), d_first + len(one.document)
        of_pair = [(a, d) for a in range(a_first, a_end) for d in range(d_first, d_end)]
        links += draw.sample(of_pair, draw.randint(0, len(of_pair)))
        a_first, d_first = a_end, d_end
    links.sort()
    posterior = [draw.choice((0.001, 0.01, 0.02, 0.3, 0.9, 1.0, draw.random())) for _ in links]
    abstract, document = np.array(links, dtype=np.int64).reshape(-1, 2).T
    of_words = [np.array([draw.random() for _ in range(n)]) for n in (d_first, a_first)]
    phrases = np.zeros((0, 4), dtype=np.int32)
    own = LinkPosteriors(abstract, document, np.array(posterior), phrases, *of_words)
    return pairs, own


def naive_features(pairs: list[Pair], links: LinkPosteriors) -> dict[naive.Link, list[float]]:
    """Compute the columns pair by pair, with offsets over the batch."""
    batch = one_batch(*pairs)
    vocabulary, capitals = batch.vocabulary, batch.capitals
    assert capitals is not None
    found: dict[naive.Link, list[float]] = {}
    bounds = zip(
        *(batch.abstract_offsets[:-1], batch.abstract_offsets[1:]),
        *(batch.document_offsets[:-1], batch.document_offsets[1:]),
        strict=True,
    )

    def side(words: np.ndarray, capitals: np.ndarray) -> naive.Side:
        forms = [vocabulary.forms[word] for word in words.tolist()]
        stems = [str(vocabulary.stem_of[word]) for word in words.tolist()]
        return naive.Side(forms, stems, [*map(is_function_word, forms)], (capitals == 2).tolist())

    every = zip(links.abstract.tolist(), links.document.tolist(), strict=True)
    posterior = dict(zip(every, links.probability.tolist(), strict=True))
    for a, a_end, d, d_end in bounds:
        own = {
            (i - a, j - d): p
            for (i, j), p in posterior.items()
            if a <= i < a_end and d <= j < d_end
        }
        sides = (
            side(batch.abstract[a:a_end], capitals.abstract[a:a_end]),
            side(batch.document[d:d_end], capitals.document[d:d_end]),
        )
        of_words = links.claims[d:d_end].tolist(), links.null[a:a_end].tolist()
        rows = naive.link_features(own, *sides, *of_words, [*shipped_weights().first.values()])
        found |= {(i + a, j + d): row for (i, j), row in rows.items()}
    return found


@pytest.mark.parametrize("seed", range(25))
def test_features_and_probabilities_are_those_of_the_definitions(seed):
    (pairs, links), weights = drawn(seed), shipped_weights()
    batch, expected = one_batch(*pairs), naive_features(pairs, links)
    features = link_features(links, batch, weights)
    every = list(zip(links.abstract.tolist(), links.document.tolist(), strict=True))
    found = [every[row] for row in features.rows.tolist()]
    assert found == sorted(expected)
    assert features.values.shape == (len(found), len(LINK_FEATURES))
    for link, row in zip(found, features.values.tolist(), strict=True):
        named = dict(zip(LINK_FEATURES, expected[link], strict=True))
        assert dict(zip(LINK_FEATURES, row, strict=True)) == pytest.approx(named, abs=1e-9)
    numbers = [weights.weights[name] for name in LINK_FEATURES]
    probabilities = fitted_probabilities(links, batch, weights).tolist()
    for link, p in zip(every, probabilities, strict=True):
        row = expected.get(link)
        assert p == pytest.approx(0.0 if row is None else naive.probability(numbers, row))


def test_other_languages_than_english_have_fewer_candidates():
    """Their models may make a chain of links between texts that have nothing in common."""
    pairs, links = drawn(3)
    batch = one_batch(*pairs)
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
