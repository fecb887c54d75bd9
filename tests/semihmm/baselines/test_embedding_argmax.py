from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.encoding.word_vectors import WordVectors
from semihmm.baselines import embedding_argmax
from semihmm.baselines.embedding_argmax import align
from semihmm.baselines.registry import systems
from tests.tiny_corpora import pair
from tests.tiny_encoder import write_tiny_encoder


def links(monkeypatch, abstract, document):
    """{(d, a)} for one pair with these vectors; its words do not matter."""
    found = WordVectors(
        *(np.array(side, dtype=np.float16).reshape(-1, 2) for side in (abstract, document))
    )
    monkeypatch.setattr("corpus_tools.embeddings.embed_pairs", lambda pairs, encoder: [found])
    (alignment,) = align([pair("1", " ".join("d" * len(document)), " ".join("a" * len(abstract)))])
    assert alignment.id == "1" and all(link.probability == 1.0 for link in alignment.phrases)
    found = {(link.document[0], link.abstract[0]) for link in alignment.phrases}
    assert set(alignment.null) == set(range(len(abstract))) - {a for _, a in found}
    return found


def test_words_that_are_each_others_most_similar(monkeypatch):
    """The first abstract word is nearest to the second document word, which is nearer to the second abstract word."""
    assert links(monkeypatch, [[1, 0.2], [1, 1]], [[0, 1], [1, 0.9]]) == {(1, 1)}
    assert links(monkeypatch, [[1, 0], [0, 1]], [[0, 3], [2, 0]]) == {(1, 0), (0, 1)}


def test_only_the_direction_of_a_vector_counts(monkeypatch):
    assert links(monkeypatch, [[1, 0]], [[9, 9], [0.1, 0]]) == {(1, 0)}


@pytest.mark.parametrize(("abstract", "document"), [([], [[1, 0]]), ([[1, 0]], []), ([], [])])
def test_an_empty_side(monkeypatch, abstract, document):
    assert links(monkeypatch, abstract, document) == set()


def test_identical_texts_align_on_the_diagonal(tmp_path, monkeypatch):
    """Through a real encoder, though one that knows nothing."""
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


def test_it_is_a_system_that_says_what_it_lacks(monkeypatch, sample):
    (system,) = systems(["embedding-argmax"])
    run = system.run(sample[:2])
    assert [alignment.id for alignment in run.alignments] == [
        sample[0].id,
        sample[1].id,
    ] and run.not_taken == 0
    monkeypatch.setattr(embedding_argmax, "find_spec", lambda name: name == "torch" or None)
    assert system.missing() == "not installed: pip install 'semihmm[embeddings]'"
    monkeypatch.setattr(embedding_argmax, "find_spec", lambda name: True)
    assert system.missing() is None
