"""Writes messages and warnings to stderr, and results to stdout."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
import warnings
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from corpus_tools.base import errors
from corpus_tools.base.errors import SemiHmmError, SemiHmmWarning
from corpus_tools.base.files import STANDARD_STREAM, StrPath, cache_folder, replacing
from corpus_tools.base.progress import is_quiet, setting_quiet, showing_bars, write_above_bars

if TYPE_CHECKING:
    from semihmm.training.em import Iteration

HINTS: dict[type[SemiHmmError | SemiHmmWarning], str] = {
    errors.BadResource: "--wordnet none or --paraphrases none does without it",
    errors.BadPair: "--skip-bad-pairs leaves it out",
    errors.ClusterLost: "--resume continues from the finished parts",
    errors.EmptySide: "--skip-empty leaves such pairs out",
    errors.HandAlignments: "semihmm agreement compares the hand alignments of several people",
    errors.InUse: "wait until it has ended, or name another output",
    errors.MarkupText: "--strip-markup removes it",
    errors.MissingText: "--document-key and --abstract-key name other keys",
    errors.NoModel: "semihmm train makes one",
    errors.OtherCorpus: "train without --resume",
    errors.OtherPairs: "with --users, name the same users as before",
    errors.PlainTextAlignments: "score and errors read other formats with --format",
    errors.PlainTextPairs: "plain texts are two files or folders, the second after --abstracts",
    errors.UnspacedText: "--tokenizer unicode splits such texts",
}
"""The remedies for the user, by the kind of error or warning."""


def with_hint(error: SemiHmmError | SemiHmmWarning) -> str:
    """Return the message of an error or a warning, with its hint."""
    help = HINTS.get(type(error))
    return str(error) if help is None else f"{error}; {help}"


@contextmanager
def reporting(*, quiet: bool) -> Iterator[None]:
    """Show bars if stderr is a terminal, and write each warning of the program once.

    ``quiet``  show no bars and no other messages.

    Warnings of libraries are dropped.
    """

    said: set[str] = set()

    def show(message: Warning | str, *place: Any, **more: Any) -> None:
        # Each iteration of EM may raise the same warning.
        if isinstance(message, SemiHmmWarning) and str(message) not in said:
            said.add(str(message))
            if not (isinstance(message, errors.MissingResource) and said_today(str(message))):
                warn(with_hint(message))

    with (
        setting_quiet(quiet=quiet),
        warnings.catch_warnings(),
        nullcontext() if quiet or not sys.stderr.isatty() else showing_bars(),
    ):
        # By default Python shows a warning once for each line of code: a warning about a second
        # file of pairs, which the same line gives, would be lost.
        warnings.simplefilter("always", SemiHmmWarning)
        warnings.showwarning = show
        yield


DAY_SECONDS = 24 * 60 * 60.0
"""The seconds of a day."""


def said_today(message: str) -> bool:
    """Tell whether a message was shown within the last day; if not, note that it is shown now."""
    name = hashlib.blake2b(message.encode(), digest_size=8).hexdigest()
    try:
        note = cache_folder() / f"said-{name}"
        if note.exists() and abs(time.time() - note.stat().st_mtime) < DAY_SECONDS:
            return True
        note.touch()
    except (OSError, SemiHmmError):
        pass
    return False


def info(message: str, *, needed: bool = False) -> None:
    """Write a line to stderr.

    ``needed``  write it even with ``--quiet``.
    """
    if needed or not is_quiet():
        try:
            write_above_bars(f"semihmm: {errors.shortened(message)}")
        except OSError:
            # The work goes on although its messages cannot be written.
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # open until the end


def open_page(address: str, *, no_browser: bool) -> None:
    """Open a page in a browser, or ask the user to open it.

    ``no_browser``  do not try to open it.
    """
    # Where no windows can open, a text browser would take over the terminal.
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    has_windows = sys.platform == "darwin" or any(map(os.environ.get, variables))
    if not (no_browser or (has_windows and webbrowser.open(address))):
        info("no browser could be opened: open the address yourself")


def warn(message: str) -> None:
    """Write a warning to stderr."""
    info(f"warning: {message}", needed=True)


def write_result(result: str | Mapping[str, Any], path: StrPath = STANDARD_STREAM) -> None:
    """Write a text for people, or figures as JSON. Raises ``BadData`` if it cannot be written."""
    # A terminal would obey control characters of a text. JSON escapes them itself.
    text = errors.printable(result) if isinstance(result, str) else json.dumps(result, indent=1)
    with replacing(path) as stream:
        stream.write(text + "\n")


def warn_of_failed(ids: Sequence[str], consequence: str) -> None:
    """Warn of pairs that make the model fail. ``consequence`` says what became of them."""
    if ids:
        problem = f"pairs that make the model fail, which {consequence}"
        warn(f"{problem}: {len(ids)} ({', '.join(ids)})")


def iteration_lines() -> Callable[[Iteration], None]:
    """Return a function that writes a line for each iteration of EM.

    The line shows the objective, its gain, the share of null, the mixture weights and the seconds.
    """
    objectives: list[float] = []

    def report(iteration: Iteration) -> None:
        gain = f" ({iteration.objective - objectives[-1]:+.1f})" if objectives else ""
        weights = ", ".join(f"{name} {weight:.3f}" for name, weight in iteration.weights.items())
        info(
            f"iteration {iteration.number}: objective {iteration.objective:.1f}{gain}, "
            f"unaligned {iteration.null:.3f}, {weights}, {iteration.seconds:.1f} s"
        )
        objectives.append(iteration.objective)

    return report
