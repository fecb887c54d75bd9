"""The E-step of the whole model, and the length of phrases.

``test_presets`` compares EM with the paper.
"""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import ImpossiblePair
from corpus_tools.model_parts.model_part import Corpus
from jump_models.jump_model import NullJump
from semihmm import Aligner
from semihmm.model.phrase_length import PhraseLength, PhraseLengthSettings
from tests.tiny_corpora import (
    batches,
    expected_counts,
    pair,
    random_pairs,
    vocabulary_of,
    with_parts,
)

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the")
EXACT = {"rel": 1e-10, "abs": 1e-13}
MODELS = [("identity", "stem", "relation"), ("relation", "lexical"), ("stem", "wordnet")]


def trained_model(seed, rewrite, **settings):
    pairs = random_pairs(random.Random(seed), 6, WORDS, longest=5)
    settings |= {"jump": "relative", "iterations": 1, "start": "none", "extract": 0}
    aligner = Aligner(rewrite=rewrite, **settings).fit(pairs)
    return aligner.model, batches(pairs, aligner.model.vocabulary, size=4)


@pytest.mark.parametrize("rewrite", MODELS)
@pytest.mark.parametrize("seed", range(2))
def test_expected_counts_agree_with_each_other(miniature, seed, rewrite):
    """Each abstract word is in a phrase or in null. A phrase has a jump, a length, a model."""
    listed = {"paraphrases": "none"} if "relation" in rewrite else {}
    model, corpus = trained_model(seed, rewrite, wordnet=str(miniature), **listed)
    for batch in corpus:
        encoded = model.encode(batch)
        counts, posteriors = model.expected_counts(encoded), model.posteriors(encoded)
        a, a_end, d, d_end = encoded.candidates.spans.T
        background = posteriors.counts.background.sum()
        in_phrases = posteriors.candidates @ (a_end - a) + background
        null, phrases = counts["null.words"].sum(), posteriors.candidates.sum() + background
        assert null + in_phrases == pytest.approx(len(batch.abstract), **EXACT)
        assert counts["corpus.words"] == len(batch.abstract)
        assert counts["length.phrases"] == pytest.approx(phrases, **EXACT)
        of_document = posteriors.candidates @ (d_end - d) + background
        assert counts["length.words"] == pytest.approx(of_document, **EXACT)
        assert counts["rewrite.used"].sum() == pytest.approx(phrases, **EXACT)
        assert counts["null_jump.null_jumps"].sum() == pytest.approx(null, **EXACT)
        assert counts["null_jump.jumps"].sum() == pytest.approx(phrases + len(batch), **EXACT)
        for name, used in zip(rewrite, counts["rewrite.used"], strict=True):
            own = [counts.get(f"rewrite.{name}.{own}") for own in ("kinds", "unrelated", "entries")]
            if any(count is not None for count in own):
                assert sum(n.sum() for n in own if n is not None) == pytest.approx(used, **EXACT)
        assert math.isfinite(counts.pop("corpus.log_likelihood"))
        assert all(np.all(np.asarray(n) >= 0.0) for n in counts.values())


def test_a_pair_that_the_model_cannot_explain_counts_nothing_and_spoils_no_other():
    model, _ = trained_model(6, ("identity",))
    model = with_parts(model, null_jump=NullJump(np.zeros(2), after_null=True))
    fine, hopeless = pair("1", "the dog", "dog"), pair("2", "the dog", "walks")
    known = vocabulary_of([fine, hopeless], model.vocabulary)
    (one,), (both,) = batches([fine], known), batches([hopeless, fine], known)
    alone = model.expected_counts(model.encode(one))
    with pytest.warns(ImpossiblePair, match="probability 0: '2'$"):
        counts = model.expected_counts(model.encode(both))
    assert counts["corpus.log_likelihood"] == -math.inf < alone["corpus.log_likelihood"]
    for key in counts.keys() - {"corpus.log_likelihood", "corpus.words"}:
        np.testing.assert_array_equal(counts[key], alone[key])


def test_transferred_counts_are_added_to_those_of_the_corpus():
    model, corpus = trained_model(2, ("identity", "stem"))
    counts = expected_counts(map(model.encode, corpus), model)
    common = {name: counts[name] for name in model.common()}
    added = replace(model, transferred=common).m_step(counts)
    doubled = model.m_step(counts | {name: 2.0 * own for name, own in common.items()})
    for name in ("length", "null_jump"):
        assert arrays(added, name) == pytest.approx(arrays(doubled, name))
        assert arrays(added, name) != pytest.approx(arrays(model.m_step(counts), name))


def arrays(model, name):
    return np.concatenate([np.ravel(own) for own in model.parts[name].to_arrays().values()])


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


def test_a_printed_model_says_which_parts_it_has():
    model, _ = trained_model(1, ("identity", "stem"))
    assert str(model).splitlines()[1:] == [
        "jump: Relative",
        "null_jump: NullJump",
        "length: PhraseLength",
        "rewrite: Identity, Stem",
        "null: NullEmission",
        "fusion: Fusion",
    ]
