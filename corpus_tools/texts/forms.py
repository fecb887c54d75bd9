"""The forms in which tokens are compared, normal forms and stems; the import of NLTK."""

import functools
import re
import sys
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any, Generic, TypeVar


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
