"""Tells which names of places, inhabitants and languages belong together, by the CLDR."""

import re
from collections import Counter
from functools import cache

from babel import Locale
from babel.core import get_global

from corpus_tools.languages.language import UNKNOWN, language
from corpus_tools.texts.forms import name_key

LEAST_WORD = 4
"""So many letters has a word of a territory: not "SAR"."""

LEAST_STEM = 3
"""So many letters of a place stay the same in the name of its inhabitants: Cuba, Cubans."""

LONGEST_ENDING = 4
"""So many letters may follow them: Congolese."""


class Places:
    """The territories and languages of the CLDR, as they are called in a language."""

    def __init__(self, code: str) -> None:
        self._names: dict[str, str] = {}
        self._stems: dict[str, str] = {}
        if code == UNKNOWN:
            return
        locale = Locale.parse(code)
        function_words = language(code).function_words
        words_of = {
            territory: {
                name_key(word)
                for word in re.findall(r"\w+", name.lower())
                if len(word) >= LEAST_WORD and word not in function_words
            }
            for territory, name in locale.territories.items()
        }
        # "French" is what belongs to France before it is a part of French Guiana.
        for territory, words in words_of.items():
            if len(words) == 1:
                self._add(next(iter(words)), territory)
        likely = get_global("likely_subtags")
        for spoken, name in locale.languages.items():
            territory, word = likely.get(spoken, "").rpartition("_")[2], name_key(name)
            if len(words_of.get(territory, ())) == 1 and word.isalpha() and not self.place(word):
                self._names[word] = self._stems[word] = territory
        count = Counter(word for words in words_of.values() for word in words)
        for territory, words in words_of.items():
            for word in words:
                if not self.place(word):
                    # "Korea" is a part of two territories, and a place for itself.
                    self._add(word, territory if count[word] == 1 else word)
        self._stems.update(self._names)

    def _add(self, word: str, place: str) -> None:
        """Add the name of a place. Norwegian and Italian have not its last letters, Iraqi has."""
        missing = 2 if len(word) > 5 else int(word[-1] in "aeoy")
        self._names[word] = place
        for end in range(max(len(word) - missing, LEAST_STEM), len(word) + 1):
            self._stems[word[:end]] = place

    def place(self, key: str) -> str | None:
        """Return the place of a word, or of its longest beginning that is the stem of a place."""
        ends = range(len(key), max(len(key) - LONGEST_ENDING, LEAST_STEM) - 1, -1)
        return next((self._stems[key[:end]] for end in ends if key[:end] in self._stems), None)

    def is_name(self, key: str) -> bool:
        """Tell whether a word is the name of a place or a language, and not of inhabitants."""
        return key in self._names


places_of = cache(Places)
