"""Opens WordNet, and finds base forms, synsets and what these point to, as NLTK's reader does.

NLTK's reader parses all of WordNet's indexes at the start, and makes objects of everything that a
synset has, glosses and verb frames too. That takes seconds; here a line is parsed when its lemma or
synset is looked up: a pair of texts needs some hundred of 155,000 lemmas, a corpus of a thousand
short pairs some twenty thousand synsets. The files are those of wndb(5WN).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from corpus_tools.base.errors import BadResource, described
from corpus_tools.plugins.options import Options, option
from corpus_tools.texts.lexicons import find_wordnet

if TYPE_CHECKING:
    from nltk.data import PathPointer

WITHOUT = "none"
"""The value of the settings ``wordnet`` and ``paraphrases`` that goes without them.

``./none`` is a directory.
"""


@dataclass(frozen=True)
class WordNetDirectory(Options):
    """``wordnet``: WordNet's directory, a setting of every model that reads it.

    ``None``: look for it (``lexicons.find_wordnet``); ``WITHOUT``: go without it.
    """

    wordnet: str | None = option(
        None,
        f"WordNet's directory, or {WITHOUT} to do without it (default: search for it)",
        metavar="DIR",
        kind=str,
        is_path=True,
        after_training=True,
        on_resume=True,
    )


SUFFIXES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""What the names of files end in, by part of speech."""

PARTS = "nvar"
FILE_OF = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
"""The index in ``PARTS`` of each part of speech. Satellites share the adjectives' file."""
FILE_SIZE = 10**8
"""More bytes than a data file has: offsets have eight digits.

The number of a synset is its offset in its file, after so many for each file before.
"""

HYPERNYMS = ("@", "@i")
NEAR = frozenset((*HYPERNYMS, "&", "^", "$", "=", "*", ">"))
"""Pointers that lead one step away, wninput(5WN).

Beside hypernyms, what adjectives and verbs have instead: similar, see also, verb group, attribute,
entailment, cause. Never antonyms.
"""
DERIVATIONS = ("+", "\\")
"""Pointers to derivationally related forms, wninput(5WN), and from adverbs to their adjectives."""

INSTANCE = "@i"
"""The pointer from people and places to what they are."""

WHOLE_SYNSET = "0000"
"""Source and target of a pointer that holds for all words of both synsets."""

ENDINGS = {
    "n": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "a": "er: est: er:e est:e",
    "r": "",
}
"""Endings of inflected forms with those of their base forms, morphy(7WN)."""

REPLACED = {
    part: [tuple(pair.split(":")) for pair in pairs.split()] for part, pairs in ENDINGS.items()
}
INFLECTED = {part: tuple(old for old, _ in pairs) for part, pairs in REPLACED.items()}

FIRST = {part: file * FILE_SIZE for part, file in FILE_OF.items()}
"""Where the numbers of each part of speech begin."""

KNOWN = 1 << 12
"""How many forms and lemmas are kept. One is asked for several times, one after the other."""

KNOWN_SYNSETS = 1 << 15
"""How many synsets are kept: those that 15,000 words of news lead to. Each takes 0.5 kB."""

LICENCE = 1 << 12
"""More characters than the licence has, with which each file begins."""


class Synset(NamedTuple):
    """What the line of a synset says. Other synsets stand by their numbers.

    ``name``         its offset and part of speech, as in "02084071-n".
    ``near``         where the pointers ``NEAR`` of the whole synset lead.
    ``hypernyms``    the hypernyms among these, then the instance hypernyms, as the file has them.
    ``derivations``  where the ``DERIVATIONS`` lead, for each word in lower case that has any.
    """

    name: str
    near: tuple[int, ...]
    hypernyms: tuple[int, ...]
    derivations: Mapping[str, list[int]]


class WordNetReader:
    """The WordNet in a directory or zip file. Threads may share it.

    A damaged file raises ``BadResource`` where it is read.

    ``root``   where the files are.
    ``title``  "WordNet" and its version, as its licence says.
    """

    def __init__(self, root: PathPointer) -> None:
        self.root = root
        self.base_forms = lru_cache(maxsize=KNOWN)(self._base_forms)
        self.synset = lru_cache(maxsize=KNOWN_SYNSETS)(self._synset)
        self.only_names = lru_cache(maxsize=KNOWN)(self._only_names)
        self._synsets_of = lru_cache(maxsize=KNOWN)(self._looked_up)
        self._file = cache(self._content)
        with self._naming_damage("an index or a list of exceptions"):
            texts = [self._content(f"index.{suffix}").decode() for suffix in SUFFIXES.values()]
            self._exceptions = {part: self._bases(suffix) for part, suffix in SUFFIXES.items()}
        # WordNet's own files are sorted already, which makes this quick.
        self._lines = sorted("\n".join(texts).split("\n"))
        licence = re.search(r"WordNet [\d.]+(?= Copyright)", texts[0][:LICENCE])
        self.title = licence.group() if licence else "WordNet"

    def _content(self, name: str) -> bytes:
        with self.root.join(name).open() as file:
            content: bytes = file.read()
        return content

    def _bases(self, suffix: str) -> dict[str, list[str]]:
        """Return the base forms of irregular forms."""
        rows = map(str.split, self._content(f"{suffix}.exc").decode().splitlines())
        return {form: bases for form, *bases in filter(None, rows)}

    @contextmanager
    def _naming_damage(self, place: str) -> Iterator[None]:
        """Turn what a damaged file raises into ``BadResource``: almost any of Python's errors."""
        try:
            yield
        except MemoryError:
            raise
        except Exception as error:
            problem = f"this WordNet is damaged, in {place}: {described(error)}"
            advice = "install it again, or go without it"
            raise BadResource(f"{problem}; {advice}", str(self.root)) from error

    def has_lemma_with(self, beginning: str) -> bool:
        """Tell whether a lemma begins so; words of a lemma have "_" between them."""
        return self._begins(bisect_left(self._lines, beginning), beginning)

    def _begins(self, number: int, beginning: str) -> bool:
        return number < len(self._lines) and self._lines[number].startswith(beginning)

    def lemmas(self) -> list[str]:
        """List all lemmas, each once."""
        lines = (line for line in self._lines if line[:1].strip())
        return list(dict.fromkeys(line.partition(" ")[0] for line in lines))

    def synset_numbers(self, form: str, part: str) -> list[int]:
        """Return the numbers of the synsets of a form, the most frequent of each lemma first."""
        lemmas = self.base_forms(form.lower(), part)
        return [number for lemma in lemmas for number in self._synsets_of(lemma)[part]]

    def _base_forms(self, form: str, part: str) -> list[str]:
        """Return the lemmas of a form of a part of speech, first the form itself if it is one."""
        bases = self._exceptions[part].get(form)
        if bases is None:
            bases = []
            if form.endswith(INFLECTED[part]):
                pairs = REPLACED[part]
                bases = [form.removesuffix(old) + new for old, new in pairs if form.endswith(old)]
        return [lemma for lemma in dict.fromkeys((form, *bases)) if part in self._synsets_of(lemma)]

    def _looked_up(self, lemma: str) -> dict[str, list[int]]:
        """Return the synsets of a lemma, if it is one, by part of speech."""
        start = f"{lemma} "
        number = bisect_left(self._lines, start)
        synsets = {}
        # Lines of the licence begin with a blank. No lemma does, and none is empty.
        while lemma.strip() and self._begins(number, start):
            line = self._lines[number]
            with self._naming_damage(f"the line {line!r} of an index"):
                _, part, size, pointers, *rest = line.split()
                senses, _, *offsets = rest[int(pointers) :]
                if not int(senses) == int(size) == len(offsets) > 0:
                    raise ValueError("the line does not have its number of senses")
                synsets[part] = [FILE_OF[part] * FILE_SIZE + int(offset) for offset in offsets]
            number += 1
        return synsets

    def _only_names(self, form: str) -> bool:
        """Tell whether all senses of a form are instances, or it has none: people and places."""
        numbers = (number for part in PARTS for number in self.synset_numbers(form, part))
        return all(map(self._is_instance, numbers))

    def _is_instance(self, number: int) -> bool:
        with self._naming_damage(_place(number)):
            return any(symbol == INSTANCE for symbol, *_ in _pointers(self._line(number)))

    def _synset(self, number: int) -> Synset:
        """Return the synset of a number."""
        with self._naming_damage(_place(number)):
            return _parsed(self._line(number))

    def _line(self, number: int) -> list[str]:
        """Return the fields of the line of a synset."""
        file, offset = divmod(number, FILE_SIZE)
        content = self._file(f"data.{SUFFIXES[PARTS[file]]}")
        # The gloss stands after the bar.
        line = content[offset : content.index(b"|", offset)].decode()
        if not line.startswith(f"{offset:08d} "):
            raise ValueError("there is no synset")
        return line.split()


def _place(number: int) -> str:
    file, offset = divmod(number, FILE_SIZE)
    return f"data.{SUFFIXES[PARTS[file]]} at offset {offset}"


def _without_marker(word: str) -> str:
    return word.partition("(")[0].lower()


def _end_of_words(fields: Sequence[str]) -> int:
    """Return which field follows the words of a synset."""
    return 4 + 2 * int(fields[3], 16)


def _pointers(fields: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """Return the pointers of a synset. Raises ``ValueError`` if there are fewer than it says."""
    first = _end_of_words(fields) + 1
    end = first + 4 * int(fields[first - 1])
    if len(fields) < end:
        raise ValueError("the line does not have its number of pointers")
    # One iterator four times: a row has four fields, one after the other.
    return list(zip(*[iter(fields[first:end])] * 4, strict=True))


def _parsed(fields: Sequence[str]) -> Synset:
    near: list[int] = []
    hypernyms: list[int] = []
    instances: list[int] = []
    derivations: dict[str, list[int]] = {}
    for symbol, target, of, ends in _pointers(fields):
        if symbol in NEAR and ends == WHOLE_SYNSET:
            near.append(FIRST[of] + int(target))
            if symbol in HYPERNYMS:
                (instances if symbol == INSTANCE else hypernyms).append(near[-1])
        elif symbol in DERIVATIONS and ends != WHOLE_SYNSET:
            word = _without_marker(fields[2 + 2 * int(ends[:2], 16)])
            derivations.setdefault(word, []).append(FIRST[of] + int(target))
    name = f"{fields[0]}-{fields[2]}"
    return Synset(name, tuple(near), (*hypernyms, *instances), derivations or NONE_DERIVED)


NONE_DERIVED: Mapping[str, list[int]] = {}
"""Stands for the derivations of all synsets without any: most have none."""


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet that ``find_wordnet`` finds.

    Raises the errors of ``find_wordnet``, and ``BadResource`` if its files cannot be read.
    """
    return WordNetReader(find_wordnet(path))


shared_wordnet = lru_cache(maxsize=1)(open_wordnet)
"""The same, opened once."""
