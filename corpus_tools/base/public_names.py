"""Imports the public names of a package when they are first used.

The stub of the package, ``__init__.pyi``, lists them. Type checkers read it, too.
"""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


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
