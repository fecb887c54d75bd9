"""Decoders against enumeration on corpora small enough to list every alignment."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from semihmm.decoding.decoders import alignments, decode_posterior, decode_viterbi, link_posteriors

from corpus_tools.alignments.alignment import PhraseLink, word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.aligner import Aligner
from semihmm.batches.batches import batch_of
from semihmm.batches.units import extract_unit
from semihmm.decoding import decoders
from semihmm.inference.batch_kernels import lattice_of
from semihmm.model.semi_hmm import Encoded, SemiHmm
from tests.naive import decoding
from tests.naive import lattice as naive
from tests.tiny_corpora import pair, random_pairs, vocabulary_of

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the")
MIXTURES = [
    ("identity",),
    ("stem", "wordnet"),
    ("identity", "stem", "lexical"),
    ("identity", "stem", "wordnet", "relation"),
]
EXACT = {"rel": 1e-9, "abs": 1e-12}
each_mixture = pytest.mark.parametrize("rewrite", MIXTURES, ids="+".join)
each_seed = pytest.mark.parametrize("seed", range(6))


class Tiny(NamedTuple):
    """A model, a batch, and what all paths say: posteriors of phrases, {(a, a_end, d, d_end) over the batch: p}.

    ``cells`` are the posteriors due to cells alone, ``best`` the best path of each pair, ``stems`` those of both sides.
    """

    model: SemiHmm
    encoded: Encoded
    phrases: Counter
    cells: Counter
    best: list[naive.Path]
    paths: list[naive.Path]
    stems: tuple[list[int], list[int]]


@pytest.fixture
def tiny(miniature):
    def made(seed, rewrite, **changes):
        pairs = random_pairs(random.Random(seed), 3, WORDS, longest=3)
        settings = {
            "jump": "relative",
            "rewrite": rewrite,
            "wordnet": str(miniature),
            "limit": (2, 2),
        }
        settings |= {"iterations": 1, "extract": 0}
        model = Aligner(**settings | changes).fit(pairs).model
        batch = batch_of([extract_unit(pair, 0) for pair in pairs], model.vocabulary)
        return _listed(model, model.encode(batch))

    return made


def _listed(model, encoded):
    batch = encoded.batch
    whole = model.lattice(encoded, model.rewrite.scores(encoded.cells))
    phrases, cells, best, paths = Counter(), Counter(), [], []
    for number in range(len(batch)):
        lattice = lattice_of(whole, number)
        probability = naive.window_probability(
            model.jump.scores(encoded.batch), lattice.base_document.shape[2]
        )
        found, emissions = naive.expect(lattice, probability), naive.emissions(lattice)
        a, d = int(batch.abstract_offsets[number]), int(batch.document_offsets[number])
        best.append(found.best)
        paths.append(naive.paths(lattice, probability))
        for phrase, posterior in found.phrases.items():
            key = (phrase[0] + a, phrase[1] + a, phrase[2] + d, phrase[3] + d)
            phrases[key] = posterior
            cells[key] = posterior * (1 - naive.base_score_of(lattice, *phrase) / emissions[phrase])
    stems = batch.vocabulary.stem_of
    return Tiny(
        model,
        encoded,
        phrases,
        cells,
        best,
        paths,
        (stems[batch.abstract].tolist(), stems[batch.document].tolist()),
    )


def found_links(tiny):
    links = link_posteriors(tiny.model, tiny.encoded)
    keys = list(zip(links.abstract.tolist(), links.document.tolist(), strict=True))
    assert keys == sorted(set(keys))
    return dict(zip(keys, links.probability.tolist(), strict=True))


# Posteriors of word links


@each_seed
@each_mixture
def test_posteriors_of_word_links_are_those_of_all_alignments(tiny, rewrite, seed, monkeypatch):
    monkeypatch.setattr(decoders, "BASE_SCORE_THRESHOLD", 0.0)
    case = tiny(seed, rewrite)
    expected = decoding.link_posteriors(case.phrases, *case.stems)
    found = {link: p for link, p in found_links(case).items() if p > 0}
    assert found == pytest.approx({link: p for link, p in expected.items() if p > 0}, **EXACT)


@each_seed
@pytest.mark.parametrize("rewrite", MIXTURES[2:], ids="+".join)
def test_what_the_base_score_explains_counts_from_a_threshold_on(tiny, rewrite, seed, monkeypatch):
    monkeypatch.setattr(decoders, "BASE_SCORE_THRESHOLD", 0.2)
    case = tiny(seed, rewrite)
    base_scored = {phrase: p - case.cells[phrase] for phrase, p in case.phrases.items()}
    counted = {
        phrase: case.cells[phrase] + (base_score if base_score > 0.2 else 0.0)
        for phrase, base_score in base_scored.items()
    }
    expected = decoding.link_posteriors(
        {phrase: p for phrase, p in counted.items() if p > 1e-12}, *case.stems
    )
    assert {link: p for link, p in found_links(case).items() if p > 1e-12} == pytest.approx(
        expected, **EXACT
    )


def test_phrases_of_the_same_stems_link_on_the_diagonal_and_others_everywhere():
    pairs = [pair("1", "the dogs walked", "dog walks"), pair("2", "dog walks the", "walks the dog")]
    batch = batch_of([extract_unit(one, 0) for one in pairs], vocabulary_of(pairs))
    stems = [batch.vocabulary.stem_of[side].tolist() for side in (batch.abstract, batch.document)]
    alike, others = (
        [(0, 2, 1, 3), (0, 1, 1, 2), (2, 4, 4, 6)],
        [(0, 2, 0, 2), (0, 2, 1, 2), (2, 5, 3, 6)],
    )
    assert (
        decoders.are_alike(batch, np.array(alike + others, dtype=np.int32)).tolist()
        == [True] * 3 + [False] * 3
    )
    for make, phrases in ((decoders._diagonal, alike), (decoders._all_pairs, others)):
        abstract, document, p = make(np.array(phrases, dtype=np.int32), np.arange(3.0))
        expected = [
            (*link, number)
            for number, phrase in enumerate(phrases)
            for link in decoding.word_links(phrase, *stems)
        ]
        assert list(zip(abstract.tolist(), document.tolist(), p.tolist(), strict=True)) == expected


def test_a_batch_without_any_evidence_has_no_links(tiny):
    model = tiny(0, ("identity",)).model
    strangers = [pair("1", "unheard of", "something new")]
    batch = batch_of(
        [extract_unit(one, 0) for one in strangers], vocabulary_of(strangers, model.vocabulary)
    )
    encoded = model.encode(batch)
    links = link_posteriors(model, encoded)
    assert not len(links.probability) and not len(links.phrases) and not links.claims.any()
    assert decode_posterior(model, encoded, 0.0) == decode_viterbi(model, encoded, 0.0) == []


# Posterior decoding


def gain(phrase, links, claims, stems, threshold):
    """The expected gain of choosing a phrase, and its probability."""
    chosen = decoding.word_links(phrase, *stems)
    inside = [links[link] for link in chosen]
    shares = [links[a, d] / max(1.0, claims[d]) for a, d in chosen]
    return sum(shares) - threshold * len(shares), sum(inside) / len(inside)


@each_seed
@each_mixture
@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5])
def test_no_segmentation_has_a_greater_gain(tiny, rewrite, seed, threshold):
    case = tiny(seed, rewrite)
    links, batch = found_links(case), case.encoded.batch
    others = map(tuple, link_posteriors(case.model, case.encoded).phrases.tolist())
    candidates = {*others, *((a, a + 1, d, d + 1) for a, d in links)}
    claims = Counter()
    for (_, _, d, d_end), posterior in case.phrases.items():
        claims.update(dict.fromkeys(range(d, d_end), posterior))
    gains = {phrase: gain(phrase, links, claims, case.stems, threshold) for phrase in candidates}
    worth = [phrase for phrase, (gained, _) in gains.items() if gained > 0]
    best = max(
        sum(gains[phrase][0] for phrase in choice)
        for choice in decoding.choices(worth, len(batch.abstract))
    )
    chosen = decode_posterior(case.model, case.encoded, threshold)
    assert sum(gains[phrase][0] for phrase, _ in chosen) == pytest.approx(best, **EXACT)
    assert [p for _, p in chosen] == pytest.approx([gains[phrase][1] for phrase, _ in chosen])


@each_seed
@each_mixture
def test_the_phrases_to_choose_from_are_those_of_several_words_that_are_not_alike(
    tiny, rewrite, seed
):
    case = tiny(seed, rewrite)
    found = link_posteriors(case.model, case.encoded).phrases.tolist()
    assert {tuple(phrase) for phrase in found} == {
        phrase
        for phrase, p in case.cells.items()
        if p > 1e-3
        and phrase[1] - phrase[0] + phrase[3] - phrase[2] > 2
        and not decoding.are_alike(phrase, *case.stems)
    }


def test_a_link_must_exceed_the_threshold():
    places, no_phrase = (np.array([0, 0, 1]), np.array([0, 3, 2])), np.zeros((0, 4), dtype=np.int32)
    links = decoders.Links(*places, np.array([0.3, 0.5, 0.25]), no_phrase, np.ones(4))
    for threshold, expected in (
        (0.2, [((0, 1, 3, 4), 0.5), ((1, 2, 2, 3), 0.25)]),
        (0.25, [((0, 1, 3, 4), 0.5)]),
        (0.5, []),
    ):
        assert decoders._segment(decoders._candidates(links, threshold), 2) == expected


def test_a_phrase_has_the_gain_of_all_its_links_and_their_mean_as_probability():
    """One word to two, at a threshold of 0.4: 0.2 + 0.1 is more than 0.25, and 0.1 + 0.1 less."""
    places, phrase = (
        (np.array([0, 0, 0]), np.array([0, 1, 3])),
        np.array([[0, 1, 0, 2]], dtype=np.int32),
    )
    for probability, chosen, expected in (
        ((0.6, 0.5, 0.65), (0, 1, 0, 2), 0.55),
        ((0.5, 0.5, 0.65), (0, 1, 3, 4), 0.65),
        ((0.43, 0.42, 0.1), (0, 1, 0, 2), 0.425),
        ((0.43, 0.36, 0.1), (0, 1, 0, 1), 0.43),
    ):
        links = decoders.Links(*places, np.array(probability), phrase, np.ones(4))
        assert decoders._segment(decoders._candidates(links, 0.4), 1) == [
            (chosen, pytest.approx(expected))
        ]


def test_a_document_word_shares_one_rewrite_out():
    """Two abstract words claim the first document word, at a threshold of 0.4; the second is claimed once."""
    places, no_phrase = (np.array([0, 1, 1]), np.array([0, 0, 1])), np.zeros((0, 4), dtype=np.int32)
    for probability, claims, expected in (
        ((0.9, 0.6, 0.3), (1.5, 0.3), [((0, 1, 0, 1), 0.9)]),
        ((0.9, 0.7, 0.3), (1.6, 0.3), [((0, 1, 0, 1), 0.9), ((1, 2, 0, 1), 0.7)]),
        ((0.9, 0.5, 0.45), (1.4, 0.45), [((0, 1, 0, 1), 0.9), ((1, 2, 1, 2), 0.45)]),
    ):
        links = decoders.Links(*places, np.array(probability), no_phrase, np.array(claims))
        assert decoders._segment(decoders._candidates(links, 0.4), 2) == expected


@pytest.mark.parametrize("seed", range(50))
def test_of_any_candidates_the_best_are_chosen(seed):
    generator = random.Random(seed)
    words = generator.randint(1, 7)
    gains = {}
    for _ in range(generator.randint(0, 8)):
        a, d = generator.randrange(words), generator.randrange(9)
        gains[a, generator.randint(a + 1, min(words, a + 3)), d, d + 1] = generator.random()
    chosen = decoders._segment([(phrase, gain, gain / 2) for phrase, gain in gains.items()], words)
    best = max(sum(map(gains.get, choice)) for choice in decoding.choices(list(gains), words))
    assert sum(gains[phrase] for phrase, _ in chosen) == pytest.approx(best)
    assert [p for _, p in chosen] == [gains[phrase] / 2 for phrase, _ in chosen]
    assert all(last[1] <= first[0] for (last, _), (first, _) in pairwise(chosen))


# Viterbi


@each_seed
@each_mixture
@pytest.mark.parametrize("jump", ["relative", "uniform"])
def test_viterbi_finds_a_best_path_and_gives_each_phrase_its_posterior(tiny, rewrite, seed, jump):
    case = tiny(seed, rewrite, jump=jump)
    found = decode_viterbi(case.model, case.encoded, 0.0)
    starts, firsts = (
        offsets.tolist()
        for offsets in (case.encoded.batch.abstract_offsets, case.encoded.batch.document_offsets)
    )
    for (a, a_end), d, best, paths in zip(
        pairwise(starts), firsts[:-1], case.best, case.paths, strict=True
    ):
        mine = tuple(
            (t - a, t_end - a, j - d, j_end - d)
            for (t, t_end, j, j_end), _ in found
            if a <= t < a_end
        )
        (path,) = [path for path in paths if path.phrases == mine]
        assert path.probability == pytest.approx(best.probability, rel=1e-9)
    assert [p for _, p in found] == pytest.approx(
        [case.phrases[phrase] for phrase, _ in found], **EXACT
    )


# From phrases to alignments


def aligned(phrases, *pairs, sentences=0):
    group = [extract_unit(one, sentences) for one in pairs]
    return list(alignments(phrases, group, batch_of(group, vocabulary_of(pairs))))


def test_phrases_are_split_by_pair_and_all_other_words_are_null():
    one, two, three = pair("1", "a b", "x a b"), pair("2", "c", "d e"), pair("3", "c d", "d c")
    first, second, third = aligned([((1, 3, 0, 2), 0.5), ((6, 7, 3, 4), 0.25)], one, two, three)
    assert first == decoders.Alignment("1", (PhraseLink((1, 3), (0, 2), 0.5),), (0,))
    assert second == decoders.Alignment("2", (), (0, 1))
    assert third == decoders.Alignment("3", (PhraseLink((1, 2), (0, 1), 0.25),), (0,))


def test_a_probability_a_hair_above_one_is_one():
    (found,) = aligned([((0, 1, 0, 1), 1.0 + 1e-12)], pair("1", "a", "a"))
    assert found.phrases[0].probability == 1.0


def test_identical_neighbours_are_joined_as_sure_as_the_least_sure():
    document, abstract = "the Dog walks home now", "The dog walks homes now now"
    links = [((a, a + 1, a, a + 1), p) for a, p in enumerate((0.9, 0.6, 0.8, 0.7, 0.5))] + [
        ((5, 6, 4, 5), 0.4)
    ]
    (found,) = aligned(links, pair("1", document, abstract))
    assert found.phrases == (
        PhraseLink((0, 3), (0, 3), 0.6),  # case aside
        PhraseLink((3, 4), (3, 4), 0.7),  # home is not homes
        PhraseLink((4, 5), (4, 5), 0.5),
        PhraseLink((5, 6), (4, 5), 0.4),  # the same document word again
    )


def test_words_with_a_gap_between_them_are_not_joined():
    (found,) = aligned(
        [((0, 1, 0, 1), 0.9), ((1, 2, 2, 3), 0.9), ((3, 4, 3, 4), 0.9)],
        pair("1", "a x b c", "a b y c"),
    )
    assert [link.abstract for link in found.phrases] == [(0, 1), (1, 2), (3, 4)]


STORY = ["It was late .", "the old dog", "Nobody saw it .", "Then it rained .", "walks home"]


def story(abstract):
    """A pair whose extract is its second and last sentence."""
    made = Pair(
        "1",
        Text.from_sentences([sentence.split() for sentence in STORY]),
        Text.from_sentences([abstract.split()]),
    )
    assert extract_unit(made, 2).pair.document.tokens == ("the", "old", "dog", "walks", "home")
    return made


def test_offsets_refer_to_the_original_document():
    made = story("the dog walks home")
    (found,) = aligned(
        [((0, 1, 0, 1), 0.5), ((1, 2, 2, 3), 0.6), ((2, 4, 3, 5), 0.7)], made, sentences=2
    )
    assert found.phrases == (
        PhraseLink((0, 1), (4, 5), 0.5),
        PhraseLink((1, 2), (6, 7), 0.6),
        PhraseLink((2, 4), (15, 17), 0.7),
    )
    for link in found.phrases:
        assert (
            made.document.tokens[slice(*link.document)]
            == made.abstract.tokens[slice(*link.abstract)]
        )


@pytest.mark.parametrize(
    ("abstract", "phrase", "expected"),
    [
        ("dog walks home", (0, 3, 2, 5), {(6, 0), (15, 1), (16, 2)}),  # identical: on the diagonal
        (
            "poodle goes home",
            (0, 2, 2, 4),
            {(6, 0), (15, 0), (6, 1), (15, 1)},
        ),  # as many words, but others
        ("poodle goes home", (1, 2, 1, 4), {(5, 1), (6, 1), (15, 1)}),
    ],
)
def test_a_phrase_over_words_that_were_no_neighbours_stands_for_the_same_word_links(
    abstract, phrase, expected
):
    made, reduced = (
        story(abstract + " old dog walks"),
        extract_unit(story(abstract + " old dog walks"), 2),
    )
    (found,) = aligned([(phrase, 0.5)], made, sentences=2)
    assert word_links(found, made.document.tokens, made.abstract.tokens) == expected
    assert list(found.phrases) == sorted(found.phrases)
    assert {link.probability for link in found.phrases} == {0.5}
    # The same phrase in the text of the extract stands for the same links.
    (within,) = aligned([(phrase, 0.5)], reduced.pair)
    links = word_links(within, reduced.pair.document.tokens, reduced.pair.abstract.tokens)
    assert {(int(reduced.positions[d]), a) for d, a in links} == expected
