"""Reads WordNet's files, wndb(5WN), as NLTK does: base forms, synsets and their pointers.

A pair of texts needs some hundred of 155,000 lemmas, and NLTK's reader takes seconds to parse all
of them. Here a line is parsed only when it is needed: the lines of an index are sorted by lemma,
and contain the offsets of synsets in the data files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from corpus_tools.base.errors import BadResource, described
from corpus_tools.plugins.options import Options
from corpus_tools.texts.lexicons import FilePlace, SortedLines, find_wordnet
from rewrite_models.rewrite_model import resource

WITHOUT_RESOURCE = "none"
"""The value of the settings ``wordnet`` and ``paraphrases`` of a model without them.

For a directory of that name write ``./none``.
"""


@dataclass(frozen=True)
class WordNetDirectory(Options):
    """``wordnet``: WordNet's directory, a setting of every model that reads it.

    ``None``: look for it (``lexicons.find_wordnet``); ``WITHOUT_RESOURCE``: go without it.
    """

    wordnet: str | None = resource(
        f"WordNet's directory, or {WITHOUT_RESOURCE} to do without it (default: search for it)",
        metavar="DIR",
    )


PARTS_OF_SPEECH = "nvar"

FILE_SUFFIXES = ("noun", "verb", "adj", "adv")
"""The suffixes of file names, in the order of ``PARTS_OF_SPEECH``."""

ENDING_RULES = {
    part: [tuple(pair.split(":")) for pair in pairs.split()]
    for part, pairs in (
        ("n", "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y"),
        ("v", "s: ies:y es:e es: ed:e ed: ing:e ing:"),
        ("a", "er: est: er:e est:e"),
        ("r", ""),
    )
}
"""The endings of inflected forms and of their base forms, morphy(7WN)."""
INFLECTED_ENDINGS = tuple({old for pairs in ENDING_RULES.values() for old, _ in pairs})

FILE_INDEX = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
"""The index in ``FILE_SUFFIXES`` of each part of speech. Satellites share the adjectives' file."""

FILE_OFFSET = 10**8
"""More than the largest offset in a data file, which has eight digits.

The number of a synset is ``FILE_OFFSET * index of its file + its offset``.
"""

FIRST_NUMBER = {part.encode(): index * FILE_OFFSET for part, index in FILE_INDEX.items()}
"""The number of a synset at the beginning of the file of each part of speech."""

HYPERNYM_POINTER, INSTANCE_POINTER = b"@", b"@i"
"""The pointers to more general synsets: hypernyms, and the classes of instances, such as people and
places."""

NEAR_POINTER = re.compile(rb" (@i?|[&^$=*>]) (\d{8}) ([nvasr]) 0000(?= )")
"""Pointers of whole synsets that lead one step away, wninput(5WN).

These are hypernyms, and the pointers that adjectives and verbs have instead: similar, see also,
verb group, attribute, entailment, cause; but not antonyms.
"""
DERIVATION_POINTER = re.compile(rb" [+\\] (\d{8}) ([nvasr]) (?!0000)(\w\w)\w\w(?= )")
"""Pointers of words to derivationally related forms, from adverbs to their adjectives, and from
relational adjectives to their nouns."""

LICENCE_BYTES = 1 << 12
"""More bytes than the licence has at the beginning of each file."""

LOOKUP_CACHE_SIZE = 1 << 12
"""The number of lemmas and synsets in each cache. Callers use the same ones repeatedly."""

FORM_CACHE_SIZE = 1 << 10
"""The number of forms in each cache. Callers ask several times in a row about a form."""


class _Steps(NamedTuple):
    """The synsets one step from a synset.

    ``hypernyms``  those that are more general; ``classes``, those that it is an instance of, come
                   last among them.
    """

    near: list[int]
    hypernyms: list[int]
    classes: list[int]


class WordNetReader:
    """The WordNet in a directory or zip file. Threads may share it.

    Synsets are numbered in the order of the files. A damaged line raises ``BadResource`` when it is
    read.

    ``root``   the directory, or the folder in a zip file.
    ``title``  "WordNet" and its version, from its licence.
    """

    def __init__(self, root: FilePlace) -> None:
        self.root = root
        self.base_forms = lru_cache(maxsize=FORM_CACHE_SIZE)(self._base_forms)
        self.is_proper_only = lru_cache(maxsize=FORM_CACHE_SIZE)(self._is_proper_only)
        self._steps = lru_cache(maxsize=LOOKUP_CACHE_SIZE)(self._steps_of)
        self._senses = lru_cache(maxsize=LOOKUP_CACHE_SIZE)(self._senses_of)
        try:
            self._data = [self._read(f"data.{suffix}") for suffix in FILE_SUFFIXES]
            indexes = b"\n".join(self._read(f"index.{suffix}") for suffix in FILE_SUFFIXES)
            exceptions = [
                self._read(f"{suffix}.exc").decode().splitlines() for suffix in FILE_SUFFIXES
            ]
        except Exception as error:  # a damaged archive may raise anything
            raise _damage(root, None, error) from error
        self._index = SortedLines(indexes)
        rows = (filter(None, map(str.split, lines)) for lines in exceptions)
        self._irregular_bases = {
            part: {form: bases for form, *bases in of_part}
            for part, of_part in zip(PARTS_OF_SPEECH, rows, strict=True)
        }
        licence = re.search(rb"WordNet [\d.]+(?= Copyright)", self._data[0][:LICENCE_BYTES])
        self.title = licence.group().decode() if licence else "WordNet"

    def _read(self, name: str) -> bytes:
        return (self.root / name).read_bytes()

    def has_lemma_with(self, beginning: str) -> bool:
        """Tell whether a lemma begins with a text; words of a lemma have "_" between them."""
        return next(self._index.beginning_with(_encoded(beginning)), None) is not None

    def lemmas(self) -> list[str]:
        """List all lemmas, each once."""
        lemmas = (line.split(b" ", 1)[0].decode() for line in self._index.beginning_with(b""))
        # Lines of the licence begin with a blank: their lemma is empty.
        return list(filter(None, dict.fromkeys(lemmas)))

    def _senses_of(self, lemma: str) -> dict[str, list[int]]:
        """Return the synsets of a lemma by part of speech, the most frequent ones first."""
        lines = self._index.beginning_with(_encoded(lemma) + b" ") if lemma else ()
        return dict(map(self._index_line, lines))

    def _index_line(self, line: bytes) -> tuple[str, list[int]]:
        """Return the part of speech of a line of an index, and its synsets."""
        try:
            _, part, size, pointers, *rest = line.decode().split()
            senses, _, *offsets = rest[int(pointers) :]
            if not int(senses) == int(size) == len(offsets) > 0:
                raise ValueError("the line does not have its number of senses")
            return part, [FILE_INDEX[part] * FILE_OFFSET + int(offset) for offset in offsets]
        except (LookupError, ValueError) as error:
            names = [f"index.{suffix}" for suffix in FILE_SUFFIXES]
            files = ((name, self._read(name).splitlines()) for name in names)
            name, number = next((name, rows.index(line)) for name, rows in files if line in rows)
            raise _damage(self.root / name, number + 1, error) from error

    def _line(self, number: int) -> bytes:
        """Return the line of a synset up to the bar before its gloss."""
        file, offset = divmod(number, FILE_OFFSET)
        content = self._data[file]
        line = content[offset : content.find(b"|", offset)]
        if line.startswith(b"%08d" % offset):
            return line
        path = self.root / f"data.{FILE_SUFFIXES[file]}"
        missing = ValueError(f"there is no synset at offset {offset}")
        raise _damage(path, content.count(b"\n", 0, offset) + 1, missing)

    def name(self, number: int) -> str:
        """Return the name of a synset, its offset and part of speech, as in "02084071-n"."""
        offset, _, part, _ = self._line(number).decode().split(maxsplit=3)
        return f"{offset}-{part}"

    def begins_with_capital(self, number: int) -> bool:
        """Tell whether the first word of a synset has a capital letter, as names have."""
        return self._line(number).split(maxsplit=5)[4][:1].isupper()

    def _steps_of(self, number: int) -> _Steps:
        """Return the synsets to which the ``NEAR_POINTER``s of a synset lead."""
        steps = _Steps([], [], [])
        for symbol, offset, part in NEAR_POINTER.findall(self._line(number)):
            target = FIRST_NUMBER[part] + int(offset)
            steps.near.append(target)
            if symbol == HYPERNYM_POINTER:
                steps.hypernyms.append(target)
            elif symbol == INSTANCE_POINTER:
                steps.classes.append(target)
        # As in the file: instance hypernyms come last.
        steps.hypernyms.extend(steps.classes)
        return steps

    def near(self, number: int) -> list[int]:
        """Return the synsets one step from a synset."""
        return self._steps(number).near

    def hypernyms(self, number: int) -> list[int]:
        """Return the hypernyms of a synset, then the instance hypernyms, as in the file."""
        return self._steps(number).hypernyms

    def synset_numbers(self, form: str, part: str) -> list[int]:
        """Return the numbers of the synsets of a form, the most frequent of each lemma first."""
        lemmas = self.base_forms(form.lower()).get(part, ())
        return [number for lemma in lemmas for number in self._senses(lemma)[part]]

    def derived_numbers(self, lemma: str, part: str) -> list[int]:
        """Return the synsets of words that are derivationally related to a lemma."""
        derived = []
        for line in map(self._line, self._senses(lemma).get(part, ())):
            if places := DERIVATION_POINTER.findall(line):
                # A word has two fields, itself and its number; the first word is field five. No
                # pointer leads to the fields behind the words.
                words = [word.partition("(")[0] for word in line.decode().lower().split()[4::2]]
                derived += [
                    FIRST_NUMBER[part] + int(offset)
                    for offset, part, word in places
                    if words[int(word, 16) - 1] == lemma
                ]
        return derived

    def _base_forms(self, form: str) -> dict[str, list[str]]:
        """Return the lemmas of a form by part of speech; the form itself first, if it is one.

        Parts of speech without a lemma are left out.
        """
        own = self._senses(form)
        is_inflected = form.endswith(INFLECTED_ENDINGS)
        found = {}
        for part, irregular in self._irregular_bases.items():
            bases = irregular.get(form)
            if bases is None:
                pairs = ENDING_RULES[part] if is_inflected else ()
                bases = [form.removesuffix(old) + new for old, new in pairs if form.endswith(old)]
            lemmas = [form] if part in own else []
            others = (lemma for lemma in dict.fromkeys(bases) if lemma != form)
            lemmas += [lemma for lemma in others if part in self._senses(lemma)]
            if lemmas:
                found[part] = lemmas
        return found

    def _is_proper_only(self, form: str) -> bool:
        """Tell whether a form has no sense but instances, such as people and places."""
        return all(
            self._steps(number).classes
            for part in self.base_forms(form.lower())
            for number in self.synset_numbers(form, part)
        )


def _encoded(lemma: str) -> bytes:
    return lemma.replace(" ", "_").encode(errors="surrogatepass")


def _damage(file: object, line: int | None, error: Exception) -> BadResource:
    """Return the error for a damaged file, or one of its lines, counted from 1."""
    problem = f"this WordNet is damaged: {described(error)}"
    return BadResource(f"{problem}; install it again, or go without it", str(file), line)


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet that ``find_wordnet`` finds.

    Raises the errors of ``find_wordnet``, and ``BadResource`` if its files cannot be read.
    """
    return WordNetReader(find_wordnet(path))


shared_wordnet = lru_cache(maxsize=1)(open_wordnet)
"""``open_wordnet``, which opens a WordNet once and returns the same reader for the same path."""
