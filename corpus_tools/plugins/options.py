"""Describes the settings of a plug-in, so that every interface can be made from the description.

A plug-in owns a frozen dataclass whose fields are made with ``option``. The command line makes its
flags from them, a model directory keeps their values, and configurations in one line set them by
name. A name means the same in all plug-ins: two that both have a field ``wordnet`` are set
together.
"""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from corpus_tools.errors import BadUsage

KEY = "option"
"""The key of an ``Option`` in the metadata of a dataclass field."""

LARGEST = 10**12
"""The largest number that a setting may have, where it has no bound of its own.

It is far above what makes sense for any of them, and far below where arithmetic breaks down.
"""

SHOWN_LETTERS = 60
"""So much of a wrong value stands in a message: enough to recognise it."""


def parse_value(text: str) -> Any:
    """Read a number, a truth value, a name, or several of these with + between them."""
    if "+" in text:
        return tuple(parse_value(part) for part in text.split("+"))
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


def accept_all(name: str, value: Any) -> None:
    """Accept any value."""


@dataclass(frozen=True)
class Option:
    """What a field says of itself, beside its name and type.

    ``default``         the value if none is given.
    ``help``            one line for the command line.
    ``metavar``         the placeholder of the value there.
    ``parse``           makes the value from a string; raises ``ValueError`` with what was expected.
    ``check``           raises ``BadUsage`` for a value that is not allowed; it takes the name and
                        the value.
    ``flag``            the name of the flag, where it is not the field's.
    ``after_training``  whether a trained model admits a change: its parameters do not depend on
                        the value.
    ``on_resume``       whether training that goes on admits a change: no iteration that is done
                        depends on the value.
    ``on_start``        whether training that starts from a trained model admits a change, even
                        where ``after_training`` and ``on_resume`` do not.
    ``encoded``         whether the evidence of a batch depends on the value, and not only through
                        the texts or the model that training starts from.
    """

    default: Any
    help: str
    metavar: str = "VALUE"
    parse: Callable[[str], Any] = parse_value
    check: Callable[[str, Any], None] = accept_all
    flag: str | None = None
    after_training: bool = False
    on_resume: bool = False
    on_start: bool = False
    encoded: bool = True


def option(default: Any, help: str, **more: Any) -> Any:
    """Make a dataclass field that describes itself.

    ``more``  are the fields of ``Option``, where they differ from its defaults.
    """
    return dataclasses.field(default=default, metadata={KEY: Option(default, help, **more)})


def at_least(
    least: float, *, whole: bool = True, optional: bool = False, most: float = LARGEST
) -> Callable[[str, Any], None]:
    """Make a check that a value is a number from ``least`` to ``most``.

    ``whole`` asks for an integer. ``None`` passes where the value is ``optional``.
    """
    what = "a whole number" if whole else "a number"

    def check(name: str, value: Any) -> None:
        if value is None and optional:
            return
        types = (int,) if whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, types) or not value >= least:
            raise _out_of_range(name, f"{what} of {least} or more", value)
        if value > most:
            raise _out_of_range(name, f"{what} of {most:,.0f} or less", value)

    return check


def number(name: str, value: Any) -> None:
    """Raise ``BadUsage`` unless the value is a number, and none that is out of all proportion."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise _out_of_range(name, "a number", value)
    if not -LARGEST <= value <= LARGEST:
        raise _out_of_range(name, f"a number from {-LARGEST:,.0f} to {LARGEST:,.0f}", value)


def _out_of_range(name: str, expected: str, value: Any) -> BadUsage:
    return BadUsage(f"{name.replace('_', ' ')} must be {expected}, not {shown(value)}")


def shown(value: Any) -> str:
    """Return a value for an error message: Python's own form, cut short."""
    if isinstance(value, int) and abs(value) > LARGEST:
        # Python does not write numbers of thousands of digits.
        return "a number of that size"
    text = repr(value)
    return text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS]}..."


def text_or_none(name: str, value: Any) -> None:
    """Raise ``BadUsage`` unless the value is a text, or ``None``."""
    if value is not None and not isinstance(value, str):
        raise _out_of_range(name, "a text", value)
    if value is not None and not value.strip():
        raise _out_of_range(name, "a text that is not empty", value)
    if value is not None and not value.isprintable():
        # Half of a surrogate pair stands for a byte of a file name. Models are JSON in UTF-8.
        raise _out_of_range(name, "a text in UTF-8 that can be printed", value)


def truth_value(name: str, value: Any) -> None:
    """Raise ``BadUsage`` unless the value is true or false."""
    if not isinstance(value, bool):
        raise _out_of_range(name, "True or False", value)


@dataclass(frozen=True)
class Options:
    """The settings of a plug-in.

    Subclasses are frozen dataclasses whose fields are made with ``option``. Making one raises
    ``BadUsage`` for a value that is not allowed.
    """

    def __post_init__(self) -> None:
        for name, described in self.described().items():
            described.check(name, getattr(self, name))

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


def merged(name: str, first: type[Options], second: type[Options]) -> type[Options]:
    """Make a dataclass with the fields of two; those of the same name are one field."""
    known = first.described()
    more = [
        (field.name, field.type, dataclasses.field(default=field.default, metadata=field.metadata))
        for field in dataclasses.fields(second)
        if field.name not in known
    ]
    return dataclasses.make_dataclass(name, more, bases=(first,), frozen=True)
