"""A library that cannot be loaded is named, and a variable that it cannot read with it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from semihmm.cli.library_problem import library_problem
from tests.semihmm.program_runs import PATIENCE, PROGRAM, SAMPLE


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Return a library that reads the variable ``WIDTH`` when it is imported."""
    (tmp_path / "odd_library.py").write_text(
        "import os\n\ndef read():\n    return int(os.environ['WIDTH'])\n\nwidth = read()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield "odd_library"
    sys.modules.pop("odd_library", None)


def error_of_import(name):
    with pytest.raises(Exception) as raised:  # noqa: PT011 (any may come)
        __import__(name)
    return raised.value


def test_the_variable_is_named(library, monkeypatch):
    monkeypatch.setenv("WIDTH", "wide")
    problem = library_problem(error_of_import(library))
    assert problem.startswith("cannot load the library odd_library: ValueError: invalid literal")
    assert problem.endswith("look at the environment's WIDTH")


def test_without_a_variable_the_library_is_named(library, monkeypatch):
    monkeypatch.delenv("WIDTH", raising=False)
    problem = library_problem(error_of_import(library))
    assert problem.endswith("odd_library: KeyError: 'WIDTH'; is it installed whole?")


def test_errors_of_a_loaded_library_are_not_explained_away(library, monkeypatch):
    monkeypatch.setenv("WIDTH", "1")
    module = __import__(library)
    monkeypatch.setenv("WIDTH", "wide")
    with pytest.raises(ValueError, match="wide") as raised:
        module.read()
    assert library_problem(raised.value) is None


def test_the_command_line_says_it(tmp_path):
    """Progress bars are for terminals: only there is tqdm imported."""
    command = [*PROGRAM, "extract", SAMPLE, "--output", str(tmp_path / "out.jsonl")]
    variables = {**os.environ, "TQDM_NCOLS": "many"}
    ours, terminal = os.openpty()
    ended = subprocess.run(command, env=variables, stderr=terminal, check=False, timeout=PATIENCE)
    os.close(terminal)
    err = os.read(ours, 10_000).decode()
    os.close(ours)
    assert ended.returncode == 1
    assert "cannot load the library tqdm" in err
    assert "TQDM_NCOLS" in err
    assert "Traceback" not in err
