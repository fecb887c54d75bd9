"""Opens WordNet, and finds base forms and synsets as NLTK's reader does.

NLTK's reader parses all of WordNet's indexes at the start, and makes objects of everything that a
synset has. That takes seconds; here it takes what the looked up words need.

The index files (wndb(5WN)) list the synsets of each lemma. A line is parsed when its lemma is
looked up: a pair of texts needs some hundred of 155,000.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.errors import BadResource, SemiHmmError
from corpus_tools.texts.nltk_package import find_wordnet
from rewrite_models.wordnet_access.synset_pointers import SynsetPointers, synset_number

if TYPE_CHECKING:
    from nltk.data import PathPointer

Synsets = dict[str, list[int]]
"""Offsets of synsets by part of speech."""


class Index:
    """The synsets of each lemma. ``root`` is where the files are, for error messages."""

    def __init__(self, texts: Iterable[str], root: str) -> None:
        # WordNet's own files are sorted already, which makes this quick.
        self._lines = sorted(line for text in texts for line in text.split("\n"))
        self._root = root
        self._known: dict[str, Synsets] = {}

    def __getitem__(self, lemma: str) -> Synsets:
        """Return the synsets of a lemma, if there are any. Raises ``BadResource``."""
        synsets = self._known.get(lemma)
        if synsets is None:
            synsets = dict(map(self._parsed, self._lines_of(lemma)))
            if synsets:
                self._known[lemma] = synsets
        return synsets

    def _lines_of(self, lemma: str) -> Iterator[str]:
        """Yield the lines of a lemma, one for each of its parts of speech."""
        start = f"{lemma} "
        number = bisect_left(self._lines, start)
        # Lines of the licence begin with a blank. No lemma does, and none is empty.
        while start[0] != " " and self._begins(number, start):
            yield self._lines[number]
            number += 1

    def _begins(self, number: int, start: str) -> bool:
        return number < len(self._lines) and self._lines[number].startswith(start)

    def has_lemma_with(self, beginning: str) -> bool:
        """Tell whether a lemma begins so; words of a lemma have "_" between them."""
        return self._begins(bisect_left(self._lines, beginning), beginning)

    def lemmas(self) -> list[str]:
        """List all lemmas, each once."""
        lines = (line for line in self._lines if line[:1].strip())
        return list(dict.fromkeys(line.partition(" ")[0] for line in lines))

    def _parsed(self, line: str) -> tuple[str, list[int]]:
        """Return part of speech and offsets. Raises ``BadResource``."""
        try:
            _, part, synsets, pointers, *rest = line.split()
            senses, _, *offsets = rest[int(pointers) :]
            if not int(senses) == int(synsets) == len(offsets) > 0:
                raise ValueError("the numbers of synsets, senses and offsets differ")
            return part, [int(offset) for offset in offsets]
        except ValueError as error:
            problem = "the WordNet in this directory has an index file with a broken line"
            message = f"{problem}, {line!r}: {error}; install it again"
            raise BadResource(message, Path(self._root)) from error


SUFFIXES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""What the names of files end in, by part of speech."""

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

KNOWN_FORMS = 1 << 12
"""How many forms keep their lemmas. A form is asked for several times, one after the other."""

LICENCE = 1 << 12
"""More characters than the licence has, with which each file begins."""


class WordNetReader:
    """The WordNet in a directory or zip file. Threads may share it.

    ``title``     "WordNet" and its version, as its licence says.
    ``index``     the synsets of lemmas.
    ``pointers``  where synsets point to.
    """

    def __init__(self, root: PathPointer) -> None:
        self.root = root
        texts = [self._content(f"index.{suffix}").decode() for suffix in SUFFIXES.values()]
        licence = re.search(r"WordNet [\d.]+(?= Copyright)", texts[0][:LICENCE])
        self.title = licence.group() if licence else "WordNet"
        self.index = Index(texts, str(root))
        self.pointers = SynsetPointers(self._content)
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        for part, suffix in SUFFIXES.items():
            rows = map(str.split, self._content(f"{suffix}.exc").decode().splitlines())
            self._exceptions[part] = {form: bases for form, *bases in filter(None, rows)}

    def _content(self, name: str) -> bytes:
        with self.root.join(name).open() as file:
            content: bytes = file.read()
        return content

    @cached_property
    def base_forms(self) -> Callable[[str, str], list[str]]:
        """Return the lemmas of a form of a part of speech, first the form itself if it is one."""
        return lru_cache(maxsize=KNOWN_FORMS)(self._base_forms)

    def _base_forms(self, form: str, part: str) -> list[str]:
        bases = self._exceptions[part].get(form)
        if bases is None:
            bases = [
                form.removesuffix(old) + new for old, new in REPLACED[part] if form.endswith(old)
            ]
        candidates = dict.fromkeys((form, *bases))
        return [lemma for lemma in candidates if part in self.index[lemma]]

    def synset_numbers(self, form: str, part: str) -> list[int]:
        """Return the numbers of the synsets of a form, the most frequent of each lemma first."""
        return [
            synset_number(part, offset)
            for lemma in self.base_forms(form.lower(), part)
            for offset in self.index[lemma][part]
        ]


@contextmanager
def damage_named(root: object) -> Iterator[None]:
    """Turn what is raised for damaged files of the WordNet at ``root`` into ``BadResource``.

    NLTK checks little: a broken line may end in almost any of Python's own exceptions.
    """
    try:
        yield
    except (SemiHmmError, MemoryError):
        raise
    except Exception as error:
        problem = f"this WordNet is damaged: {type(error).__name__}: {error}"
        raise BadResource(f"{problem}; install it again, or go without it", str(root)) from error


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet that ``find_wordnet`` finds.

    Raises the errors of ``find_wordnet``, and ``BadResource`` if its files cannot be read.
    """
    root = find_wordnet(path)
    with damage_named(root):
        return WordNetReader(root)


shared_wordnet = lru_cache(maxsize=1)(open_wordnet)
"""The same, opened once."""
