"""Tells whether a document has a name of its abstract in some form.

The forms are other spellings, initials, words that are joined, cases, short forms, and places with
their inhabitants and languages.
"""

import re
from functools import cached_property
from itertools import pairwise

from corpus_tools.languages.language import language
from corpus_tools.texts.forms import Cache, name_key
from semihmm.applications.support.pair_features import Side, stem_of
from semihmm.applications.support.places import places_of

LEAST_INITIALS = {True: 2, False: 3}
"""So many names, or content words of any kind, have initials: of fewer, chance has too many."""

LEAST_STEM = 3
"""So many letters of a name stay the same in its cases."""

JOINTS = {"-", ".", "'", "\N{RIGHT SINGLE QUOTATION MARK}", "&"}
"""Marks within names."""

_KEYS = Cache(lambda word: frozenset(filter(None, (name_key(word), name_key(stem_of[word])))))


class NameForms:
    """The forms of names that a document has. Each kind is computed when it is needed."""

    def __init__(self, document: Side, abstract: Side, code: str) -> None:
        self._document, self._abstract = document, abstract
        self._language, self._places = language(code), places_of(code)
        self._keys = {key for word in {*document.words} for key in _KEYS[word]}

    def has(self, i: int) -> bool:
        """Tell whether the document has a subtoken of the abstract in some form."""
        words, word = self._abstract.words, self._abstract.words[i]
        key = name_key(word)
        joined = (name_key(one + other) for one, other in pairwise(words[max(i - 1, 0) : i + 2]))
        return (
            not self._keys.isdisjoint((*_KEYS[word], *joined))
            or key in self._joined
            or self._are_initials(i)
            or i in self._written_out
            or not self._cases_of_document.isdisjoint(self._cases(key))
            or self._has_short_form(word)
            or self._places.place(key) in self._places_of_document[not self._places.is_name(key)]
        )

    @cached_property
    def _text(self) -> str:
        return f" {' '.join(self._document.words)} "

    @cached_property
    def _joined(self) -> set[str]:
        """Return each two successive words as one, also with a mark between."""
        words = (word for word in self._document.words if word not in JOINTS)
        return {name_key(one + other) for one, other in pairwise(words)}

    # Initials

    def _are_initials(self, i: int) -> bool:
        """Tell whether a word of capital letters has those of words: NATO, NGOs, G.O.M."""
        letters = self._abstract.shown[i].removesuffix("s").replace(".", "")
        return letters.isupper() and any(
            len(letters) >= least and letters.lower() in initials
            for least, initials in self._initials_of_document
        )

    @cached_property
    def _initials_of_document(self) -> list[tuple[int, str]]:
        return [(least, _initials(self._document, of)[0]) for of, least in LEAST_INITIALS.items()]

    @cached_property
    def _written_out(self) -> set[int]:
        """Return the subtokens of the abstract that the document has by initials: CIA, J. Roe."""
        letters, places = _initials(self._abstract, True)
        shown = (one.removesuffix("s") for one in {*self._document.shown})
        short = {one.replace(".", "").lower() for one in shown if one.isupper() and len(one) > 1}
        found = (run for one in short for run in re.finditer(re.escape(one), letters))
        whole = {places[n] for run in found for n in range(*run.span())}
        theirs = {*pairwise(word for word in self._document.words if word != ".")}
        ours = enumerate(pairwise(self._abstract.words))
        return whole | {i for i, (first, last) in ours if (first[0], last) in theirs}

    # Other forms

    def _cases(self, key: str) -> set[str]:
        """Return what may be left of a name without the ending of its case."""
        longest = self._language.longest_case
        return {key[:end] for end in range(max(len(key) - longest, LEAST_STEM), len(key))}

    @cached_property
    def _cases_of_document(self) -> set[str]:
        rows = zip(self._document.words, self._document.shown, strict=True)
        names = {word for word, shown in rows if shown[0].isupper() and self._language.longest_case}
        return {name_key(word) for word in names} | {
            case for word in names for case in self._cases(name_key(word))
        }

    def _has_short_form(self, word: str) -> bool:
        """Tell whether the document has what a word is short for, or a short form of its name."""
        return any(
            f" {whole} " in self._text if word == short else short in self._short
            for short, whole in self._language.short_forms
            if word in (short, *whole.split())
        )

    @cached_property
    def _short(self) -> set[str]:
        """Return the words with a capital letter; "or" is Oregon in two of them alone."""
        rows = zip(self._document.words, self._document.shown, strict=True)
        common = self._language.classes
        return {
            word
            for word, shown in rows
            if shown[0].isupper() and (word not in common or shown.isupper())
        }

    @cached_property
    def _places_of_document(self) -> tuple[set[str | None], set[str | None]]:
        """Return the places of the document's words, and of those that are names of places."""
        places = self._places
        keys = {*filter(places.place, self._keys)}
        named = filter(places.is_name, keys)
        return {*map(places.place, keys)}, {*map(places.place, named)}


def _initials(side: Side, of_names: bool) -> tuple[str, list[int]]:
    """Return the first letters of content words, and the subtoken of each.

    ``of_names``  of words with capital letters, with a blank where others stand between.
    """
    letters, places = "", []
    for i, (word, shown) in enumerate(zip(side.words, side.shown, strict=True)):
        if word.isalpha() and (shown[0].isupper() or (side.content[i] and not of_names)):
            added = word if "." in shown else word[0]
        else:
            # "Department of Justice": function words do not end a name.
            ends = word not in JOINTS and (side.content[i] or not word.isalpha())
            added = " " if of_names and ends else ""
        letters += added
        places += [i] * len(added)
    return letters, places
