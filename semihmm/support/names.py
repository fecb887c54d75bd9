"""Finds names of an abstract that its document lacks, or has with another first name."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from rewrite_models.wordnet_reader import WordNetReader
from semihmm.support.pair_features import Side

BEGINNINGS = {*".:!?-()\"'`«»„“”\u2018\u2019"}
"""What stands before words that have a capital letter for their place."""
ALIKE = 4
"""First letters that names share which may be of one kin: Chile and Chilean. A heuristic."""
MIDDLE = 3
"""Words before a last name among which a first name is looked for. A heuristic."""
AROUND = (-2, -1, 1, 2)
"""The places around a name that are compared, and how many must be the same. A heuristic."""
SAME = 2
MOST_CAPITALS = 0.25
"""Where more of the words have capital letters, as in German, these do not tell names."""

Found = tuple[int, int, int, int]
"""Atoms ``[start, end)`` of the abstract, and of the document, which has these instead."""


class Names:
    """The names of a pair: words whose capital letters are not due to their place.

    Words that WordNet has in another meaning are names only behind another name.
    """

    def __init__(self, document: Side, abstract: Side, wordnet: WordNetReader | None) -> None:
        self._wordnet = wordnet
        self._document, self._abstract = document, abstract
        self._capitals = _capital_words(document)
        self._positions: defaultdict[str, list[int]] = defaultdict(list)
        for i, word in enumerate(document.atoms.words):
            self._positions[word].append(i)
        self._stems = {*document.stems.tolist()}
        self._beginnings = {word[:ALIKE] for word in self._positions if len(word) >= ALIKE}
        telling = _share_of_capitals(document) <= MOST_CAPITALS
        self._named = [telling and self._is_name(i) for i in range(len(abstract.forms))]

    def _is_name(self, i: int) -> bool:
        """Tell whether an atom of the abstract is part of a name."""
        word, shown = self._abstract.atoms.words[i], self._abstract.atoms.shown[i]
        if not word.isalpha() or len(word) < 2 or not self._abstract.content[i]:
            return False
        return word in self._capitals or (_is_capital(self._abstract, i) and not shown.isupper())

    def unknown(self) -> list[int]:
        """Return the atoms of the abstract that are names which the document lacks.

        It has no word of their stem, and none that begins like them.
        """
        return [
            i
            for i, word in enumerate(self._abstract.atoms.words)
            if self._named[i]
            and int(self._abstract.stems[i]) not in self._stems
            and word[:ALIKE] not in self._beginnings
            and (self._follows(i) or not self._is_common(word))
        ]

    def _follows(self, i: int) -> bool:
        return i > 0 and self._named[i - 1]

    def _is_common(self, word: str) -> bool:
        """Tell whether WordNet has a word in another meaning than as a name."""
        return self._wordnet is not None and not self._wordnet.only_names(word)

    def replaced(self, unknown: list[int]) -> Iterator[Found]:
        """Give unknown names that stand among the words around another name of the document."""
        abstract, document = self._abstract.atoms.words, self._document.atoms.words
        for i in unknown:
            start, end = self._abstract.spans[self._abstract.sentence[i]]
            inside = (i + by for by in AROUND if start <= i + by < end)
            near = {n - i: abstract[n] for n in inside if abstract[n][0].isalnum()}
            places = {j - by for by, word in near.items() for j in self._positions.get(word, ())}
            best, place = 0, -1
            for j in sorted(places):
                if 0 <= j < len(document) and self._may_stand(document[j]):
                    same = sum(document[j + by : j + by + 1] == (w,) for by, w in near.items())
                    best, place = max((best, place), (same, j), key=lambda one: one[0])
            if best >= SAME:
                yield i, i + 1, place, place + 1

    def _may_stand(self, word: str) -> bool:
        """Tell whether a word of the document is a name that the abstract lacks."""
        known = word in self._abstract.atoms.words or self._is_common(word)
        return word in self._capitals and not known

    def mixed(self) -> Iterator[Found]:
        """Give names whose last name the document has only with other first names."""
        words = self._abstract.atoms.words
        for i in range(1, len(words)):
            first, last = words[i - 1], words[i]
            inside = self._named[i + 1 : i + 2] == [True] or (i > 1 and self._named[i - 2])
            alike = first == last or self._is_common(last)
            if self._named[i - 1] and self._named[i] and not inside and not alike:
                places = self._positions.get(last, ())
                others = [j for j in places if self._has_first_name(j)]
                if others and not any(self._may_be(first, j) for j in places):
                    yield i - 1, i + 1, others[0] - 1, others[0] + 1

    def _has_first_name(self, j: int) -> bool:
        words = self._document.atoms.words
        return j > 0 and words[j - 1] in self._capitals and not self._is_common(words[j - 1])

    def _may_be(self, first: str, j: int) -> bool:
        """Tell whether a last name of the document may have a first name, or a form of it."""
        before = self._document.atoms.words[max(j - MIDDLE, 0) : j + 2]
        return first in before or self._document.atoms.words[j - 1][:2] == first[:2]


def _is_capital(side: Side, i: int) -> bool:
    """Tell whether an atom begins with a capital letter that no sentence begins with."""
    begins = i == side.spans[side.sentence[i]][0] or side.atoms.words[i - 1] in BEGINNINGS
    return side.atoms.shown[i][0].isupper() and not begins


def _capital_words(side: Side) -> set[str]:
    """Return the words that have a capital letter more often than not, wherever they stand."""
    count: Counter[str] = Counter()
    for i, word in enumerate(side.atoms.words):
        if word[0].isalpha() and side.content[i]:
            lower = not side.atoms.shown[i][0].isupper()
            count[word] += -1 if lower else _is_capital(side, i)
    return {word for word, n in count.items() if n > 0}


def _share_of_capitals(side: Side) -> float:
    """Return the share of words with a capital letter among those that begin no sentence."""
    words = [i for i, word in enumerate(side.atoms.words) if word[0].isalpha()]
    return sum(_is_capital(side, i) for i in words) / max(len(words), 1)
