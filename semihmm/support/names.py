"""Finds names of an abstract that its document lacks, and the names that it has in their place."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from corpus_tools.texts.capitals import BEGINNINGS
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.support.pair_features import Side

ALIKE = 4
"""First letters that names share which may be of one kin: Chile and Chilean. A heuristic."""
AROUND = (-2, -1, 1, 2)
"""The places around a name that are compared, and how many must be the same. A heuristic."""
SAME = 2
MOST_CAPITALS = 0.25
"""Where more of the words have capital letters, as in German, these do not tell names."""

Found = tuple[int, int, int, int]
"""Atoms ``[start, end)`` of the abstract, and of the document, which has these instead."""


class Names:
    """The names of a pair: words whose capital letters are not due to their place.

    A word that begins a sentence is a name if WordNet does not have it in another meaning.
    """

    def __init__(self, document: Side, abstract: Side, wordnet: WordNetReader | None) -> None:
        self._wordnet = wordnet
        self._document, self._abstract = document, abstract
        self.unknown = self._unknown()

    @cached_property
    def _positions(self) -> Mapping[str, list[int]]:
        """Return where each word of the document stands. Most pairs have no unknown names."""
        positions = defaultdict(list)
        for i, word in enumerate(self._document.atoms.words):
            positions[word].append(i)
        return positions

    def _unknown(self) -> list[int]:
        """Return the atoms of the abstract that are names which the document lacks.

        It has no word of their stem, and none that begins like them.
        """
        words = self._document.atoms.words
        stems = {*self._document.stems.tolist()}
        beginnings = {word[:ALIKE] for word in words if len(word) >= ALIKE}
        found = [
            i
            for i, word in enumerate(self._abstract.atoms.words)
            if int(self._abstract.stems[i]) not in stems
            and word[:ALIKE] not in beginnings
            and self._is_name(i)
        ]
        capitals = sum(_is_capital(self._document, i) for i in range(len(words) if found else 0))
        letters = sum(word[0].isalpha() for word in words)
        return found if capitals <= MOST_CAPITALS * letters else []

    def _is_name(self, i: int) -> bool:
        """Tell whether an atom of the abstract is part of a name."""
        word, shown = self._abstract.atoms.words[i], self._abstract.atoms.shown[i]
        if not word.isalpha() or len(word) < 2 or not self._abstract.content[i] or shown.isupper():
            return False
        known = self._wordnet is None or self._is_common(word)
        return _is_capital(self._abstract, i) or (shown[0].isupper() and not known)

    def _is_common(self, word: str) -> bool:
        """Tell whether WordNet has a word in another meaning than as a name."""
        return self._wordnet is not None and not self._wordnet.only_names(word)

    def replaced(self) -> Iterator[Found]:
        """Give unknown names that stand among the words around another name of the document."""
        abstract, document = self._abstract.atoms.words, self._document.atoms.words
        capitals = _capital_words(self._document) if self.unknown else set()
        others = {word for word in capitals - {*abstract} if not self._is_common(word)}
        for i in self.unknown:
            start, end = self._abstract.spans[self._abstract.sentence[i]]
            inside = (i + by for by in AROUND if start <= i + by < end)
            near = {n - i: abstract[n] for n in inside if abstract[n][0].isalnum()}
            places = {j - by for by, word in near.items() for j in self._positions.get(word, ())}
            best, place = 0, -1
            for j in sorted(places):
                if 0 <= j < len(document) and document[j] in others:
                    same = sum(document[j + by : j + by + 1] == (w,) for by, w in near.items())
                    best, place = max((best, place), (same, j), key=lambda one: one[0])
            if best >= SAME:
                yield i, i + 1, place, place + 1


def _is_capital(side: Side, i: int) -> bool:
    """Tell whether a word has a capital letter that is not due to its place."""
    start, _ = side.spans[side.sentence[i]]
    begins = i == start or side.atoms.words[i - 1] in BEGINNINGS
    return side.atoms.shown[i][0].isupper() and not begins


def _capital_words(side: Side) -> set[str]:
    """Return the words that have a capital letter more often than not, wherever they stand."""
    count: Counter[str] = Counter()
    for i, word in enumerate(side.atoms.words):
        if word[0].isalpha() and side.content[i]:
            lower = not side.atoms.shown[i][0].isupper()
            count[word] += -1 if lower else _is_capital(side, i)
    return {word for word, n in count.items() if n > 0}
