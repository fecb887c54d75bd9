"""The preset ``neural`` with a real encoder, from the pairs to the alignments."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.embeddings import Encoder
from corpus_tools.embeddings.encoder import _load
from corpus_tools.errors import BadUsage
from corpus_tools.parsing import flat
from corpus_tools.word_vectors import WordVectors
from semihmm import Aligner
from semihmm.corpus import batch_of, reduce
from semihmm.settings import preset
from tests.tiny_corpora import vocabulary_of
from tests.tiny_encoder import write_tiny_encoder


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """The directory of an encoder; vectors are really made, and kept in a cache of their own."""
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_tiny_encoder(tmp_path / "tiny")


def test_a_model_is_trained_saved_and_aligns_with_vectors_made_once(tiny, sample, miniature, tmp_path, monkeypatch):
    aligner = Aligner("neural", encoder=tiny, layer=2, iterations=2, wordnet=str(miniature))
    aligner.fit(sample, checkpoint=tmp_path / "model")
    monkeypatch.setattr(Encoder, "vectors", lambda *_: pytest.fail("encoded again"))
    loaded = Aligner.load(tmp_path / "model")
    assert (loaded.settings.encoder, loaded.settings.layer) == (tiny, 2)
    assert loaded.align(sample) == aligner.align(sample)
    assert any(alignment.phrases for alignment in loaded.align(sample))
    assert loaded.model.rewrite.components[-1].name == "embedding"


def test_the_encoder_may_have_moved(tiny, sample, miniature, tmp_path):
    aligner = Aligner("neural", encoder=tiny, layer=2, iterations=1, wordnet=str(miniature)).fit(sample)
    aligner.save(tmp_path / "model")
    before = aligner.align(sample[0])
    _load.cache_clear()
    moved = str((tmp_path / "tiny").rename(tmp_path / "moved"))
    with pytest.raises(BadUsage, match=r"the encoder '.*tiny' cannot be loaded"):
        Aligner.load(tmp_path / "model").align(sample[0])
    assert Aligner.load(tmp_path / "model", encoder=moved).align(sample[0]) == before


def test_a_layer_cannot_be_changed_after_training(sample, miniature, tmp_path):
    Aligner("neural", iterations=1, wordnet=str(miniature)).fit(sample).save(tmp_path)
    with pytest.raises(BadUsage, match="unknown setting of a trained model 'layer'"):
        Aligner.load(tmp_path, layer=3)
    with pytest.raises(BadUsage, match="layer must be 0 or more, not -1"):
        Aligner("neural", layer=-1)


def test_an_extract_keeps_the_vectors_of_its_words_in_the_whole_document(sample):
    one = sample[0]
    whole = WordVectors(*(np.arange(len(side), dtype=np.float16)[:, None] for side in (one.abstract, one.document)))
    trees = [flat(len(sentence)) for sentence in one.document.sentences()]
    cut = reduce(one, 1, trees, whole)
    assert 0 < len(cut.positions) < len(one.document)
    assert cut.vectors.document[:, 0].tolist() == cut.positions.tolist()
    assert cut.vectors.abstract.shape == whole.abstract.shape
    batch = batch_of([cut, reduce(sample[1], 0, None, None)], vocabulary_of(sample))
    assert batch.vectors is None and batch.trees is None
    batch = batch_of([cut, cut], vocabulary_of(sample))
    assert len(batch.vectors.document) == len(batch.document) and batch.trees is not None


def test_neural_is_the_default_and_vectors():
    assert preset("neural").rewrite == (*preset("default").rewrite, "embedding")
