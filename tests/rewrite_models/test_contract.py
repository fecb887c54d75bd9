"""The contract of rewrite models. All that are in the registry are tested."""

import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.model_part import BadArray, Corpus, check_part
from rewrite_models import embedding, kinds, lexical
from rewrite_models.registry import REWRITE_MODELS
from semihmm.testing import check
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
def values(miniature):
    """Return settings other than the defaults, of which each model has some."""
    return {"limit": (2, 3), "wordnet": str(miniature)}


def corpus_for(name):
    """Return the corpus of some random pairs of words that give a model something to do."""
    pairs = random_pairs(random.Random(7), 9, WORDS_OF.get(name, WORDS), longest=9)
    return corpus_of(pairs, size=5)


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


def test_the_untrained_scores_are_those_of_the_naive_twin(kind, values, monkeypatch):
    """On the training corpus, and on new pairs with words that training lacked.

    Some words are more frequent than others may be. Texts are compared a part at a time.
    """
    monkeypatch.setattr(embedding, "MOST_FREQUENCY", 0.1)
    monkeypatch.setattr(lexical, "PHRASE_PAIRS_AT_A_TIME", 50)
    monkeypatch.setattr(kinds, "PAIRS_AT_A_TIME", 4)
    whole, settings = corpus_for(kind.name), kind.Settings.choose(values)
    twin = TWINS[kind.name](whole.batches, settings)
    model = kind.initial(whole, settings)
    others = random_pairs(random.Random(8), 4, (*WORDS, *UNSEEN), longest=9)
    known = vocabulary_of(others, whole.batches[0].vocabulary)
    positive = 0
    for batch in (*whole.batches, *batches(others, known, size=4)):
        probabilities = total_scores(model, batch)
        for span in all_spans(batch):
            assert probabilities.pop(span, 0.0) == pytest.approx(twin(batch, span), rel=1e-6), span
            positive += twin(batch, span) > 0
        assert not probabilities
    assert positive > 1


@pytest.mark.parametrize("seed", range(3))
def test_a_model_keeps_the_contract_of_all_plug_ins(kind, seed, values):
    words = (*WORDS_OF.get(kind.name, WORDS), *UNSEEN)
    pairs = random_pairs(random.Random(seed), 9, words, longest=9)
    texts = tuple(
        (" ".join(pair.document.tokens), " ".join(pair.abstract.tokens)) for pair in pairs
    )
    check(kind, texts=texts, **values)


@pytest.mark.parametrize("name", ["relation", "multiword", "embedding"])
def test_no_other_shares_of_kinds_are_better(name, values):
    """For the posteriors of one batch. The prior stays, whatever the model is that counts."""
    whole, kind = corpus_for(name), REWRITE_MODELS[name]
    model = kind.initial(whole, kind.Settings.choose(values))
    batch, rng = whole.batches[0], np.random.default_rng(5)
    features = model.features(batch)
    posteriors = rng.random(len(features.spans)) * (model.probabilities(features) > 0)
    counts = model.expected_statistics(features, posteriors)
    if model.has_background:
        of_words = rng.random(model.background(batch, features).document.shape)
        of_words *= model.background(batch, features).document > 0
        counts |= model.expected_background_statistics(batch, features, of_words)

    def surrogate(stage):
        used = posteriors > 0
        total = posteriors[used] @ np.log(stage.probabilities(features)[used]) + stage.log_prior()
        if stage.has_background:
            of_stage = stage.background(batch, features).document
            total += of_words[of_words > 0] @ np.log(of_stage[of_words > 0])
        return total

    best = model.m_step(counts)
    again = best.m_step(counts)
    np.testing.assert_allclose(again.p_linked, best.p_linked, rtol=1e-12)
    for _ in range(20):
        moved = best.p_linked * np.exp(0.1 * rng.standard_normal(len(best.p_linked)))
        assert surrogate(replace(best, p_linked=moved / moved.sum())) < surrogate(best)


def test_a_table_of_phrases_starts_from_no_other_model(miniature):
    model, words, settings = untrained("lexical", miniature)
    with pytest.raises(BadUsage, match="cannot start from another model"):
        model.warm_start(Corpus([], words), settings)


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
