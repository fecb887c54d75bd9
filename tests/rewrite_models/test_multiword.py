"""Phrases of several words against their naive twin, and some that everybody knows."""

import pytest

from corpus_tools.model_parts.encoding import Batch
from rewrite_models.multiword import PHRASE_KINDS, matches
from tests.tiny_corpora import pair, vocabulary_of, words_of


def found(abstract, document, path=None):
    """Return the pairs of phrases of two texts with their kinds."""
    one = pair("1", document, abstract)
    batch = Batch.from_pairs([one], vocabulary_of([one]))
    matched = matches(batch, path)
    return {
        (*(" ".join(phrase) for phrase in words_of(batch, span)), PHRASE_KINDS[kind])
        for span, kind in zip(matched.spans.tolist(), matched.kind.tolist(), strict=True)
    }


@pytest.mark.parametrize(
    ("abstract", "document", "kind"),
    [
        ("death penalty", "capital punishment", "entry"),
        ("prime minister", "premier", "entry"),
        ("nrdc", "natural resources defense council", "initials"),
        ("association of southeast asian nations", "a.s.a.n.", "initials"),
        ("al rashi", "al-rashi", "joined"),
        ("hongkong", "hong kong", "joined"),
    ],
)
def test_phrases_that_everybody_knows(abstract, document, kind, wordnet):
    assert (abstract, document, kind) in found(abstract, document)
