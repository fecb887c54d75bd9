"""Reads a text that a command line gives, or the file that it names."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from corpus_tools.base.errors import BadUsage
from corpus_tools.base.files import STANDARD_STREAM
from corpus_tools.pairs.plain_texts import plain_text
from corpus_tools.texts.marks import without_markup
from semihmm.cli import arguments
from semihmm.cli.command import Options

if TYPE_CHECKING:
    pass


FILE_NAME_PATTERN = re.compile(
    r"[^\s/]*+/\S*+|\S+\.[A-Za-z]\w{1,7}|.*\.(?:csv|docx|gz|html?|jsonl?|md|pdf|tsv|txt|xml)",
    re.IGNORECASE,
)
"""A text that looks like the name of a file. It is refused if there is no such file."""


def text_or_file(text: str) -> str:
    """Check an argument: a text must be UTF-8, the name of a file need not."""
    return text if _is_file(text) else arguments.text_in_utf8(text)


def given_text(options: Options, name: str) -> str:
    """Return the text of an option, or the text of the file that it names.

    ``name``  the name of the option, without its dashes.

    Raises ``BadUsage`` for the name of a file that does not exist, ``BadData`` for a file that
    cannot be read, has no words, or holds JSON.
    """
    value = getattr(options, name)
    if not _is_file(value) and FILE_NAME_PATTERN.fullmatch(value.strip()):
        raise BadUsage(
            f"--{name}: there is no file {value}; if it is the text itself, write it to a file or "
            "to standard input (-)"
        )
    text = plain_text(value) if _is_file(value) else value
    return without_markup(text) if options.strip_markup else text


def _is_file(text: str) -> bool:
    return text == STANDARD_STREAM or (os.path.exists(text) and not os.path.isdir(text))
