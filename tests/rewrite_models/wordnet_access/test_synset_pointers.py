"""The pointers of a synset are those that NLTK's own reader finds."""

from __future__ import annotations

from itertools import islice

import pytest

from rewrite_models.wordnet_access.synset_pointers import (
    DERIVATIONS,
    HYPERNYMS,
    NEAR,
    SynsetPointers,
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
    synsets = list(islice(nltk_wordnet.all_synsets(part), 0, None, 150))
    assert len(synsets) > 20
    for synset in synsets:
        number = synset_number(synset.pos(), synset.offset())
        assert as_sets(wordnet.pointers[number]) == by_nltk(synset), synset
        assert wordnet.pointers.name(number) == nltk_wordnet.ss2of(synset)


WHOLE = "00000000 00 a 02 Afraid(p) 0 scared 0 "


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("000", (set(), set(), {})),
        ("002 & 00000007 a 0000 ! 00000009 a 0000", ({2_000_000_007}, set(), {})),
        ("001 + 00000005 n 0101", (set(), set(), {"afraid": {5}})),
        (
            "002 + 00000005 v 0201 \\ 00000006 a 0203",
            (set(), set(), {"scared": {10**9 + 5, 2 * 10**9 + 6}}),
        ),
    ],
)
def test_one_line(tmp_path, fields, expected):
    (tmp_path / "data.adj").write_text(f"{WHOLE}{fields} | a gloss\n")
    pointers = SynsetPointers(lambda name: (tmp_path / name).read_bytes())
    assert as_sets(pointers[synset_number("a", 0)]) == expected
