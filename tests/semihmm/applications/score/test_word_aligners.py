"""Directions, seeds and heuristics with a made-up word aligner; baselines that learn nothing."""

import ctypes
import itertools
import math
import random
import sys
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import AlignedSent, IBMModel1

from corpus_tools.alignments.alignment import from_word_links
from corpus_tools.model_parts.encoding import WordVectors
from corpus_tools.texts.forms import stem
from semihmm.applications.score import systems, word_aligners
from tests.tiny_corpora import WORDS, pair, random_pairs, story
from tests.tiny_vectors import vectors_of

needs_thot = pytest.mark.skipif(
    find_spec("thot") is None, reason="sil-thot is not installed: it comes with the extra test"
)
PAIRS = [pair("one", "the Dog walks", "a dog"), pair("two", "x y", "x")]


def links_of(alignment):
    """Return the first words of all phrases, {(d, a)}."""
    return {(link.document[0], link.abstract[0]) for link in alignment.phrases}


def links(run):
    return list(map(links_of, run.alignments))


class First(word_aligners.WordAligner):
    """Links every target word to the first source word; takes no source of two words."""

    name = "first"

    def __init__(self):
        self.seen = []

    def links(self, source, target):
        self.seen.append((source, target))
        return [
            None if len(s) == 2 else [(0, t) for t in range(len(ts))]
            for s, ts in zip(source, target, strict=True)
        ]


def test_the_document_or_the_abstract_is_the_source():
    aligner = First()
    run = word_aligners.Directed(aligner, "document").run(PAIRS)
    assert links(run) == [{(0, 0), (0, 1)}, set()] and run.not_taken == 1
    run = word_aligners.Directed(aligner, "abstract").run(PAIRS)
    assert links(run) == [set(), {(0, 0), (1, 0)}] and run.not_taken == 1
    # Forms, not spellings: "dog" for "Dog".
    assert aligner.seen[1] == ([["a", "dog"], ["x"]], [["the", "dog", "walks"], ["x", "y"]])
    # Seeds are words of both sides of the corpus.
    more = [*PAIRS, pair("three", "", "walks"), pair("four", "z a", "w")]
    run = word_aligners.Directed(aligner, "document", seeded=True).run(more)
    assert links(run) == [{(0, 0), (0, 1)}, set(), set(), set()] and run.not_taken == 2
    seeds = [["a"], ["dog"], ["x"]]
    assert aligner.seen[2] == (
        [["the", "dog", "walks"], ["x", "y"], ["z", "a"], *seeds],
        [["a", "dog"], ["x"], ["w"], *seeds],
    )


@needs_thot
def test_both_directions_are_joined_where_they_can_be_aligned():
    system = word_aligners.Symmetrized(First(), "intersection")
    assert [part.name for part in system.parts] == ["first:document", "first:abstract"]
    pairs = [pair("one", "a b c", "d e f"), pair("two", "", "a b"), pair("three", "c", "a b")]
    joined = system.combined(pairs, [part.run(pairs) for part in system.parts])
    assert links(joined) == [{(0, 0)}, set(), set()] and joined.not_taken == 1


@needs_thot
def test_what_grows_from_the_links_of_both_directions():
    texts = pair("x", "a b c", "a b c d")
    for one, other, grown in (
        # (1, 2) is beside (1, 1) and gives column 2 its first link; (2, 2) and (2, 3) follow, each
        # beside the one before it.
        ({(0, 0), (1, 1), (1, 2), (2, 3)}, {(0, 0), (1, 1), (2, 2)}, {(1, 2), (2, 2), (2, 3)}),
        # Far from all links: (2, 3) has two free words and comes at last, (2, 0) has not.
        ({(0, 0), (2, 3), (2, 0)}, {(0, 0)}, {(2, 3)}),
    ):
        both = (from_word_links("x", some, 4) for some in (one, other))
        alignment = word_aligners.symmetrized("grow-diag-final-and", texts, *both)
        assert links_of(alignment) == one & other | grown


@needs_thot
def test_model_1_is_that_of_nltk_after_five_iterations():
    """Section 5.1.1. Thot is compiled, and would add up in any order over several threads.

    Another package may have loaded OpenMP before, with as many threads as there are processors.
    """
    threads = ctypes.CDLL(import_module("thot").__file__)
    threads.omp_set_num_threads(2)
    words = random.Random(0)
    source = [words.choices("abcde", k=words.randint(1, 6)) for _ in range(9)]
    # NLTK counts a target word that a sentence repeats as half of one.
    target = [words.sample("abcde", k=words.randint(1, 4)) for _ in range(9)]
    table = IBMModel1(list(map(AlignedSent, target, source)), 5).translation_table
    model = word_aligners.trained(("Ibm1AlignmentModel",), source, target)
    number = {word: model.get_src_word_index(word) for word in "abcde"} | {None: 0}
    for word, row in table.items():
        of_word = model.get_trg_word_index(word)
        found = {other: model.translation_prob(number[other], of_word) for other in row}
        assert found == pytest.approx(row, rel=1e-4, abs=1e-6)
    assert threads.omp_get_max_threads() == 1


@needs_thot
@pytest.mark.parametrize("model", word_aligners.THOT_MODELS, ids=lambda model: model.name)
def test_thot_learns_a_dictionary_and_gives_each_target_word_one_source_word(model):
    generator = random.Random(0)
    source = [[f"s{n}" for n in generator.sample(range(8), 4)] for _ in range(60)]
    target = [[word.replace("s", "t") for word in sentence] for sentence in source]
    links_of_pairs = model.links(source, target)
    right = sum(set(sentence) == {(i, i) for i in range(4)} for sentence in links_of_pairs)
    assert right > 50


@needs_thot
@pytest.mark.parametrize(("number", "longest"), [(0, 1024), (1, 200)])
def test_longer_sentences_are_not_taken_on_either_side(number, longest):
    sizes = [(longest, 1), (longest + 1, 1), (1, longest), (1, longest + 1), (1, 1)]
    sides = ([["w"] * size for size in own] for own in zip(*sizes, strict=True))
    links_of_pairs = word_aligners.THOT_MODELS[number].links(*sides)
    taken = [found is not None for found in links_of_pairs]
    assert taken == [True, False, True, False, True]


def test_eflomal_gets_numbers_and_does_not_take_long_sentences(monkeypatch):
    """Equal words have equal numbers on both sides. It is missing without Thot, too."""
    given = []

    class Aligner:
        def align(self, *sides, links_filename_fwd):
            given.extend(sides)
            Path(links_filename_fwd).write_text("1-0 0-1\n\n0-0\n0-0\n")

    monkeypatch.setitem(sys.modules, "eflomal", SimpleNamespace(Aligner=Aligner))
    monkeypatch.setitem(sys.modules, "thot", None)
    source = [["|||", "a b"], ["|||"], ["w"] * 1023, ["w"]]
    target = [["a b", "c"], ["d"], ["w"], ["w"] * 1024]
    eflomal = word_aligners.Eflomal()
    assert eflomal.links(source, target) == [[(1, 0), (0, 1)], [], [(0, 0)], None]
    assert [side[:2] for side in given] == [["0 1", "0"], ["1 3", "4"]]
    assert "sil-thot" in word_aligners.Directed(eflomal, "document").missing()


def naive_greedy(abstract, document):
    """Return the words of the longest run of free equal words, again and again."""
    linked = {}

    def length(at):
        run = itertools.takewhile(is_free, zip(*map(itertools.count, at), strict=True))
        return len([*run])

    def is_free(place):
        a, d = place
        used = a in linked or d in linked.values()
        ends = a == len(abstract) or d == len(document)
        return not (ends or used) and stem(abstract[a]) == stem(document[d])

    def preference(at):
        places = zip(at, (abstract, document), strict=True)
        one, other = (Fraction(word, len(words)) for word, words in places)
        return -length(at), abs(one - other), at

    while True:
        best = min(np.ndindex(len(abstract), len(document)), key=preference)
        if not length(best):
            return {(d, a) for a, d in linked.items()}
        linked |= {best[0] + k: best[1] + k for k in range(length(best))}


@pytest.mark.parametrize("seed", range(10))
def test_greedy_agrees_with_its_naive_twin(seed):
    for texts in random_pairs(random.Random(seed), count=10, longest=12):
        expected = naive_greedy(texts.abstract.tokens, texts.document.tokens)
        assert links_of(systems.greedy_alignment(texts)) == expected


# Cut and paste


def case(here, there):
    """Return Jing's probability of two positions, each a sentence and a word, in tenths."""
    (s1, w1), (s2, w2) = here, there
    if s1 == s2:
        return 10 if w2 == w1 + 1 else 9 if w2 > w1 else 8
    if abs(s2 - s1) >= 3:
        return 5
    return 7 if s2 > s1 else 6


def test_jings_six_cases():
    places = [(s, w) for s in range(5) for w in range(3)]
    sentence, every = np.array([s for s, _ in places]), np.arange(len(places))
    for number, here in enumerate(places):
        found = systems.cut_and_paste_transitions(np.array(number), every, sentence)
        np.testing.assert_allclose(found, [case(here, there) / 10 for there in places])


@pytest.mark.parametrize("seed", range(10))
def test_the_path_is_as_probable_as_the_best_of_all_paths(seed):
    generator = random.Random(seed)
    lengths = generator.choices((1, 2, 3), k=generator.randint(1, 5))
    document = [generator.choices(WORDS, k=length) for length in lengths]
    abstract = generator.choices((*WORDS, "cat"), k=4)
    places = [(s, w) for s, length in enumerate(lengths) for w in range(length)]
    words = [*enumerate(itertools.chain(*document))]
    choices = [
        [(d, a) for d, other in words if stem(other) == stem(word)]
        for a, word in enumerate(abstract)
    ]

    def probability(path):
        return math.prod(case(*step) for step in itertools.pairwise(places[d] for d, _ in path))

    paths = {path: probability(path) for path in itertools.product(*filter(None, choices))}
    best = systems.best_path(story("x", map(" ".join, document), [" ".join(abstract)]))
    assert paths[tuple(best)] == max(paths.values())


def test_the_first_of_equal_words_is_chosen():
    assert systems.best_path(pair("x", "dog cat dog cat", "dog cat")) == [(0, 0), (1, 1)]
    assert systems.best_path(pair("x", "dog cat dog", "dog")) == [(0, 0)]


def test_blocks_stand_together_on_both_sides_and_shorter_ones_go():
    path = [(0, 0), (1, 1), (3, 2), (4, 4), (5, 5), (6, 6)]
    assert systems.blocks(path, 1) == path
    assert systems.blocks(path, 2) == [(0, 0), (1, 1), (4, 4), (5, 5), (6, 6)]
    assert systems.blocks(path, 3) == [(4, 4), (5, 5), (6, 6)]
    run = systems.CutAndPaste(2).run([pair("x", "the dog walks", "the dogs and walk")])
    (alignment,) = run.alignments
    assert links_of(alignment) == {(0, 0), (1, 1)}
    assert alignment.null == (2, 3)


# The nearest vectors


# No two differences are equal.
ANGLES = st.lists(st.sampled_from((0, 10, 30, 70)), max_size=4)


@given(ANGLES, ANGLES)
def test_words_that_are_each_others_most_similar(abstract, document):
    """The first of equal words is the nearest, however long its vector is."""
    radians = map(np.radians, (abstract, document))
    sides = (np.float16([np.cos(r), np.sin(r)] * 2.0 ** np.arange(len(r))).T for r in radians)
    texts = pair("1", "w " * len(document), "w " * len(abstract))
    alignment = systems.mutual_argmax(texts, WordVectors(*sides))

    def nearest(angle, others):
        return min(range(len(others)), key=lambda n: abs(others[n] - angle))

    expected = {
        (d, a)
        for d, a in np.ndindex(len(document), len(abstract))
        if (nearest(abstract[a], document), nearest(document[d], abstract)) == (d, a)
    }
    assert links_of(alignment) == expected
    assert set(alignment.null) == {*range(len(abstract))} - {a for _, a in expected}


def test_the_baseline_takes_the_vectors_of_each_pair():
    pairs = [pair("1", "quick dogs walk", "dogs walk"), pair("2", "a cat", "the cat")]
    expected = [systems.mutual_argmax(one, vectors_of(one)) for one in pairs]
    assert systems.EmbeddingArgmax().run(pairs).alignments == expected
