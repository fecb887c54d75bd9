"""Describes the settings of a plug-in, so that every interface can be made from the description.

A plug-in owns a frozen dataclass whose fields are made with ``option``. The command line makes its
flags from them, a model directory keeps their values, and configurations in one line set them by
name. A name means the same in all plug-ins: two that both have a field ``wordnet`` are set
together.
"""

import dataclasses
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from corpus_tools.base.errors import BadUsage, choose
from corpus_tools.languages.language import AUTO, UNKNOWN, require_language

KEY = "option"
"""The key of an ``Option`` in the metadata of a dataclass field."""

LARGEST = 10**12
"""The largest number that a setting may have, where it has no bound of its own.

It is far above what makes sense for any of them, and far below where arithmetic breaks down.
"""

SHOWN_LETTERS = 60
"""So much of a wrong value stands in a message: enough to recognise it."""


def shown(value: Any) -> str:
    """Return a value for an error message: Python's own form, cut short."""
    if isinstance(value, int) and abs(value) > LARGEST:
        # Python does not write numbers of thousands of digits.
        return "a number of that size"
    text = repr(value)
    return text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS]}..."


KINDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text that is not empty and can be printed in UTF-8",
}
"""The kinds of values, as messages call them."""


@dataclass(frozen=True)
class Option:
    """What a field says of itself, beside its name.

    ``default``         the value if none is given. Where it is ``None``, values may be ``None``.
    ``help``            one line for the command line.
    ``kind``            the type of the values, one of ``KINDS``: that of the default, if it is not
                        ``None``.
    ``metavar``         the placeholder of the value on the command line.
    ``least``, ``most`` bounds of a number.
    ``names``           those that the value may be. With ``check`` there may be other values too.
    ``is_path``         whether it is a file or a directory that is read.
    ``parse``           makes a value of no such kind from a string; raises ``ValueError`` with what
                        was expected.
    ``check``           raises ``BadUsage`` for a value that is not allowed, of the right kind; it
                        takes the name and the value.
    ``flag``            the name of the flag, where it is not the field's.
    ``after_training``  whether a trained model admits a change: its parameters do not depend on
                        the value.
    ``on_resume``       whether training that goes on admits a change: no iteration that is done
                        depends on the value.
    ``shapes_features`` whether what a batch is encoded as depends on the value, though a trained
                        model admits a change.
    ``on_start``        whether training that starts from a trained model admits a change, even
                        where ``after_training`` and ``on_resume`` do not.
    """

    default: Any
    help: str
    kind: type = str
    metavar: str = "VALUE"
    least: float = -LARGEST
    most: float = LARGEST
    names: Collection[str] = ()
    is_path: bool = False
    parse: Callable[[str], Any] | None = None
    check: Callable[[str, Any], None] | None = None
    flag: str | None = None
    after_training: bool = False
    on_resume: bool = False
    on_start: bool = False
    shapes_features: bool = False

    @property
    def is_encoded(self) -> bool:
        """Tell whether the features of a batch may depend on the value.

        That of a setting that a trained model may change does not, but for files that are read.
        """
        reads_more = self.is_path or self.shapes_features
        return reads_more or not (self.after_training or self.on_resume)

    def read(self, name: str, text: str) -> Any:
        """Return the value that a text stands for. Raises ``ValueError`` or ``BadUsage``."""
        value: Any = text
        if self.parse is not None:
            value = self.parse(text)
        elif self.kind is bool:
            value = {"True": True, "False": False}.get(text, text)
        else:
            with suppress(ValueError):  # the text itself is refused
                value = self.kind(text)
        self.require(name, value)
        return value

    def require(self, name: str, value: Any) -> None:
        """Raise ``BadUsage`` unless the value is allowed."""
        if value is None and self.default is None:
            return
        shown_name = name.replace("_", " ")
        if self.parse is None and not self._fits(value):
            what = KINDS[self.kind]
            if self.kind in (int, float):
                what += f" from {self.least:,} to {self.most:,}"
            raise BadUsage(f"{shown_name} must be {what}, not {shown(value)}")
        if self.check is not None:
            self.check(name, value)
        elif self.names:
            choose(shown_name, value, self.names)

    def _fits(self, value: Any) -> bool:
        """Tell whether a value is of the kind, and within the bounds."""
        if isinstance(value, str):
            # Half of a surrogate pair stands for a byte of a file name. Models are JSON in UTF-8.
            return self.kind is str and bool(value.strip()) and value.isprintable()
        if self.kind is bool or isinstance(value, bool):
            return self.kind is type(value)
        is_number = isinstance(value, int) or (self.kind is float and isinstance(value, float))
        return is_number and bool(self.least <= value <= self.most)


def option(
    default: Any, help: str, *, kind: type | None = None, names: Collection[str] = (), **more: Any
) -> Any:
    """Make a dataclass field that describes itself by an ``Option``. Its help lists the names."""
    if names:
        help = f"{help}: {listed(names)}"
        more = {"metavar": "NAME", **more}
    described = Option(default, help, kind or type(default), names=names, **more)
    return dataclasses.field(default=default, metadata={KEY: described})


LANGUAGE = (
    f"language of the texts, such as en, de, zh; {UNKNOWN}: another one; {AUTO}: detected by "
    "script and function words"
)
"""The help text of options that name a language."""


def language_option(**more: Any) -> Any:
    """Make the field of the language of texts: a code, or ``AUTO``."""
    return option(
        AUTO, LANGUAGE, metavar="CODE", check=lambda _, code: require_language(code), **more
    )


def listed(names: Collection[str]) -> str:
    """Return names for a help text, with their meanings if they are the keys of these."""
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
        for name, described in self.described().items():
            described.require(name, getattr(self, name))

    @classmethod
    def described(cls) -> dict[str, Option]:
        """List the fields by name."""
        fields = dataclasses.fields(cls)
        return {field.name: field.metadata[KEY] for field in fields if KEY in field.metadata}

    @classmethod
    def choose(cls, values: Mapping[str, Any]) -> Self:
        """Make the settings from the values that belong to them.

        Fields without a value keep their defaults.
        """
        return cls(**{name: values[name] for name in cls.described() if name in values})
