"""The features of links and the fitted decoder, against twins that go link by link."""

import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.pairs.pair import Pair
from rewrite_models.kinds import is_function_word
from semihmm.model.decoders.fitted import fitted_probabilities, link_features
from semihmm.model.link_posteriors import LinkPosteriors
from semihmm.model.link_weights import LINK_FEATURES, shipped_weights
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
