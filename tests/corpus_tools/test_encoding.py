"""How words are numbered, and what batches and files add up to."""

from __future__ import annotations

import numpy as np

from corpus_tools.encoding import Batch, Numbering, Vocabulary
from corpus_tools.texts.tokenizers import normal_form, stem
from tests.tiny_corpora import pair, vocabulary_of

KNOWN = [pair("1", "The dogs walk .", "Dogs walked ."), pair("2", "a cat", "CAT")]
NEW = [pair("3", "the fox WALKS", "Foxes walk a fox"), pair("4", "Dogs bark", "barking dogs")]


def naive(pairs):
    """Return the normal forms of pairs by first appearance, documents before abstracts."""
    tokens = [
        token for one in pairs for side in (one.document, one.abstract) for token in side.tokens
    ]
    return list(dict.fromkeys(map(normal_form, tokens)))


def test_words_and_stems_are_numbered_by_first_appearance():
    vocabulary = vocabulary_of(KNOWN + NEW)
    forms = naive(KNOWN + NEW)
    assert vocabulary.forms == tuple(forms)
    assert vocabulary.words == {form: number for number, form in enumerate(forms)}
    stems = list(dict.fromkeys(map(stem, forms)))
    assert list(vocabulary.stems) == stems
    assert [stems[number] for number in vocabulary.stem_of] == [stem(form) for form in forms]


def test_a_vocabulary_is_extended_as_if_all_were_numbered_at_once():
    known = vocabulary_of(KNOWN)
    size = len(known)
    extended = vocabulary_of(NEW, known)
    together = vocabulary_of(KNOWN + NEW)
    assert extended.forms == together.forms
    assert dict(extended.words) == together.words
    assert dict(extended.stems) == together.stems
    assert len(extended) == len(extended.words) == len(together)
    assert np.array_equal(extended.stem_of, together.stem_of)
    assert len(known) == len(known.words) == size
    assert vocabulary_of(KNOWN, known) is known


def test_a_numbering_goes_on_from_batch_to_batch():
    numbering = Numbering(Vocabulary.empty())
    batches = [Batch.of([one], numbering) for one in KNOWN + NEW]
    whole = Batch.of(KNOWN + NEW, vocabulary_of(KNOWN + NEW))
    assert np.array_equal(np.concatenate([batch.document for batch in batches]), whole.document)
    assert np.array_equal(np.concatenate([batch.abstract for batch in batches]), whole.abstract)
    assert numbering.vocabulary().words == whole.vocabulary.words
