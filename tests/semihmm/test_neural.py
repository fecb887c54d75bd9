"""The preset ``neural`` from the pairs to the alignments, with a tiny encoder or made vectors."""

from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.model_parts.encoding import WordVectors
from rewrite_models import word_vectors
from rewrite_models.word_vectors import Encoder
from semihmm import Aligner
from semihmm.model.expectations import encoded_units
from semihmm.training.starts import chosen_start
from tests.tiny_encoder import write_tiny_encoder


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """Return the directory of an encoder that makes the vectors, which have their own cache."""
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_tiny_encoder(tmp_path / "tiny")


def test_a_model_is_trained_saved_and_aligns_with_vectors_made_once(
    tiny, sample, miniature, tmp_path, monkeypatch
):
    given = {"encoder": tiny, "layer": 2, "iterations": 2, "wordnet": str(miniature)}
    aligner = Aligner("neural", **given)
    aligner.fit(sample, checkpoint=tmp_path / "model")
    monkeypatch.setattr(Encoder, "vectors", lambda *_: pytest.fail("encoded again"))
    loaded = Aligner.load(tmp_path / "model")
    used = loaded.settings.as_json()
    assert (used["encoder"], used["layer"]) == (tiny, 2)
    assert loaded.align(sample) == aligner.align(sample)
    assert any(alignment.phrases for alignment in loaded.align(sample))
    assert loaded.model.rewrite.components[-1].name == "embedding"


def test_the_preset_has_a_general_model_for_its_own_encoder(sample, miniature):
    pairs = [replace(pair, id=f"{pair.id} {n}") for n in range(2) for pair in sample]
    aligner = Aligner("neural", iterations=1, wordnet=str(miniature)).fit(pairs)
    assert aligner.provenance["start"]["model"] == "general"
    assert aligner.model.transferred["rewrite.embedding.kinds"].sum() > 0
    assert chosen_start(aligner.settings.changed(encoder="another")) is None


def test_an_extract_keeps_the_vectors_of_its_words_in_the_whole_document(
    sample, miniature, monkeypatch
):
    settings = {"start": "none", "extract": 1, "iterations": 1, "wordnet": str(miniature)}
    aligner = Aligner("neural", **settings).fit(sample)

    def numbered(pairs, _):
        for one in pairs:
            lengths = len(one.abstract), len(one.document)
            numbers = [np.arange(length, dtype=np.float16) for length in lengths]
            yield WordVectors(*(np.stack([own] * 4, axis=1) for own in numbers))

    monkeypatch.setattr(word_vectors, "embed_pairs", numbered)
    ((units, encoded),) = encoded_units(aligner.model, aligner.settings, sample[:3])
    assert any(len(unit.positions) < len(unit.original.document) for unit in units)
    positions = np.concatenate([unit.positions for unit in units])
    assert encoded.batch.vectors.document[:, 0].tolist() == positions.tolist()
    assert encoded.batch.vectors.abstract.shape == (len(encoded.batch.abstract), 4)
