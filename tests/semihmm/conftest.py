"""A WordNet of a dozen synsets, so that every rewrite model can be in a mixture wherever the tests run; a trained model."""

from __future__ import annotations

import os
from importlib.resources import files

import nltk.data
import pytest

from corpus_tools.alignments.alignment import write_alignments
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from tests.rewrite_models.conftest import write_wordnet
from tests.tiny_vectors import vectors_of


@pytest.fixture(scope="session")
def miniature(tmp_path_factory):
    """Its directory. Opening it adds to NLTK's data path, which is put back in the end."""
    before, umask = (
        list(nltk.data.path),
        os.umask(0o022),
    )  # NLTK 3.10 reads no file that its group can write
    directory = write_wordnet(tmp_path_factory.mktemp("wordnet") / "dict")
    os.umask(umask)
    yield directory
    nltk.data.path[:] = before


@pytest.fixture(autouse=True)
def vectors(monkeypatch):
    """Word vectors without an encoder, wherever a model asks for some."""
    monkeypatch.setattr(
        "corpus_tools.embeddings.embed_pairs", lambda pairs, _: map(vectors_of, pairs)
    )


@pytest.fixture(scope="session")
def sample():
    """The pairs that come with the program."""
    return read_pairs(str(files("corpus_tools") / "data" / "sample.jsonl"))


@pytest.fixture(scope="session")
def trained(sample, miniature):
    """An aligner trained on the sample. Every test sees the same one: leave it as it is."""
    return Aligner(iterations=2, wordnet=str(miniature)).fit(sample)


@pytest.fixture
def model_directory(trained, tmp_path):
    """A saved model to do with what one likes."""
    trained.save(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def aligned(trained, sample, tmp_path):
    """The sample's alignments in a file."""
    write_alignments(trained.align(sample), tmp_path / "aligned.jsonl")
    return tmp_path / "aligned.jsonl"
