"""Finds names of an abstract that its document lacks, and the names that it has in their place.

A name is a word whose capital letter cannot come from its place. Two names are the same where one
is a short form, the initials or an inflection of the other one, not where they begin alike.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from unicodedata import category, normalize

from corpus_tools.languages.language import language
from corpus_tools.texts.capitals import BEGINNINGS
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.support.pair_features import Side, stem_of

AROUND = (-2, -1, 1, 2)
"""The places around a name that are compared, and how many must be the same. A heuristic."""
SAME = 2

MOST_CAPITALS = 0.5
"""Where more of the words have capital letters, as in a list, these do not tell names."""

MOST_OF_ABSTRACT = 0.9
"""The same of an abstract, which is a headline then, or in title case."""

ENDINGS = 3
"""An inflection has at most so many letters more, or others in place of the last ones."""

NAME_ENDINGS = "n an ian ns ans ians ese ish i is s es ic er ers in"
"""Those of inhabitants and adjectives of a place, and of plurals and cases."""

LEAST_STEM = 4
"""So many letters of a name stay the same in its inflections."""

LEAST_RUN = 3
"""So many words in small letters may have initials: of fewer, chance has too many."""

LONGEST_SPEAKER = 9
"""A speaker's name and office have at most so many atoms."""

Found = tuple[int, int, int, int]
"""Atoms ``[start, end)`` of the abstract, and of the document, which has these instead."""


class Names:
    """The names of a pair.

    ``taken``    atoms of the abstract that are read as numbers or dates, which are no names here.
    ``unknown``  the atoms of the abstract that are names which the document lacks.
    ``doubtful`` those that may be: they are, where the document has another name in their place.
    ``are_told`` whether capital letters tell names in both texts; otherwise nothing is said.
    """

    def __init__(
        self,
        document: Side,
        abstract: Side,
        code: str,
        wordnet: WordNetReader | None,
        taken: set[int],
    ) -> None:
        self._wordnet = wordnet
        self._language = language(code)
        self._document, self._abstract = document, abstract
        self._taken = taken
        self.are_told = (
            not self._language.noun_capitals
            and self._case_tells(document, MOST_CAPITALS)
            and self._case_tells(abstract, MOST_OF_ABSTRACT)
        )
        self.doubtful: list[int] = self._lacking() if self.are_told else []
        self.unknown: list[int] = [i for i in self.doubtful if self._is_sure(i)]

    @staticmethod
    def _case_tells(side: Side, most: float) -> bool:
        """Tell whether few enough words have a capital letter for it to say something."""
        own = [
            shown[0].isupper()
            for i, shown in enumerate(side.atoms.shown)
            if shown[0].isalpha() and side.content[i] and not _begins(side, i)
        ]
        return sum(own) <= most * len(own)

    @cached_property
    def _positions(self) -> Mapping[str, list[int]]:
        """Return where each word of the document stands. Most pairs have no unknown names."""
        positions = defaultdict(list)
        for i, word in enumerate(self._document.atoms.words):
            positions[word].append(i)
        return positions

    # Which names the document lacks

    def _lacking(self) -> list[int]:
        """Return the atoms of words with a capital letter that the document has in no form."""
        stems = {*self._document.stems.tolist()}
        plain = {_without_accents(word) for word in self._document.atoms.words}
        found = [
            i
            for i, word in enumerate(self._abstract.atoms.words)
            if self._may_be_name(i)
            and int(self._abstract.stems[i]) not in stems
            and _without_accents(word) not in plain
        ]
        return [i for i in found if not self._is_known(i)]

    @cached_property
    def _speakers(self) -> set[str]:
        """Return the words of names that stand before a colon where a sentence begins.

        They say who speaks or writes, which documents may leave to their heads.
        """
        speakers: set[str] = set()
        words, shown = self._abstract.atoms.words, self._abstract.atoms.shown
        for start, end in self._abstract.spans:
            for i in range(start, min(start + LONGEST_SPEAKER, end)):
                if words[i] == ":":
                    speakers.update(words[start:i])
                if shown[i].isalpha() and shown[i].islower() and self._abstract.content[i]:
                    break
        return speakers

    def _may_be_name(self, i: int) -> bool:
        """Tell whether an atom of the abstract is a word with a capital letter."""
        word, shown = self._abstract.atoms.words[i], self._abstract.atoms.shown[i]
        is_word = word.isalpha() and len(word) > 1 and self._abstract.content[i]
        if not is_word or not shown[0].isupper() or i in self._taken:
            return False
        # Short ones in capital letters are too often other words: TV, HQ; or initials: J.K.
        if shown.isupper() and len(word) < LEAST_STEM:
            return False
        return word not in self._language.stop_words

    def _is_sure(self, i: int) -> bool:
        """Tell whether a word with a capital letter can be nothing but a name."""
        word, shown = self._abstract.atoms.words[i], self._abstract.atoms.shown[i]
        if word in self._speakers:
            return False
        if shown.isupper():
            return True
        if _begins(self._abstract, i):
            return self._wordnet is not None and not self._is_common(word)
        # "Brown" and "Miller" are names behind a first name.
        return not self._is_common(word) or self._is_behind_name(i)

    def _is_behind_name(self, i: int) -> bool:
        """Tell whether the word before is a name that is no other word, or one of the document.

        There it stands before another word with a capital letter, too.
        """
        before = self._abstract.atoms.shown[i - 1]
        word = self._abstract.atoms.words[i - 1]
        if not (before[0].isupper() and before.isalpha()):
            return False
        shown = self._document.atoms.shown
        behind = (shown[j + 1] for j in self._positions.get(word, ()) if j + 1 < len(shown))
        return not self._is_common(word) or any(other[0].isupper() for other in behind)

    def _is_known(self, i: int) -> bool:
        """Tell whether the document has the name in another form."""
        word = self._abstract.atoms.words[i]
        return (
            any(self._stands(form) for form in self._forms(word))
            or self._are_initials(i)
            or self._is_written_out(i)
            or any(_is_inflection(word, other) for other in self._names_of_document)
        )

    def _forms(self, word: str) -> Iterator[str]:
        """Give what a short form stands for, and the short forms of a word."""
        short_forms = self._language.short_forms
        plain = word.rstrip(".")
        if plain in short_forms:
            yield short_forms[plain]
        yield from self._shortened.get(plain, ())

    @cached_property
    def _shortened(self) -> Mapping[str, list[str]]:
        """Return the short forms of each word that is written out."""
        shortened = defaultdict(list)
        for short, whole in self._language.short_forms.items():
            for word in whole.split():
                shortened[word].append(short)
        return shortened

    def _stands(self, phrase: str) -> bool:
        """Tell whether the document has some words one after the other."""
        words = self._document.atoms.words
        first, *rest = phrase.split()
        return any(
            list(words[place + 1 : place + 1 + len(rest)]) == rest
            for place in self._positions.get(first, ())
        )

    def _are_initials(self, i: int) -> bool:
        """Tell whether a word in capital letters, or its plural, stands for words of the document.

        These have capital letters, or stand directly one after the other.
        """
        shown = self._abstract.atoms.shown[i].removesuffix("s")
        letters = shown.replace(".", "").lower()
        if not shown.isupper() or len(letters) < 2:
            return False
        is_run = len(letters) >= LEAST_RUN and letters in self._first_letters
        return is_run or letters in self._initials or letters in self._all_capitals

    @cached_property
    def _first_letters(self) -> str:
        """Return the first letters of all words of the document."""
        return "".join(word[0] for word in self._document.atoms.words)

    @cached_property
    def _initials(self) -> set[str]:
        """Return the initials of runs of capital words of the document, function words apart."""
        return {letters for letters, _ in _initials(self._document)}

    def _is_written_out(self, i: int) -> bool:
        """Tell whether a name is one of the words whose initials the document has."""
        return any(
            i in places and letters in self._all_capitals
            for letters, places in self._initials_of_abstract
        )

    @cached_property
    def _all_capitals(self) -> set[str]:
        """Return the words of the document that are written in capital letters."""
        atoms = self._document.atoms
        rows = zip(atoms.words, atoms.shown, strict=True)
        return {word for word, shown in rows if shown.isupper()}

    @cached_property
    def _initials_of_abstract(self) -> list[tuple[str, range]]:
        return [*_initials(self._abstract)]

    @cached_property
    def _names_of_document(self) -> set[str]:
        """Return the words with a capital letter, and those of the same letters without one."""
        return {
            word
            for word, shown in zip(
                self._document.atoms.words, self._document.atoms.shown, strict=True
            )
            if shown[0].isupper() and len(word) >= LEAST_STEM
        }

    # Which names stand in their place

    def replaced(self) -> Iterator[Found]:
        """Give doubtful names that stand among the words around another name of the document."""
        abstract, document = self._abstract.atoms.words, self._document.atoms.words
        others = _capital_words(self._document) - {*abstract} if self.doubtful else set()
        sure = {*self.unknown}
        for i in self.doubtful:
            start, end = self._abstract.spans[self._abstract.sentence[i]]
            inside = (i + by for by in AROUND if start <= i + by < end)
            near = {n - i: abstract[n] for n in inside if abstract[n][0].isalnum()}
            places = {j - by for by, word in near.items() for j in self._positions.get(word, ())}
            best, place = 0, -1
            for j in sorted(places):
                if 0 <= j < len(document) and document[j] in others:
                    same = sum(document[j + by : j + by + 1] == (w,) for by, w in near.items())
                    best, place = max((best, place), (same, j), key=lambda one: one[0])
            # Other words with a capital letter must stand in the same place all the more.
            is_other = self._is_common(abstract[i]) or self._abstract.atoms.shown[i].isupper()
            if best >= SAME + (is_other and i not in sure):
                yield i, i + 1, place, place + 1

    def _is_common(self, word: str) -> bool:
        """Tell whether WordNet has a word in another meaning than as a name."""
        if self._wordnet is None:
            return False
        return not self._wordnet.is_proper_only(word)


def _is_inflection(word: str, other: str) -> bool:
    """Tell whether two names differ in their ending only: Chile and Chilean, Iraq and Iraqis.

    Not where the longer one is a name of another kind: Austria and Australia, Niger and Nigeria.
    """
    short, long = sorted((word, other), key=len)
    if len(short) < LEAST_STEM or len(long) - len(short) > ENDINGS:
        return False
    if stem_of[short] == stem_of[long]:
        return True
    common = next(
        (n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short)
    )
    if len(short) - common > 1 or common < LEAST_STEM:
        return False
    return long[common:] in NAME_ENDINGS.split()


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in normalize("NFD", word) if category(c) != "Mn")


def _begins(side: Side, i: int) -> bool:
    """Tell whether a word has its capital letter for its place, perhaps."""
    start, _ = side.spans[side.sentence[i]]
    return i == start or side.atoms.words[i - 1] in BEGINNINGS


def _initials(side: Side) -> Iterator[tuple[str, range]]:
    """Give the initials of runs of words with capital letters, in small letters, and the run."""
    shown, content = side.atoms.shown, side.content
    run: list[int] = []
    for i in range(len(shown) + 1):
        is_capital = i < len(shown) and shown[i][0].isupper()
        # "Department of Justice": function words do not count, but do not end the name.
        is_link = i < len(shown) and not content[i] and shown[i].islower() and shown[i].isalpha()
        if is_capital:
            run.append(i)
        elif run and not (is_link and i - run[-1] < ENDINGS):
            for start in range(len(run)):
                for end in range(start + 2, min(len(run), start + 6) + 1):
                    letters = "".join(shown[n][0].lower() for n in run[start:end])
                    yield letters, range(run[start], run[end - 1] + 1)
            run = []


def _capital_words(side: Side) -> set[str]:
    """Return the words that have a capital letter more often than not, wherever they stand."""
    count: Counter[str] = Counter()
    for i, word in enumerate(side.atoms.words):
        if word[0].isalpha() and side.content[i] and len(word) > 1:
            is_capital = side.atoms.shown[i][0].isupper()
            count[word] += int(is_capital and not _begins(side, i)) if is_capital else -1
    return {word for word, n in count.items() if n > 0}
