"""Texts, trees and vectors as arrays."""

import itertools
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from corpus_tools.base.arrays import join_parts, sums_over, take_part
from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.embeddings import Encoder, embed_pairs, embed_texts
from corpus_tools.model_parts.encoding import Trees
from corpus_tools.texts.trees import flat
from tests.tiny_corpora import batches, pair, vocabulary_of
from tests.tiny_encoder import POSITIONS, write_tiny_encoder

KNOWN = [pair("1", "The dogs walk .", "Dogs walked ."), pair("2", "a cat", "CAT")]
NEW = [pair("3", "the fox WALKS", "Foxes walk a fox"), pair("4", "Dogs bark", "barking dogs")]


def test_a_vocabulary_is_extended_as_if_all_were_numbered_at_once():
    known = vocabulary_of(KNOWN)
    extended = vocabulary_of(NEW, known)
    together = vocabulary_of(KNOWN + NEW)
    assert extended.forms == together.forms and len(extended) == len(together)
    assert (dict(extended.words), dict(extended.stems)) == (together.words, together.stems)
    assert np.array_equal(extended.stem_of, together.stem_of)
    assert vocabulary_of(KNOWN, known) is known and known.words == vocabulary_of(KNOWN).words


def test_what_was_joined_is_taken_apart_again():
    inner = {"first": {"share": np.arange(3)}, "second": {"share": np.arange(4)}}
    parts = {"first": {"share": np.arange(2)}, "second": join_parts(inner)}
    for part, arrays in parts.items():
        np.testing.assert_equal(take_part(join_parts(parts), part), arrays)


def test_each_place_has_the_sum_of_the_ranges_over_it():
    rng = np.random.default_rng(2)
    begins = rng.integers(0, 40, 100)
    sizes = rng.integers(0, 50 - begins)
    weights = rng.random(100)
    expected = np.zeros(50)
    for begin, size, weight in zip(begins, sizes, weights, strict=True):
        expected[begin : begin + size] += weight
    np.testing.assert_allclose(sums_over(begins, sizes, weights, 50), expected, rtol=1e-13)
    assert sums_over(begins[:0], sizes[:0], weights[:0], 3).tolist() == [0.0, 0.0, 0.0]
    assert sums_over(begins[:1], np.array([2]), np.ones(1), 50).sum() == 2.0  # none of one place


PAIRS = [pair("1", "a b c d", "a"), pair("2", "e f g", "a")]


def test_sentences_begin_where_top_brackets_do():
    (batch,) = batches(PAIRS, vocabulary_of(PAIRS))
    assert batch.sentence_begins.tolist() == [0, 4]
    flat = Trees.flat([((0, 1, 4), ("ROOT",) * 2), ((0, 2, 3), ("ROOT",) * 2)])
    assert replace(batch, trees=flat).sentence_begins.tolist() == [0, 1, 4, 6]
    nested = Trees.from_brackets(
        [
            [[("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("V", 1, 2)], [("NP", 3, 4)]],
            [[("S", 0, 3), ("S", 0, 3), ("NP", 0, 2)]],
        ]
    )
    assert replace(batch, trees=nested).sentence_begins.tolist() == [0, 3, 4]


DOCUMENTS = [(0, 3, 4), (0, 2, 3, 5, 6), (0, 1), (0, 4)]
"""Boundaries of sentences."""


@pytest.mark.parametrize("documents", [DOCUMENTS, DOCUMENTS[1:2], [(0, 1), (0, 2)]])
@pytest.mark.parametrize("kinds", [1, 3])
def test_flat_trees_are_those_of_their_brackets(documents, kinds):
    flats = []
    brackets = []
    for bounds in documents:
        flats.append((bounds, [f"ROOT{number % kinds}" for number in range(len(bounds) - 1)]))
        trees = [flat(end - start) for start, end in pairwise(bounds)]
        named = zip(trees, flats[-1][1], strict=True)
        brackets.append([[tree[0]._replace(label=root), *tree[1:]] for tree, root in named])
    trees, expected = Trees.flat(flats), Trees.from_brackets(brackets)
    np.testing.assert_equal(trees._asdict(), expected._asdict())
    assert [one.dtype for one in trees[1:]] == [other.dtype for other in expected[1:]]


TEXTS = [("the", "dog", "walks"), ("dog",), (), ("the", "dog", "walks", "."), ("dog",)]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """Return the directory of an encoder."""
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny")


def encoded(texts, encoder, tmp_path):
    return list(embed_texts(texts, encoder, tmp_path / "cache"))


def hidden_states(location, words):
    """Return float32 [pieces, K] of each layer, and the word of each piece, by the library."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(location)
    model = transformers.AutoModel.from_pretrained(location).eval()
    cut = tokenizer([words], is_split_into_words=True, return_tensors="pt")
    with torch.no_grad():
        states = model(**cut, output_hidden_states=True).hidden_states
    return [state[0].numpy() for state in states], cut.word_ids(0)


@pytest.mark.parametrize("layer", [0, 1, 2, 3])
def test_a_words_vector_is_the_mean_of_its_pieces_in_the_layer(tiny, tmp_path, layer):
    states, words = hidden_states(tiny, ["the", "dog", "walks"])
    expected = [states[layer][[word == k for word in words]].mean(axis=0) for k in range(3)]
    made = encoded(TEXTS, Encoder(tiny, layer), tmp_path)
    assert [vectors.shape for vectors in made] == [(3, 8), (1, 8), (0, 0), (4, 8), (1, 8)]
    assert all(vectors.dtype == np.float16 for vectors in made)
    np.testing.assert_allclose(made[0], np.array(expected), rtol=2e-3, atol=2e-3)
    np.testing.assert_array_equal(made[1], made[4])


def test_a_long_text_goes_through_in_windows_that_overlap(tiny, tmp_path):
    """More pieces than the encoder has positions. The first words are in the first window alone."""
    text = ("dog", "the", "walks", ".") * 10
    windows = Encoder(tiny, 2).windows([text])
    assert len(windows) > 2 and max(len(window.pieces) for window in windows) <= POSITIONS
    covered = [set(window.words) - {-1} for window in windows]
    assert set.union(*covered) == set(range(len(text)))
    assert all(one & other for one, other in itertools.pairwise(covered))
    (vectors,) = encoded([text], Encoder(tiny, 2), tmp_path)
    assert vectors.shape == (40, 8) and np.abs(vectors).sum(axis=1).min() > 0
    only = sorted(covered[0] - covered[1])
    states, words = hidden_states(tiny, list(text[: max(covered[0]) + 1]))
    assert len(words) == len(windows[0].pieces), "the first window ends with a word"
    expected = states[2][[word == only[0] for word in words]].mean(axis=0)
    np.testing.assert_allclose(vectors[only[0]], expected, rtol=2e-3, atol=2e-3)


def test_no_text_is_encoded_twice(tiny, tmp_path, monkeypatch):
    before = encoded(TEXTS, Encoder(tiny, 2), tmp_path)
    monkeypatch.setattr(Encoder, "vectors", lambda *_: pytest.fail("encoded again"))
    for one, other in zip(encoded(TEXTS, Encoder(tiny, 2), tmp_path), before, strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(pytest.fail.Exception, match="encoded again"):
        encoded(TEXTS, Encoder(tiny, 1), tmp_path)


def test_both_sides_of_a_pair(tiny, tmp_path):
    pairs = [pair("1", "the dog walks .", "dog"), pair("2", "dog", "the dog")]
    made = list(embed_pairs(pairs, Encoder(tiny, 1), tmp_path / "cache"))
    assert [(len(vectors.abstract), len(vectors.document)) for vectors in made] == [(1, 4), (2, 1)]
    np.testing.assert_array_equal(made[0].abstract, made[1].document)


def test_a_changed_model_has_another_version(tiny, tmp_path):
    import shutil

    copy = shutil.copytree(tiny, tmp_path / "copy")
    before = Encoder(str(copy)).version
    assert before == Encoder(tiny).version, "an encoder that was moved is the same"
    (copy / "config.json").write_text((copy / "config.json").read_text() + " ")
    assert Encoder(str(copy)).version != before
    assert Encoder("some/name").version == "some/name"


def test_what_is_no_encoder(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "empty").mkdir()
    problem = r"empty' cannot be loaded: .*its directory; without network, pip install gt-all"
    with pytest.raises(BadUsage, match=problem):
        encoded(TEXTS, Encoder(str(tmp_path / "empty")), tmp_path)
