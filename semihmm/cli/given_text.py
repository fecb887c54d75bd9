"""Reads texts that a command line gives, or that are in a file that it names."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Mapping

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.storage.files import STANDARD_STREAM, open_text, shown_name
from semihmm.cli.options import text_in_utf8

LIKE_A_FILE_NAME = re.compile(
    r"\S*/\S*"  # a path
    r"|\S+\.[A-Za-z]\w{1,7}"  # a word with an ending
    r"|(?:/|~/|\.{1,2}/).*"  # a path with blanks
    r"|.*\.(?:txt|text|md|gz|jsonl?|csv|tsv|html?|xml|pdf|docx?|odt|rtf|parquet)",
    re.IGNORECASE,
)
"""What of one line is taken for the name of a file where there is none of that name.

Nobody asks for a text of one word. Who means such a text can give it in a file.
"""


def text_or_file(given: str) -> str:
    """Check an argument: names of files may be no UTF-8, texts may not."""
    return given if _is_file(given) else text_in_utf8(given)


def given_text(name: str, given: str) -> str:
    """Return the text that an argument gives, or that of the file that it names.

    ``name``  that of the option, without its dashes.

    Raises ``BadUsage`` for what looks like the name of a file that does not exist, ``BadData`` for
    a file that cannot be read, has no words, or holds JSON.
    """
    if not _is_file(given):
        if LIKE_A_FILE_NAME.fullmatch(given.strip()):
            reason = "is a directory" if os.path.isdir(given) else "is no file"
            raise BadUsage(
                f"--{name}: {given} {reason}, but looks like the name of one; "
                "a text that looks so can be given in a file or by standard input (-)"
            )
        return given
    with open_text(given) as stream:
        text = stream.read()
    if not text.strip():
        raise BadData(f"the {name} has no words", shown_name(given))
    if _is_json(text):
        problem = f"the file looks like JSON, expected plain text for --{name}; PAIRS may be JSON"
        raise BadData(problem, shown_name(given), 1)
    return text


def refuse_options_of_pairs(
    options: argparse.Namespace, reason: str, more: Mapping[str, object] | None = None
) -> None:
    """Raise ``BadUsage`` for options that say how PAIRS is read, where there is no such file.

    ``reason``  what there is instead.
    ``more``    the values of other such options, by flag.
    """
    of_pairs = {
        "--document-key": options.document_key,
        "--abstract-key": options.abstract_key,
        "--abstracts": options.abstracts,
        **(more or {}),
    }
    for flag in (flag for flag, value in of_pairs.items() if value):
        raise BadUsage(f"nothing uses {flag}: it is of PAIRS, and {reason}")


def _is_file(given: str) -> bool:
    return given == STANDARD_STREAM or (os.path.exists(given) and not os.path.isdir(given))


def _is_json(text: str) -> bool:
    """Tell whether a text begins with an object or a list of JSON, as files of pairs do."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict | list)
