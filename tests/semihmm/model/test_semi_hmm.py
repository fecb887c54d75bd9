"""The E-step of the whole model, and M-steps of its decisions and of the weights of fusions.

``test_presets`` compares EM with the paper. Fusions are compared with ``tests.naive.fusion``.
"""

import math
import random
from dataclasses import replace
from itertools import starmap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import ImpossiblePair
from corpus_tools.model_parts.model_part import Corpus
from corpus_tools.model_parts.text_arrays import DocumentSentences, Trees
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Bracket
from jump_models.jump_model import NullJump, NullJumpSettings
from semihmm import Aligner
from semihmm.inference import lattice_arrays
from semihmm.inference.batch_kernels import best_paths
from semihmm.model.decoders.viterbi import Viterbi
from semihmm.model.fusion import Fusion, batch_of_fusions, fusions_of, spans_within
from semihmm.model.link_posteriors import link_posteriors
from semihmm.model.phrase_length import PhraseLength, PhraseLengthSettings
from semihmm.model.settings import preset
from semihmm.model.units import batch_of, extract_unit, units_for
from tests.naive import fusion as naive
from tests.tiny_corpora import batches, random_pairs, story, used, vocabulary_of, with_parts

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the", "a", "cat")
EXACT = {"rel": 1e-10, "abs": 1e-13}


def trained_model(seed, rewrite, **settings):
    pairs = random_pairs(random.Random(seed), 6, WORDS[:6], longest=5)
    wanted = {"rewrite": rewrite, "jump": "relative", "extract": 0, **settings}
    aligner = Aligner(iterations=1, start="none", **used("default", wanted)).fit(pairs)
    return aligner.model, batches(pairs, aligner.model.vocabulary, size=4)


def test_each_abstract_word_is_in_a_phrase_or_in_null(miniature):
    """A phrase has a jump, a length, a rewrite model."""
    lists = {"wordnet": str(miniature), "paraphrases": "none"}
    model, corpus = trained_model(0, ("identity", "stem", "relation"), **lists)
    for batch in corpus:
        encoded = model.encode(batch)
        counts, posteriors = model.expected_counts(encoded), model.posteriors(encoded)
        lengths = np.diff(encoded.candidates.spans.reshape(-1, 2, 2))[..., 0]
        # The background links single words.
        linked = posteriors.counts.background.sum()
        in_abstract, in_document = posteriors.candidates @ lengths + linked
        phrases = posteriors.candidates.sum() + linked
        expected = {
            "corpus.words": len(batch.abstract),
            "length.words": in_document,
            **dict.fromkeys(("length.phrases", "rewrite.used"), phrases),
            "null_jump.jumps": phrases + len(batch),
            "null_jump.null_jumps": len(batch.abstract) - in_abstract,
        }
        found = {name: counts[name].sum() for name in expected}
        assert found == pytest.approx(expected, **EXACT)


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
    together, of_words = [count.sum(keepdims=True) for count in (yes, no)], (yes[:1], no[:1])
    for part, counts, (first, other), start, pseudo in (
        (NullJump.initial(corpus, PER_SOURCE), jumps, (yes, no), 0.2, 0.5),
        (NullJump.initial(corpus, EVERY), jumps, together, 0.5, 1e-100),
        (PhraseLength(), phrases, of_words, 0.3, 1.0),
        (PhraseLength.initial(corpus, PhraseLengthSettings(True)), phrases, of_words, 0.5, 1e-100),
    ):
        field = "probability" if counts is jumps else "more"
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


# Fusions

NEVER = "§"
"""Ends each document sentence, and is in no abstract: no phrase goes over it."""


def stories(seed, ending=(NEVER,)):
    """Return pairs with one to seven document sentences and one or two abstract sentences."""
    rng = random.Random(seed)

    def text(count, ending):
        sentences = [[*rng.choices(WORDS, k=rng.randint(2, 5)), *ending] for _ in range(count)]
        return Text.from_sentences(sentences)

    return [Pair(str(n), text(n, ending), text(1 + n % 2, ())) for n in (1, 2, 4, 7)]


@pytest.fixture
def case(miniature):
    """Return a function from a seed and settings to a model of one iteration and its units."""

    def made(seed, **settings):
        pairs = stories(seed)
        wanted = {"asides": False, "wordnet": str(miniature), "paraphrases": "none", **settings}
        aligner = Aligner(iterations=1, start="none", **used("default", wanted)).fit(pairs)
        weights = np.random.default_rng(seed).random(5) + 0.1
        model = with_parts(aligner.model, fusion=Fusion(weights))
        return model, list(units_for(pairs, aligner.settings)), aligner.settings

    return made


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "settings", [{}, {"extract": 0}, {"rewrite": ("stem", "lexical"), "limit": (1, 1)}]
)
def test_expected_counts_are_those_of_pairs_of_their_own(case, seed, settings):
    model, units, _ = case(seed, **settings)
    encoded = model.encode(batch_of(units, model.vocabulary))
    assert encoded.fusions.is_choice
    posteriors = [one.posterior for unit in units for one in naive.cases_of(model, unit)[0]]
    assert model.posteriors(encoded).fusions == pytest.approx(posteriors, **EXACT)
    counts = model.expected_counts(encoded)
    wanted = naive.expected_counts(model, units)
    ranks = np.minimum(encoded.fusions.rank, 5 - 1)
    wanted["fusion.used"] = np.bincount(ranks, posteriors, 5)
    assert counts["fusion.used"].sum() == pytest.approx(len(units))
    assert counts.keys() - {"fusion.exposure"} == wanted.keys()
    for name, values in wanted.items():
        assert counts[name] == pytest.approx(values, **EXACT), name


@pytest.mark.parametrize("seed", range(2))
def test_links_and_null_are_averages_over_fusions(case, seed):
    model, units, _ = case(seed)
    batch = batch_of(units, model.vocabulary)
    links = link_posteriors(model, model.encode(batch))
    found, wanted = np.zeros((2, len(batch.abstract), len(batch.document)))
    found[links.abstract, links.document] = links.probability
    null = np.zeros(len(batch.abstract))
    for unit, a, d in zip(units, batch.abstract_offsets, batch.document_offsets, strict=False):
        for one in naive.cases_of(model, unit)[0]:
            own = link_posteriors(with_parts(model, fusion=None), one.encoded)
            places = a + own.abstract, d + one.fusion.words[own.document]
            wanted[places] += one.posterior * own.probability
            null[a : a + len(own.null)] += one.posterior * own.null
    # What only the background emission links may be below the threshold in one of both.
    np.testing.assert_allclose(found, wanted, rtol=0, atol=0.006)
    assert links.null == pytest.approx(null, **EXACT)


@pytest.mark.parametrize(("group", "room"), [(1, 2**22), (2**40, 100), (1, 0)])
def test_tables_that_are_kept_for_backward_change_no_digit(case, monkeypatch, group, room):
    model, units, _ = case(0)
    encoded = model.encode(batch_of(units, model.vocabulary))
    whole = model.expected_counts(encoded), link_posteriors(model, encoded)
    monkeypatch.setattr(lattice_arrays, "GROUP_TABLE_NUMBERS", group)
    monkeypatch.setattr(lattice_arrays, "MOST_TABLE_NUMBERS", room)
    again = model.expected_counts(encoded), link_posteriors(model, encoded)
    np.testing.assert_equal(again, whole)


@pytest.mark.parametrize("ending", [(NEVER,), ()], ids=["within", "to the end"])
@pytest.mark.parametrize("seed", range(2))
def test_viterbi_takes_the_best_path_of_all_fusions(case, seed, ending):
    """Phrases may end with their sentence."""
    model, _, settings = case(seed)
    units = list(units_for(stories(seed, ending), settings))
    simple, decoder = with_parts(model, fusion=None), Viterbi(Viterbi.Settings())
    batch = batch_of(units, model.vocabulary)
    decoded = decoder.decode(model, model.encode(batch))
    assert all(posterior > 0.0 for _, posterior in decoded)
    phrases = {phrase for phrase, _ in decoded}

    def score(one):
        """Compute the log-probability of the best path of a fusion, but for a constant."""
        lattices, jumps, _ = simple.probabilities(one.encoded)
        best = best_paths(lattices, jumps).log_probabilities[0]
        return best + np.log(one.posterior) - simple.posteriors(one.encoded).log_likelihoods[0]

    for number, unit in enumerate(units):
        a, a_end = batch.abstract_offsets[number : number + 2].tolist()
        d = int(batch.document_offsets[number])
        best = max(naive.cases_of(model, unit)[0], key=score)
        words = (d + best.fusion.words).tolist()
        assert {phrase for phrase in phrases if a <= phrase[0] < a_end} == {
            (a + t, a + t_end, words[j], words[j_end - 1] + 1)
            for (t, t_end, j, j_end), _ in decoder.decode(simple, best.encoded)
        }


PARTS = st.lists(st.sets(st.integers(0, 6), min_size=1).map(sorted), min_size=1, max_size=4)
SPANS = st.lists(st.lists(st.integers(0, 7), min_size=2, max_size=2, unique=True).map(sorted))


@given(SPANS, PARTS)
def test_spans_stay_in_parts_that_have_their_words_in_a_row(spans, parts):
    offsets = np.cumsum([0, *map(len, parts)])
    given = np.array(spans, dtype=np.int64).reshape(-1, 2)
    index, part, moved = spans_within(given, np.concatenate(parts), offsets)
    expected = [
        (number, u, [offsets[u] + own.index(begin), offsets[u] + own.index(begin) + end - begin])
        for u, own in enumerate(parts)
        for number, (begin, end) in enumerate(spans)
        if set(range(begin, end)) <= set(own)
    ]
    assert list(zip(index.tolist(), part.tolist(), moved.tolist(), strict=True)) == expected


def test_brackets_without_words_are_in_no_fusion():
    one = story("1", ["a b", "c d", "e f"], ["x"])
    sentences = DocumentSentences.from_boundaries([([0, 2, 4, 6], [1, 0, 2])])
    batch = replace(batch_of([extract_unit(one, 0)], vocabulary_of([one])), sentences=sentences)
    whole, empty = [Bracket("S", 0, 2), Bracket("NP", 1, 2)], [("NP", 0, 0), ("NP", 2, 2)]
    nothing = np.zeros((0, 4), dtype=np.int32)
    fusions = fusions_of(batch, sentences, nothing)
    fused = [
        batch_of_fusions(replace(batch, trees=Trees.from_brackets([3 * [tree]])), fusions).trees
        for tree in (whole, [whole[0], *starmap(Bracket, empty), whole[1]])
    ]
    np.testing.assert_equal(*fused)


def _objective(fusion, fusions, used):
    return float(fusion.probabilities(fusions) @ used) + fusion.log_prior()


@pytest.mark.parametrize("seed", range(3))
def test_m_steps_never_lower_likelihood_plus_prior_and_end_at_the_best_weights(case, seed):
    model, units, _ = case(seed)
    fusion, batch = model.fusion, batch_of(units, model.vocabulary)
    fusions = fusion.features((batch, np.zeros((0, 4), dtype=np.int32)))
    raw = np.random.default_rng(seed).random(len(fusions.unit))
    used = raw / np.bincount(fusions.unit, raw)[fusions.unit]
    # A unit that the model cannot explain says nothing of the weights.
    used[fusions.unit == 0] = 0.0
    for _ in range(200):
        better = fusion.m_step(fusion.expected_statistics(fusions, used))
        assert _objective(better, fusions, used) >= _objective(fusion, fusions, used) - 1e-12
        fusion = better
    for change in np.concatenate([1.0 + 0.01 * np.eye(5), 1.0 - 0.01 * np.eye(5)]):
        other = Fusion(fusion.weights * change)
        assert _objective(other, fusions, used) < _objective(fusion, fusions, used)
