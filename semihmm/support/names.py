"""Finds the names of a pair: what is a name, names made of two people, who does what to whom."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from corpus_tools.texts.tokenizers import MOST
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.support.quantities import FUNCTION_WORDS, Sentence

_TITLES = """mr mrs ms miss dr sir lord lady dame prof professor president vice chief minister king
    queen prince princess judge justice captain coach manager sgt sergeant pc dc police senator sen
    rep saint st inspector superintendent detective officer rev reverend father brother sister
    director secretary chairman chairwoman"""
TITLES = frozenset(_TITLES.split())
"""Words before a last name that are no first name."""
SHORT_FORM = re.compile(r"(\w)\1?(?:y|ie|e)$")
"""What ends short forms after the beginning of the name: Danny, Charlie, Steve."""
_DIRECTIONS = "north south east west northern southern eastern western"
DIRECTIONS = frozenset(_DIRECTIONS.split())
"""Words that are part of the name behind them, also where they are written small."""
MIDDLE = 3
"""Words before a last name among which a first name is looked for. Chosen by hand."""
SPELLED = 6
"""The fewest letters of names whose spellings are compared. Chosen by hand."""
LIKENESS = 0.7
"""The least likeness of two spellings of a name (``difflib``). Chosen by hand."""
BETWEEN = 3
"""Words between a name and a verb, at most, if the name is its subject or object. By hand."""
_SYMMETRIC = "meet marry face play join fight date be have say tell"
SYMMETRIC = frozenset(_SYMMETRIC.split())
"""Verbs whose subject and object may change places."""
BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "got"})


class Part(NamedTuple):
    """Atoms ``[start, end)`` of a sentence of the document."""

    sentence: int
    start: int
    end: int


Found = tuple[int, int, Part]
"""Atoms ``[start, end)`` of a sentence of the abstract, and what the document has instead."""


class Role(NamedTuple):
    """Says who did what to whom.

    ``sides``         the last words of the two names, the subject first.
    ``verb``          its lemmas.
    ``start``, ``end``  the atoms from the first name to the second.
    """

    sides: tuple[str, str]
    verb: frozenset[str]
    start: int
    end: int


class Names:
    """The names of a document, and how to find those of its abstract.

    Without capital letters, words that WordNet has in no other meaning are names.
    """

    def __init__(self, sentences: Sequence[Sentence], wordnet: WordNetReader) -> None:
        self._wordnet = wordnet
        self.sentences = sentences
        self.positions: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        count: Counter[str] = Counter()
        for number, sentence in enumerate(sentences):
            for i, word in enumerate(sentence.words):
                self.positions[word].append((number, i))
                lower = not sentence.shown[i][0].isupper()
                count[word] += -1 if lower else sentence.is_capital(i)
        # Words that have a capital letter more often than not, wherever they stand.
        self.capitals = {w for w, n in count.items() if n > 0 and w not in FUNCTION_WORDS}

    def is_name(self, sentence: Sentence, i: int, cased: bool) -> bool:
        """Tell whether an atom of either side is part of a name.

        ``cased``  whether names on its side have capital letters.
        """
        word = sentence.word(i)
        if not word[:1].isalpha() or word in FUNCTION_WORDS or len(word) < 2:
            return False
        if cased and not sentence.shown[i][0].isupper():
            return False
        capital = word in self.capitals or (cased and sentence.is_capital(i))
        return capital or self._wordnet.only_names(word)

    def named(self, sentence: Sentence, cased: bool) -> list[bool]:
        """Return of each atom of a sentence whether it is part of a name."""
        return [self.is_name(sentence, i, cased) for i in range(len(sentence.words))]

    def _named(self, number: int, i: int) -> bool:
        """Tell whether an atom of the document is part of a name."""
        return self.is_name(self.sentences[number], i, cased=bool(self.capitals))

    def mixed(self, sentence: Sentence, names: Sequence[bool]) -> Iterator[Found]:
        """Give names whose last name the document has only with other first names."""
        for i, (first, last) in enumerate(pairwise(sentence.words)):
            # "Mary Ann Lee" and "Lee-Smith" may be called by a part of their names.
            alone = not any(names[i + 2 : i + 3])
            alone = alone and "-" not in (sentence.word(i - 1), sentence.word(i + 2))
            if not (alone and names[i + 1] and self._wordnet.only_names(last)):
                continue
            person = names[i] and first not in TITLES and self._is_first_name(first)
            if person or first in DIRECTIONS:
                yield from ((i, i + 2, part) for part in self._first_names(first, last)[:1])

    def _is_first_name(self, first: str) -> bool:
        """Tell whether the document has a word only before others that are names, if at all."""
        places = self.positions.get(first, ())
        return all(self._named(n, i) and self._named(n, i + 1) for n, i in places)

    def _first_names(self, first: str, last: str) -> list[Part]:
        """Return where a last name has others; nowhere if it may have this one anywhere."""
        found = []
        for number, i in self.positions.get(last, ()):
            words = self.sentences[number].words
            if any(may_be_same(first, word) for word in words[max(i - MIDDLE, 0) : i]):
                return []
            before = words[i - 1] if i else ""
            named = self._named(number, i - 1) and not self._named(number, i + 1)
            if before in DIRECTIONS:
                named = first in DIRECTIONS
            if named and before not in TITLES:
                found.append(Part(number, i - 1, i + 1))
        return found

    def misspelled(self, sentence: Sentence, names: Sequence[bool]) -> Iterator[Found]:
        """Give names that differ by letters from one of the document's, as long as they."""
        for i, word in enumerate(sentence.words):
            known = word in self.positions or not self._wordnet.only_names(word)
            if names[i] and len(word) >= SPELLED and not known:
                alike = (name for name in self.capitals if name[0] == word[0])
                others = sorted(name for name in alike if len(name) == len(word))
                best = max(others, key=lambda name: _likeness(word, name), default="")
                if _likeness(word, best) >= LIKENESS:
                    number, j = self.positions[best][0]
                    yield i, i + 1, Part(number, j, j + 1)

    def moved(
        self, sentence: Sentence, names: Sequence[bool], linked: Mapping[int, tuple[int, int]]
    ) -> Iterator[Found]:
        """Give places that the document lacks, and that are linked to another in it.

        The document has nothing that they are part of, or that is part of them.
        """
        for i, (number, j) in linked.items():
            word, other = sentence.words[i], self.sentences[number].words[j]
            own = self._wordnet.places(word) if names[i] and word not in self.positions else None
            if own and self._named(number, j) and self._wordnet.places(other):
                around = self._wordnet.around(own)
                if not any(self._related(own, around, name) for name in self.capitals):
                    yield i, i + 1, Part(number, j, j + 1)

    def _related(self, own: frozenset[int], around: set[int], name: str) -> bool:
        places = self._wordnet.places(name)
        return bool(places & around or own & self._wordnet.around(places))

    def swapped(
        self, sentence: Sentence, names: Sequence[bool], sources: Iterable[int]
    ) -> Iterator[Found]:
        """Give subjects and objects that have changed places, from one name to the other."""
        cased = bool(self.capitals)
        documents = ((number, self.sentences[number]) for number in sources)
        said = [
            (n, role) for n, one in documents for role in self.roles(one, self.named(one, cased))
        ]
        for role in self.roles(sentence, names):
            same = [(n, other) for n, other in said if role.verb & other.verb]
            kept = any(role.sides == other.sides for _, other in same)
            turned = [(n, other) for n, other in same if role.sides == other.sides[::-1]]
            for number, other in turned[: 0 if kept else 1]:
                yield role.start, role.end, Part(number, other.start, other.end)

    def roles(self, sentence: Sentence, names: Sequence[bool]) -> Iterator[Role]:
        """Give who did what to whom, where a verb stands between two names, near both."""
        runs = _runs(names)
        for (start, left), (right, end) in pairwise(runs):
            between = sentence.words[left:right]
            if not all(w.isalpha() or w == "-" for w in between):
                continue
            for i, word in enumerate(between):
                verb = self._verb(word)
                if not verb or verb & SYMMETRIC or max(i, len(between) - i - 1) > BETWEEN:
                    continue
                sides = sentence.words[left - 1], sentence.words[end - 1]
                passive = i > 0 and between[i - 1] in BE and "by" in between[i + 1 :]
                if passive:
                    sides = sides[::-1]
                elif i < len(between) - 1:
                    continue
                yield Role(sides, verb, start, end)

    def _verb(self, word: str) -> frozenset[str]:
        """Return the lemmas of a verb; none for other words."""
        if word in FUNCTION_WORDS:
            return frozenset()
        return frozenset(self._wordnet.base_forms(word, "v"))


def _runs(names: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the spans of neighbouring names."""
    starts = [i for i, name in enumerate(names) if name and not (i and names[i - 1])]
    ends = [i for i, name in enumerate(names, 1) if name and not any(names[i : i + 1])]
    return list(zip(starts, ends, strict=True))


@lru_cache(maxsize=MOST)
def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def may_be_same(one: str, other: str) -> bool:
    """Tell whether two first names may be of one person: initials, short forms."""
    short, long = sorted((one, other), key=len)
    return long.startswith(SHORT_FORM.sub(r"\1", short))
