"""Values on disk, and the training cache that they make up."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import pytest

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadData
from semihmm import Aligner
from semihmm.batches.shards import Shards
from semihmm.batches.training_cache import write_texts
from semihmm.batches.units import extract_unit
from semihmm.model.semi_hmm import SemiHmm
from tests.semihmm.test_aligner import contents
from tests.semihmm.training.test_training import with_trees
from tests.tiny_corpora import batches, pair

PAIRS = [pair("1", "a b c d", "a c"), pair("2", "b b", "c b a"), pair("3", "e", "e e e")]


class Odd(NamedTuple):
    numbers: np.ndarray
    inside: dict


def test_values_come_back_as_they_were(tmp_path):
    value = Odd(
        np.arange(12, dtype=np.int32).reshape(3, 4),
        {"none": np.zeros((0, 4)), "text": "ü", "t": (1.5, None)},
    )
    shards = Shards(tmp_path, 2)
    shards[1] = value
    found = shards[1]
    assert found.numbers.dtype == np.int32 and np.array_equal(found.numbers, value.numbers)
    assert (
        found.inside["none"].shape == (0, 4)
        and found.inside["text"] == "ü"
        and found.inside["t"] == (1.5, None)
    )
    assert shards.has(1) and not shards.has(0)


def test_arrays_are_views_of_the_file_that_nobody_else_sees_changed(tmp_path):
    shards = Shards(tmp_path, 1)
    shards[0] = np.arange(1000)
    view = shards[0]
    assert not view.flags.owndata and view.flags.writeable, (
        "kernels would be compiled anew for arrays that are read-only"
    )
    view[:] = 0
    assert np.array_equal(shards[0], np.arange(1000))


def test_the_vocabulary_stays_outside(tmp_path):
    vocabulary = Vocabulary.empty().grown(PAIRS)
    Shards(tmp_path, 1)[0] = Batch.of(PAIRS, vocabulary)
    assert b"vocabulary" in (tmp_path / "00000000").read_bytes()
    other = vocabulary.grown([pair("4", "new", "words")])
    assert Shards(tmp_path, 1, other)[0].vocabulary is other


@pytest.mark.parametrize("content", [None, b"", b"other", b"semihmm1", "shortened", "lengthened"])
def test_a_file_that_is_not_whole_is_none(tmp_path, content):
    shards = Shards(tmp_path, 1)
    shards[0] = np.arange(1000)
    whole = shards.path(0).read_bytes()
    damaged = {"shortened": whole[:-64], "lengthened": whole + bytes(64)}
    shards.path(0).unlink()
    if content is not None:
        shards.path(0).write_bytes(damaged.get(content, content))
    assert not shards.has(0)
    with pytest.raises(
        BadData, match=r"the training cache cannot be read: .*the same on all machines"
    ):
        shards[0]


def test_a_shard_that_cannot_be_written(tmp_path):
    with pytest.raises(BadData, match=r"cannot write the training cache .*00000000: No such file"):
        Shards(tmp_path / "none", 1)[0] = 1
    with pytest.raises(IndexError):
        Shards(tmp_path, 1)[1]


@pytest.mark.parametrize("trees", [False, True])
def test_some_pairs_of_a_batch_are_a_batch_of_them(trees):
    vocabulary = Vocabulary.empty().grown(PAIRS)
    dressed = with_trees if trees else (lambda batch: batch)
    found = dressed(Batch.of(PAIRS, vocabulary)).select([0, 2])
    expected = dressed(Batch.of([PAIRS[0], PAIRS[2]], vocabulary))
    assert found.ids == expected.ids and (found.trees is None) == (not trees)
    for name in ("abstract", "document", "abstract_offsets", "document_offsets"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))
    for one, other in zip(found.trees or (), expected.trees or (), strict=True):
        assert np.array_equal(one, other)


def test_vectors_go_with_the_pairs_of_a_batch_and_stay_on_disk(tmp_path):
    vocabulary = Vocabulary.empty().grown(PAIRS)
    (batch,) = batches(PAIRS, vocabulary, size=3)
    (expected,) = batches([PAIRS[0], PAIRS[2]], vocabulary)
    Shards(tmp_path, 1)[0] = batch.select([0, 2])
    found = Shards(tmp_path, 1, vocabulary)[0].vectors
    for side, other in zip(found, expected.vectors, strict=True):
        assert side.dtype == np.float16 and not side.flags.owndata and np.array_equal(side, other)


def test_words_are_numbered_as_in_one_piece(tmp_path, monkeypatch):
    monkeypatch.setattr("semihmm.batches.batches.BATCH_WORDS", 1)
    texts = write_texts((extract_unit(one, 0) for one in PAIRS), tmp_path)
    together = Vocabulary.empty().grown(PAIRS)
    assert (
        len(texts) == 3
        and texts.vocabulary.words == together.words
        and texts.vocabulary.stems == together.stems
    )
    assert np.array_equal(texts.vocabulary.stem_of, together.stem_of)
    for one, batch in zip(PAIRS, texts, strict=True):
        assert np.array_equal(batch.document, Batch.of([one], together).document)


# The cache


@pytest.fixture
def encoded(monkeypatch):
    """The batches that were encoded, by their ids."""
    found, intact = [], SemiHmm.encode
    monkeypatch.setattr(
        SemiHmm, "encode", lambda model, batch: found.append(batch.ids) or intact(model, batch)
    )
    return found


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
    settings, pairs, options = {"rewrite": ("identity",), "iterations": 1}, list(sample), {}
    Aligner(**settings).fit(pairs, cache=tmp_path)
    if what == "text":
        pairs[0] = pair("new", "other words", "other")
    elif what == "setting":
        settings["jump"] = "uniform"
    elif what == "source":
        monkeypatch.setattr("semihmm.batches.training_cache._source", lambda: "changed")
    elif what == "file":
        (shard,) = tmp_path.glob("encoded-*/00000000")
        os.truncate(shard, 1000)
    else:
        options = {"skip_bad_pairs": True}
    Aligner(**settings).fit(pairs, cache=tmp_path, **options)
    assert len(encoded) == 2


def test_without_a_place_to_keep_it_the_cache_goes_with_the_end(sample, tmp_path):
    Aligner(rewrite=("identity",), iterations=1).fit(sample, checkpoint=tmp_path)
    assert len(contents(tmp_path)) == 3

    def fail(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Aligner(rewrite=("identity",), iterations=2).fit(sample, checkpoint=tmp_path, report=fail)
    assert len(contents(tmp_path)) == 3


def test_a_cache_that_cannot_be_made(sample, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadData, match="cannot make the training cache: File exists"):
        Aligner(rewrite=("identity",)).fit(sample, cache=tmp_path / "file")


# The table


def test_a_table_keeps_its_likeliest_entries_and_tells_of_the_rest(sample):
    settings = {"preset": "paper", "rewrite": ("identity", "lexical"), "iterations": 2}
    whole = Aligner(**settings).fit(sample).model.rewrite.components[1]
    aligner = Aligner(**settings, table_entries=200).fit(sample)
    table = aligner.model.rewrite.components[1].table
    assert len(table.document) == 200 < len(whole.table.document)
    assert aligner.provenance["dropped"]["entries"] == len(whole.table.document) - 200
    assert 0.0 < aligner.provenance["dropped"]["share"] < 1.0
    one, two = aligner.provenance["iterations"]
    assert two["objective"] > one["objective"]
    kept, all_entries = (
        set(zip(t.document, t.abstract, strict=True)) for t in (table, whole.table)
    )
    assert kept < all_entries
