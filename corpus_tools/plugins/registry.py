"""Lists plug-ins by name: our own, and the entry points of other packages."""

from __future__ import annotations

import sys
from collections import UserDict
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from importlib.metadata import entry_points
from typing import Any, ClassVar, TypeVar

from corpus_tools.base.errors import BadUsage, choose, described
from corpus_tools.plugins.options import Options

PARTS_GROUP = "semihmm.parts"
"""The group of entry points of the parts of the model, whatever their role."""


class Plugin:
    """The base class of plug-ins: each has a name, and a dataclass of settings, maybe empty.

    ``contract``  the function that checks plug-ins of this role, as "module:function"; empty where
                  ``semihmm.testing`` has it.
    """

    name: ClassVar[str]
    Settings: ClassVar[type[Options]] = Options
    contract: ClassVar[str] = ""


T = TypeVar("T")


@cache
def _entry_points(path: tuple[str, ...]) -> Any:
    """Read the entry points of all packages in a path, once."""
    return entry_points()  # of a type that depends on the version of Python


class Registry(UserDict[str, T]):
    """The plug-ins of one role, in order.

    Other packages are imported when the registry is first used. It then raises ``BadUsage`` for a
    plug-in that cannot be used; the message names its package.
    """

    def __init__(
        self, role: str, builtin: Mapping[str, T], group: str, fitting: Callable[[Any], T | None]
    ) -> None:
        """List our own plug-ins by name.

        ``role``     the noun for a plug-in in errors, as "jump model".
        ``builtin``  our own plug-ins by name.
        ``group``    the group of entry points of other packages.
        ``fitting``  takes the object of an entry point; returns the plug-in, or ``None`` if it has
                     another role of the group. It raises ``TypeError`` for other objects.
        """
        self._role, self._group = role, group
        self._builtin, self._fitting = builtin, fitting

    @classmethod
    def of_classes(
        cls, role: str, base: type[Any], builtin: Iterable[Any], group: str
    ) -> Registry[T]:
        """List plug-ins that are classes with a ``name``.

        ``base``  the base class of this role. All roles of the group derive from ``Plugin``.
        """

        def fitting(plugin_class: Any) -> Any:
            if not (isinstance(plugin_class, type) and issubclass(plugin_class, Plugin)):
                raise TypeError("it does not derive from Plugin")
            return plugin_class if issubclass(plugin_class, base) else None

        return cls(role, {plugin.name: plugin for plugin in builtin}, group, fitting)

    @cached_property
    def data(self) -> dict[str, T]:  # type: ignore[override]  # read when it is first asked for
        """Import the plug-ins of other packages."""
        plugins = dict(self._builtin)
        for entry in sorted(_entry_points(tuple(sys.path)).select(group=self._group)):
            try:
                plugin = self._fitting(entry.load())
                if plugin is None:
                    continue
                if entry.name in plugins:
                    raise TypeError(f"there is another {self._role} of this name")
                if getattr(plugin, "name", entry.name) != entry.name:
                    raise TypeError("it calls itself otherwise")
            except (Exception, SystemExit) as error:
                # Code of other packages may raise anything, and this program is not at fault.
                package = entry.dist.name if entry.dist else "an unknown package"
                raise BadUsage(
                    f"the plug-in {entry.name} of the package {package} ({entry.value}, entry "
                    f"points {self._group}) cannot be used: {described(error)}: repair the package "
                    "or uninstall it"
                ) from error
            plugins[entry.name] = plugin
        return plugins

    def choose(self, name: str) -> T:
        """Return a plug-in by name. Raises ``BadUsage`` with a close match for an unknown name."""
        return self.data[choose(self._role, name, self.data)]
