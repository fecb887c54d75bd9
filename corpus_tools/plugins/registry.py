"""Lists plug-ins by name: our own, and those that other packages offer as entry points."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from corpus_tools.base.errors import BadUsage, choose, described
from corpus_tools.plugins.options import Options

PARTS = "semihmm.parts"
"""The group of entry points of the parts of the model, whatever their role."""


class Plugin:
    """What every plug-in has: a name, and a dataclass of settings, which may be empty."""

    name: ClassVar[str]
    Settings: ClassVar[type[Options]] = Options


T = TypeVar("T")


@cache
def _entry_points(path: tuple[str, ...]) -> Any:
    """Read the entry points of all packages in a path once, if any are for this program."""
    if not any(map(_has_ours, path)):
        return ()
    # Not at the top: this takes as long as to align a pair, and few have such packages.
    from importlib.metadata import entry_points

    return entry_points()  # of a type that depends on the version of Python


def _has_ours(folder: str) -> bool:
    """Tell whether a package in a folder of the path may have entry points for this program."""
    if os.path.isfile(folder) or folder.endswith(".egg"):
        return True
    files = Path(folder).glob("*-info/entry_points.txt")
    return any(b"[semihmm." in file.read_bytes() for file in files)


class Registry(Mapping[str, T]):
    """The plug-ins of one role, in order.

    Other packages are imported when the registry is first asked. Then it raises ``BadUsage`` for
    one that is no plug-in, which says whose it is.
    """

    def __init__(
        self, role: str, own: Mapping[str, T], group: str, fitting: Callable[[Any], T | None]
    ) -> None:
        """List our own plug-ins by name.

        ``role``     is what errors call one of them, as in "jump model".
        ``group``    the entry points of other packages.
        ``fitting``  returns the plug-in that an entry point names, or ``None`` for one of another
                     role in the same group. It raises ``TypeError`` for what has no role in it.
        """
        self.role = role
        self._own = own
        self._group = group
        self._fitting = fitting

    @classmethod
    def of_classes(cls, role: str, base: type[Any], own: Iterable[Any], group: str) -> Registry[T]:
        """List plug-ins that are classes, with names of their own.

        Those of this role derive from ``base``, those of all roles in the group from ``Plugin``.
        """

        def fitting(found: Any) -> Any:
            if not (isinstance(found, type) and issubclass(found, Plugin)):
                raise TypeError("it does not derive from Plugin")
            return found if issubclass(found, base) else None

        return cls(role, {plugin.name: plugin for plugin in own}, group, fitting)

    @cached_property
    def _plugins(self) -> dict[str, T]:
        plugins = dict(self._own)
        found = _entry_points(tuple(sys.path))
        for entry in sorted(found.select(group=self._group) if found else ()):
            package = entry.dist.name if entry.dist else "an unknown package"
            try:
                plugin = self._fitting(entry.load())
                if plugin is None:
                    continue
                if entry.name in plugins:
                    raise TypeError(f"there is another {self.role} of this name")
                if getattr(plugin, "name", entry.name) != entry.name:
                    raise TypeError("it calls itself otherwise")
            except (Exception, SystemExit) as error:
                # It is the code of others: whatever it raises, the program is not at fault.
                raise BadUsage(
                    f"the plug-in {entry.name} of the package {package} ({entry.value}, entry "
                    f"points {self._group}) cannot be used: {described(error)}: repair the package "
                    "or uninstall it"
                ) from error
            plugins[entry.name] = plugin
        return plugins

    def __getitem__(self, name: str) -> T:
        return self._plugins[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plugins)

    def __len__(self) -> int:
        return len(self._plugins)

    def choose(self, name: str) -> T:
        """Return the plug-in of a name.

        Raises ``BadUsage`` with the close match for a name that there is not.
        """
        return self._plugins[choose(self.role, name, self._plugins)]
