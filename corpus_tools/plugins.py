"""Plug-ins: the settings of each, and registries that list them by name.

A plug-in has a frozen dataclass whose fields are made with ``option``. The command line makes its
flags from the fields, a model directory contains their values, and configurations in one line set
them by name. A name has one meaning in all plug-ins: if two have a field ``wordnet``, one value
sets both.

A registry lists our own plug-ins, and the entry points of other packages.
"""

from __future__ import annotations

import dataclasses
import sys
from collections import UserDict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import entry_points
from typing import Any, ClassVar, Self, TypeVar

from corpus_tools.base.errors import BadUsage, choose, described
from corpus_tools.languages.language import AUTO, UNKNOWN, require_language

# Settings

OPTION_KEY = "option"
"""The key under which the metadata of a dataclass field holds its ``Option``."""

LARGEST_SETTING = 10**12
"""The largest number in a setting that has no bound of its own.

It is far above all sensible values, and far below values for which arithmetic breaks down.
"""

SHOWN_VALUE_LETTERS = 60
"""The number of characters of a wrong value in a message: enough to recognise it."""


def shown(value: Any) -> str:
    """Return a value for an error message: its ``repr``, shortened."""
    if isinstance(value, int) and abs(value) > LARGEST_SETTING:
        # Python does not write numbers of thousands of digits.
        return "a number of that size"
    text = repr(value)
    return text if len(text) <= SHOWN_VALUE_LETTERS else f"{text[:SHOWN_VALUE_LETTERS]}..."


VALUE_KINDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text that is not empty and can be printed in UTF-8",
}
"""The types of values, with the words for them in messages."""


@dataclass(frozen=True)
class Option:
    """The description of a setting.

    ``default``         the default value. If it is ``None``, the value may be ``None``.
    ``help``            one line for the command line.
    ``kind``            the type of the values, one of ``VALUE_KINDS``; by default the type of
                        ``default``.
    ``metavar``         the placeholder of the value on the command line.
    ``least``, ``most`` the bounds of a number.
    ``names``           the allowed values. With ``check``, other values may be allowed, too.
    ``is_path``         whether the value is the path of a file or directory that is read.
    ``parse``           makes a value of another type from a string; raises ``ValueError`` that says
                        what was expected.
    ``check``           takes the name and a value of the right type, and raises ``BadUsage`` for a
                        value that is not allowed.
    ``flag``            the name of the flag, if it differs from the field's.
    ``after_training``  whether the value may change in a trained model: no parameter depends on it.
    ``on_resume``       whether the value may change when training continues: no past iteration
                        depends on it.
    ``on_start``        whether the value may change when training starts with a trained model, even
                        if ``after_training`` and ``on_resume`` are false.
    """

    default: Any
    help: str
    kind: type = str
    metavar: str = "VALUE"
    least: float = -LARGEST_SETTING
    most: float = LARGEST_SETTING
    names: Collection[str] = ()
    is_path: bool = False
    parse: Callable[[str], Any] | None = None
    check: Callable[[str, Any], None] | None = None
    flag: str | None = None
    after_training: bool = False
    on_resume: bool = False
    on_start: bool = False

    def read(self, name: str, text: str) -> Any:
        """Return the value of a text. Raises ``ValueError`` or ``BadUsage`` for a wrong text."""
        value: Any = text
        if self.parse is not None:
            value = self.parse(text)
        elif self.kind is bool:
            value = {"True": True, "False": False}.get(text, text)
        else:
            with suppress(ValueError):  # ``require`` then refuses the text
                value = self.kind(text)
        self.require(name, value)
        return value

    def require(self, name: str, value: Any) -> None:
        """Raise ``BadUsage`` unless the value is allowed."""
        if value is None and self.default is None:
            return
        shown_name = name.replace("_", " ")
        if self.parse is None and not self._fits(value):
            expected = VALUE_KINDS[self.kind]
            if self.kind in (int, float):
                expected += f" from {self.least:,} to {self.most:,}"
            raise BadUsage(f"{shown_name} must be {expected}, not {shown(value)}")
        if self.check is not None:
            self.check(name, value)
        elif self.names:
            choose(shown_name, value, self.names)

    def _fits(self, value: Any) -> bool:
        """Tell whether a value has the type and is within the bounds."""
        if isinstance(value, str):
            # File names may have halves of surrogate pairs, which a model's JSON cannot hold.
            return self.kind is str and bool(value.strip()) and value.isprintable()
        if self.kind is bool or isinstance(value, bool):
            return self.kind is type(value)
        is_number = self.kind is not str and isinstance(value, (int, self.kind))
        return is_number and bool(self.least <= value <= self.most)


def option(
    default: Any, help: str, *, kind: type | None = None, names: Collection[str] = (), **more: Any
) -> Any:
    """Make a dataclass field with an ``Option``. Its help lists the names."""
    if names:
        help = f"{help}: {listed(names)}"
        more = {"metavar": "NAME", **more}
    described = Option(default, help, kind or type(default), names=names, **more)
    return dataclasses.field(default=default, metadata={OPTION_KEY: described})


LANGUAGE_HELP = (
    f"language of the texts, such as en, de, zh; {UNKNOWN}: another one; {AUTO}: detected by "
    "script and function words"
)
"""The help text of options that name a language."""


def language_option(**more: Any) -> Any:
    """Make the field for the language of texts: a code, or ``AUTO``."""
    return option(
        AUTO, LANGUAGE_HELP, metavar="CODE", check=lambda _, code: require_language(code), **more
    )


def listed(names: Collection[str]) -> str:
    """Return names for a help text. A dictionary gives their meanings, too."""
    if isinstance(names, Mapping) and all(isinstance(name, str) for name in names.values()):
        return "; ".join(f"{name}: {meaning}" for name, meaning in names.items())
    return ", ".join(names)


@dataclass(frozen=True)
class Options:
    """The settings of a plug-in.

    Subclasses are frozen dataclasses whose fields are made with ``option``. Making one raises
    ``BadUsage`` for a value that is not allowed.
    """

    def __post_init__(self) -> None:
        for name, setting in self.described().items():
            setting.require(name, getattr(self, name))

    @classmethod
    def described(cls) -> dict[str, Option]:
        """List the fields by name."""
        fields = dataclasses.fields(cls)
        return {
            field.name: field.metadata[OPTION_KEY]
            for field in fields
            if OPTION_KEY in field.metadata
        }

    @classmethod
    def choose(cls, values: Mapping[str, Any]) -> Self:
        """Make the settings from values by name; other names are ignored, missing ones default."""
        return cls(**{name: values[name] for name in cls.described() if name in values})


# Registries

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
