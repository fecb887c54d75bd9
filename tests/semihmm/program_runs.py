"""Run the program, in this process or as one of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from semihmm.cli.main import main

SAMPLE = str(files("corpus_tools") / "data" / "sample.jsonl")
RAW = str(files("corpus_tools") / "data" / "raw_sample.jsonl")


def rows(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def run(*arguments):
    """A command that goes well."""
    assert main([str(argument) for argument in arguments]) == 0


def fails(capsys, status, *arguments):
    """What a command that fails says; nothing of it goes to stdout."""
    capsys.readouterr()
    try:
        assert main([str(argument) for argument in arguments]) == status
    except SystemExit as stopped:  # argparse's own way
        assert stopped.code == status
    out, err = capsys.readouterr()
    assert out == "" and "Traceback" not in err
    return err


def program(*arguments, **options):
    command = [sys.executable, "-m", "semihmm", *map(str, arguments)]
    return subprocess.Popen(
        command, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    )
