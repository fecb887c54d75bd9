"""How words are numbered, and what batches and files add up to."""

from __future__ import annotations

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.totals import Tally, totals_of
from corpus_tools.encoding.vocabulary import MergedVocabulary, Numbering, Vocabulary
from corpus_tools.texts.stems import stem
from corpus_tools.texts.tokenizers import normal_form
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


def test_a_batch_adds_the_words_that_a_vocabulary_lacks():
    known = vocabulary_of(KNOWN)
    batch = Batch.of(NEW, known)
    words = [batch.vocabulary.forms[number] for number in batch.document]
    assert words == ["the", "fox", "walks", "dogs", "bark"]
    assert batch.abstract_offsets.tolist() == [0, 4, 6]
    assert batch.document.dtype == batch.abstract.dtype == np.int32
    assert batch.document[0] == known.words["the"]
    assert (
        batch.vocabulary.stem_of[batch.abstract[0]] == batch.vocabulary.stem_of[batch.document[1]]
    )


def test_a_numbering_goes_on_from_batch_to_batch():
    numbering = Numbering(Vocabulary.empty())
    batches = [Batch.of([one], numbering) for one in KNOWN + NEW]
    whole = Batch.of(KNOWN + NEW, vocabulary_of(KNOWN + NEW))
    assert np.array_equal(np.concatenate([batch.document for batch in batches]), whole.document)
    assert np.array_equal(np.concatenate([batch.abstract for batch in batches]), whole.abstract)
    assert numbering.vocabulary().words == whole.vocabulary.words


PAIRS = [pair("1", "a b", "b"), pair("2", "c d", "e d b"), pair("3", "b f", "f f")]


def test_totals_of_files_are_those_of_the_corpus():
    together = vocabulary_of(PAIRS)
    expected = totals_of([Batch.of(PAIRS, together)])
    counts = dict(zip(together.words, expected.abstract_counts, strict=True))
    assert counts == {"a": 0, "b": 2, "c": 0, "d": 1, "e": 1, "f": 2}
    merged, tally = MergedVocabulary(), Tally()
    for one in PAIRS:
        own = vocabulary_of([one])
        tally.add_file(totals_of([Batch.of([one], own)]), merged.add(own))
    assert merged.vocabulary().words == together.words
    assert merged.vocabulary().stems == together.stems
    assert np.array_equal(merged.vocabulary().stem_of, together.stem_of)
    assert np.array_equal(tally.totals().abstract_counts, expected.abstract_counts)
