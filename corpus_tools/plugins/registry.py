"""Lists plug-ins by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, TypeVar

from corpus_tools.errors import choose
from corpus_tools.plugins.options import Options


class Plugin:
    """What every plug-in has: a name, and a dataclass of settings, which may be empty."""

    name: ClassVar[str]
    Settings: ClassVar[type[Options]] = Options


P = TypeVar("P", bound=Plugin)


class Registry(Mapping[str, type[P]]):
    """The plug-ins of one role, in order.

    ``role`` is what errors call one of them, as in "jump model".
    """

    def __init__(self, role: str, plugins: Iterable[type[P]]) -> None:
        """List the plug-ins under their own names."""
        self.role = role
        self._plugins = {plugin.name: plugin for plugin in plugins}

    def __getitem__(self, name: str) -> type[P]:
        return self._plugins[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plugins)

    def __len__(self) -> int:
        return len(self._plugins)

    def choose(self, name: str) -> type[P]:
        """Return the plug-in of a name.

        Raises ``BadUsage`` with the close match for a name that there is not.
        """
        return self._plugins[choose(self.role, name, self._plugins)]
