"""Puts off imports that libraries make at their start and that this program does not need."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any


class _Later:
    """A function or a class that is imported when it is called."""

    def __init__(self, module: str, path: str) -> None:
        self._module = module
        self._path = path

    def __getattr__(self, name: str) -> _Later:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Later(self._module, f"{self._path}.{name}")

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        value: Any = importlib.import_module(self._module)
        for name in self._path.split("."):
            value = getattr(value, name)
        return value(*arguments, **keywords)


class _StandIn(ModuleType):
    """Stands for a module while others import from it."""

    def __getattr__(self, name: str) -> _Later:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Later(self.__name__, name)


@contextmanager
def standing_in(*names: str) -> Iterator[None]:
    """Import none of some modules inside; what others take of them is imported when it is called.

    ``names``  the modules, each package before its parts. Those that are imported already, or that
               are not installed, stay as they are.
    """
    installed = {top: find_spec(top) for top in {name.partition(".")[0] for name in names}}
    others = [
        name
        for name in names
        if name not in sys.modules and installed[name.partition(".")[0]] is not None
    ]
    for name in others:
        sys.modules[name] = _StandIn(name)
        sys.modules[name].__path__ = []
    try:
        yield
    finally:
        for name in others:
            sys.modules.pop(name, None)


class _Unread(ModuleType):
    """A package whose own code runs when something of it is asked for that is no module.

    Unlike what Python's ``LazyLoader`` makes, it lets its modules be imported without that.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _run(self)
        # Not of super(): it is a plain module from now on.
        return ModuleType.__getattribute__(self, name)

    def __dir__(self) -> Iterable[str]:
        _run(self)
        return ModuleType.__dir__(self)


_running = RLock()
"""Other threads wait until a package is whole."""
_begun: set[str] = set()


def put_off(name: str) -> None:
    """Let a package, which numba or others import, run its own code only when it is used.

    Nothing is done for one that is imported already, or not installed.
    """
    if name in sys.modules:
        return
    spec = find_spec(name)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        module.__class__ = _Unread
        sys.modules[name] = module


def _run(module: ModuleType) -> None:
    """Run the code of a package, once."""
    with _running:
        spec = module.__spec__
        if spec is None or spec.loader is None or spec.name in _begun:
            return
        _begun.add(spec.name)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            _begun.discard(spec.name)
            raise
        module.__class__ = ModuleType
