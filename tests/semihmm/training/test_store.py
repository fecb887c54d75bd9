"""The files of a corpus's batches and the folder that holds them."""

import importlib
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadData
from corpus_tools.model_parts.text_arrays import Trees
from rewrite_models.rewrite_model import Features
from semihmm.model import units as batches_module
from semihmm.model.settings import Settings
from semihmm.model.units import cut_pairs
from semihmm.training import cluster, training_cache
from semihmm.training.training_cache import Shards, one_vocabulary, write_batches
from tests.tiny_corpora import batches, pair, sides, texts, vocabulary_of, with_trees

PAIRS = [pair("1", "a b c d", "a c"), pair("2", "b b", "c b a"), pair("3", "e", "e e e")]


RANGES = [[-1, 0, 200], [-129, 3], [-1, 2**31], [0, 255], [0, 2**63 - 1], [-(2**63), 2**63 - 1]]


def test_values_come_back_as_they_were(tmp_path):
    """Whole numbers whatever bytes they took, and vectors with the pairs of their batch."""
    spans, data = np.arange(12, dtype=np.int32).reshape(3, 4), {"text": "ü", "t": (1.5, None)}
    vocabulary = vocabulary_of(PAIRS)
    (batch,) = map(with_trees, batches(PAIRS, vocabulary, size=3))
    (expected,) = map(with_trees, batches([PAIRS[0], PAIRS[2]], vocabulary))
    numbers = [np.array(own, dtype=np.int64) for own in RANGES]
    Shards(tmp_path, 2)[1] = Features(spans, data), batch.select([0, 2]), numbers
    shards = Shards(tmp_path, 2, vocabulary)
    features, selected, read = shards[1]
    assert features.spans.dtype == np.int32 and np.array_equal(features.spans, spans)
    assert features.data == data
    assert [own.dtype for own in read] == [np.int64] * len(RANGES)
    assert [own.tolist() for own in read] == RANGES
    assert selected.vocabulary is vocabulary
    assert selected.ids == expected.ids and selected.vectors.abstract.dtype == np.float16
    for name in ("abstract", "document", "abstract_offsets", "document_offsets"):
        assert np.array_equal(getattr(selected, name), getattr(expected, name))
    for own, other in ((selected.vectors, expected.vectors), (selected.trees, expected.trees)):
        assert len(own) > 1 and all(map(np.array_equal, own, other))
    with pytest.raises(BadData, match=r"cache cannot be read: .*the same on all machines"):
        shards[0]


def test_files_have_one_vocabulary_and_pairs_without_words_no_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    empty, settings = pair("4", "", "a"), Settings(own_sentences=False)
    of_files = [PAIRS[:1], [empty], [*PAIRS[1:], empty]]
    written = [
        write_batches(tmp_path, number, cut_pairs(pairs, settings), skip=False)
        for number, pairs in enumerate(of_files)
    ]
    assert [(file.size, file.pairs, file.refused) for file in written] == [
        (1, 1, ()),
        (0, 0, ()),
        (2, 2, ()),
    ]
    corpus = one_vocabulary(tmp_path, written, "en")
    assert [side for batch in corpus for side in sides(batch)] == texts(PAIRS)
    assert sorted(corpus.vocabulary.forms) == [*"abcde"]
    with pytest.raises(IndexError):
        corpus[3]
    # A file without batches is as good as none.
    alone, both = (one_vocabulary(tmp_path, written[:end], "en") for end in (1, 2))
    assert alone.fingerprint == both.fingerprint == written[0].fingerprint != corpus.fingerprint


def test_other_capitals_and_labels_are_other_texts():
    one = pair("1", "dog", "dog")
    (batch,) = batches([one], vocabulary_of([one]))
    trees = [Trees.from_brackets([[[(label, 0, 1)]]]) for label in ("ROOT#1", "ROOT#2")]
    named = np.ones(1, np.int8), np.zeros(1, np.int8)
    texts = [batch, *(replace(batch, trees=own) for own in trees)]
    texts += [replace(batch, capitals=own) for own in (named, named[::-1])]
    assert len({b"".join(training_cache._hashed(own)) for own in texts}) == len(texts)


def test_the_programs_source_is_that_of_its_plug_ins_too(tmp_path, monkeypatch):
    """The program's own source is read once in a process, so it is read anew here."""
    names = set()
    for number in range(2):
        source = tmp_path / f"somebodys_{number}.py"
        source.write_text(f"class Part: number = {number}\n")
        monkeypatch.syspath_prepend(tmp_path)
        module = importlib.import_module(source.stem)
        monkeypatch.setattr(cluster, "registered", lambda part=module.Part: [part])
        names.add(cluster.program_source.__wrapped__())
    assert len(names) == 2
