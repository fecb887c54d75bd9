"""The contract of rewrite models. All that are in the registry are tested."""

import random

import numpy as np
import pytest
from scipy.special import xlogy

from corpus_tools.base.arrays import sum_counts
from corpus_tools.model_parts.model_part import BadArray, check_part
from rewrite_models import embedding, kinds, lexical
from rewrite_models.registry import REWRITE_MODELS
from semihmm.testing import check
from tests.naive.rewrite_twins import twin
from tests.tiny_corpora import all_spans, batches, corpus_of, random_pairs, vocabulary_of

WORDS = tuple(
    "dog dogs canine domestic Rex walk walks walked leave left take pick up the .".split()  # noqa: SIM905
)
"""Words that the miniature WordNet knows, alone or together, and two function words."""

MORE = """
    this hound swift leave walk quick quickly took got driver drivers an is are 17 3rd
    Rex Gomez Gomes Dog Entity A380 A350 #Person1# COVID-19
    """.split()  # noqa: SIM905

FORMS = """
    pick up take dog domestic the rex p.u. pu d. pickup pick-up dogdomestic us$
    """.split()  # noqa: SIM905
"""Words that the miniature WordNet knows together, initials, and words that are written apart."""

REPEATED = ("dog", "dogs", "walk", "walks", "the")
"""So few words that texts have the same phrases."""

WORDS_OF = {
    "relation": (*WORDS, *MORE),
    "multiword": FORMS,
    "wordnet": WORDS[:8],
    **dict.fromkeys(["identity", "stem", "lexical"], REPEATED),
}

LEARNED = {"identity": (), "stem": (), "wordnet": (1, 99, 0)}
"""The powers of scores from which models learn. The eta of WordNet also gets to its bounds."""

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


def require_scores(model, twin, batches):
    """Compare the scores of all phrase pairs, features and background emission together."""
    positive = 0
    for batch in batches:
        features = model.features(batch)
        spans = map(tuple, features.spans.tolist())
        probabilities = dict(zip(spans, model.probabilities(features).tolist(), strict=True))
        assert len(probabilities) == len(features.spans), "each phrase pair is a candidate once"
        abstract, classes, document = model.background(batch, features)
        for span in all_spans(batch):
            a, a_end, d, d_end = span
            score = probabilities.pop(span, 0.0)
            if len(document) and (a_end, d_end) == (a + 1, d + 1):
                score += abstract[a] * document[classes[a], d]
            expected = twin.score(batch, span)
            assert score == pytest.approx(expected, rel=1e-6), span
            positive += expected > 0
        assert not probabilities
    assert positive > 1


class Drawn:
    """Posteriors of the candidates of a batch, and of its background emission.

    They go with some power of the score.
    """

    def __init__(self, model, batch, scale=1.0, power=0):
        rng = np.random.default_rng(len(batch.document))
        self.batch = batch
        self.features = model.features(batch)
        scores, (_, classes, document) = self.scores(model)
        self.posteriors = scale * rng.random(len(scores)) * (scores > 0) * scores**power
        occurs = np.isin(np.arange(len(document)), classes)[:, None]
        self.of_words = scale * rng.random(document.shape) * (occurs & (document > 0))
        self.classes = classes.tolist()

    def scores(self, model):
        return model.probabilities(self.features), model.background(self.batch, self.features)

    def counts(self, model):
        own = model.expected_statistics(self.features, self.posteriors)
        more = (self.batch, self.features, self.of_words)
        return own | model.expected_background_statistics(*more)

    def log_likelihood(self, model):
        scores, background = self.scores(model)
        of_words = xlogy(self.of_words, background.document).sum()
        return xlogy(self.posteriors, scores).sum() + of_words

    def rows(self):
        """Yield batch, candidate, whether it is one of the features, posterior."""
        spans = map(tuple, self.features.spans.tolist())
        for span, posterior in zip(spans, self.posteriors, strict=True):
            yield self.batch, span, True, posterior
        for kind, d in np.argwhere(self.of_words).tolist():
            a = self.classes.index(kind)
            yield self.batch, (a, a + 1, d, d + 1), False, self.of_words[kind, d]


def test_scores_before_and_after_learning_are_those_of_the_naive_twin(kind, values, monkeypatch):
    """On the training corpus, and on new pairs with words that training lacked.

    Some words are more frequent than others may be. Texts are compared a part at a time.
    """
    monkeypatch.setattr(embedding, "MOST_FREQUENCY", 0.1)
    monkeypatch.setattr(lexical, "PHRASE_PAIRS_AT_A_TIME", 50)
    monkeypatch.setattr(kinds, "PAIRS_AT_A_TIME", 4)
    whole, settings = corpus_for(kind.name), kind.Settings.choose(values)
    naive = twin(kind.name, whole.batches, settings)
    model = kind.initial(whole, settings)
    others = random_pairs(random.Random(7), 5, (*WORDS, *UNSEEN), longest=7)
    known = vocabulary_of(others, whole.batches[0].vocabulary)
    every = *whole.batches, *batches(others, known, size=5)
    require_scores(model, naive, every)
    for power in LEARNED.get(kind.name, (1,)):
        drawn = [Drawn(model, batch, power=power) for batch in whole.batches]
        counts = sum_counts(one.counts(model) for one in drawn)
        naive.learn(row for one in drawn for row in one.rows())
        model = model.m_step(counts)
        require_scores(model, naive, every)


@pytest.mark.parametrize("scale", [1.0, 0.01])
@pytest.mark.parametrize("name", ["lexical", "wordnet", "relation", "multiword", "embedding"])
def test_no_other_counts_lead_to_better_parameters(name, scale, values):
    """Whether there are many counts or few beside those of the prior."""
    whole, kind = corpus_for(name), REWRITE_MODELS[name]
    model = kind.initial(whole, kind.Settings.choose(values | {"limit": (3, 1)}))
    rng = np.random.default_rng(5)
    drawn = Drawn(model, whole.batches[0], scale, power=1)
    counts = drawn.counts(model)
    best = model.m_step(counts)
    for _ in range(20):
        moved = {n: own * np.exp(rng.normal(0, 0.1, own.shape)) for n, own in counts.items()}
        other = model.m_step(moved)
        lost = best.log_prior() - other.log_prior() + drawn.log_likelihood(best)
        assert lost > drawn.log_likelihood(other)
        if kind.common:
            apart = drawn.log_likelihood(best) - drawn.log_likelihood(other)
            found = best.log_likelihood(counts) - other.log_likelihood(counts)
            assert found == pytest.approx(apart)


@pytest.mark.parametrize("seed", range(3))
def test_a_model_keeps_the_contract_of_all_plug_ins(kind, seed, values):
    words = (*WORDS_OF.get(kind.name, WORDS), *UNSEEN)
    pairs = random_pairs(random.Random(seed), 9, words, longest=9)
    texts = tuple(
        (" ".join(pair.document.tokens), " ".join(pair.abstract.tokens)) for pair in pairs
    )
    check(kind, texts=texts, **values)


SHARES = {"p_chance": (0.0,), "p_linked": (1.0,)}
BEYOND = {
    "wordnet": {"eta": (-0.1, 50.1), "vocabulary": (-2,), "parents": (-2,)},
    "embedding": SHARES | {"edges": (-1.1, 1.1), "frequency": (-0.001, 0.0031)},
    "relation": SHARES,
    "multiword": SHARES,
    "lexical": {"table.document": (-1,), "table.abstract": (-1,), "table.pseudo_counts": (-1.0,)},
}


@pytest.mark.parametrize("name", BEYOND)
def test_numbers_beyond_their_bounds_are_refused(name, values):
    """Those on the bounds are not: WordNet has -1 for no synset and for no parent."""
    kind, corpus = REWRITE_MODELS[name], corpus_for(name)
    settings = kind.Settings.choose(values)
    arrays = kind.initial(corpus, settings).to_arrays()
    check_part(kind, arrays, corpus.words, settings)
    for array, value in [
        (array, value) for array, those in BEYOND[name].items() for value in those
    ]:
        changed = np.array(arrays[array])
        changed.flat[0] = value
        with pytest.raises(BadArray, match=f"^{array}: has values from"):
            check_part(kind, arrays | {array: changed}, corpus.words, settings)
