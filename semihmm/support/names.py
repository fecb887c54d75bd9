"""Finds the names of a pair: what is a name, names made of two people, who does what to whom."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from corpus_tools.texts.forms import MOST
from rewrite_models.wordnet_reader import PARTS, WordNetReader
from semihmm.support.atoms import FUNCTION_WORDS, Sentence, capital_words

_TITLES = """mr mrs ms miss dr sir lord lady dame prof professor president vice chief minister king
    queen prince princess judge justice captain coach manager sgt sergeant pc dc police senator sen
    rep saint st inspector superintendent detective officer rev reverend father brother sister
    director secretary chairman chairwoman bishop archbishop pope cardinal general gen colonel col
    major lieutenant lt constable councillor cllr governor gov mayor ambassador chancellor mp mep
    midfielder striker defender goalkeeper winger forward leader spokesman spokeswoman"""
TITLES = frozenset(_TITLES.split())
"""Words before a last name that are no first name."""
_NICKNAMES = """
    william bill billy, robert bob bobby, richard dick rick ricky, margaret peggy maggie,
    elizabeth liz beth betty, james jim jimmy, john jack johnny, edward ted, michael mike mick,
    anthony tony, charles chuck, henry harry hank, katherine kathryn kate, catherine kate, andrew
    drew, geoffrey jeff, stephen steven steve, patrick paddy, joseph joe, lawrence larry,
    gerald jerry, alexander sandy"""
NICKNAMES = [frozenset(names.split()) for names in _NICKNAMES.split(",")]
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
_WINS = "beat defeat thrash overcome edge outplay hammer crush"
WINS = frozenset(_WINS.split())
"""Verbs that say the same as "lost to" from the other side."""


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
        self.capitals = capital_words(sentences)
        self.positions: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, sentence in enumerate(sentences):
            for i, word in enumerate(sentence.words):
                self.positions[word].append((number, i))

    def is_name(self, sentence: Sentence, i: int, cased: bool) -> bool:
        """Tell whether an atom of either side is part of a name.

        ``cased``  whether names on its side have capital letters.
        """
        word = sentence.word(i)
        if not word[:1].isalpha() or word in FUNCTION_WORDS or len(word) < 2:
            return False
        if cased:
            return sentence.shown[i][0].isupper() and (
                word in self.capitals or sentence.is_capital(i) or not self.is_common(word)
            )
        known = self.capitals and word in self.positions
        return word in self.capitals or not (known or self.is_common(word))

    def is_common(self, word: str) -> bool:
        """Tell whether WordNet has a word in another meaning than as a name."""
        return not self._wordnet.only_names(word)

    def _named(self, number: int, i: int) -> bool:
        """Tell whether an atom of the document is part of a name."""
        sentence = self.sentences[number]
        return self.is_name(sentence, i, cased=bool(self.capitals))

    def in_abstract(self, sentence: Sentence, cased: bool) -> list[bool]:
        """Return of each atom of a sentence of the abstract whether it is part of a name."""
        return [self.is_name(sentence, i, cased) for i in range(len(sentence.words))]

    def mixed(self, sentence: Sentence, names: Sequence[bool]) -> Iterator[Found]:
        """Give names whose last name the document has only with other first names."""
        names = [*names, False, False]
        for i, (first, last) in enumerate(zip(sentence.words, sentence.words[1:], strict=False)):
            alone = not names[i + 2] and "-" not in (sentence.word(i - 1), sentence.word(i + 2))
            named = (names[i] or first in DIRECTIONS) and names[i + 1]
            if not (named and alone) or first in TITLES or first == last or self.is_common(last):
                continue
            if first in DIRECTIONS or self._is_first_name(first):
                for part in self._first_names(first, last)[:1]:
                    yield i, i + 2, part

    def _is_first_name(self, first: str) -> bool:
        """Tell whether the document has a word only before others that are names, if at all."""
        places = self.positions.get(first, ())
        return all(self._named(n, i) and self._named(n, i + 1) for n, i in places)

    def _first_names(self, first: str, last: str) -> list[Part]:
        """Return where a last name has others; nowhere if it may have this one anywhere."""
        found = []
        for number, i in self.positions.get(last, ()):
            words = self.sentences[number].words
            if any(may_be_same(first, word) for word in words[max(i - MIDDLE, 0) : i + 2]):
                return []
            before, after = self._named(number, i - 1), self._named(number, i + 1)
            before = first in DIRECTIONS if words[i - 1] in DIRECTIONS else before
            if before and self._named(number, i) and not after and words[i - 1] not in TITLES:
                found.append(Part(number, i - 1, i + 1))
        return found

    def misspelled(self, sentence: Sentence, names: Sequence[bool]) -> Iterator[Found]:
        """Give names that differ by letters from one of the document's, as long as they."""
        for i, word in enumerate(sentence.words):
            if names[i] and len(word) >= SPELLED and self._is_unknown(word):
                others = (
                    name for name in self.capitals if (len(name), name[0]) == (len(word), word[0])
                )
                best = max(sorted(others), key=lambda name: _likeness(word, name), default="")
                if _likeness(word, best) >= LIKENESS:
                    number, j = self.positions[best][0]
                    yield i, i + 1, Part(number, j, j + 1)

    def _is_unknown(self, word: str) -> bool:
        return word not in self.positions and not any(
            self._wordnet.synset_numbers(word, part) for part in PARTS
        )

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
        said = [(n, role) for n in sources for role in self.roles(self.sentences[n], self._all(n))]
        for role in self.roles(sentence, names):
            same = [(n, other) for n, other in said if role.verb & other.verb]
            kept = any(role.sides == other.sides for _, other in same)
            turned = [(n, other) for n, other in same if role.sides == other.sides[::-1]]
            for number, other in turned[: 0 if kept else 1]:
                yield role.start, role.end, Part(number, other.start, other.end)

    def _all(self, number: int) -> list[bool]:
        return [self._named(number, i) for i in range(len(self.sentences[number].words))]

    def roles(self, sentence: Sentence, names: Sequence[bool]) -> Iterator[Role]:
        """Give who did what to whom, where a verb stands between two names, near both."""
        runs = _runs(names)
        for (start, left), (right, end) in pairwise(runs):
            between = sentence.words[left:right]
            if len(between) > 2 * BETWEEN or not all(w.isalpha() or w == "-" for w in between):
                continue
            for i, word in enumerate(between):
                verb = self._verb(word)
                if not verb or verb & SYMMETRIC or max(i, len(between) - i - 1) > BETWEEN:
                    continue
                sides = sentence.words[left - 1], sentence.words[end - 1]
                passive = i > 0 and between[i - 1] in BE and "by" in between[i + 1 :]
                lost = "lose" in verb and "to" in between[i + 1 :]
                if passive or lost:
                    sides = sides[::-1]
                elif i < len(between) - 1:
                    continue
                yield Role(sides, WINS if lost or verb & WINS else verb, start, end)

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
    """Tell whether two first names may be of one person: initials, short forms, nicknames."""
    if any({one, other} <= names for names in NICKNAMES):
        return True
    short, long = sorted((one, other), key=len)
    begins = long.startswith(SHORT_FORM.sub(r"\1", short))
    return begins and {one, other}.isdisjoint(FUNCTION_WORDS)
