"""The files of a corpus's batches and the folder that holds them."""

from __future__ import annotations

import os
import pickle
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.encoding import Batch
from corpus_tools.errors import BadData, SemiHmmWarning
from rewrite_models.rewrite_model import Features
from semihmm import Aligner
from semihmm.batches import training_cache
from semihmm.batches import units as batches_module
from semihmm.batches.training_cache import Shards, is_whole
from semihmm.model.semi_hmm import SemiHmm
from tests.semihmm.program_runs import contents
from tests.tiny_corpora import batches, pair, vocabulary_of
from tests.tiny_trees import with_trees

PAIRS = [pair("1", "a b c d", "a c"), pair("2", "b b", "c b a"), pair("3", "e", "e e e")]


def test_values_come_back_as_they_were(tmp_path):
    value = Features(
        np.arange(12, dtype=np.int32).reshape(3, 4),
        {"none": np.zeros((0, 4)), "text": "ü", "t": (1.5, None)},
    )
    shards = Shards(tmp_path, 2)
    shards[1] = value
    read = shards[1]
    assert read.cells.dtype == np.int32 and np.array_equal(read.cells, value.cells)
    assert (
        read.data["none"].shape == (0, 4)
        and read.data["text"] == "ü"
        and read.data["t"] == (1.5, None)
    )
    assert is_whole(shards.path(1)) and not is_whole(shards.path(0))


@pytest.mark.parametrize(
    "numbers",
    [[-1, 0, 200], [-129, 3], [-1, 2**31], [0, 255], [0, 2**63 - 1], [-(2**63), 2**63 - 1]],
)
def test_whole_numbers_come_back_whatever_bytes_they_took(tmp_path, numbers):
    shards = Shards(tmp_path, 1)
    shards[0] = np.array(numbers, dtype=np.int64)
    assert shards[0].dtype == np.int64
    assert shards[0].tolist() == numbers


@pytest.mark.parametrize("content", [None, b"", b"other", b"semihmm5 ", "shortened", "lengthened"])
def test_a_file_that_is_not_whole_is_none(tmp_path, content):
    shards = Shards(tmp_path, 1)
    shards[0] = np.arange(1000)
    whole = shards.path(0).read_bytes()
    damaged = {"shortened": whole[:-64], "lengthened": whole + bytes(64)}
    shards.path(0).unlink()
    if content is not None:
        shards.path(0).write_bytes(damaged.get(content, content))
    if content is None:
        assert not is_whole(shards.path(0))
    else:
        with pytest.warns(SemiHmmWarning, match="the training cache is damaged .* made anew"):
            assert not is_whole(shards.path(0))
    if content == "lengthened":
        return  # nothing that is read is missing
    with pytest.raises(
        BadData, match=r"the training cache cannot be read: .*the same on all machines"
    ):
        shards[0]


class Trap:
    def __reduce__(self):
        return pytest.fail, ("a pickle was opened",)


def test_pickles_are_neither_written_nor_read(tmp_path):
    shards = Shards(tmp_path, 1)
    with pytest.raises(TypeError, match="a shard cannot hold Trap"):
        shards[0] = Trap()
    shards.path(0).write_bytes(b"other".ljust(64, b"\0") + pickle.dumps(Trap()))
    with pytest.raises(BadData, match="not a shard"):
        shards[0]


@pytest.mark.parametrize("trees", [False, True])
def test_some_pairs_of_a_batch_are_a_batch_of_them(trees):
    vocabulary = vocabulary_of(PAIRS)
    dressed = with_trees if trees else (lambda batch: batch)
    selected = dressed(Batch.of(PAIRS, vocabulary)).select([0, 2])
    expected = dressed(Batch.of([PAIRS[0], PAIRS[2]], vocabulary))
    assert selected.ids == expected.ids and (selected.trees is None) == (not trees)
    for name in ("abstract", "document", "abstract_offsets", "document_offsets"):
        assert np.array_equal(getattr(selected, name), getattr(expected, name))
    if trees:
        assert len(selected.trees) == len(expected.trees) > 1
        assert all(map(np.array_equal, selected.trees, expected.trees))


def test_vectors_go_with_the_pairs_of_a_batch_and_stay_on_disk(tmp_path):
    vocabulary = vocabulary_of(PAIRS)
    (batch,) = batches(PAIRS, vocabulary, size=3)
    (expected,) = batches([PAIRS[0], PAIRS[2]], vocabulary)
    Shards(tmp_path, 1)[0] = batch.select([0, 2])
    vectors = Shards(tmp_path, 1, vocabulary)[0].vectors
    for side, other in zip(vectors, expected.vectors, strict=True):
        assert side.dtype == np.float16 and not side.flags.owndata and np.array_equal(side, other)


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_model_has_the_same_bytes_from_a_cache(sample, miniature, tmp_path, monkeypatch, preset):
    """Each unit is a batch. The second time all is there."""
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    settings = {"iterations": 2, "wordnet": str(miniature)}
    for name in ("beside", "first", "second"):
        kept = {} if name == "beside" else {"cache": tmp_path / "cache"}
        Aligner(preset, **settings).fit(sample, checkpoint=tmp_path / name, **kept)
        assert contents(tmp_path / name) == contents(tmp_path / "beside")


# What is kept


@pytest.fixture
def encoded(monkeypatch):
    """Return the ids of each batch that is encoded."""
    ids, intact = [], SemiHmm.encode
    monkeypatch.setattr(
        SemiHmm, "encode", lambda model, batch: ids.append(batch.ids) or intact(model, batch)
    )
    return ids


def test_pairs_are_encoded_once(sample, tmp_path, encoded):
    settings = {"rewrite": ("identity",), "iterations": 2}
    first = Aligner(**settings).fit(sample, cache=tmp_path / "cache", checkpoint=tmp_path / "one")
    assert len(encoded) == 1
    again = Aligner(**settings | {"iterations": 2, "threshold": 0.1}).fit(
        iter(sample), cache=tmp_path / "cache"
    )
    assert len(encoded) == 1 and again.provenance == first.provenance
    assert not list((tmp_path / "cache").glob("texts-*")) and (tmp_path / "cache").exists()


@pytest.mark.parametrize("what", ["text", "setting", "source", "file", "skip"])
def test_whatever_changes_is_encoded_again(sample, tmp_path, encoded, monkeypatch, what):
    settings = {"rewrite": ("identity",), "iterations": 1}
    pairs = list(sample)
    options = {}
    Aligner(**settings).fit(pairs, cache=tmp_path)
    if what == "text":
        pairs[0] = replace(pair("new", "other words", "other"), source=pairs[0].source)
    elif what == "setting":
        settings["jump"] = "uniform"
    elif what == "source":
        monkeypatch.setattr(training_cache, "program_source", lambda: "changed")
    elif what == "file":
        (shard,) = tmp_path.glob("encoded-*/00000000")
        os.truncate(shard, 1000)
    else:
        options = {"skip_bad_pairs": True}
    warned = pytest.warns(SemiHmmWarning, match="damaged") if what == "file" else nullcontext()
    with warned:
        Aligner(**settings).fit(pairs, cache=tmp_path, **options)
    assert len(encoded) == 2
