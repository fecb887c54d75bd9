"""Opens WordNet, and finds base forms, synsets and what these point to, as NLTK's reader does.

A pair of texts needs some hundred of 155,000 lemmas, a corpus of a thousand short pairs some twenty
thousand synsets: what is looked up is taken from arrays (``rewrite_models.wordnet_tables``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from corpus_tools.plugins.options import Options, option
from corpus_tools.texts.lexicons import find_wordnet
from rewrite_models.wordnet_tables import (
    END,
    KEY_BYTES,
    SUFFIXES,
    Rows,
    key_of,
    naming_damage,
    tables_of,
)

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


PARTS = "nvar"

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

KNOWN = 1 << 12
"""How many forms and lemmas are kept. One is asked for several times, one after the other."""

LICENCE = 1 << 12
"""More bytes than the licence has, with which each file begins."""


class _Rows:
    """Rows of numbers (``wordnet_tables.Rows``). ``memoryview`` is NumPy's quickest for one row."""

    def __init__(self, rows: Rows) -> None:
        self._begins, self._values = rows.begins.data, rows.values.data

    def __getitem__(self, row: int) -> list[int]:
        return self._values[self._begins[row] : self._begins[row + 1]].tolist()


class WordNetReader:
    """The WordNet in a directory or zip file. Threads may share it.

    Synsets are numbered in the order of the files. A damaged file raises ``BadResource``.

    ``root``       where the files are.
    ``title``      "WordNet" and its version, as its licence says.
    ``near``       the synsets one step from a synset: a list of their numbers.
    ``hypernyms``  the hypernyms among these, then the instance hypernyms, as the file has them.
    """

    def __init__(self, root: PathPointer) -> None:
        self.root = root
        self.base_forms = lru_cache(maxsize=KNOWN)(self._base_forms)
        self.only_names = lru_cache(maxsize=KNOWN)(self._only_names)
        self._lines_of = lru_cache(maxsize=KNOWN)(self._looked_up)
        tables = tables_of(root)
        self._text = tables.text.data
        self._starts, self._keys = tables.starts.data, tables.keys.data
        self._parts = tables.parts.tobytes().decode()
        self._names, self._instances = tables.names, tables.instances
        self._senses, self._derived = _Rows(tables.senses), _Rows(tables.derived)
        self.near, self.hypernyms = _Rows(tables.near), _Rows(tables.hypernyms)
        with naming_damage(root):
            self._exceptions = {part: self._bases(suffix) for part, suffix in SUFFIXES.items()}
            licence = re.search(rb"WordNet [\d.]+(?= Copyright)", self._read("index.noun", LICENCE))
        self.title = licence.group().decode() if licence else "WordNet"

    def _read(self, name: str, size: int = -1) -> bytes:
        with self.root.join(name).open() as file:
            content: bytes = file.read(size)
        return content

    def _bases(self, suffix: str) -> dict[str, list[str]]:
        """Return the base forms of irregular forms."""
        rows = map(str.split, self._read(f"{suffix}.exc").decode().splitlines())
        return {form: bases for form, *bases in filter(None, rows)}

    def has_lemma_with(self, beginning: str) -> bool:
        """Tell whether a lemma begins so; words of a lemma have "_" between them."""
        wanted = beginning.encode(errors="surrogatepass")
        start = self._starts[self._first_line(wanted)]
        return bool(self._text[start : start + len(wanted)] == wanted)

    def _first_line(self, beginning: bytes) -> int:
        """Return the number of the first line of the indexes that does not come before this."""
        key = key_of(beginning)
        line = bisect_left(self._keys, key)
        more = len(beginning) > KEY_BYTES and line < len(self._keys)
        if more and self._keys[line] == key:
            end = bisect_left(self._keys, key + 1, line)
            line = bisect_left(range(end), beginning, line, key=self._lemma)
        return line

    def _lemma(self, line: int) -> bytes:
        return bytes(self._text[self._starts[line] : self._starts[line + 1] - len(END)])

    def lemmas(self) -> list[str]:
        """List all lemmas, each once."""
        lemmas = bytes(self._text).split(END)[:-1]
        return [lemma.decode() for lemma in dict.fromkeys(lemmas)]

    def synset_numbers(self, form: str, part: str) -> list[int]:
        """Return the numbers of the synsets of a form, the most frequent of each lemma first."""
        lemmas = self.base_forms(form.lower(), part)
        return [number for lemma in lemmas for number in self._senses[self._lines_of(lemma)[part]]]

    def derived_numbers(self, lemma: str, part: str) -> list[int]:
        """Return the numbers of the synsets of what is derived from a lemma, and it from."""
        line = self._lines_of(lemma).get(part)
        return [] if line is None else self._derived[line]

    def _base_forms(self, form: str, part: str) -> list[str]:
        """Return the lemmas of a form of a part of speech, first the form itself if it is one."""
        bases = self._exceptions[part].get(form)
        if bases is None:
            bases = []
            if form.endswith(INFLECTED[part]):
                pairs = REPLACED[part]
                bases = [form.removesuffix(old) + new for old, new in pairs if form.endswith(old)]
        return [lemma for lemma in dict.fromkeys((form, *bases)) if part in self._lines_of(lemma)]

    def _looked_up(self, lemma: str) -> dict[str, int]:
        """Return the lines of a lemma, if it is one, by part of speech."""
        wanted = lemma.encode(errors="surrogatepass")
        line = self._first_line(wanted)
        lines = {}
        while line < len(self._keys) and self._lemma(line) == wanted:
            lines[self._parts[line]] = line
            line += 1
        return lines

    def _only_names(self, form: str) -> bool:
        """Tell whether all senses of a form are instances, or it has none: people and places."""
        numbers = [number for part in PARTS for number in self.synset_numbers(form, part)]
        return bool(self._instances[numbers].all())

    def name(self, number: int) -> str:
        """Return the name of a synset, its offset and part of speech, as in "02084071-n"."""
        return str(self._names[number].decode())


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet that ``find_wordnet`` finds.

    Raises the errors of ``find_wordnet``, and ``BadResource`` if its files cannot be read.
    """
    return WordNetReader(find_wordnet(path))


shared_wordnet = lru_cache(maxsize=1)(open_wordnet)
"""The same, opened once."""
