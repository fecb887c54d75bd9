"""One pair is aligned by the model that comes with the program."""

from __future__ import annotations

import pytest

import semihmm
from corpus_tools.errors import BadModel, BadUsage
from semihmm.aligner import Aligner

DOCUMENT = "The old ferry sank on Sunday off the coast of Norway. Its crew of twelve was saved."
ABSTRACT = "A ferry has sunk off Norway; the crew was saved."

pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.errors.MissingResource")


def test_two_strings_give_an_alignment_with_their_characters():
    aligned = semihmm.align(DOCUMENT, ABSTRACT)
    texts = [(phrase.abstract.text, phrase.document.text) for phrase in aligned.phrases]
    assert ("Norway", "Norway") in texts
    assert any("crew" in abstract and "crew" in document for abstract, document in texts)
    for phrase in aligned.phrases:
        (characters,) = phrase.document.characters
        assert DOCUMENT[characters.start : characters.end] == phrase.document.text
        assert 0.0 < phrase.probability <= 1.0
    linked = sum(len(phrase.abstract.text.split()) for phrase in aligned.phrases)
    assert linked + len(aligned.null) >= len(ABSTRACT.split())
    assert "crew" in str(aligned)


def test_sentences_and_tokens_are_texts_too():
    sentences = semihmm.align(DOCUMENT.split(". "), [ABSTRACT])
    assert {phrase.document.characters[0].string for phrase in sentences.phrases} == {0, 1}
    tokens = semihmm.align([DOCUMENT.split()], [ABSTRACT.split()])
    assert all(phrase.document.characters == () for phrase in tokens.phrases)
    assert tokens.phrases


@pytest.mark.parametrize("side", [None, 7, {"text": "a"}, ["a", 7], [["a", ""]], b"bytes"])
def test_what_is_no_text_is_refused(side):
    with pytest.raises(BadUsage, match="the document must be a string"):
        semihmm.align(side, ABSTRACT)


def test_other_models_and_tokenizers_are_chosen(model_directory):
    assert semihmm.align(DOCUMENT, ABSTRACT, model=model_directory).pair.tokenizer == "treebank"
    assert semihmm.align("a b", "a", tokenizer="unicode").pair.tokenizer == "unicode"
    with pytest.raises(BadUsage, match="Did you mean 'unicode'"):
        semihmm.align("a b", "a", tokenizer="unicod")
    with pytest.raises(BadModel):
        semihmm.align("a b", "a", model=model_directory / "nothing")


def test_aligners_take_what_people_have(trained, sample):
    records = [(DOCUMENT, ABSTRACT), (ABSTRACT, "A ferry has sunk.")]
    alignments = trained.align(records)
    assert [alignment.id for alignment in alignments] == ["1", "2"]
    (first, _) = trained.aligned(iter(records))
    assert first.alignment == alignments[0]
    assert first.phrases == trained.aligned({"text": DOCUMENT, "summary": ABSTRACT}).phrases
    assert trained.align(records[0]) == alignments[0]
    assert trained.align([]) == []
    assert trained.posteriors(records[0]).links.shape == (
        len(first.pair.document),
        len(first.pair.abstract),
    )
    with pytest.raises(BadUsage, match=r"pairs\[0\] is a text"):
        trained.align([DOCUMENT, ABSTRACT])
    with pytest.raises(BadUsage, match="not one text; read_pairs"):
        Aligner().fit("pairs.jsonl")
