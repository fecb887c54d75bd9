"""The E-step of the whole model, and the M-steps of its decisions between two ways.

``test_presets`` compares EM with the paper.
"""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import ImpossiblePair
from corpus_tools.model_parts.model_part import Corpus
from jump_models.jump_model import NullJump, NullJumpSettings
from semihmm import Aligner
from semihmm.model.phrase_length import PhraseLength, PhraseLengthSettings
from semihmm.model.settings import preset
from semihmm.model.units import batch_of, units_for
from tests.tiny_corpora import batches, random_pairs, story, vocabulary_of, with_parts

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
    """Nor in any of its fusions. No double holds the probability of the other pair."""
    model, _ = trained_model(6, ("identity",))
    model = with_parts(model, null_jump=NullJump(np.zeros(2), after_null=True))
    words = [f"w{number}" for number in range(300)]
    fine = story("1", [" ".join(words), "dogs walk"], [" ".join(words[::-1])])
    hopeless = story("2", ["the dog", "a dog"], ["walks"])
    known = vocabulary_of([fine, hopeless], model.vocabulary)
    settings = preset("default").changed(rewrite=("identity",))
    one, both = (batch_of([*units_for(of, settings)], known) for of in ([fine], [hopeless, fine]))
    alone = model.expected_counts(model.encode(one))
    assert alone["corpus.log_likelihood"] < -800
    with pytest.warns(ImpossiblePair, match="probability 0: '2'$"):
        counts = model.expected_counts(model.encode(both))
    assert counts["corpus.log_likelihood"] == -math.inf
    assert counts["fusion.used"].sum() == pytest.approx(1.0)
    for key in counts.keys() - {"corpus.log_likelihood", "corpus.words"}:
        np.testing.assert_array_equal(counts[key], alone[key])


TWO_COUNTS = st.tuples(*[st.floats(1e-3, 1e6) | st.just(0.0)] * 2).map(np.array)
EVERY, PER_SOURCE = NullJumpSettings(False, even_start=True), NullJumpSettings(True)


@given(TWO_COUNTS, TWO_COUNTS)
def test_an_m_step_gives_the_mode_of_the_counts_and_the_pseudo_counts_of_a_decision(yes, no):
    """All words of a phrase but the last went on. A source that never jumps stays as it was."""
    corpus, jumps = Corpus([], 0), {"null_jumps": yes, "jumps": no}
    phrases = {"phrases": no[0], "words": yes[0] + no[0]}
    together = [count.sum(keepdims=True) for count in (yes, no)]
    for part, field, counts, decided, start, pseudo in (
        (NullJump.initial(corpus, PER_SOURCE), "probability", jumps, (yes, no), 0.2, 0.5),
        (NullJump.initial(corpus, EVERY), "probability", jumps, together, 0.5, 1e-100),
        (PhraseLength(), "more", phrases, (yes[:1], no[:1]), 0.3, 1.0),
        (
            PhraseLength.initial(corpus, PhraseLengthSettings(True)),
            *("more", phrases, (yes[:1], no[:1]), 0.5, 1e-100),
        ),
    ):
        first, other = decided
        assert np.unique(getattr(part, field)) == start
        mode = (first + pseudo) / (first + other + 2 * pseudo)
        never = field == "probability" and first + other == 0
        found = np.ravel(getattr(part.m_step(counts), field))
        expected = np.broadcast_to(np.where(never, start, mode), found.shape)
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-90)
        likelihood = first.sum() * math.log(start) + other.sum() * math.log(1 - start)
        assert part.log_likelihood(counts) == pytest.approx(likelihood)
        prior = pseudo * math.log(start * (1 - start)) * np.size(getattr(part, field))
        assert part.log_prior() == pytest.approx(prior)


def test_a_printed_model_says_which_parts_it_has():
    model, _ = trained_model(1, ("identity", "stem"))
    assert ", ".join(str(model).splitlines()[1:]) == (
        "jump: Relative, null_jump: NullJump, length: PhraseLength, rewrite: Identity, Stem, "
        "null: NullEmission, fusion: Fusion"
    )
