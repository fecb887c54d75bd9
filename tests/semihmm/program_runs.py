"""Runs the program, in this process or in one of its own, on files of the sample."""

import gzip
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from semihmm.cli.main import main
from semihmm.model.semi_hmm import SemiHmm
from tests.installed import without_version

SAMPLE = str(files("corpus_tools") / "data" / "sample.jsonl")
PATIENCE = 300
"""Seconds after which a test says that a program hangs, however slow the machine."""

RAW = str(files("corpus_tools") / "data" / "raw_sample.jsonl")


def rows(path: str | PathLike[str]) -> list[dict[str, Any]]:
    """Read the objects of a JSON lines file."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def write(path: Path, *rows: dict[str, Any]) -> str:
    """Write objects as JSON lines and return the file's name."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def texts(path: str | PathLike[str]) -> list[dict[str, Any]]:
    """Return the pairs of a JSON lines file without their hand alignments."""
    return [{key: row[key] for key in ("id", "document", "abstract")} for row in rows(path)]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder, and its folders with no bytes."""
    return {
        str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }


ENDS = (4, 5, 9, 20)
"""The index after the last pair of each file."""

BAD = "sample-07"
"""A pair of the third file."""


def sample_in_files(folder: Path) -> Path:
    """Write the pairs into four files of a new directory, one of them packed, and return it."""
    folder.mkdir()
    pairs = rows(SAMPLE)
    assert len(pairs) == ENDS[-1] and pairs[6]["id"] == BAD
    for number, (begin, end) in enumerate(zip((0, *ENDS), ENDS, strict=False)):
        write(folder / f"{number}.jsonl", *pairs[begin:end])
    first = folder / "0.jsonl"
    (folder / "0.jsonl.gz").write_bytes(gzip.compress(first.read_bytes()))
    first.unlink()
    return folder


class Terminal(io.StringIO):
    """Stands for stderr on a terminal."""

    def isatty(self):
        return True


def run(*arguments: object) -> None:
    """Run a command that must succeed."""
    assert main([str(argument) for argument in arguments]) == 0


def told(line: str) -> str:
    r"""Run the command of a line of a shell; return its status, and what it prints and says.

    ``\udcff`` in the line is a byte that is no UTF-8; a file behind ``<`` is standard input.
    """
    command, _, given = line.partition(" < ")
    arguments = shlex.split(command.replace(r"\udcff", "\udcff"))[2:]
    with (
        open(given or os.devnull, encoding="utf-8") as stdin,
        patch.object(sys, "stdin", stdin),
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
    ):
        status = main(arguments)
    return f"{status} {without_version(out.getvalue())}{err.getvalue()}"


def fails(capsys: pytest.CaptureFixture[str], status: int, *arguments: object) -> str:
    """Run a command that must fail with a status; return its messages. stdout must stay empty."""
    capsys.readouterr()
    assert main([str(argument) for argument in arguments]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


PROGRAM = (sys.executable, "-m", "semihmm")
"""The beginning of a command for a process of its own."""


def program(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    """Start a command in a process of its own, which signals reach; ``more`` is what it gets.

    A shell starts what runs in the background with interrupts ignored, ``nohup`` all of it with
    hangups ignored, and children inherit that.
    """
    command = [*PROGRAM, *map(str, arguments)]
    usual: dict[int, Any] = {
        signal.SIGHUP: signal.SIG_DFL,
        signal.SIGINT: signal.default_int_handler,
    }
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    try:
        return subprocess.Popen(command, text=True, **pipes)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wait_until(condition: Callable[[], object], running: subprocess.Popen[Any]) -> None:
    """Wait until a command has come so far. It must not have ended before."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert running.poll() is None and time.monotonic() < end
        time.sleep(0.05)


def ended(running: subprocess.Popen[str]) -> tuple[int, list[str]]:
    """Wait for the end of a command without results; return the exit status and what it said."""
    out, err = running.communicate(timeout=PATIENCE)
    assert out == ""
    for unwanted in ("Traceback", "Exception", "leaked", "distributed"):
        assert unwanted not in err
    return running.returncode, err.splitlines()


def in_shell(
    redirection: str, *arguments: object, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a shell, with redirections or a pipe behind it; its status is returned.

    ``environment``  variables beside those of this process.
    """
    command = f'"$@" {redirection}'
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command, "bash", *PROGRAM, *map(str, arguments)],
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )


def with_a_bad_pair(
    monkeypatch: pytest.MonkeyPatch, method: str, bad: str, error: Exception
) -> None:
    """Make a method of the model fail for every batch that has the pair of this id."""
    intact = getattr(SemiHmm, method)

    def failing(model, given, *more):
        if bad in (given.ids if method == "encode" else given.batch.ids):
            raise error
        return intact(model, given, *more)

    monkeypatch.setattr(SemiHmm, method, failing)
