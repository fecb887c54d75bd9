"""Reads WordNet's files, wndb(5WN): base forms, synsets and what these point to, as NLTK does.

A pair of texts needs some hundred of 155,000 lemmas, and NLTK's reader takes seconds to parse all
of them. Here a line is parsed when it is asked for: those of the indexes are sorted by lemma, and
indexes name a synset by its offset in its file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from corpus_tools.base.errors import BadResource, described
from corpus_tools.plugins.options import Options
from corpus_tools.texts.lexicons import Place, SortedLines, find_wordnet
from rewrite_models.rewrite_model import resource

WITHOUT = "none"
"""The value of the settings ``wordnet`` and ``paraphrases`` that goes without them.

``./none`` is a directory.
"""


@dataclass(frozen=True)
class WordNetDirectory(Options):
    """``wordnet``: WordNet's directory, a setting of every model that reads it.

    ``None``: look for it (``lexicons.find_wordnet``); ``WITHOUT``: go without it.
    """

    wordnet: str | None = resource(
        f"WordNet's directory, or {WITHOUT} to do without it (default: search for it)",
        metavar="DIR",
    )


PARTS = "nvar"

SUFFIXES = ("noun", "verb", "adj", "adv")
"""What the names of files end in, in the order of ``PARTS``."""

ENDINGS = {
    part: [tuple(pair.split(":")) for pair in pairs.split()]
    for part, pairs in (
        ("n", "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y"),
        ("v", "s: ies:y es:e es: ed:e ed: ing:e ing:"),
        ("a", "er: est: er:e est:e"),
        ("r", ""),
    )
}
"""Endings of inflected forms with those of their base forms, morphy(7WN)."""
INFLECTED = tuple({old for pairs in ENDINGS.values() for old, _ in pairs})

FILE_OF = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
"""The index in ``SUFFIXES`` of each part of speech. Satellites share the adjectives' file."""

FILE_SIZE = 10**8
"""More bytes than a data file has: offsets have eight digits.

The number of a synset is its offset in its file, after so many for each file before.
"""

INSTANCE = b"@i"
HYPERNYMS = (b"@", INSTANCE)
"""The pointers to more general synsets, and from people and places to what they are."""

NEAR = re.compile(rb" (@i?|[&^$=*>]) (\d{8}) ([nvasr]) 0000(?= )")
"""Pointers of whole synsets that lead one step away, wninput(5WN).

Beside hypernyms, what adjectives and verbs have instead: similar, see also, verb group, attribute,
entailment, cause. Never antonyms.
"""
DERIVATIONS = re.compile(rb" [+\\] (\d{8}) ([nvasr]) (?!0000)(\w\w)\w\w(?= )")
"""Pointers of words to derivationally related forms, and from adverbs to their adjectives."""

LICENCE = 1 << 12
"""More bytes than the licence has, with which each file begins."""

KNOWN = 1 << 12
"""How many forms, lemmas and synsets are kept. One is asked for several times in a row."""


class WordNetReader:
    """The WordNet in a directory or zip file. Threads may share it.

    A synset has a number; the order of the numbers is that of the files. A damaged line raises
    ``BadResource`` when it is asked for.

    ``root``   where the files are.
    ``title``  "WordNet" and its version, as its licence says.
    """

    def __init__(self, root: Place) -> None:
        self.root = root
        self.base_forms = lru_cache(maxsize=KNOWN)(self._base_forms)
        self.only_names = lru_cache(maxsize=KNOWN)(self._only_names)
        self._pointers = lru_cache(maxsize=KNOWN)(self._pointers_of)
        self._senses = lru_cache(maxsize=KNOWN)(self._looked_up)
        try:
            self._data = [self._read(f"data.{suffix}") for suffix in SUFFIXES]
            indexes = b"\n".join(self._read(f"index.{suffix}") for suffix in SUFFIXES)
            exceptions = [self._read(f"{suffix}.exc").decode().splitlines() for suffix in SUFFIXES]
        except Exception as error:  # a damaged archive may raise anything
            raise _damage(root, None, error) from error
        self._index = SortedLines(indexes)
        rows = (filter(None, map(str.split, lines)) for lines in exceptions)
        self._bases = [{form: bases for form, *bases in of_part} for of_part in rows]
        licence = re.search(rb"WordNet [\d.]+(?= Copyright)", self._data[0][:LICENCE])
        self.title = licence.group().decode() if licence else "WordNet"

    def _read(self, name: str) -> bytes:
        return (self.root / name).read_bytes()

    def has_lemma_with(self, beginning: str) -> bool:
        """Tell whether a lemma begins so; words of a lemma have "_" between them."""
        return next(self._index.beginning_with(_encoded(beginning)), None) is not None

    def lemmas(self) -> list[str]:
        """List all lemmas, each once."""
        lemmas = (line.split(b" ", 1)[0].decode() for line in self._index.beginning_with(b""))
        # Lines of the licence begin with a blank.
        return list(filter(None, dict.fromkeys(lemmas)))

    def _looked_up(self, lemma: str) -> dict[str, list[int]]:
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
            return part, [FILE_OF[part] * FILE_SIZE + int(offset) for offset in offsets]
        except (LookupError, ValueError) as error:
            names = [f"index.{suffix}" for suffix in SUFFIXES]
            files = ((name, self._read(name).splitlines()) for name in names)
            name, number = next((name, rows.index(line)) for name, rows in files if line in rows)
            raise _damage(self.root / name, number + 1, error) from error

    def _line(self, number: int) -> bytes:
        """Return the line of a synset up to its gloss, which stands after a bar."""
        file, offset = divmod(number, FILE_SIZE)
        content = self._data[file]
        line = content[offset : content.find(b"|", offset)]
        if line.startswith(b"%08d" % offset):
            return line
        path = self.root / f"data.{SUFFIXES[file]}"
        missing = ValueError(f"there is no synset at offset {offset}")
        raise _damage(path, content.count(b"\n", 0, offset) + 1, missing)

    def name(self, number: int) -> str:
        """Return the name of a synset, its offset and part of speech, as in "02084071-n"."""
        offset, _, part, _ = self._line(number).decode().split(maxsplit=3)
        return f"{offset}-{part}"

    def _pointers_of(self, number: int) -> list[tuple[bytes, int]]:
        """Return the pointers ``NEAR`` of a synset: the symbol of each, and where it leads."""
        pointers = NEAR.findall(self._line(number))
        return [(symbol, _number(*place)) for symbol, *place in pointers]

    def near(self, number: int) -> list[int]:
        """Return the synsets one step from a synset."""
        return [target for _, target in self._pointers(number)]

    def hypernyms(self, number: int) -> list[int]:
        """Return the hypernyms among these, then the instance hypernyms, as in the file."""
        pointers = self._pointers(number)
        return [target for kind in HYPERNYMS for symbol, target in pointers if symbol == kind]

    def synset_numbers(self, form: str, part: str) -> list[int]:
        """Return the numbers of the synsets of a form, the most frequent of each lemma first."""
        lemmas = self.base_forms(form.lower(), part)
        return [number for lemma in lemmas for number in self._senses(lemma)[part]]

    def derived_numbers(self, lemma: str, part: str) -> list[int]:
        """Return the numbers of the synsets of what is derived from a lemma, and it from."""
        derived = []
        for line in map(self._line, self._senses(lemma).get(part, ())):
            if places := DERIVATIONS.findall(line):
                # Each word has two fields, the first one is the fifth of the line.
                words = [word.partition("(")[0] for word in line.decode().lower().split()[4::2]]
                derived += [place for place in places if words[int(place[2], 16) - 1] == lemma]
        return [_number(*place) for *place, _ in derived]

    def _base_forms(self, form: str, part: str) -> list[str]:
        """Return the lemmas of a form of a part of speech, first the form itself if it is one."""
        bases = self._bases[FILE_OF[part]].get(form)
        if bases is None:
            pairs = ENDINGS[part] if form.endswith(INFLECTED) else ()
            bases = [form.removesuffix(old) + new for old, new in pairs if form.endswith(old)]
        return [lemma for lemma in dict.fromkeys((form, *bases)) if part in self._senses(lemma)]

    def _only_names(self, form: str) -> bool:
        """Tell whether all senses of a form are instances, or it has none: people and places."""
        numbers = (number for part in PARTS for number in self.synset_numbers(form, part))
        pointers = ([symbol for symbol, _ in self._pointers(number)] for number in numbers)
        return all(INSTANCE in symbols for symbols in pointers)


def _encoded(lemma: str) -> bytes:
    return lemma.replace(" ", "_").encode(errors="surrogatepass")


def _damage(file: object, line: int | None, error: Exception) -> BadResource:
    """Return the error for a damaged file, or one of its lines, counted from 1."""
    problem = f"this WordNet is damaged: {described(error)}"
    return BadResource(f"{problem}; install it again, or go without it", str(file), line)


def _number(offset: bytes, part: bytes) -> int:
    return FILE_OF[part.decode()] * FILE_SIZE + int(offset)


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet that ``find_wordnet`` finds.

    Raises the errors of ``find_wordnet``, and ``BadResource`` if its files cannot be read.
    """
    return WordNetReader(find_wordnet(path))


shared_wordnet = lru_cache(maxsize=1)(open_wordnet)
"""The same, opened once."""
