from __future__ import annotations

import numpy as np

from corpus_tools.encoding.word_vectors import WordVectors
from semihmm.baselines import packages
from semihmm.baselines.embedding_argmax import EmbeddingArgmax, align, align_vectors
from tests.tiny_corpora import pair
from tests.tiny_encoder import write_tiny_encoder


def links(abstract, document):
    """Return {(d, a)} for one pair with these vectors; its words do not matter."""
    vectors = WordVectors(
        *(np.array(side, dtype=np.float16).reshape(-1, 2) for side in (abstract, document))
    )
    texts = pair("1", " ".join("d" * len(document)), " ".join("a" * len(abstract)))
    alignment = align_vectors(texts, vectors)
    assert alignment.id == "1"
    assert {link.probability for link in alignment.phrases} <= {1.0}
    linked = {(link.document[0], link.abstract[0]) for link in alignment.phrases}
    assert set(alignment.null) == set(range(len(abstract))) - {a for _, a in linked}
    return linked


def test_words_that_are_each_others_most_similar():
    # The first abstract word is nearest to the second document word, which is nearer to the second
    # abstract word.
    assert links([[1, 0.2], [1, 1]], [[0, 1], [1, 0.9]]) == {(1, 1)}
    assert links([[1, 0], [0, 1]], [[0, 3], [2, 0]]) == {(1, 0), (0, 1)}


def test_identical_texts_align_on_the_diagonal(tmp_path, monkeypatch):
    # A real encoder with random weights, in place of the vectors that other tests use.
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    encoder = write_tiny_encoder(tmp_path / "tiny")
    text = "quick dogs walk"
    (alignment,) = align([pair("1", text, text)], encoder, 2)
    assert [(link.abstract[0], link.document[0]) for link in alignment.phrases] == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]


def test_the_system_says_what_it_lacks(monkeypatch):
    monkeypatch.setattr(packages, "find_spec", lambda name: name == "torch" or None)
    assert EmbeddingArgmax().missing() == "not installed: pip install 'semihmm[embeddings]'"
    monkeypatch.setattr(packages, "find_spec", lambda name: True)
    assert EmbeddingArgmax().missing() is None
