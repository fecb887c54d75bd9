"""Adds the arguments that several commands share, and reads their values."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable

from corpus_tools.alignments.formats import READERS
from corpus_tools.pairs.formats import FORMATS
from corpus_tools.plugins.options import LARGEST, shown
from corpus_tools.texts.tokenizers import TOKENIZERS

DEFAULT_LIST = "default"
"""The name of the ignore list that is taken if none is given."""

DEFAULT_FORMAT = "jsonl"
"""The format of alignments that are read if none is given."""

MOST_WORKERS = 1024
"""Threads or processes that a command may have, at most: more than machines have processors."""


def split_names(text: str) -> tuple[str, ...]:
    """Split a list of names at its commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def at_least(least: int, most: int = LARGEST) -> Callable[[str], int]:
    """Make a reader of whole numbers from ``least`` to ``most``."""

    def read(text: str) -> int:
        # No number of thousands of digits, which Python refuses to read.
        value = int(text) if text.isdecimal() and len(text) < 100 else -1
        if least <= value <= most:
            return value
        too_large = text.isdecimal() and not 0 <= value < least
        expected = f"{most:,} or less" if too_large else f"{least} or more"
        raise argparse.ArgumentTypeError(f"expected a whole number, {expected}, not {shown(text)}")

    return read


def text_in_utf8(text: str) -> str:
    """Read a text that is compared with those in files, which are UTF-8 whatever the locale."""
    try:
        return os.fsencode(text).decode() if _has_bytes(text) else text
    except UnicodeDecodeError:
        raise argparse.ArgumentTypeError(f"expected UTF-8, not {shown(text)}") from None


def _has_bytes(text: str) -> bool:
    """Tell whether Python could not decode the text by the locale."""
    return any("\udc80" <= letter <= "\udcff" for letter in text)


def add_pairs(
    parser: argparse.ArgumentParser,
    name: str = "pairs",
    what: str = "documents and abstracts",
    *,
    optional: str | None = None,
    several: bool = False,
) -> None:
    """Add the file of the pairs and how it is read.

    ``optional``  what is taken where the command line leaves it out, empty for nothing; ``None``:
                  it must not.
    ``several``   whether there may be more than one file: then the value is a list.
    """
    shown = name.upper()
    one, more = ("?", "*") if optional is not None else (None, "+")
    parser.add_argument(
        name,
        metavar=shown,
        nargs=more if several else one,
        help=f"{what}: {', '.join(reversed(FORMATS))}; plain or gzip; "
        f"a directory of such files{', or several of both' if several else ''}; "
        "- for standard input" + (f" (default: {optional})" if optional else ""),
    )
    tokenizers = ", ".join(f"{name} ({text})" for name, text in TOKENIZERS.items())
    parser.add_argument("--tokenizer", metavar="NAME", help=f"{tokenizers} (default: by each text)")
    for side in ("document", "abstract"):
        parser.add_argument(
            f"--{side}-key",
            type=text_in_utf8,
            metavar="KEY",
            help=f"the {side}'s key where it has no common name (default: a common name)",
        )
    parser.add_argument(
        "--abstracts",
        metavar="FILE",
        help=f"{shown} is plain text, a document a line; FILE the abstracts "
        "(default: both are in the lines)",
    )


def add_gold(parser: argparse.ArgumentParser, name: str = "gold") -> None:
    """Add the file of pairs with hand alignments."""
    add_pairs(parser, name, "pairs with sure and possible links")


def add_alignments_to_score(parser: argparse.ArgumentParser) -> None:
    """Add the file of the alignments that are held against hand alignments, and its format."""
    parser.add_argument(
        "alignments", metavar="ALIGNMENTS", help="what semihmm align or another aligner made"
    )
    add_format(parser, "ALIGNMENTS")


def add_format(parser: argparse.ArgumentParser, files: str) -> None:
    """Add the format of alignments that are read.

    ``files``  what the help text calls them.
    """
    parser.add_argument(
        "--format",
        default=DEFAULT_FORMAT,
        metavar="NAME",
        help=f"of {files}: {', '.join(READERS)} (default: {DEFAULT_FORMAT})",
    )


def add_ignore(parser: argparse.ArgumentParser) -> None:
    """Add the ignore list."""
    parser.add_argument(
        "--ignore",
        default=DEFAULT_LIST,
        metavar="LIST",
        help="default, none, or a file with a word a line (default: default)",
    )


def add_seed(parser: argparse.ArgumentParser, of: str = "of the bootstrap") -> None:
    """Add the seed of what is drawn."""
    parser.add_argument(
        "--seed", type=at_least(0), default=0, metavar="N", help=f"{of} (default: 0)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the choice between a table and JSON."""
    parser.add_argument("--json", action="store_true", help="all figures as JSON")


def add_output(parser: argparse.ArgumentParser, what: str = "JSON lines (default: stdout)") -> None:
    """Add the file of the results."""
    parser.add_argument("--output", default="-", metavar="FILE", help=what)


def add_trees(parser: argparse.ArgumentParser) -> None:
    """Add the file of the trees that the user brings."""
    parser.add_argument(
        "--trees",
        metavar="FILE",
        help="what semihmm parse made, or Penn trees, for the parser trees "
        "(default: the field trees of PAIRS)",
    )


def add_threads(
    parser: argparse.ArgumentParser, what: str = "threads, and processes that read many pairs"
) -> None:
    """Add the number of threads and processes.

    ``what``  there are so many of.
    """
    parser.add_argument(
        "--workers",
        type=at_least(1, MOST_WORKERS),
        metavar="N",
        help=f"{what} (default: all processors)",
    )


def add_cluster(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the cluster.

    ``what``  is done there.
    """
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=f"who does {what}: local, or a Dask scheduler as in tcp://host:8786 "
        "whose workers see all files (default: this process)",
    )
