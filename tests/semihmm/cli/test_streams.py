"""Tests of standard streams that are closed, full or broken, of locales and of warnings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.semihmm.program_runs import SAMPLE, in_shell, write

NO_FULL_DEVICE = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="this system has no /dev/full"
)
RESULTS = (["--help"], ["extract", SAMPLE])
LOCALES = (
    {"PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
)
EUROPEAN = {"id": "é€", "document": [["Žižek", "🎉", "."]], "abstract": [["🎉", "."]]}


def lines_of(content: bytes) -> list[str]:
    """Return the lines of messages, none of which may be one of Python's own."""
    text = content.decode()
    for unwanted in ("Traceback", "Exception", "Error:", "Warning:"):
        assert unwanted not in text
    return text.splitlines()


@pytest.mark.parametrize("locale", LOCALES, ids=str)
def test_output_and_messages_are_utf8_whatever_the_locale(tmp_path, locale):
    path = write(tmp_path / "pärchen.jsonl", EUROPEAN)
    done = in_shell("", "extract", path, environment=locale)
    assert lines_of(done.stderr)[0].startswith("semihmm: 1 pair read")
    assert json.loads(done.stdout.decode())["id"] == EUROPEAN["id"]
    missing = in_shell("", "extract", tmp_path / "kein-Überblick.jsonl", environment=locale)
    assert missing.returncode == 1
    assert "kein-Überblick.jsonl: cannot read" in lines_of(missing.stderr)[0]


@NO_FULL_DEVICE
@pytest.mark.parametrize("arguments", RESULTS, ids=" ".join)
def test_a_full_disk_is_an_error(arguments):
    done = in_shell("> /dev/full", *arguments)
    assert done.returncode == 1
    assert lines_of(done.stderr)[-1].endswith(
        "cannot write standard output: No space left on device"
    )


@pytest.mark.parametrize("arguments", RESULTS, ids=" ".join)
def test_a_closed_stdout_is_an_error_where_something_is_written(arguments):
    done = in_shell(">&-", *arguments)
    assert done.returncode == 1
    assert lines_of(done.stderr)[-1].endswith("cannot write standard output: Bad file descriptor")


@pytest.mark.parametrize("arguments", RESULTS, ids=" ".join)
@pytest.mark.parametrize("redirection", ["| true", "2>&1 | true"])
def test_a_broken_pipe_is_silence(arguments, redirection):
    """Whether the pipe breaks before all is written depends on the machine; both are fine."""
    done = in_shell(redirection, *arguments)
    assert done.returncode in (0, 141)
    assert not [line for line in lines_of(done.stderr) if "pairs read" not in line]


@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full"])
def test_without_a_stream_for_messages_the_work_is_done(tmp_path, redirection):
    if "full" in redirection and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    output = tmp_path / "extracts.jsonl"
    done = in_shell(redirection, "extract", SAMPLE, "--output", output)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    whole = in_shell("", "extract", SAMPLE).stdout
    assert output.read_bytes() == whole
