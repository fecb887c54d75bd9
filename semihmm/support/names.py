"""Finds names of an abstract that its document lacks, and the names that it has in their place.

A name is a word whose capital letter cannot come from its place. Two names are the same where one
is a short form, the initials or an inflection of the other one, not where they begin alike.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cached_property
from itertools import chain, pairwise, product, takewhile
from unicodedata import category, normalize

import regex

from corpus_tools.languages.language import language
from corpus_tools.texts.capitals import BEGINNINGS
from corpus_tools.texts.forms import Cache
from rewrite_models.wordnet_reader import PARTS_OF_SPEECH, WordNetReader
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

NAME_ENDINGS = "n an ian ns ans ians ese ish i is s es ic er ers in ism ist ists"
"""The endings of inhabitants and adjectives of a place, of beliefs, of plurals and cases."""

SENTENCE_BEGINNINGS = BEGINNINGS | {";"}
"""The words behind which a capital letter says nothing."""

LEAST_STEM = 4
"""So many letters of a name stay the same in its inflections."""

LEAST_CLIPPED = 3
"""So many letters has a beginning that stands for a name, half of them at most: Juve, Ray."""

NAMES, CONTENT_WORDS, WORDS = range(3)
LEAST_INITIALS = (2, 3, 4)
"""So many names, content words or words have initials: of fewer, chance has too many."""

LONGEST_SPEAKER = 9
"""A speaker's name and office have at most so many subtokens."""

Found = tuple[int, int, int, int]
"""Subtokens ``[start, end)`` of the abstract, and of the document, which has these instead."""


class Names:
    """The names of a pair.

    ``doubtful``  the subtokens of the abstract that may be names which the document lacks. They are
                  if the document has another name in their place.
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

        ``taken``  subtokens of the abstract that are read as numbers or dates: they are no names.
        """
        self._wordnet = wordnet
        self._language = language(code)
        self._document, self._abstract = document, abstract
        self._words, self._shown = abstract.words, abstract.shown
        told = (
            not self._language.noun_capitals
            and _case_tells(document, MOST_CAPITALS)
            # Function words keep their small letters in titles.
            and _case_tells(abstract, MOST_OF_ABSTRACT, self._language.function_words)
        )
        named = [i for i in range(len(self._words)) if told and self._may_be_name(i)]
        lacking = [i for i in named if i not in taken and not self._stands(i, _begins(abstract, i))]
        self.doubtful: list[int] = [i for i in lacking if not self._is_known(i)]
        self.unknown: list[int] = [i for i in self.doubtful if self._is_sure(i)]

    def _may_be_name(self, i: int) -> bool:
        """Tell whether a subtoken of the abstract is a word with a capital letter.

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
        document = self._document
        rows = [*zip(map(_FORMS.__getitem__, document.words), document.shown, strict=True)]
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
            or self._is_joined(i)
            or any(_is_inflection(word, other) for other in self._names_of_document)
            or any(_is_clipped(word, other) for other in self._capital_words)
            or self._is_related(word)
        )

    @cached_property
    def _text(self) -> str:
        return f" {' '.join(self._document.words)} "

    def _are_initials(self, i: int) -> bool:
        """Tell whether a word with a capital letter at both ends stands for words of the document.

        It may be a plural, as "NGOs", or have small letters, as "SotA".
        """
        letters = self._shown[i].removesuffix("s").replace(".", "")
        return letters[-1:].isupper() and any(
            len(letters) >= least and letters.lower() in initials
            for least, initials in zip(LEAST_INITIALS, self._initials_of_document, strict=True)
        )

    @cached_property
    def _initials_of_document(self) -> list[str]:
        return [_initials(self._document, kind)[0] for kind in (NAMES, CONTENT_WORDS, WORDS)]

    @cached_property
    def _written_out(self) -> set[int]:
        """Return the subtokens of the abstract whose initials are a word of the document."""
        letters, places = _initials(self._abstract, NAMES)
        rows = zip(self._document.words, self._document.shown, strict=True)
        short = {word for word, shown in rows if shown.isupper() and len(word) > 1}
        found = (run for word in short for run in regex.finditer(regex.escape(word), letters))
        return {places[n] for run in found for n in range(*run.span())}

    @cached_property
    def _names_of_document(self) -> set[str]:
        return {word for word in self._forms[1] if len(word) >= LEAST_STEM}

    @cached_property
    def _capital_words(self) -> set[str]:
        return _capital_words(self._document)

    def _is_joined(self, i: int) -> bool:
        """Tell whether the document has two words as one, or one as two: Sea Hawk, feed-forward."""
        ours = (words for words, places in _joined(self._abstract) if i in places)
        if not all(self._forms[0].isdisjoint(_FORMS[words]) for words in ours):
            return True
        forms = _FORMS[self._words[i]]
        # A stem is the beginning of a word, but for two letters: of most words no form is needed.
        begins = tuple(form[:-2] for form in forms)
        theirs = (one for one in self._joined if one.startswith(begins) or not one.isascii())
        return any(not {*forms}.isdisjoint(_FORMS[words]) for words in theirs)

    @cached_property
    def _joined(self) -> set[str]:
        return {words for words, _ in _joined(self._document)}

    def _is_related(self, word: str) -> bool:
        """Tell whether WordNet derives a name from one of the document, or has both as the same.

        So it is with Dutch and Holland, Islam and Muslim, Mumbai and Bombay.
        """
        if self._wordnet is None:
            return False
        ours, theirs = _senses(self._wordnet, {word}), self._senses_of_document
        return any(not ours[k].isdisjoint(theirs[n]) for k, n in ((0, 0), (0, 1), (1, 0)))

    @cached_property
    def _senses_of_document(self) -> tuple[set[int], set[int]]:
        assert self._wordnet is not None
        # "LA" and "La." are too many names.
        return _senses(self._wordnet, {word for word in self._capital_words if len(word) > 2})

    # Which of them are surely names

    def _is_sure(self, i: int) -> bool:
        """Tell whether a word with a capital letter can be nothing but a name."""
        word = self._words[i]
        if self._stands(i, True) or word in self._speakers or self._is_added(i):
            return False
        if self._shown[i].isupper():
            return True
        if not self._is_common(word):
            return self._wordnet is not None or not _begins(self._abstract, i)
        if _begins(self._abstract, i):
            return False
        before = self._words[i - 1]
        if not self._shown[i - 1][0].isupper():
            return not self._describes(i)
        # "Brown" is a name behind others; terms have capital letters, too: "Deep Search".
        return before in self._capital_words or not self._is_common(before)

    def _describes(self, i: int) -> bool:
        """Tell whether a word may be no name for its part of speech.

        "A Republican member" may be of any party.
        """
        assert self._wordnet is not None
        # A text may end without a stop.
        pair = zip((*self._words[i : i + 2], ""), "an", strict=False)
        return all(self._wordnet.synset_numbers(*one) for one in pair)

    def _is_added(self, i: int) -> bool:
        """Tell whether a common word stands before a name that the document has alone: Mount Etna.

        A first name that the document lacks has no source.
        """
        if self._wordnet is not None and self._wordnet.is_proper_only(self._words[i]):
            return False
        if i + 1 == len(self._words) or not self._shown[i + 1][0].isupper():
            return False
        document, last = self._document, self._words[i + 1]
        before = [max(j - 1, 0) for j in self._positions.get(last, ())]
        named = [document.shown[j][0].isupper() and not _begins(document, j) for j in before]
        return last in self._speakers or (bool(named) and not any(named))

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
        abstract, document = self._words, self._document.words
        others = self._capital_words - {*abstract} if self.doubtful else set()
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
        for i, word in enumerate(self._document.words):
            positions[word].append(i)
        return positions


def _case_tells(side: Side, most: float, passed_over: Set[str] = frozenset()) -> bool:
    """Tell whether few enough words have a capital letter for it to say something."""
    own = [
        shown[0].isupper()
        for i, shown in enumerate(side.shown)
        if shown[0].isalpha() and side.content[i] and not _begins(side, i)
        if side.words[i] not in passed_over
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


def _is_clipped(word: str, other: str) -> bool:
    """Tell whether a name is the beginning of another one."""
    return LEAST_CLIPPED <= len(word) <= len(other) / 2 and other.startswith(word)


def _joined(side: Side) -> Iterator[tuple[str, tuple[int, int]]]:
    """Give each two successive words as one, with their subtokens, without hyphens."""
    words = side.words
    for one in pairwise(i for i, word in enumerate(words) if word != "-"):
        yield words[one[0]] + words[one[1]], one


def _senses(wordnet: WordNetReader, words: Set[str]) -> tuple[set[int], set[int]]:
    """Return the synsets of names, and of what is derived from them, that have a capital letter."""
    pairs = [*product(words, PARTS_OF_SPEECH)]
    own = (number for pair in pairs for number in wordnet.synset_numbers(*pair))
    lemmas = (
        (lemma, part) for word, part in pairs for lemma in wordnet.base_forms(word).get(part, ())
    )
    derived = (number for pair in lemmas for number in wordnet.derived_numbers(*pair))
    return {*filter(wordnet.begins_with_capital, own)}, {
        *filter(wordnet.begins_with_capital, derived)
    }


def _forms_of(word: str) -> tuple[str, ...]:
    """Return a word without accents, and its stem."""
    plain = "".join(c for c in normalize("NFD", word) if category(c) != "Mn")
    return tuple(filter(None, (plain, stem_of[word])))


_FORMS = Cache(_forms_of)


def _begins(side: Side, i: int) -> bool:
    """Tell whether a word has its capital letter for its place, perhaps."""
    start, _ = side.spans[side.sentence[i]]
    return i == start or side.words[i - 1] in SENTENCE_BEGINNINGS


def _initials(side: Side, kind: int) -> tuple[str, list[int]]:
    """Return the first letters of words, and the subtoken of each letter.

    ``kind``  ``NAMES``, with a blank where others stand between, ``CONTENT_WORDS`` or ``WORDS``.
    """
    letters, places = "", []
    for i, (word, shown) in enumerate(zip(side.words, side.shown, strict=True)):
        counts = shown[0].isupper() or kind >= (CONTENT_WORDS if side.content[i] else WORDS)
        if word.isalpha() and counts:
            added = word if "." in shown else word[0]
        else:
            # "Department of Justice": function words do not end a name, nor do hyphens.
            ends = word != "-" and (side.content[i] or not word.isalpha())
            added = " " if kind == NAMES and ends else ""
        letters += added
        places += [i] * len(added)
    return letters, places


def _capital_words(side: Side) -> set[str]:
    """Return the words that have a capital letter more often than not, wherever they stand."""
    count: Counter[str] = Counter()
    for i, word in enumerate(side.words):
        if word[0].isalpha() and side.content[i] and len(word) > 1:
            is_capital = side.shown[i][0].isupper()
            count[word] += int(not _begins(side, i)) if is_capital else -1
    return {word for word, n in count.items() if n > 0}
