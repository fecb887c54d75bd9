"""Reads the one pair that a command line gives with ``--document`` and ``--abstract``."""

from __future__ import annotations

import argparse
import json
import os
import re

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.as_pairs import as_pairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import STANDARD_STREAM, open_text, shown_name
from semihmm.cli.options import text_in_utf8

SIDES = ("document", "abstract")

LIKE_A_FILE_NAME = re.compile(
    r"\S*/\S*"  # a path
    r"|\S+\.[A-Za-z]\w{1,7}"  # a word with an ending
    r"|(?:/|~/|\.{1,2}/).*"  # a path with blanks
    r"|.*\.(?:txt|text|md|gz|jsonl?|csv|tsv|html?|xml|pdf|docx?|odt|rtf|parquet)",
    re.IGNORECASE,
)
"""What of one line is taken for the name of a file where there is none of that name.

Nobody aligns a text of one word. Who means such a text can give it in a file.
"""


def add_one_pair(parser: argparse.ArgumentParser) -> None:
    """Add the two texts of one pair."""
    group = parser.add_argument_group(
        "one pair", "In place of PAIRS; shown as semihmm view shows it, unless --output is given."
    )
    for side in SIDES:
        group.add_argument(
            f"--{side}",
            type=_text_or_file,
            metavar="TEXT|FILE",
            help=f"the text of the {side}, or a file of it, plain or gzip; - for standard input "
            "(default: the pairs of PAIRS)",
        )


def gives_one_pair(options: argparse.Namespace) -> bool:
    """Tell whether the command line gives one pair in place of the file PAIRS.

    Raises ``BadUsage`` if it gives both, neither, or half a pair, and for options that are of
    PAIRS alone.
    """
    given = [f"--{side}" for side in SIDES if getattr(options, side) is not None]
    if not given:
        if options.pairs is None:
            raise BadUsage("name the file PAIRS, or give one pair with --document and --abstract")
        return False
    if options.pairs is not None:
        raise BadUsage(
            f"{' and '.join(given)} in place of PAIRS, not beside it: leave out {options.pairs}"
        )
    for missing in (f"--{side}" for side in SIDES if f"--{side}" not in given):
        raise BadUsage(f"{given[0]} needs {missing}: a pair has both")
    of_pairs = {
        "--document-key": options.document_key,
        "--abstract-key": options.abstract_key,
        "--abstracts": options.abstracts,
        "--resume": options.resume,
        "--skip-bad-pairs": options.skip_bad_pairs,
    }
    for flag in (flag for flag, value in of_pairs.items() if value):
        raise BadUsage(f"nothing uses {flag}: it is of PAIRS, and there is one pair")
    return True


def one_pair(options: argparse.Namespace) -> Pair:
    """Make the pair of the two texts.

    Raises ``BadUsage`` for what looks like the name of a file that does not exist, ``BadData`` for
    a file that cannot be read, has no words, or holds pairs.
    """
    document, abstract = (_side_text(side, getattr(options, side)) for side in SIDES)
    (pair,) = as_pairs((document, abstract), options.tokenizer)
    return pair


def _text_or_file(given: str) -> str:
    """Check an argument: names of files may be no UTF-8, texts may not."""
    return given if _is_file(given) else text_in_utf8(given)


def _is_file(given: str) -> bool:
    return given == STANDARD_STREAM or (os.path.exists(given) and not os.path.isdir(given))


def _side_text(side: str, given: str) -> str:
    """Return the text that an argument gives or names."""
    if not _is_file(given):
        if LIKE_A_FILE_NAME.fullmatch(given.strip()):
            reason = "is a directory" if os.path.isdir(given) else "is no file"
            raise BadUsage(
                f"--{side}: {given} {reason}, but looks like the name of one; "
                "a text that looks so can be given in a file or by standard input (-)"
            )
        return given
    with open_text(given) as stream:
        text = stream.read()
    if not text.strip():
        raise BadData(f"the {side} has no words", shown_name(given))
    if _holds_pairs(text):
        problem = f"the file looks like JSON, expected the text of the {side}; PAIRS may be JSON"
        raise BadData(problem, shown_name(given), 1)
    return text


def _holds_pairs(text: str) -> bool:
    """Tell whether a text is an object of JSON, or begins with a line that is one."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict | list)
