"""The E-step and the M-step of the whole model, on corpora small enough to list every alignment."""

import math
import random
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import ImpossiblePair
from corpus_tools.model_parts.model_part import Corpus
from jump_models.distances import DistanceSettings, Relative
from jump_models.jump_model import NullJump
from rewrite_models.null_factor import NullEmission, NullEmissionSettings
from rewrite_models.registry import REWRITE_MODELS
from rewrite_models.rewrite_model import Mixture
from semihmm.model.phrase_length import PhraseLength, PhraseLengthSettings
from semihmm.model.semi_hmm import SemiHmm
from tests import tiny_corpora
from tests.naive import lattice as naive
from tests.semihmm.solved import paths_of_pairs
from tests.tiny_corpora import batches, pair, random_pairs, vocabulary_of, with_parts

NAMES = ("identity", "stem", "wordnet", "lexical")
WORDS = ("dog", "dogs", "canine", "walk", "walks", "the")
LIMIT = (2, 2)
EXACT = {"rel": 1e-10, "abs": 1e-13}


@pytest.fixture
def build(miniature):
    """Return a function that makes a random model, its batches and their pairs.

    It takes a seed and the rewrite models.
    """
    wanted = {"limit": LIMIT, "wordnet": str(miniature), "paraphrases": "none"}

    def built(seed, names=NAMES):
        pairs = random_pairs(random.Random(seed), 3, WORDS, longest=3)
        vocabulary, rng = vocabulary_of(pairs), np.random.default_rng(seed)
        corpus = Corpus(batches(pairs, vocabulary), len(vocabulary))
        plugins = [REWRITE_MODELS[name] for name in names]
        components = [plugin.initial(corpus, plugin.Settings.choose(wanted)) for plugin in plugins]
        null = NullEmission.initial(corpus, NullEmissionSettings("unigram", 5.0))
        jump = Relative.initial(corpus, DistanceSettings())
        weights, end_weights = rng.random((2, *jump.weights.shape))
        parts = {
            "jump": replace(jump, weights=weights, end_weights=end_weights),
            "null_jump": NullJump(rng.random(2), after_null=True),
            "length": PhraseLength(float(rng.random())),
        }
        parts["rewrite"] = Mixture(tuple(components), rng.dirichlet(np.ones(len(components))))
        words = {"words": rng.random(len(null.pseudo_counts)) * (null.pseudo_counts > 0)}
        model = SemiHmm.from_parts(vocabulary, parts | {"null": null.m_step(words)})
        return model, corpus.batches, pairs

    return built


def shares(model, batch):
    """Return {candidate: {part: weighted probability}}.

    The parts are the components' features by name, and ``background``.
    """
    table = defaultdict(dict)
    for component, weight in zip(model.rewrite.components, model.rewrite.weights, strict=True):
        features = component.features(batch)
        scores = component.probabilities(features)
        for span, score in zip(features.spans.tolist(), scores, strict=True):
            table[tuple(span)][component.name] = weight * score
        abstract, classes, document = component.background(batch, features)
        for span in tiny_corpora.all_spans(batch, (1, 1)) if len(document) else ():
            a, _, d, _ = span
            table[span]["background"] = weight * abstract[a] * document[classes[a], d]
    return table


def expect_naively(model, corpus):
    """Count over a corpus: used, entries by words, null by word, and totals."""
    used, entries, null, totals = Counter(), Counter(), Counter(), Counter()
    more = model.length.more
    for batch in corpus:
        table, forms = shares(model, batch), batch.vocabulary.forms
        null_words = model.null[0].probabilities(model.null[0].features(batch))
        for (a, d), lattice, _, sums in paths_of_pairs(model, model.encode(batch)):
            assert lattice.null.tolist() == null_words[a : a + len(lattice.null)].tolist()
            assert lattice.null_jump.tolist() == model.null_jump.probability.tolist()
            emissions = naive.emissions(lattice)
            totals["log_likelihood"] += sums.log_total
            for (s, s_end, j, j_end), posterior in sums.phrases.items():
                parts = table[s + a, s_end + a, j + d, j_end + d]
                # Decision (b), the length of the document phrase, and decision (c), the phrase.
                length = (1 - more) * more ** (j_end - j - 1)
                emission = length * sum(parts.values())
                assert emissions[s, s_end, j, j_end] == pytest.approx(emission, **EXACT)
                totals["phrases"] += posterior
                totals["words"] += posterior * (j_end - j)
                for part, share in parts.items():
                    own = posterior * share / sum(parts.values())
                    used["relation" if part == "background" else part] += own
                    totals["background"] += own * (part == "background")
                    if part == "lexical":
                        words = tiny_corpora.words_of(batch, (s + a, s_end + a, j + d, j_end + d))
                        entries[words] += own
            for t, posterior in enumerate(sums.nulls, start=a):
                null[forms[batch.abstract[t]]] += posterior
    return used, entries, null, totals


def total_counts(model, corpus):
    counts = [model.expected_counts(model.encode(batch)) for batch in corpus]
    return {key: sum(count[key] for count in counts) for key in counts[0]}


def entry_words(model, corpus):
    """Return {entry of the t-table: (abstract phrase, document phrase)}."""
    (lexical,) = (own for own in model.rewrite.components if own.name == "lexical")
    words = {}
    for batch in corpus:
        features = lexical.features(batch)
        for span, entry in zip(features.spans, features.data["entry"], strict=True):
            words[int(entry)] = tiny_corpora.words_of(batch, span)
    return words


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("names", [NAMES, ("lexical", "relation")])
def test_expected_counts_are_those_of_all_alignments(build, seed, names):
    model, corpus, _ = build(seed, names)
    counts = total_counts(model, corpus)
    used, entries, null, totals = expect_naively(model, corpus)
    assert counts["rewrite.used"] == pytest.approx([used[name] for name in names], **EXACT)
    words = entry_words(model, corpus)
    expected = [entries[words[entry]] for entry in range(len(words))]
    assert counts["rewrite.lexical.entries"] == pytest.approx(expected, **EXACT)
    forms = (*model.vocabulary.forms, None)
    assert counts["null.words"] == pytest.approx([null[form] for form in forms], **EXACT)
    assert counts["length.phrases"] == pytest.approx(totals["phrases"], **EXACT)
    assert counts["length.words"] == pytest.approx(totals["words"], **EXACT)
    assert counts["corpus.log_likelihood"] == pytest.approx(totals["log_likelihood"], **EXACT)
    if "relation" in names:
        background = counts["rewrite.relation.unrelated"].sum()
        assert background == pytest.approx(totals["background"], **EXACT)
    del counts["corpus.log_likelihood"]
    assert all(np.all(np.asarray(n) >= 0.0) for n in counts.values())


def test_a_pair_that_the_model_cannot_explain_counts_nothing_and_spoils_no_other(build):
    model, _, _ = build(6, ("identity",))
    model = with_parts(model, null_jump=NullJump(np.zeros(2), after_null=True))
    fine, hopeless = pair("1", "the dog", "dog"), pair("2", "the dog", "walks")
    (one,), (both,) = batches([fine], model.vocabulary), batches([hopeless, fine], model.vocabulary)
    alone = model.expected_counts(model.encode(one))
    with pytest.warns(ImpossiblePair, match="probability 0: '2'$"):
        counts = model.expected_counts(model.encode(both))
    assert counts["corpus.log_likelihood"] == -math.inf < alone["corpus.log_likelihood"]
    for key in counts.keys() - {"corpus.log_likelihood", "corpus.words"}:
        np.testing.assert_array_equal(counts[key], alone[key])


@pytest.mark.parametrize(("phrases", "words"), [(0.0, 0.0), (7.0, 7.0), (7.0, 30.0), (1e6, 1e6)])
@pytest.mark.parametrize(("even_start", "pseudo"), [(False, 1.0), (True, 1e-100)])
def test_no_other_length_of_phrases_is_better(phrases, words, even_start, pseudo):
    """All words of a phrase but the last went on."""
    counts = {"phrases": phrases, "words": words}
    start = PhraseLength.initial(Corpus([], 0), PhraseLengthSettings(even_start))
    assert start.more == (0.5 if even_start else 0.3)
    best = start.m_step(counts)
    assert best.more == pytest.approx((words - phrases + pseudo) / (words + 2 * pseudo))

    def objective(more):
        model = replace(best, more=more)
        likelihood = (words - phrases) * math.log(more) + phrases * math.log(1 - more)
        assert model.log_likelihood(counts) == pytest.approx(likelihood)
        return likelihood + model.log_prior()

    assert max(map(objective, np.linspace(1e-6, 1 - 1e-6, 999))) <= objective(best.more)


def test_a_printed_model_says_which_parts_it_has(build):
    model, _, _ = build(1, ("identity", "stem"))
    assert str(model).splitlines()[1:] == [
        "jump: Relative",
        "null_jump: NullJump",
        "length: PhraseLength",
        "rewrite: Identity, Stem",
        "null: NullEmission",
    ]
