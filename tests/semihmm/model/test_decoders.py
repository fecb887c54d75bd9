"""Posteriors of links, the posterior decoder and Viterbi, against the lists of all paths."""

import random
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jump_models.jump_model import NullJump
from semihmm.aligner import Aligner
from semihmm.model import link_posteriors as of_links
from semihmm.model.decoders import DECODERS
from semihmm.model.decoders import posterior as posterior_decoder
from semihmm.model.decoders.decoder import Candidates, PhraseSpan, candidates_of, segment
from semihmm.model.decoders.viterbi import Viterbi
from semihmm.model.link_posteriors import are_alike, in_words, link_posteriors
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.model.units import batch_of, extract_unit
from tests.naive import decoding
from tests.naive.relation import NULL, AsidesTwin
from tests.semihmm.solved import paths_of_pairs
from tests.tiny_corpora import batches, pair, random_pairs, used, vocabulary_of, with_parts

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the")
EVERY = ("identity", "stem", "wordnet", "relation")
EXACT = {"rel": 1e-9, "abs": 1e-12}
VITERBI = Viterbi(Viterbi.Settings())
each_seed = pytest.mark.parametrize("seed", range(3))


class Tiny(NamedTuple):
    """A model, a batch, and what all paths say.

    ``phrases``  the posteriors of the phrases, {(a, a_end, d, d_end) over the batch: p}.
    ``best``     the phrases of the best paths.
    ``stems``    the numbers of the stems of the abstract and of the document.
    """

    model: SemiHmm
    encoded: Encoded
    phrases: dict[PhraseSpan, float]
    best: set[PhraseSpan]
    stems: list[np.ndarray]


def tiny_model(miniature, seed, rewrite, **changes) -> Tiny:
    """Train a model on three random pairs, and list all paths through them.

    Asides, which are no part of paths, are left out if they are not asked for.
    """
    pairs = random_pairs(random.Random(seed), 3, WORDS, longest=3)
    wanted = {"jump": "relative", "rewrite": rewrite, "iterations": 1, "extract": 0}
    wanted |= {"asides": False, **changes}
    wanted |= {"wordnet": str(miniature), "limit": (2, 2)}
    model = Aligner(**used("default", wanted)).fit(pairs).model
    if asides := model.parts.get("asides"):
        # So little text does not teach that they are likely.
        share = np.append(0.1, np.full(len(asides.p_chance), 0.9 / len(asides.p_chance)))
        model = with_parts(model, asides=replace(asides, share=share))
    batch = batch_of([extract_unit(pair, 0) for pair in pairs], model.vocabulary)
    encoded = model.encode(batch)
    stems = batch.vocabulary.stem_of
    case = Tiny(model, encoded, {}, set(), [stems[batch.abstract], stems[batch.document]])
    for (a, d), expected in paths_of_pairs(model, encoded):
        for own, posterior in expected.phrases.items():
            phrase = tuple(np.add(own, (a, a, d, d)).tolist())
            case.phrases[phrase] = posterior
            case.best.update([phrase] if own in expected.best.phrases else [])
    return case


@pytest.fixture
def tiny(miniature):
    """Return a function from a seed and rewrite models to a tiny model with all its paths."""
    return partial(tiny_model, miniature)


@each_seed
def test_asides_share_what_the_paths_leave_to_null(tiny, seed, miniature, monkeypatch):
    monkeypatch.setattr(of_links, "BACKGROUND_THRESHOLD", 0.0)
    case = tiny(seed, EVERY, asides=True, paraphrases="none")
    expected = Counter(decoding.link_posteriors(case.phrases, *case.stems))
    asides = case.model.parts["asides"]
    batch = case.encoded.batch
    twin = AsidesTwin([batch], str(miniature))
    names = (NULL, *twin.base)
    twin.share = dict(zip(names, asides.share.tolist(), strict=True))
    twin.base = dict(zip(names[1:], asides.p_chance.tolist(), strict=True))
    null = np.ones(len(batch.abstract))
    for (a, a_end, _, _), posterior in case.phrases.items():
        null[a:a_end] -= posterior
    alone = null.copy()
    for a, ways in enumerate(twin.ways(batch)):
        whole = sum(factor for _, factor in ways.values())
        alone[a] *= ways.pop(NULL)[1] / whole
        for link, (_, factor) in ways.items():
            expected[link] += null[a] * factor / whole
    links = link_posteriors(case.model, case.encoded)
    keys = [*zip(links.abstract.tolist(), links.document.tolist(), strict=True)]
    assert keys == sorted({*keys})
    posteriors = dict(zip(keys, links.probability.tolist(), strict=True))
    assert +Counter(posteriors) == pytest.approx(+expected, **EXACT)
    assert links.null == pytest.approx(alone, **EXACT)
    # What training reports as the share of null leaves the asides out.
    counts = case.model.expected_counts(case.encoded)
    assert case.model.null_words(counts) == pytest.approx(alone.sum())


TEXTS = st.lists(st.sampled_from("abc"), min_size=1, max_size=7)
ENDS = st.lists(st.integers(0, 7), min_size=2, max_size=2, unique=True).map(sorted)
PHRASES = st.lists(st.tuples(ENDS, ENDS, st.sampled_from([2**-11, 0.25, 0.5])))


@given(TEXTS, TEXTS, PHRASES)
def test_links_of_any_phrase_pairs_are_those_of_the_definition(abstract, document, drawn):
    """Where the stems are the same, on the diagonal. Shares divide a posterior among links."""
    posterior = {}
    for (a, a_end), (d, d_end), p in drawn:
        if a_end <= len(abstract) and d_end <= len(document):
            posterior[a, a_end, d, d_end] = p
    one = pair("1", " ".join(document), " ".join(abstract))
    (batch,) = batches([one], vocabulary_of([one]))
    spans = np.array([*posterior], dtype=np.int32).reshape(-1, 4)
    alike = are_alike(batch, spans)
    posteriors, null = np.array([*posterior.values()]), np.zeros(len(abstract))
    phrases = of_links.PhrasePosteriors(spans, posteriors, alike, null)
    assert alike.tolist() == [decoding.are_alike(span, abstract, document) for span in posterior]
    expected, shares, claims = Counter(), Counter(), np.zeros(len(document))
    for span, p in posterior.items():
        own = decoding.word_links(span, abstract, document)
        expected.update(dict.fromkeys(own, p))
        shares.update(dict.fromkeys(own, p * (span[1] - span[0]) / len(own)))
        claims[span[2] : span[3]] += p
    links = of_links.links_of(phrases, len(document))
    found = list(zip(links.abstract.tolist(), links.document.tolist(), strict=True))
    assert found == sorted(expected)
    assert links.probability.tolist() == [min(expected[link], 1.0) for link in found]
    assert links.claims.tolist() == claims.tolist()
    shared = phrases.in_shares()
    sums = Counter()
    for a, d, p in zip(*(column.tolist() for column in shared), strict=True):
        sums[a, d] += p
    assert sums == pytest.approx(shares)
    # Phrases that link on the diagonal, and improbable ones, are not chosen as a whole.
    longer = [
        span
        for span, p in posterior.items()
        if max(span[1] - span[0], span[3] - span[2]) > 1
        and p > 1e-3
        and not decoding.are_alike(span, abstract, document)
    ]
    assert [*map(tuple, links.phrases.tolist())] == longer
    # On diagonals each link is listed once, or identical texts of n words would have n^3.
    own = in_words(spans[alike], phrases.posterior[alike], alike[alike])
    listed = list(zip(own.abstract.tolist(), own.document.tolist(), strict=True))
    assert len({*listed}) == len(listed)


@each_seed
def test_links_compete_phrases_gain_by_theirs_and_no_segmentation_has_a_greater_gain(seed):
    """Links compete for a document word as often as phrases claim it."""
    draw, (a, d) = np.random.default_rng(seed), np.divmod(np.arange(24), 6)
    p, claims, has_function_word = (
        draw.random((4, 6)) ** 3,
        3 * draw.random(6),
        draw.random(24) < 0.5,
    )
    spans = [[draw.choice(range(n + 1), 2, replace=False) for n in (4, 6)] for _ in range(9)]
    spans = np.sort(np.array(spans)).reshape(-1, 4)
    longer = np.repeat(spans[(np.diff(spans)[:, ::2] > 1).any(axis=1)], 2, axis=0)
    links = of_links.LinkPosteriors(a, d, p.ravel(), longer, claims, np.zeros(4))
    odds = p / (1 - p) * np.where(has_function_word, 0.5, 1.0).reshape(4, 6)
    rivals = odds.sum(axis=0) * claims / p.sum(axis=0) - odds
    shares = posterior_decoder._shares(links, has_function_word)
    np.testing.assert_allclose(shares.reshape(4, 6), odds / (odds + np.maximum(1.0, rivals)))
    found = candidates_of(links, shares, 0.1)
    assert (np.diff(found.phrases[:, 1]) >= 0).all()
    expected = []
    for b, b_end, e, e_end in {*map(tuple, longer), *zip(a, a + 1, d, d + 1, strict=True)}:
        inside = (b <= a) & (a < b_end) & (e <= d) & (d < e_end)
        row = b, b_end, e, e_end, (shares[inside] - 0.1).sum(), links.probability[inside].mean()
        expected += [row] if row[4] > 0 else []
    np.testing.assert_allclose(sorted(np.column_stack(found).tolist()), sorted(expected))
    gains = {row[:4]: row[4] for row in expected}
    choices = {sum(map(gains.get, choice)): choice for choice in decoding.choices([*gains], 4)}
    assert [phrase for phrase, _ in segment(found, 4)] == [*choices[max(choices)]]


# With the last seeds a word within a phrase of two has a likely aside.
@pytest.mark.parametrize("seed", [*range(8), 145, 204])
def test_viterbi_gives_the_best_path_and_likely_asides_of_words_that_it_takes_from_null(tiny, seed):
    case = tiny(seed, EVERY, asides=True)
    batch, features = case.encoded.batch, case.encoded.null[1]
    null = np.ones(len(batch.abstract))
    for a, a_end, _, _ in case.best:
        null[a:a_end] = 0.0
    asides = case.model.parts["asides"].links(features, null).posteriors.tolist()
    words = zip(features.abstract.tolist(), features.document.tolist(), strict=True)
    likely = {(a, a + 1, d, d + 1): p for (a, d), p in zip(words, asides, strict=True) if p > 0.5}
    found = VITERBI.decode(case.model, case.encoded)
    assert [phrase for phrase, _ in found] == sorted({*case.best, *likely})
    posteriors = {phrase: case.phrases[phrase] for phrase in case.best}
    assert dict(found) == pytest.approx({**likely, **posteriors}, **EXACT)


@pytest.mark.parametrize("name", DECODERS)
def test_a_word_that_has_one_source_for_certain_is_linked(tiny, name):
    """Its odds against null are infinite."""
    certain = NullJump(np.zeros(2), after_null=True)
    model = with_parts(tiny(0, ("identity",)).model, null_jump=certain)
    batch = batch_of([extract_unit(pair("1", "dog", "dog"), 0)], model.vocabulary)
    decoder = DECODERS[name](DECODERS[name].Settings())
    ((phrase, probability),) = decoder.decode(model, model.encode(batch))
    assert phrase == (0, 1, 0, 1)
    # Of its posterior, 1; people are as good as certain to link the only word with itself.
    assert probability == pytest.approx(1.0, abs=0.1 if name == "fitted" else 1e-9)


@pytest.mark.parametrize(("code", "function"), [("en", "the"), ("de", "der")])
def test_function_words_are_those_of_the_language_of_the_texts(code, function):
    """A link has one if either word is one."""
    one = pair("1", "the der dog the der", "the der dog dog dog")
    (batch,) = batches([one], vocabulary_of([one]))
    batch = replace(batch, vocabulary=replace(batch.vocabulary, code=code))
    places, share = np.arange(5), np.ones(5)
    links = of_links.LinkPosteriors(places, places, share, np.zeros((0, 4)), share, share)
    words = zip(one.abstract.tokens, one.document.tokens, strict=True)
    expected = [function in linked for linked in words]
    assert posterior_decoder._have_function_words(links, batch).tolist() == expected


@pytest.mark.parametrize("more", [-1e-12, 0.0, 1e-12])
def test_of_equal_gains_the_longest_phrase_is_chosen(more):
    """A phrase gains by each of its links. The last digit of a sum does not decide."""
    words, share = np.divmod(np.arange(4), 2), np.array([0.75, 0.75, 0.75, 0.75 + more])
    phrases = np.array([[0, 2, 0, 2]], dtype=np.int32)
    links = of_links.LinkPosteriors(*words, share, phrases, np.zeros(2), np.zeros(2))
    ((chosen, _),) = segment(candidates_of(links, share, 0.4), 2)
    assert chosen == (0, 2, 0, 2)
    phrases = np.array([[0, 1, 0, 1], [0, 2, 0, 1], [1, 2, 0, 1]])
    gains = np.array([0.3, 0.6, 0.3 + more])
    chosen = segment(Candidates(phrases, gains, gains), 2)
    assert [phrase for phrase, _ in chosen] == [(0, 2, 0, 1)]
