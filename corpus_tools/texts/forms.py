"""The forms in which tokens are compared: normal forms and stems; how NLTK is imported."""

import functools
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
    """A module that is run when something of it is used that is no module in it."""

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
    """Import modules without running them before something of them is used.

    ``names``  packages come before what is in them. Modules in them that are not named are run when
               they are imported, as always.
    """
    for name in names:
        if name not in sys.modules and (spec := find_spec(name)):
            module = module_from_spec(spec)
            module.__class__ = _Later
            sys.modules[name] = module
            package, _, own = name.rpartition(".")
            if package:
                setattr(sys.modules[package], own, module)


@functools.cache
def load_nltk() -> None:
    """Import NLTK, if nobody has, and stop its clocks: this comes before anything of it is used.

    NLTK imports all of itself at its start, and scipy: that takes as long as everything else that
    aligns one pair from a cold start. It runs its packages when something is used that is theirs.

    From version 3.10.3 on, any of its regular expressions fails after five seconds. Texts are read,
    and parsed the same, however long they are and however busy the machine is.
    """
    import_lazily("nltk", "nltk.grammar", "nltk.sem", "nltk.stem", "nltk.tokenize")
    with suppress(ImportError):  # before version 3.10.3
        from nltk import redos

        redos.DEFAULT_TIMEOUT = None


Value = TypeVar("Value")


MOST = 1 << 16
"""So many values are kept: those of the distinct words of some hundred articles, in some 10 MB.

By Zipf's law a word that is not among the last so many distinct ones is rare. News of a million
words forget them once: with twice as many nothing is faster. Set by hand.
"""


class Cache(dict[str, Value], Generic[Value]):
    """The values of a function by its argument: ``cache[argument]`` computes one that is missing.

    A value that is known costs one look-up in a dictionary, without a line of Python, so that
    ``map(cache.__getitem__, words)`` is fast. When ``MOST`` are known, all are forgotten: memory
    does not grow with the corpus.
    """

    def __init__(self, function: Callable[[str], Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, argument: str) -> Value:
        value = self._function(argument)
        if len(self) >= MOST:
            self.clear()
        self[argument] = value
        return value


POSSESSIVE = "'s"
FORMS = {
    "s": POSSESSIVE,  # what "its" leaves behind
    "`": "'",
    **dict.fromkeys(("``", "''", "\u201c", "\u201d", "\u201e"), '"'),
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}
STRAIGHT = str.maketrans("\u2018\u2019", "''")


@functools.lru_cache(maxsize=MOST)
def normal_form(token: str) -> str:
    """Return the normal form of a token: what is compared for it.

    It is the token in lower case, with one spelling of quotes, brackets and possessives, and of
    letters with accents, which Unicode has as one character or as several.
    """
    composed = token if token.isascii() else unicodedata.normalize("NFC", token)
    straight = composed.lower().translate(STRAIGHT)
    return FORMS.get(straight, straight)


def one_word(token: str) -> str:
    """Return the token with ``_`` for white space, which a token from the input may hold or be."""
    return "_".join(token.split()) or "_"


@functools.lru_cache(maxsize=MOST)
def stem(form: str) -> str:
    """Return the Porter stem of a token's normal form."""
    return str(_porter().stem(form))


@functools.cache
def _porter() -> Any:
    """Make NLTK's ``PorterStemmer``."""
    load_nltk()
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()
