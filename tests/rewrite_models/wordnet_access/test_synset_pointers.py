"""The pointers of a synset are those that NLTK's own reader finds."""

from __future__ import annotations

from itertools import islice

import pytest

from rewrite_models.wordnet_access.synset_pointers import (
    DERIVATIONS,
    HYPERNYMS,
    NEAR,
    synset_number,
)


def by_nltk(synset):
    """Return near synsets, hypernyms and derivations, from NLTK's objects."""

    def targets(symbols):
        keys = {key for symbol in symbols for key in synset._pointers.get(symbol, ())}
        return {synset_number(part, offset) for part, offset in keys}

    derivations = {}
    for (name, symbol), keys in synset._lemma_pointers.items():
        if symbol in DERIVATIONS:
            numbers = {synset_number(part, offset) for part, offset, _ in keys}
            derivations.setdefault(name.lower(), set()).update(numbers)
    return targets(NEAR), targets(HYPERNYMS), derivations


def as_sets(pointers):
    """Return the same of pointers, each of which is there once."""
    assert len(set(pointers.near)) == len(pointers.near)
    derivations = {word: set(numbers) for word, numbers in pointers.derivations.items()}
    return set(pointers.near), set(pointers.hypernyms), derivations


@pytest.mark.parametrize("part", "nvar")
def test_the_pointers_are_nltks(wordnet, nltk_wordnet, part):
    synsets = list(islice(nltk_wordnet.all_synsets(part), 0, None, 500))
    assert len(synsets) > 5
    for synset in synsets:
        number = synset_number(synset.pos(), synset.offset())
        assert as_sets(wordnet.pointers[number]) == by_nltk(synset), synset
        assert wordnet.pointers.name(number) == nltk_wordnet.ss2of(synset)
