"""The contract of rewrite models. All that are in the registry are tested."""

import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.arrays import sum_counts
from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.model_part import BadArray, Corpus, check_part
from rewrite_models import embedding, lexical, word_pairs, wordnet
from rewrite_models.registry import REWRITE_MODELS
from rewrite_models.rewrite_model import KindModel
from tests.naive.rewrite_twins import TWINS
from tests.tiny_corpora import all_spans, batches, corpus_of, random_pairs, vocabulary_of

WORDS = (
    *("dog", "dogs", "canine", "domestic", "Rex", "walk", "walks", "walked", "leave", "left"),
    *("take", "pick", "up", "the", "."),
)
"""Words that the miniature WordNet knows, alone or together, and two function words."""

MORE = (
    *("this", "hound", "swift", "leave", "walk", "quick", "quickly", "took", "got"),
    *("driver", "drivers", "an", "is", "are", "17", "3rd"),
    *("Rex", "Gomez", "Gomes", "Dog", "Entity", "A380", "A350", "#Person1#", "COVID-19"),
)

FORMS = (
    *("pick", "up", "take", "dog", "domestic", "the", "rex", "p.u.", "pu", "d."),
    *("pickup", "pick-up", "dogdomestic", "us$"),
)
"""Words that the miniature WordNet knows together, initials, and words that are written apart."""

WORDS_OF = {"relation": (*WORDS, *MORE), "multiword": FORMS}

UNSEEN = ("entity", "curb", "doggedly", "unheard", "unseen")


@pytest.fixture(params=sorted(REWRITE_MODELS))
def kind(request):
    return REWRITE_MODELS[request.param]


@pytest.fixture
def settings(kind, miniature):
    """Return settings other than the defaults, of which each model has some."""
    values = {"limit": (2, 3), "wordnet": str(miniature)}
    return kind.Settings.choose(values)


@pytest.fixture
def whole(kind):
    words = WORDS_OF.get(kind.name, WORDS)
    return corpus_of(random_pairs(random.Random(7), 9, words, longest=9), size=5)


@pytest.fixture
def corpus(whole):
    return whole.batches


@pytest.fixture
def vocabulary(corpus):
    return corpus[0].vocabulary


@pytest.fixture
def model(kind, whole, settings):
    """Return the model after an M-step from random counts."""
    initial = kind.initial(whole, settings)
    return initial.m_step(expected(initial, whole.batches, np.random.default_rng(0)))


def counted(model, batch, features, posteriors, of_words):
    """Return the counts of a batch; ``of_words`` are posteriors of the background emission."""
    counts = model.expected_statistics(features, posteriors)
    if model.has_background:
        background = np.zeros(model.background(batch, features).document.shape)
        background[0] = of_words
        counts |= model.expected_background_statistics(batch, features, background)
    return counts


def expected(model, corpus, rng):
    """Return the counts of a corpus from random posteriors."""
    total = []
    for batch in corpus:
        features = model.features(batch)
        sizes = len(features.spans), len(batch.document)
        total.append(counted(model, batch, features, *map(rng.random, sizes)))
    return sum_counts(total)


def new_batch(vocabulary, seed=8):
    """Return pairs with words that training did not have."""
    pairs = random_pairs(random.Random(seed), 4, (*WORDS, *UNSEEN), longest=9)
    return batches(pairs, vocabulary_of(pairs, vocabulary), size=4)[0]


def probabilities_by_span(model, batch):
    """{candidate: score} of the features alone."""
    features = model.features(batch)
    spans = map(tuple, features.spans.tolist())
    probabilities = dict(zip(spans, model.probabilities(features).tolist(), strict=True))
    assert len(probabilities) == len(features.spans), "each phrase pair is a candidate once"
    return probabilities


def total_scores(model, batch):
    """{candidate: score}, features and background emission together."""
    probabilities = probabilities_by_span(model, batch)
    abstract, classes, document = model.background(batch, model.features(batch))
    for span in all_spans(batch, (1, 1)) if len(document) else ():
        a, _, d, _ = span
        probabilities[span] = probabilities.get(span, 0.0) + abstract[a] * document[classes[a], d]
    return probabilities


def test_the_untrained_scores_are_those_of_the_naive_twin(
    kind, whole, vocabulary, settings, monkeypatch
):
    """On the training corpus, and on new pairs with words that training lacked.

    Some words are more frequent than others may be. Texts are compared a part at a time.
    """
    monkeypatch.setattr(embedding, "MOST_FREQUENCY", 0.1)
    monkeypatch.setattr(wordnet, "DISTANCES_AT_A_TIME", 7)
    monkeypatch.setattr(lexical, "PHRASE_PAIRS_AT_A_TIME", 50)
    monkeypatch.setattr(word_pairs, "WORD_PAIRS_AT_A_TIME", 4)
    twin = TWINS[kind.name](whole.batches, settings)
    model = kind.initial(whole, settings)
    positive = 0
    for batch in (*whole.batches, new_batch(vocabulary)):
        probabilities = total_scores(model, batch)
        for span in all_spans(batch):
            assert probabilities.pop(span, 0.0) == pytest.approx(twin(batch, span), rel=1e-6), span
            positive += twin(batch, span) > 0
        assert not probabilities
    assert positive > 1


def test_a_pair_has_the_same_scores_in_whatever_batch(model, vocabulary):
    pairs = random_pairs(random.Random(3), 4, (*WORDS, *UNSEEN), longest=7)
    known = vocabulary_of(pairs, vocabulary)
    (together,) = batches(pairs, known, size=4)
    probabilities = {}
    a = d = 0
    for batch in batches(pairs, known, size=1):
        for (t, t_end, j, j_end), score in probabilities_by_span(model, batch).items():
            probabilities[t + a, t_end + a, j + d, j_end + d] = score
        a, d = a + len(batch.abstract), d + len(batch.document)
    assert probabilities_by_span(model, together) == pytest.approx(probabilities, rel=1e-12)


def test_the_m_step_raises_the_expected_log_likelihood_and_prior_as_far_as_it_can(model, corpus):
    """One batch's posteriors, from the model's own probabilities: what the M-step promises EM."""
    (batch, *_) = corpus
    features, rng = model.features(batch), np.random.default_rng(5)
    posteriors = rng.random(len(features.spans)) * (model.probabilities(features) > 0)
    words = rng.random(len(batch.document))

    def surrogate(stage):
        used = posteriors > 0
        total = posteriors[used] @ np.log(stage.probabilities(features)[used]) + stage.log_prior()
        if stage.has_background:
            total += words @ np.log(stage.background(batch, features).document[0])
        return total

    counts = counted(model, batch, features, posteriors, words)
    better = model.m_step(counts)
    before, after = surrogate(model), surrogate(better)
    assert after >= before - 1e-9 * abs(before)
    # The prior stays, whatever the model is that counts.
    again = better.m_step(counts).probabilities(features)
    np.testing.assert_allclose(again, better.probabilities(features), rtol=1e-12)
    if isinstance(model, KindModel):
        for _ in range(20):
            moved = better.p_linked * np.exp(0.1 * rng.standard_normal(len(better.p_linked)))
            assert surrogate(replace(better, p_linked=moved / moved.sum())) < after


def untrained(name, miniature):
    """Return the model before training, the number of words of its vocabulary, its settings."""
    kind, corpus = REWRITE_MODELS[name], corpus_of(random_pairs(random.Random(1), 6, WORDS))
    settings = kind.Settings.choose({"wordnet": str(miniature)})
    return kind.initial(corpus, settings), corpus.words, settings


@pytest.mark.parametrize(
    ("name", "links"), [("relation", 500.0), ("embedding", 10.0), ("multiword", 0.03)]
)
def test_the_prior_counts_as_so_many_links(name, links, miniature):
    """They are divided as the kinds are by chance, or evenly among those of phrases."""
    model, *_ = untrained(name, miniature)
    shares = np.ones(3) / 3 if name == "multiword" else model.p_chance
    if name == "embedding":
        shares = shares / shares.sum()
    seen = np.random.default_rng(1).random(len(shares))
    total = seen + links * shares
    after = model.m_step({"kinds": seen, "unrelated": np.zeros(len(seen))})
    np.testing.assert_allclose(after.p_linked, total / total.sum())
    # The prior's density is highest at the shares that it expects.
    top = model.m_step({"kinds": np.zeros(len(seen)), "unrelated": np.zeros(len(seen))})
    assert top.log_prior() > after.log_prior()
    counts = {"kinds": seen, "unrelated": seen}
    own = 2 * seen if name == "relation" else seen
    assert model.log_likelihood(counts) == pytest.approx(own @ np.log(model.p_linked))


@pytest.mark.parametrize(
    ("name", "array", "beyond"),
    [
        *(("wordnet", "eta", value) for value in (-0.1, 50.1)),
        *(("wordnet", array, -2) for array in ("vocabulary", "parents")),
        *(("embedding", "edges", value) for value in (-1.1, 1.1)),
        *(("embedding", "frequency", value) for value in (-0.001, 0.0031)),
        *((name, "p_chance", 0.0) for name in ("embedding", "relation", "multiword")),
        *((name, "p_linked", 1.0) for name in ("embedding", "relation", "multiword")),
        *(("lexical", array, -1) for array in ("table.document", "table.abstract")),
        ("lexical", "table.pseudo_counts", -1.0),
    ],
)
def test_numbers_beyond_their_bounds_are_refused(name, array, beyond, miniature):
    """Those on the bounds are not: WordNet has -1 for no synset and for no parent."""
    model, words, settings = untrained(name, miniature)
    arrays = model.to_arrays()
    check_part(type(model), arrays, words, settings)
    changed = np.array(arrays[array])
    changed.flat[0] = beyond
    with pytest.raises(BadArray, match=f"^{array}: has values from"):
        check_part(type(model), arrays | {array: changed}, words, settings)


def test_a_model_comes_back_from_its_arrays(kind, model, corpus, vocabulary, settings):
    """So does the model that starts from it on other texts."""
    others = random_pairs(random.Random(8), 4, (*WORDS[:6], *UNSEEN), longest=9)
    both = vocabulary_of(others).with_forms(vocabulary.forms)
    known = both.numbers_in(vocabulary)
    cases = [(model, vocabulary)]
    if kind.name == "lexical":
        with pytest.raises(BadUsage, match="cannot start from another model"):
            model.warm_start(Corpus(batches(others, both), len(both), known), settings)
    else:
        started = model.warm_start(Corpus(batches(others, both), len(both), known), settings)
        cases.append((started, both))
    for part, words in cases:
        assert part.to_arrays().keys() == kind.declared(settings).keys(), "all are checked"
        check_part(kind, part.to_arrays(), len(words), settings)
        again = kind.from_arrays(part.to_arrays(), len(words), settings)
        assert again.log_prior() == part.log_prior()
        for batch in (*batches(others, words.with_forms(both.forms)), new_batch(words)):
            assert np.isfinite(part.probabilities(part.features(batch))).all()
            assert probabilities_by_span(again, batch) == probabilities_by_span(part, batch)
            backgrounds = (one.background(batch, one.features(batch)) for one in (again, part))
            assert all(np.array_equal(one, other) for one, other in zip(*backgrounds, strict=True))
    counts = expected(model, corpus, np.random.default_rng(2))
    better = kind.from_arrays(model.to_arrays(), len(vocabulary), settings).m_step(counts)
    assert probabilities_by_span(better, corpus[0]) == probabilities_by_span(
        model.m_step(counts), corpus[0]
    )
