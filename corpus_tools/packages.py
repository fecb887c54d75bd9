"""Tells what packages are installed and how others are, and imports modules when they are used."""

from __future__ import annotations

import re
import shlex
import sys
from threading import RLock
from types import ModuleType
from typing import Any


def installed_version(package: str = "semihmm") -> str:
    """Return the version of a package that is installed, by default that of the program."""
    # Not at the top: the import takes 50 ms, and the command line has 300 to show its help.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def how_to_install(extra: str) -> str:
    """Return the command that installs the packages of an extra, from whatever index users have.

    No index has the project itself. Where its metadata is missing, the command is for its folder.
    """
    from importlib.metadata import PackageNotFoundError, requires

    try:
        needed = requires("semihmm") or []
    except PackageNotFoundError:
        needed = []
    of_extra = re.compile(rf"""\s*;.*extra == ['"]{re.escape(extra)}['"]""")
    packages = [one[: marker.start()] for one in needed if (marker := of_extra.search(one))]
    return f"pip install {shlex.join(packages or [f'.[{extra}]'])}"


class _Later(ModuleType):
    """A module that is run when something of it is used that is no module in it."""

    def __getattr__(self, name: str) -> Any:
        from importlib import import_module
        from importlib.util import find_spec

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
    from importlib.util import find_spec, module_from_spec

    for name in names:
        if name not in sys.modules and (spec := find_spec(name)):
            module = module_from_spec(spec)
            module.__class__ = _Later
            sys.modules[name] = module
            package, _, own = name.rpartition(".")
            if package:
                setattr(sys.modules[package], own, module)
