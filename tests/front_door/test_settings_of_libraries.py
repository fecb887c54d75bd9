"""Settings of libraries: none are read from the current folder, and wrong ones are named."""

import os
import subprocess
from pathlib import Path

import pytest
from numba.core import config

from corpus_tools.base import compiled_kernels
from tests.semihmm.program_runs import PROGRAM, SAMPLE


def said(folder, *arguments, **environment):
    """Run a command in a folder; return its status, and what it wrote to stdout and stderr."""
    ended = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        check=False,
        text=True,
        timeout=600,
    )
    assert "Traceback" not in ended.stderr
    return ended.returncode, ended.stdout, ended.stderr


def test_settings_of_numba_in_the_current_folder(tmp_path, monkeypatch):
    assert compiled_kernels.COMPILED is not None  # numba is imported by the program
    monkeypatch.chdir(tmp_path)
    Path(".numba_config.yaml").write_text("debug: 1\nnum_threads: 0\n")
    status, out, _ = said(tmp_path, "align", SAMPLE)
    assert status == 0 and all(line.startswith('{"id"') for line in out.splitlines())
    # Before it compiles, numba looks again.
    config.reload_config()
    assert config.DEBUG == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes")
def test_settings_of_matplotlib_in_the_current_folder(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    os.mkfifo(tmp_path / "matplotlibrc")
    status, _, err = said(tmp_path, "plot", "portrait", SAMPLE, "--output", "p.svg")
    assert status == 0, err
    assert (tmp_path / "p.svg").stat().st_size > 0


def test_numbers_of_threads_that_numba_refuses(tmp_path):
    (tmp_path / "s.jsonl").write_text('{"id": "1", "summary": "It rained."}\n')
    (tmp_path / "r.jsonl").write_text('{"id": "1", "references": ["It rained."]}\n')
    command = ["measure", "s.jsonl", "--references", "r.jsonl"]
    status, out, err = said(tmp_path, *command, NUMBA_NUM_THREADS="0")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith("semihmm: numba refuses its settings: Number of threads")


def test_drawing_programs_that_matplotlib_does_not_know(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    command = ["plot", "portrait", SAMPLE, "--output", "p.svg"]
    status, out, err = said(tmp_path, *command, MPLBACKEND="x")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith("semihmm: matplotlib refuses its settings: ")
