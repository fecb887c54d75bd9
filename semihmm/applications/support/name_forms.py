"""Tells whether a document has a name of its abstract in some form.

The forms are other spellings, joined words, cases, clipped words, initials, short forms, and places
with their inhabitants and languages.
"""

import re
from collections import Counter
from functools import cache, cached_property
from itertools import chain, pairwise

from babel import Locale
from babel.core import get_global

from corpus_tools.languages.language import UNKNOWN, language
from corpus_tools.texts.forms import Cache, name_key
from semihmm.applications.support.pair_features import Side, stem_of

LEAST_INITIALS = {True: 2, False: 3}
"""So many names, or content words of any kind, have initials: of fewer, chance has too many."""

LEAST_STEM = 3
"""So many letters of a name stay the same in its cases, its beginning and its inhabitants."""

LONGEST_ENDING = 4
"""So many letters of inhabitants may follow the stem of their place: Congolese."""

JOINTS = {"-", ".", "'", "\N{RIGHT SINGLE QUOTATION MARK}", "&"}
"""Marks within names."""


_KEYS = Cache(lambda word: frozenset(filter(None, (name_key(word), name_key(stem_of[word])))))


class NameForms:
    """The forms of names that a document has. Each kind is computed when it is needed."""

    def __init__(self, document: Side, abstract: Side, code: str) -> None:
        self._document, self._abstract, self._code = document, abstract, code
        self._keys = {key for word in {*document.words} for key in _KEYS[word]}
        self._words = [word for word in document.words if word not in JOINTS]

    def has(self, i: int) -> bool:
        """Tell whether the document has a subtoken of the abstract in some form."""
        words, word = self._abstract.words, self._abstract.words[i]
        key = name_key(word)
        joined = {name_key(one + other) for one, other in pairwise(words[max(i - 1, 0) : i + 2])}
        return (
            not self._keys.isdisjoint(_KEYS[word] | joined)
            or key in self._joined
            or i in self._by_initials
            or not self._forms.isdisjoint(self._forms_of(key))
            or any(
                LEAST_STEM <= len(key) <= len(name) / 2 and name.startswith(key)
                for name in self._names
            )
            or any(word in (short, *whole.split()) for short, whole in self._short_forms)
        )

    def has_name(self, i: int) -> bool:
        """Tell whether the document has a subtoken of the abstract with a capital letter, too."""
        key = name_key(self._abstract.words[i])
        return len(key) > 1 and key in self._names

    def has_alone(self, i: int) -> bool:
        """Tell whether the document has a name, and no other word of a name before it."""
        return self.has(i) and self._abstract.words[i] not in self._after_others

    @cached_property
    def _after_others(self) -> set[str]:
        side = self._document
        rows = pairwise(zip(side.words, side.shown, side.content, strict=True))
        return {
            word for (_, one, is_content), (word, *_) in rows if is_content and one[0].isupper()
        }

    @cached_property
    def _names(self) -> set[str]:
        """Return the keys of words with capital letters."""
        rows = zip(self._document.words, self._document.shown, strict=True)
        return {name_key(word) for word, shown in rows if shown[0].isupper()}

    @cached_property
    def _joined(self) -> set[str]:
        return {name_key(one + other) for one, other in pairwise(self._words)}

    @cached_property
    def _forms(self) -> set[str]:
        return {form for name in self._names for form in self._forms_of(name)}

    def _forms_of(self, key: str) -> set[str]:
        """Return what is left of a name without the endings of cases, and its place."""
        longest, stems = language(self._code).longest_case, stems_of_places(self._code)
        cases = {key[:end] for end in range(max(len(key) - longest, LEAST_STEM), len(key))}
        return {*cases, key, f"place {place_of(key, stems) or key}"}

    @cached_property
    def _short_forms(self) -> list[tuple[str, str]]:
        """Return the short forms of which the document has the full form, or another short one."""
        shown = [*zip(self._document.words, self._document.shown, strict=True)]
        text = f" {' '.join(self._document.words)} "
        rows, common = language(self._code).short_forms, language(self._code).classes
        # "or" is Oregon in two large letters alone.
        capital = {w for w, one in shown if one[0].isupper() and (w not in common or one.isupper())}
        said = {whole for short, whole in rows if short in capital or f" {whole} " in text}
        return [row for row in rows if row[1] in said]

    @cached_property
    def _by_initials(self) -> set[int]:
        """Return the subtokens of the abstract that either side has by initials: NATO, J. Roe."""
        document, abstract = self._document, self._abstract
        first = {*pairwise(self._words)}
        found = {i for i, (a, b) in enumerate(pairwise(abstract.words)) if (a[0], b) in first}
        short = [(i, letters) for i, one in enumerate(abstract.shown) if (letters := _acronym(one))]
        for of_names, least in LEAST_INITIALS.items():
            initials, _ = _initials(document, of_names)
            found |= {i for i, letters in short if len(letters) >= least and letters in initials}
        initials, places = _initials(abstract, True)
        for letters in {*map(_acronym, document.shown)} - {""}:
            runs = re.finditer(re.escape(letters), initials)
            found.update(places[n] for run in runs for n in range(*run.span()))
        return found


def _acronym(shown: str) -> str:
    """Return the letters of a word of capital letters, as "NGOs" and "U.S."; nothing of others."""
    letters = shown.removesuffix("s").replace(".", "")
    return letters.lower() if letters.isupper() and len(letters) > 1 else ""


def _initials(side: Side, of_names: bool) -> tuple[str, list[int]]:
    """Return the first letters of content words, and the subtoken of each.

    ``of_names``  of words with capital letters, with a blank where others are between.
    """
    letters, places = "", []
    for i, (word, shown) in enumerate(zip(side.words, side.shown, strict=True)):
        added = ""
        if word.isalpha() and (shown[0].isupper() or (side.content[i] and not of_names)):
            added = word if "." in shown else word[0]
        # "Department of Justice": function words do not end a name.
        elif of_names and word not in JOINTS and (side.content[i] or not word.isalpha()):
            added = " "
        letters += added
        places += [i] * len(added)
    return letters, places


@cache
def stems_of_places(code: str) -> dict[str, str]:
    """Return the beginnings of names of territories and languages, each with its territory.

    They are those of the CLDR. The name of a territory may lose two letters: Norway, Norwegian. A
    part of the names of several, as "Korea", is a place for itself.
    """
    if code == UNKNOWN:
        return {}
    locale, likely = Locale.parse(code), get_global("likely_subtags")
    rows = [(re.findall(r"\w{4,}", name.lower()), own) for own, name in locale.territories.items()]
    parts = [(name_key(word), own) for words, own in rows for word in words]
    count = Counter(part for part, _ in parts)
    names = {name_key(words[0]): own for words, own in rows if len(words) == 1}
    stems = {stem: own for word, own in names.items() for stem in _stems(word)}
    spoken = (
        (name_key(name), likely.get(one, "").rpartition("_")[2])
        for one, name in locale.languages.items()
    )
    # "French" is what belongs to France before it is a part of French Guiana.
    known = {*names.values()}
    for word, own in chain((row for row in spoken if row[1] in known), parts):
        if not place_of(word, stems):
            names[word] = own if own in known or count[word] == 1 else word
            stems |= dict.fromkeys(_stems(word), names[word])
    return stems | names


def _stems(word: str) -> list[str]:
    """Return the beginnings of the name of a place that names of its inhabitants have."""
    missing = 2 if len(word) > 5 else word[-1] in "aeoy"
    return [word[:end] for end in range(max(len(word) - missing, LEAST_STEM), len(word) + 1)]


def place_of(key: str, stems: dict[str, str]) -> str:
    """Return the place of a word, or of its longest beginning that is the stem of a place."""
    ends = range(len(key), max(len(key) - LONGEST_ENDING, LEAST_STEM) - 1, -1)
    return next((stems[key[:end]] for end in ends if key[:end] in stems), "")
