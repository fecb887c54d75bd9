"""Abstract and document in one input."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from corpus_tools.embeddings import Encoder, embed_pairs
from corpus_tools.embeddings.windows import Sides, joint_windows
from corpus_tools.errors import BadUsage
from tests.tiny_corpora import pair
from tests.tiny_encoder import POSITIONS

PAIRS = [
    pair("1", "the dog walks .", "dog walks"),
    pair("2", "dog", "the dog"),
    pair("3", "the dog walks .", "dog ."),
]


@pytest.fixture
def together(tiny):
    return Encoder(tiny, 2, "together")


def embedded(pairs, encoder, tmp_path):
    return list(embed_pairs(pairs, encoder, tmp_path / "cache"))


def words_by_the_library(location, first, second):
    """Return the vectors of the words of two texts in one input, float32 [words, K] each."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(location)
    model = transformers.AutoModel.from_pretrained(location).eval()
    cut = tokenizer([first], [second], is_split_into_words=True, return_tensors="pt")
    with torch.no_grad():
        states = model(**cut, output_hidden_states=True).hidden_states[2][0].numpy()
    owners = list(zip(cut.sequence_ids(0), cut.word_ids(0), strict=True))
    return [
        np.array([states[[owner == (side, k) for owner in owners]].mean(axis=0) for k in words])
        for side, words in enumerate((range(len(first)), range(len(second))))
    ]


def test_a_words_vector_is_the_mean_over_both_orders(tiny, together, tmp_path):
    made = embedded(PAIRS, together, tmp_path)
    for one, vectors in zip(PAIRS, made, strict=True):
        abstract, document = list(one.abstract.tokens), list(one.document.tokens)
        a_first, d_second = words_by_the_library(tiny, abstract, document)
        d_first, a_second = words_by_the_library(tiny, document, abstract)
        close = {"rtol": 2e-3, "atol": 2e-3}
        np.testing.assert_allclose(vectors.abstract, (a_first + a_second) / 2, **close)
        np.testing.assert_allclose(vectors.document, (d_first + d_second) / 2, **close)
        assert vectors.abstract.dtype == vectors.document.dtype == np.float16


def test_a_word_has_other_vectors_beside_another_text(together, tmp_path):
    first, _, third = embedded(PAIRS, together, tmp_path)
    assert np.abs(first.document - third.document).max() > 0.01


def test_no_pair_is_encoded_twice_and_each_way_has_its_own_vectors(
    tiny, together, tmp_path, monkeypatch
):
    apart = embedded(PAIRS, Encoder(tiny, 2, "apart"), tmp_path)
    before = embedded(PAIRS, together, tmp_path)
    assert np.abs(apart[0].document - before[0].document).max() > 0.01
    monkeypatch.setattr(Encoder, "vectors", lambda *_: pytest.fail("encoded again"))
    for one, other in zip(embedded(PAIRS, together, tmp_path), before, strict=True):
        np.testing.assert_array_equal(one.abstract, other.abstract)
        np.testing.assert_array_equal(one.document, other.document)
    with pytest.raises(pytest.fail.Exception, match="encoded again"):
        # The same tokens in a row, but the abstract ends elsewhere.
        embedded([pair("4", "the dog walks . dog", "walks")], together, tmp_path)


@pytest.mark.parametrize(("abstract", "document"), [("", "the dog"), ("dog", ""), ("", "")])
def test_an_empty_side(together, tmp_path, abstract, document):
    (vectors,) = embedded([pair("1", document, abstract)], together, tmp_path)
    counts = len(abstract.split()), len(document.split())
    assert (len(vectors.abstract), len(vectors.document)) == counts


def test_the_windows_of_a_long_document_stand_beside_the_whole_abstract(together, tmp_path):
    abstract, document = ("the", "cat"), ("dog", "walks", ".") * 12
    windows = together.windows([Sides(abstract, document)])
    assert len(windows) > 4 and all(len(window.pieces) <= POSITIONS for window in windows)
    for window in windows:
        counts = Counter(window.words)
        assert (counts[0], counts[1], counts[-1]) == (3, 3, 3)
    assert {word for window in windows for word in window.words} == {-1, *range(38)}
    orders = Counter(window.words.index(0) == 1 for window in windows)
    assert orders[True] == orders[False]
    long = pair("1", " ".join(document), " ".join(abstract))
    (vectors,) = embedded([long], together, tmp_path)
    assert np.abs(vectors.document).sum(axis=1).min() > 0


def test_a_long_abstract_leaves_half_the_window_to_the_document(together):
    abstract, document = ("cat",) * 30, ("dog",) * 30
    windows = together.windows([Sides(abstract, document)])
    assert {word for window in windows for word in window.words} == {-1, *range(60)}
    for window in windows:
        of_abstract = sum(0 <= word < 30 for word in window.words)
        of_document = sum(word >= 30 for word in window.words)
        assert 0 < of_abstract <= 14 and of_document > 0


def test_a_long_abstract_is_not_cut_where_its_document_is_short(together):
    assert len(together.windows([Sides(("dog",) * 6, ("cats",) * 2)])) == 2


def test_segments_are_those_of_the_texts(together):
    window, turned = together.windows([Sides(("a", "dog"), ("the",))])
    assert window.words == [-1, 0, 1, 1, 1, -1, 2, 2, 2, -1]
    assert window.segments == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert turned.words == [-1, 2, 2, 2, -1, 0, 1, 1, 1, -1]
    assert turned.segments == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]


def test_an_encoder_that_puts_nothing_between_two_texts_is_refused(tiny):
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    tokenizer.backend_tokenizer.post_processor = None
    with pytest.raises(BadUsage, match=r"cannot read them together: .* encode the texts apart"):
        joint_windows(tokenizer, [Sides(("a",), ("dog",))], POSITIONS)
