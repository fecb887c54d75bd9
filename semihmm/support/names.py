"""Finds names of an abstract that its document lacks, and the names that it has in their place.

A name is a word whose capital letter cannot come from its place. Two names are the same where one
is a short form, the initials or an inflection of the other one, not where they begin alike.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain, product, takewhile
from unicodedata import category, normalize

import regex

from corpus_tools.languages.language import language
from corpus_tools.texts.capitals import BEGINNINGS
from corpus_tools.texts.forms import Cache
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.support.pair_features import Side, stem_of

AROUND = 4
"""Words around a name that are compared, and how many must be the same. A heuristic."""
SAME = 3

MOST_CAPITALS = 0.5
"""Where more of the words have capital letters, as in a list, these do not tell names."""

MOST_OF_ABSTRACT = 0.9
"""The same of an abstract, which is a headline then, or in title case."""

ENDINGS = 3
"""An inflection has at most so many letters more, or others in place of the last ones."""

NAME_ENDINGS = "n an ian ns ans ians ese ish i is s es ic er ers in"
"""The endings of inhabitants and adjectives of a place, of plurals and cases."""

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

    ``doubtful``  the atoms of the abstract that may be names which the document lacks: they are,
                  where the document has another name in their place.
    ``unknown``   those that can be nothing else.

    Where capital letters do not tell names in both texts, nothing is said.
    """

    def __init__(
        self,
        document: Side,
        abstract: Side,
        code: str,
        wordnet: WordNetReader | None,
        taken: set[int],
    ) -> None:
        """Find the names.

        ``taken``  atoms of the abstract that are read as numbers or dates, which are no names here.
        """
        self._wordnet = wordnet
        self._language = language(code)
        self._document, self._abstract = document, abstract
        self._words, self._shown = abstract.atoms.words, abstract.atoms.shown
        told = (
            not self._language.noun_capitals
            and _case_tells(document, MOST_CAPITALS)
            and _case_tells(abstract, MOST_OF_ABSTRACT)
        )
        named = [i for i in range(len(self._words)) if told and self._may_be_name(i)]
        lacking = [i for i in named if i not in taken and not self._stands(i, _begins(abstract, i))]
        self.doubtful: list[int] = [i for i in lacking if not self._is_known(i)]
        self.unknown: list[int] = [i for i in self.doubtful if self._is_sure(i)]

    def _may_be_name(self, i: int) -> bool:
        """Tell whether an atom of the abstract is a word with a capital letter.

        Short ones in capital letters are too often other words: TV, HQ; or initials: J.K.
        """
        word, letters = self._words[i], self._shown[i].removesuffix("s")
        is_word = letters[:1].isupper() and word.isalpha() and bool(self._abstract.content[i])
        is_long = len(letters) >= (LEAST_STEM if letters.isupper() else 2)
        return is_word and is_long and word not in self._language.stop_words

    # Which names the document lacks

    def _stands(self, i: int, begins: bool) -> bool:
        """Tell whether the document has a word or its stem.

        ``begins``  whether its place may be the reason for its capital letter: otherwise the
                    document must have it with a capital letter, too.
        """
        return not self._forms[not begins].isdisjoint(_FORMS[self._words[i]])

    @cached_property
    def _forms(self) -> tuple[set[str], set[str]]:
        """Return the forms of the words of the document, and of those with capital letters."""
        atoms = self._document.atoms
        rows = [*zip(map(_FORMS.__getitem__, atoms.words), atoms.shown, strict=True)]
        capital = (forms for forms, shown in rows if shown[0].isupper())
        return {*chain.from_iterable(forms for forms, _ in rows)}, {*chain.from_iterable(capital)}

    def _is_known(self, i: int) -> bool:
        """Tell whether the document has the name in another form."""
        word, rows = self._words[i], self._language.short_forms.items()
        forms = [
            whole if word == short else short
            for short, whole in rows
            if word in {short, *whole.split()}
        ]
        return (
            any(f" {form} " in self._text for form in forms)
            or self._are_initials(i)
            or i in self._written_out
            or any(_is_inflection(word, other) for other in self._names_of_document)
        )

    @cached_property
    def _text(self) -> str:
        return f" {' '.join(self._document.atoms.words)} "

    def _are_initials(self, i: int) -> bool:
        """Tell whether a word in capital letters, or its plural, stands for words of the document.

        These have capital letters, or there are several one directly after the other.
        """
        letters = self._shown[i].removesuffix("s").replace(".", "")
        if not letters.isupper():
            return False
        names, words = (_initials(self._document, capital)[0] for capital in (True, False))
        is_run = len(letters) >= LEAST_RUN and letters.lower() in words
        return is_run or letters.lower() in names

    @cached_property
    def _written_out(self) -> set[int]:
        """Return the atoms of the abstract whose initials are a word of the document."""
        letters, places = _initials(self._abstract, True)
        rows = zip(self._document.atoms.words, self._document.atoms.shown, strict=True)
        short = {word for word, shown in rows if shown.isupper() and len(word) > 1}
        found = (run for word in short for run in regex.finditer(regex.escape(word), letters))
        return {places[n] for run in found for n in range(*run.span())}

    @cached_property
    def _names_of_document(self) -> set[str]:
        return {word for word in self._forms[1] if len(word) >= LEAST_STEM}

    # Which of them are surely names

    def _is_sure(self, i: int) -> bool:
        """Tell whether a word with a capital letter can be nothing but a name."""
        word = self._words[i]
        if self._stands(i, True) or word in self._speakers or self._is_added(i):
            return False
        if self._shown[i].isupper():
            return True
        if _begins(self._abstract, i):
            return self._wordnet is not None and not self._is_common(word)
        # "A Republican member" may be of any party, "Brown" and "Young" are names behind others.
        pair = zip(self._words[i : i + 2], "an", strict=False)
        wordnet = self._wordnet
        describes = wordnet and all(wordnet.synset_numbers(*one) for one in pair)
        return not describes or self._shown[i - 1][0].isupper()

    def _is_added(self, i: int) -> bool:
        """Tell whether a common word stands before a name that the document has alone: Mount Etna.

        A first name that the document lacks has no source.
        """
        if self._wordnet is not None and self._wordnet.is_proper_only(self._words[i]):
            return False
        if i + 1 == len(self._words) or not self._shown[i + 1][0].isupper():
            return False
        shown, last = self._document.atoms.shown, self._words[i + 1]
        before = [shown[max(j - 1, 0)][0] for j in self._positions.get(last, ())]
        return last in self._speakers or (bool(before) and not any(map(str.isupper, before)))

    @cached_property
    def _speakers(self) -> set[str]:
        """Return the words of names before a colon where a sentence begins, and beside "writes".

        They say who speaks or writes, which documents may leave to their heads.
        """
        words, shown = self._words, self._shown
        speakers: set[str] = set()
        for start, end in self._abstract.spans:
            head = range(start, min(start + LONGEST_SPEAKER, end))
            small = (i for i in head if shown[i].islower() and self._abstract.content[i])
            beginning = words[start : next(small, head.stop)]
            if ":" in beginning:
                speakers.update(beginning[: beginning.index(":")])
        bylines = [i for i, word in enumerate(words) if word in self._language.byline_words]
        for i, step in product(bylines, (-1, 1)):
            name = takewhile(
                lambda j: shown[j][0].isupper() or words[j] in {"'s", "-"},
                range(i + step, len(words) if step > 0 else -1, step),
            )
            speakers.update(words[j] for j in name)
        return speakers

    def _is_common(self, word: str) -> bool:
        """Tell whether WordNet has a word in another meaning than as a name."""
        return self._wordnet is not None and not self._wordnet.is_proper_only(word)

    # Which names stand in their place

    def replaced(self) -> Iterator[Found]:
        """Give doubtful names that stand among the words around another name of the document."""
        abstract, document = self._words, self._document.atoms.words
        others = _capital_words(self._document) - {*abstract} if self.doubtful else set()
        for i in self.doubtful:
            inside = range(*self._abstract.spans[self._abstract.sentence[i]])
            words = (n for n in inside if n != i and abstract[n].isalpha())
            near = sorted(words, key=lambda n: abs(n - i))[:AROUND]
            same = Counter(j - n + i for n in near for j in self._positions.get(abstract[n], ()))
            places = [j for j in sorted(same) if 0 <= j < len(document) and document[j] in others]
            place = max(places, key=same.__getitem__, default=0)
            # Other words with a capital letter must stand in the same place all the more.
            if places and same[place] >= SAME + (i not in self.unknown):
                yield i, i + 1, place, place + 1

    @cached_property
    def _positions(self) -> Mapping[str, list[int]]:
        """Return where each word of the document stands. Most pairs have no unknown names."""
        positions = defaultdict(list)
        for i, word in enumerate(self._document.atoms.words):
            positions[word].append(i)
        return positions


def _case_tells(side: Side, most: float) -> bool:
    """Tell whether few enough words have a capital letter for it to say something."""
    own = [
        shown[0].isupper()
        for i, shown in enumerate(side.atoms.shown)
        if shown[0].isalpha() and side.content[i] and not _begins(side, i)
    ]
    return sum(own) <= most * len(own)


def _is_inflection(word: str, other: str) -> bool:
    """Tell whether two names differ in their ending only: Chile and Chilean, Iraq and Iraqis.

    Not where the longer one is a name of another kind: Austria and Australia, Niger and Nigeria.
    """
    short, long = sorted((word, other), key=len)
    common = 0
    while common < len(short) and short[common] == long[common]:
        common += 1
    if common < LEAST_STEM or len(short) - common > 1 or len(long) - len(short) > ENDINGS:
        return False
    return long[common:] in NAME_ENDINGS.split() or stem_of[short] == stem_of[long]


def _forms_of(word: str) -> tuple[str, ...]:
    """Return a word without accents, and its stem."""
    plain = "".join(c for c in normalize("NFD", word) if category(c) != "Mn")
    return tuple(filter(None, (plain, stem_of[word])))


_FORMS = Cache(_forms_of)


def _begins(side: Side, i: int) -> bool:
    """Tell whether a word has its capital letter for its place, perhaps."""
    start, _ = side.spans[side.sentence[i]]
    return i == start or side.atoms.words[i - 1] in BEGINNINGS


def _initials(side: Side, capital: bool) -> tuple[str, list[int]]:
    """Return the first letters of words without function words, and the atom of each letter.

    ``capital``  only of words with capital letters; where others stand between, a blank.
    """
    letters, places = "", []
    for i, (word, shown) in enumerate(zip(side.atoms.words, side.atoms.shown, strict=True)):
        is_name = shown[0].isupper()
        if word.isalpha() and (is_name or (side.content[i] and not capital)):
            added = word if "." in shown else word[0]
        else:
            # "Department of Justice": function words do not end a name.
            added = " " if capital and (side.content[i] or not word.isalpha()) else ""
        letters += added
        places += [i] * len(added)
    return letters, places


def _capital_words(side: Side) -> set[str]:
    """Return the words that have a capital letter more often than not, wherever they stand."""
    count: Counter[str] = Counter()
    for i, word in enumerate(side.atoms.words):
        if word[0].isalpha() and side.content[i] and len(word) > 1:
            is_capital = side.atoms.shown[i][0].isupper()
            count[word] += int(is_capital and not _begins(side, i)) if is_capital else -1
    return {word for word, n in count.items() if n > 0}
