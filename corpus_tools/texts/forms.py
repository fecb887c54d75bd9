"""What words look like: normal forms and stems, n-grams of characters, capitals; NLTK's import.

N-grams stand in for stems where sentences are compared: parts of compounds, and words with other
endings, are alike in any language. In most languages a capital letter without a reason in its place
marks a name.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from itertools import accumulate, chain
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from corpus_tools.texts.text import Text

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class _Later(ModuleType):
    """A module that runs when one of its attributes is used, unless that is a module in it."""

    def __getattr__(self, name: str) -> Any:
        if "__path__" in vars(self) and not name.startswith("__"):
            inside = f"{self.__name__}.{name}"
            if find_spec(inside):
                return import_module(inside)
        with _RUNNING:
            if type(self) is _Later:
                module: Any = self
                module.__class__ = ModuleType
                module.__loader__.exec_module(module)
        return getattr(self, name)


_RUNNING = RLock()


def import_lazily(*names: str) -> None:
    """Import modules, and run each only when one of its attributes is used.

    ``names``  the modules, packages before the modules in them. Modules without a name here run
               when they are imported, as always.
    """
    for name in names:
        if name not in sys.modules and (spec := find_spec(name)):
            module = module_from_spec(spec)
            module.__class__ = _Later
            sys.modules[name] = module
            package, _, module_name = name.rpartition(".")
            if package:
                setattr(sys.modules[package], module_name, module)


@functools.cache
def load_nltk() -> None:
    """Import NLTK lazily and without timeouts. Call this before any use of NLTK.

    NLTK imports all its packages and scipy: that takes as long as everything else in the alignment
    of one pair from a cold start. With lazy imports its packages run when they are used.

    From version 3.10.3 on, any regular expression of NLTK fails after five seconds. Without the
    timeout, results do not depend on the length of a text or the load of the machine.
    """
    import_lazily("nltk", "nltk.grammar", "nltk.sem", "nltk.stem", "nltk.tokenize")
    with suppress(ImportError):  # before version 3.10.3
        from nltk import redos

        redos.DEFAULT_TIMEOUT = None


Value = TypeVar("Value")

MOST_CACHED = 1 << 16
"""The number of values in a cache: the distinct words of some hundred articles, some 10 MB.

By Zipf's law a word that is not among the last distinct words of this number is rare. A cache is
cleared about once in a million words of news, and twice the number is not faster. Set by hand.
"""


class Cache(dict[str, Value], Generic[Value]):
    """The values of a function by its argument: ``cache[argument]`` computes a missing value.

    A known value costs one look-up in a dictionary, and no Python code, so that
    ``map(cache.__getitem__, words)`` is fast. A cache with ``MOST_CACHED`` values is cleared, so
    that memory does not grow with the corpus.
    """

    def __init__(self, function: Callable[[str], Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, argument: str) -> Value:
        value = self._function(argument)
        if len(self) >= MOST_CACHED:
            self.clear()
        self[argument] = value
        return value


POSSESSIVE = "'s"
SPECIAL_FORMS = {
    "s": POSSESSIVE,  # "its" is split into "it" and "s"
    "`": "'",
    **dict.fromkeys(("``", "''", "\u201c", "\u201d", "\u201e"), '"'),
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}
STRAIGHT_APOSTROPHES = str.maketrans("\u2018\u2019", "''")


@functools.lru_cache(maxsize=MOST_CACHED)
def normal_form(token: str) -> str:
    """Return the normal form of a token, in which tokens are compared.

    It is the token in lower case, with one spelling of quotes, brackets and possessives. A letter
    with an accent, which may be two characters, becomes one.
    """
    composed = token if token.isascii() else unicodedata.normalize("NFC", token)
    straight = composed.lower().translate(STRAIGHT_APOSTROPHES)
    return SPECIAL_FORMS.get(straight, straight)


ACCENTED = str.maketrans("øłđðæœı", "olddaoi")
"""Letters that Unicode does not divide into a letter and its accent."""

SPELLED_OUT = re.compile("(?<=[aou])e|(?<=a)a|(?<=d)j")
"""The second letter of "ue" for "ü", of "aa" for "å", of "dj" for "đ"."""


def name_key(word: str) -> str:
    """Return the form in which words of names are compared: Müller, Mueller and Muller are one."""
    parts = unicodedata.normalize("NFD", word.casefold())
    plain = "".join(part for part in parts if not unicodedata.combining(part))
    return SPELLED_OUT.sub("", plain.translate(ACCENTED))


def one_word(token: str) -> str:
    """Return a token with ``_`` for white space, which tokens of the input may contain."""
    return "_".join(token.split()) or "_"


@functools.lru_cache(maxsize=MOST_CACHED)
def stem(form: str) -> str:
    """Return the Porter stem of a token's normal form."""
    return str(_porter().stem(form))


@functools.cache
def _porter() -> Any:
    """Make NLTK's ``PorterStemmer``."""
    load_nltk()
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


# How alike sentences are

GRAM_LENGTH = 4
"""The characters of an n-gram."""

RELATED = (0.3, 0.6)
"""Sentences of a document count whose cosine with one of the abstract is as great.

This cosine knows no other sentences: its words all weigh the same. Up to the first bound a sentence
counts nothing, from the second on as one, between them in proportion. So it makes little difference
when another sentence is alike by chance. Of four such pairs of bounds these had the best average
precision. With one bound of .15 instead, 6 and 47 of 2,273 labels of CNN articles changed when 1
and 30 articles followed (``scripts/research/longer_documents.py``).
"""


class Indexer(dict[str, int]):
    """Numbers keys from 0, in the order in which they are first asked for."""

    def __missing__(self, key: str) -> int:
        self[key] = len(self)
        return self[key]


def _grams(word: str) -> list[str]:
    """Return the character n-grams of a word between two marks, or all of a short one."""
    marked = f"<{word}>"
    last = max(len(marked) - GRAM_LENGTH, 0)
    return [marked[start : start + GRAM_LENGTH] for start in range(last + 1)]


def bags_of_grams(*texts: Sequence[Sequence[str]]) -> list[csr_array]:
    """Return for each text float64 [S, G], how often its S sentences have each n-gram of all texts.

    ``texts``  the words of each sentence.
    """
    from scipy.sparse import csr_array  # slow to import

    numbers = Indexer()
    grams = Cache(lambda word: [numbers[gram] for gram in _grams(word)])
    rows = [
        [[*chain.from_iterable(map(grams.__getitem__, words))] for words in text] for text in texts
    ]
    bags = []
    for text in rows:
        columns = np.fromiter(chain.from_iterable(text), np.int64)
        ends = np.cumsum([0, *map(len, text)])
        bag = csr_array((np.ones(len(columns)), columns, ends), shape=(len(text), len(numbers)))
        bag.sum_duplicates()
        bags.append(bag)
    return bags


def sentence_cosines(
    abstract: csr_array, document: csr_array, weights: np.ndarray | None = None
) -> np.ndarray:
    """Return float64 [A, D], the cosines of the sentences of two texts by 1 + log tf.

    ``abstract``, ``document``  of ``bags_of_grams``.
    ``weights``                 float64 [G], those of the n-grams; without it all weigh the same.
    """
    weighted = []
    for bags in (abstract, document):
        data = 1.0 + np.log(bags.data)
        if weights is not None:
            data *= weights[bags.indices]
        rows = np.repeat(np.arange(bags.shape[0]), np.diff(bags.indptr))
        lengths = np.sqrt(np.bincount(rows, data**2, bags.shape[0]))
        data /= np.maximum(lengths, 1e-9)[rows]
        weighted.append(type(bags)((data, bags.indices, bags.indptr), shape=bags.shape))
    return np.asarray((weighted[0] @ weighted[1].T).toarray())


# Capital letters

BEGINNINGS = frozenset(("``", "''", *".:!?-()\"'`«»„“”\u2018\u2019"))
"""The marks after which any word may have a capital letter."""

NO_CAPITAL, BY_PLACE, BY_ITSELF = range(3)
"""A word without a capital letter; with one, maybe because of its place; with one of its own."""

_BEGINNING = -1


def _kind(token: str) -> int:
    if token in BEGINNINGS:
        return _BEGINNING
    # Words all in capital letters are often abbreviations, which may stand for other words.
    return int(token.isalpha() and token[0].isupper() and not token.isupper())


_kinds = Cache(_kind)


def capitals_of(*texts: Text) -> np.ndarray:
    """Return ``NO_CAPITAL``, ``BY_PLACE`` or ``BY_ITSELF`` for each token of some texts.

    The result is int8 [n], text after text. A word counts as capitalized if it consists of letters,
    the first large and another one small.
    """
    tokens = chain.from_iterable(text.tokens for text in texts)
    kinds = np.fromiter(map(_kinds.__getitem__, tokens), dtype=np.int8)
    starts = accumulate(map(len, texts), initial=0)
    bounds = (
        start + bound
        for start, text in zip(starts, texts, strict=False)
        for bound in text.boundaries
    )
    begins = np.zeros(len(kinds) + 1, dtype=bool)
    begins[np.fromiter(bounds, dtype=np.int64)] = True
    begins[1:] |= kinds == _BEGINNING
    return np.select([kinds != 1, begins[:-1]], [NO_CAPITAL, BY_PLACE], BY_ITSELF).astype(np.int8)
