"""Standard streams that are closed, full or broken, what is written to them, and signals."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import warnings
import webbrowser
from pathlib import Path

import click
import pytest

from corpus_tools.base.errors import EmptySide, LittleText
from semihmm.cli.command import Command
from semihmm.cli.main import PROGRAM, main
from semihmm.cli.messages import open_page
from tests.semihmm.program_runs import SAMPLE, ended, in_shell, program, run, told, write

# Streams


LOCALE = {"PYTHONIOENCODING": "latin-1", "LC_ALL": "C", "PYTHONUTF8": "0"}
LOCALE["PYTHONCOERCECLOCALE"] = "0"
EUROPEAN = {"id": "é€", "document": [["Žižek", "🎉", "."]], "abstract": [["🎉", "."]]}


def lines_of(content: bytes) -> list[str]:
    """Return the lines of messages, none of which may be one of Python's own."""
    text = content.decode()
    for unwanted in ("Traceback", "Exception", "Error:", "Warning:"):
        assert unwanted not in text
    return text.splitlines()


def test_output_and_messages_are_utf8_whatever_the_locale(tmp_path):
    path = write(tmp_path / "pärchen.jsonl", EUROPEAN)
    done = in_shell("", "extract", path, environment=LOCALE)
    assert lines_of(done.stderr)[0].startswith("semihmm: 1 pair read")
    assert json.loads(done.stdout.decode())["id"] == EUROPEAN["id"]
    missing = in_shell("", "extract", tmp_path / "kein-Überblick.jsonl", environment=LOCALE)
    assert missing.returncode == 1
    assert "kein-Überblick.jsonl: cannot read" in lines_of(missing.stderr)[0]


UNWRITTEN = "1 semihmm: cannot write standard output: "
STREAMS = [
    ("> /dev/full", "extract PAIRS", UNWRITTEN + "No space left on device"),
    ("> /dev/full", "tokenize --text short", UNWRITTEN + "No space left on device"),
    (">&-", "extract PAIRS", UNWRITTEN + "Bad file descriptor"),
    # Whether a pipe breaks before all is written depends on the machine; both are fine.
    ("| true", "--help", "[01] "),
    ("2>&1 | true", "extract PAIRS", "[01] "),
    ("2>&-", "extract PAIRS --output OUTPUT", "0 "),
    ("2> /dev/full", "extract PAIRS --output OUTPUT", "0 "),
]
"""What becomes of the streams of a command, and its status with what it says but for the pairs."""


@pytest.mark.parametrize(("redirection", "command", "told"), STREAMS)
def test_streams_that_cannot_be_written(tmp_path, redirection, command, told):
    """Without a stream for messages the work is done; a broken pipe is silence."""
    if "/dev/full" in redirection and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    output = tmp_path / "output"
    files = {"PAIRS": SAMPLE, "OUTPUT": output}
    done = in_shell(redirection, *(files.get(word, word) for word in command.split()))
    said = " ".join(line for line in lines_of(done.stderr) if "pairs read" not in line)
    assert done.stdout == b"" and re.fullmatch(told, f"{done.returncode} {said}")
    assert output.exists() == ("OUTPUT" in command)
    if output.exists():
        run("extract", SAMPLE, "--output", tmp_path / "whole")
        assert output.read_bytes() == (tmp_path / "whole").read_bytes()


# What is written

# Control characters but for tabs and line breaks, and those that turn the direction.
IS_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OBEYED = "\x07\x08\x1b[2J\x1b]0;x\x07\x7f\x85\x9b2J\u202e\u2066"
COMMANDS = """\
errors gold.jsonl links.jsonl
score gold.jsonl links.jsonl
score gold.jsonl others.jsonl
view gold.jsonl links.jsonl
view gold.jsonl links.jsonl --support
stats gold.jsonl links.jsonl
stats *.jsonl
stats gold.jsonl --tokenizer *
view gold.jsonl --no-such-*
""".splitlines()


def test_a_terminal_obeys_no_text(capsys, tmp_path, monkeypatch):
    """Ids, words and names of files are full of what it obeys. In JSON they are as they are."""
    monkeypatch.chdir(tmp_path)
    texts = {"document": [[f"\0{OBEYED}x", "y", "z"]], "abstract": [[f"\0{OBEYED}x", "y"]]}
    ids = [f"\0{OBEYED}{number}" for number in range(2)]
    write(Path("gold.jsonl"), *({"id": id, "sure": [[0, 0]], "possible": []} | texts for id in ids))
    phrases = [{"abstract": [1, 2], "document": [0, 1]}]
    links = [{"id": id, "phrases": phrases} for id in ids]
    write(Path("links.jsonl"), *links)
    write(Path("others.jsonl"), links[0])
    Path(f"{OBEYED}.jsonl").write_text("{}")
    for command in COMMANDS:
        main([word.replace("*", OBEYED) for word in command.split()])
        printed = "".join(capsys.readouterr())
        assert printed and not IS_OBEYED.findall(printed), command
    run("errors", "gold.jsonl", "links.jsonl", "--json")
    assert json.dumps(ids[0])[1:-1] in capsys.readouterr().out


FULL = "No space left on device"
ENDS = [
    (OSError(errno.ENOSPC, FULL, "some.txt"), f"1 semihmm: some.txt: {FULL}\n"),
    (OSError(errno.ENOSPC, FULL), f"1 semihmm: {FULL}\n"),
    (OSError("odd"), "1 semihmm: odd\n"),
    (MemoryError(), "1 semihmm: out of memory\n"),
    (click.Abort(), "130 semihmm: interrupted\n"),
    (EmptySide("two\nlines", "x"), "1 semihmm: x: two lines; --skip-empty leaves such pairs out\n"),
    (SystemExit(3), "3 "),
]


@pytest.mark.parametrize(("error", "said"), ENDS, ids=repr)
def test_what_ends_a_command_is_one_line(monkeypatch, error, said):
    """A warning before it is given once."""

    def fail(_):
        for _ in range(2):
            warnings.warn("odd", LittleText, stacklevel=1)
        raise error

    monkeypatch.setitem(PROGRAM.commands, "fail", Command("fail", [], callback=fail))
    status, _, said = said.partition(" ")
    assert told("$ semihmm fail --quiet") == f"{status} semihmm: warning: odd\n{said}"


# Signals


def test_training_ends_with_a_message_and_can_be_resumed(tmp_path, capsys):
    """It goes on for minutes, converged or not, if no signal comes."""
    model = tmp_path / "model"
    for_long = ["--iterations", 20_000, "--tolerance", -1, "--workers", 1, "--rewrite", "identity"]
    options = [SAMPLE, "--model", model, *for_long]
    running = program("train", *options)
    next(line for line in running.stderr if "iteration 2:" in line)
    running.send_signal(signal.SIGTERM)
    status, err = ended(running)
    assert status == 128 + signal.SIGTERM
    assert err[-1] == "semihmm: interrupted"
    assert any(f"is in {model}: --resume" in line for line in err)
    names = {path.name.partition("-")[0] for path in model.iterdir()}
    assert names == {"model.json", "parameters"}
    run("train", *options, "--resume", "--tolerance", 1e9)
    assert "nothing left to do" in capsys.readouterr().err


def test_each_line_of_standard_input_is_answered_before_the_next_is_sent():
    running = program("align", "-", stdin=subprocess.PIPE)
    for line in Path(SAMPLE).read_text(encoding="utf-8").splitlines()[:2]:
        running.stdin.write(f"{line}\n")
        running.stdin.flush()
        answer = running.stdout.readline()
        assert answer, "no answer before the next line"
        assert json.loads(answer)["id"] == json.loads(line)["id"]
    status, messages = ended(running)
    assert status == 0 and "2 pairs read" in messages[-1]


def test_a_file_name_that_is_no_utf8_is_named():
    name = os.fsdecode(b"no\xff.jsonl")
    asked = program("tokenize", name, encoding="utf-8", errors="surrogateescape")
    assert f"{name}: cannot read" in asked.communicate()[1]


# Pages


@pytest.mark.parametrize(
    ("display", "no_browser", "is_opened", "is_asked_for"),
    [(":0", False, True, False), (":0", True, False, False), ("", False, False, True)],
)
def test_a_page_is_opened_where_windows_can_open(
    monkeypatch, capsys, display, no_browser, is_opened, is_asked_for
):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.setenv(name, display if name == "DISPLAY" else "")
    open_page("http://localhost:1/", no_browser=no_browser)
    assert opened == ["http://localhost:1/"] * is_opened
    assert ("open the address yourself" in capsys.readouterr().err) == is_asked_for
