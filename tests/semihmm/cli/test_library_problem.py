"""A library that cannot be loaded is named, and a variable that it cannot read with it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

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
