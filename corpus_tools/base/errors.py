"""Defines the exceptions of the project, which only the command line's ``main`` catches."""

import difflib
import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, Self

LONGEST_WORD = 300
"""Messages cut longer words, in characters. Most paths are shorter."""

LONGEST_MESSAGE = 4000
"""Longer messages are cut, in characters: a few screens."""


def shortened(message: str) -> str:
    """Return a message without the middle of very long words and of a very long message."""
    words = re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: _ends(word.group(), 80), message)
    return _ends(words, LONGEST_MESSAGE)


def _ends(text: str, longest: int) -> str:
    """Return the beginning and the end of a text, or the text if it is not longer than that."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}[{len(text) - 2 * half:,} characters]{text[-half:]}"


REPLACEMENT_CHARACTER = 0xFFFD

# Unicode has symbols for ASCII's control characters, but none for Latin-1's.
CONTROL_CHARACTERS = {code: 0x2400 + code for code in range(0x20) if code not in b"\t\n"}
CONTROL_CHARACTERS |= {0x7F: 0x2421, **dict.fromkeys(range(0x80, 0xA0), REPLACEMENT_CHARACTER)}
# These characters change the direction of the text up to the end of the line.
CONTROL_CHARACTERS |= dict.fromkeys(
    [*range(0x202A, 0x202F), *range(0x2066, 0x206A)], REPLACEMENT_CHARACTER
)


def printable(text: str) -> str:
    """Return a text with symbols in place of control characters.

    A document or an id could otherwise write anywhere on the screen. Tabs and line breaks stay.
    All output for people goes through here: tables, views, messages. JSON and other data do not.
    """
    return text.translate(CONTROL_CHARACTERS)


def in_one_line(text: str) -> str:
    """Return a text for printing, with one blank for line breaks, tabs and blanks in a row.

    Where the lines of a text were joined, it has blanks in place of hyphens and page numbers.
    """
    return re.sub(r"[ \t-\r]+", " ", printable(text))


class SemiHmmError(Exception):
    """An error with a message for users, which is ``shortened`` if it is long."""

    exit_status = 1

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message))


class BadData(SemiHmmError):
    """A file or a record that cannot be used.

    ``problem``  the message without file and line.
    ``file``     the file with the problem, or ``None``.
    ``line``     the line of the file, counted from 1, or ``None``.
    """

    def __init__(
        self, problem: str, file: str | PathLike[str] | None = None, line: int | None = None
    ) -> None:
        place = f"{file}" if line is None else f"{file}, line {line}"
        super().__init__(problem if file is None else f"{place}: {problem}")
        self.problem = shortened(problem)
        self.file = file
        self.line = line


class MissingText(BadData):
    """A record without a known key for its document, or for its abstract."""


class BadResource(BadData):
    """A damaged file that models read in addition to the pairs, such as WordNet."""


class BadPair(BadData):
    """A pair that makes the model fail.

    ``place``  file and line, as in ``BadData``.
    ``id``     the id of the pair or, in training, of one of its abstract sentences.
    """

    def __init__(self, problem: str, *place: Any, id: str = "") -> None:
        super().__init__(problem, *place)
        self.id = id

    @classmethod
    def failing(cls, id: str, reason: Exception) -> Self:
        """Return the error of a pair for which the model raised an exception.

        The message names the line that raised the exception, since a plug-in may be at fault.
        """
        return cls(f"pair {id!r} makes the model fail: {_where(reason)}", id=id)


def _where(reason: Exception) -> str:
    """Describe an error, with the line that raised it."""
    step = reason.__traceback__
    while step and step.tb_next:
        step = step.tb_next
    where = f" ({step.tb_frame.f_code.co_filename}, line {step.tb_lineno})" if step else ""
    return f"{described(reason)}{where}"


class ClusterLost(BadData):
    """A cluster that was lost during training."""


class EmptySide(BadData):
    """A record without a value for the document or the abstract."""


class PlainTextPairs(BadData):
    """Plain text where pairs in JSON lines are expected."""


class PlainTextAlignments(BadData):
    """Plain text where alignments in JSON lines are expected."""


class HandAlignments(BadData):
    """Pairs with hand alignments where alignments are expected."""


class OtherPairs(BadData):
    """A file of hand alignments of other pairs than the pairs to annotate."""


class NotSaved(BadData):
    """A step of an annotator that was refused, because it could not be saved."""


class InUse(SemiHmmError):
    """A file or folder that another process is writing."""


class BadModel(SemiHmmError):
    """A model directory that is missing, broken, of another version or no model at all."""


class NoModel(BadModel):
    """A directory without a model, or no directory."""


class BadUsage(SemiHmmError):
    """A request that no data could satisfy: an unknown name, a number out of range."""

    exit_status = 2


class OtherCorpus(BadUsage):
    """A request to continue training on other texts than before."""


class OutOfDate(BadUsage):
    """A step that an annotator made on an old version of the annotation."""


class NoWordNet(BadUsage):
    """A model that reads WordNet, which is not installed."""


class NoParaphrases(BadUsage):
    """A model that reads a list of paraphrases, which is not installed."""


class AnyPairFails(SemiHmmError):
    """A model that fails even for a pair of one word: the machine or the model is at fault."""

    @classmethod
    def because(cls, reason: Exception) -> Self:
        """Return the error from the exception of the model."""
        return cls(f"the model fails for any pair, so that no pair is at fault: {_where(reason)}")


NOT_FROM_A_PAIR = (AnyPairFails, BadModel, BadResource, BadUsage, MemoryError, OSError, ImportError)
"""Errors that are not the fault of a pair: it would not help to leave out a pair.

A pair that would exceed the limit of memory is refused before the work (``semihmm.model.memory``).
So the machine is at fault if memory is short, as for full disks and missing packages.
"""


class SemiHmmWarning(UserWarning):
    """A warning about data: they are used, but results may be worse than they could be.

    ``once``  whether only the first warning of its class is shown for the same work.
    """

    once = True


class LittleText(SemiHmmWarning):
    """A corpus that is too small to learn much from."""


class OtherLanguage(SemiHmmWarning):
    """Texts in another language than a model's training texts."""


class MissingResource(SemiHmmWarning):
    """A resource that improves alignments, but is not installed."""


class UnspacedText(SemiHmmWarning):
    """Text of a script without spaces, with a tokenizer that splits at spaces."""


class MarkupText(SemiHmmWarning):
    """Text with tags or entities of HTML, which are read as words."""


class ImpossiblePair(SemiHmmWarning):
    """An abstract with the probability 0 under the model."""

    once = False

    @classmethod
    def from_ids(cls, ids: Iterable[str]) -> Self:
        """Return the warning about the pairs, or abstract sentences, with these ids."""
        names = ", ".join(map(repr, ids))
        return cls(f"the model gives these abstracts the probability 0: {names}")


PACKAGES = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")
"""The packages of the project."""


def warn_caller(warning: SemiHmmWarning) -> None:
    """Warn at the line of the user's code that called the project."""
    level, frame = 1, sys._getframe()
    while frame.f_back and str(frame.f_globals.get("__name__")).split(".")[0] in PACKAGES:
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


def described(error: BaseException) -> str:
    """Return the kind of an error, with its message if it has one."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def number_of(count: int, noun: str, several: str = "") -> str:
    """Return a number with its noun, as in ``1 pair`` and ``2,000 pairs``."""
    return f"{count:,} {noun if count == 1 else several or noun + 's'}"


def first_of(names: Sequence[str], most: int = 3) -> str:
    """Return the first few of some names, for a message that fits in a line."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def choose(what: str, name: str, choices: Iterable[str]) -> str:
    """Return ``name`` if it is one of ``choices``.

    ``what``  the noun for a choice in the error message, for instance "jump model".

    Raises ``BadUsage`` otherwise; the message suggests a similar name and lists all choices.
    """
    names = sorted(choices)
    if name in names:
        return name
    # The time of the comparison grows with the product of the lengths, so a long name is cut.
    close = difflib.get_close_matches(name[:LONGEST_WORD], names, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise BadUsage(f"unknown {what} {name!r}.{hint} Known: {', '.join(names)}")
