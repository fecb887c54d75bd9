"""One pair is aligned by the model that comes with the program."""

from __future__ import annotations

import pytest

import semihmm
from corpus_tools.errors import BadUsage
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
