"""Imports packages: libraries that may be missing, and the public names of our own packages."""

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any

from corpus_tools.base.errors import BadUsage


@contextmanager
def loading(library: str, *settings_files: str) -> Iterator[None]:
    """Import a library inside, without settings of the current folder.

    ``settings_files``  the files with settings that the library reads in the current folder. If one
                        is there, the library is imported from the root folder: files of the current
                        folder may be somebody else's.

    Raises ``BadUsage`` if the library refuses its settings, such as variables of the environment.
    """
    is_given = any(map(os.path.lexists, settings_files))
    try:
        with chdir(os.path.abspath(os.sep)) if is_given else nullcontext():
            yield
    except ValueError as error:
        raise BadUsage(f"{library} refuses its settings: {error}") from error


# Installed packages, and how to install others


def installed_version(package: str = "semihmm") -> str:
    """Return the version of an installed package, by default of this program."""
    # The import takes 50 ms, and the command line shows its help within 300 ms.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def how_to_install(extra: str) -> str:
    """Return the command that installs the packages of an extra.

    The project itself is in no package index. If it is not installed, the command works in its
    folder.
    """
    from importlib.metadata import PackageNotFoundError, requires

    try:
        needed = requires("semihmm") or []
    except PackageNotFoundError:
        needed = []
    of_extra = re.compile(rf"""\s*;.*extra == ['"]{re.escape(extra)}['"].*""")
    packages = [of_extra.sub("", package) for package in needed if of_extra.search(package)]
    return f"pip install {shlex.join(packages or [f'.[{extra}]'])}"


@contextmanager
def needing(user: str, extra: str) -> Iterator[None]:
    """Raise ``BadUsage`` if an import inside fails.

    ``user``   the part that needs the package, as in "a cluster".
    ``extra``  the extra of this project that installs the package.
    """
    try:
        yield
    except ImportError as error:
        package = str(error.name).partition(".")[0]
        problem = f"{user} needs the package {package}: {error}; {how_to_install(extra)}"
        raise BadUsage(problem) from error


# Public names

# The stub of a package, ``__init__.pyi``, lists its public names, which are imported when they are
# first used. Type checkers read it, too.


def modules_of(file: str) -> dict[str, str]:
    """Return the module that defines each public name of a package.

    ``file``  the ``__file__`` of the package.
    """
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    return {name: module for module, name in re.findall(r"(?m)^from (\S+) import (\w+) as", stub)}


def lazily(package: str, file: str) -> Callable[[str], Any]:
    """Return the function ``__getattr__`` of a package, which imports a name and keeps it."""
    modules = modules_of(file)

    def imported(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = modules[name]
        # A public name of the package itself is a module.
        place = import_module(f"{module}.{name}" if module == package else module)
        value = place if module == package else getattr(place, name)
        setattr(sys.modules[package], name, value)
        return value

    return imported
