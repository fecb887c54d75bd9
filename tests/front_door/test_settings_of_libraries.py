"""What lies in the current folder and in the environment: none is run or read, or it is named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import config

from corpus_tools.base import compiled_kernels
from tests.semihmm.program_runs import PATIENCE, SAMPLE, rows, write


def said(folder, *arguments, **variables):
    """Run the installed program, which has not the current folder in its path, in a folder.

    Return its status, and what it wrote to stdout and stderr.
    """
    command = [str(Path(sys.executable).with_name("semihmm")), *map(str, arguments)]
    how = {"capture_output": True, "text": True, "timeout": PATIENCE, "env": os.environ | variables}
    ended = subprocess.run(command, cwd=folder, check=False, **how)
    assert "Traceback" not in ended.stderr
    return ended.returncode, ended.stdout, ended.stderr


def test_a_module_in_the_current_folder_is_not_run(tmp_path):
    """Processes were started with the current folder first in their path."""
    for name in ("multiprocessing.py", "numpy.py", "morphmodel_en.pgz"):
        (tmp_path / name).write_text("open('run', 'w').close()\n")
    pytest.importorskip("HanTa")
    pairs = write(tmp_path / "p", rows(SAMPLE)[0])
    status, _, err = said(tmp_path, "parse", pairs, "--workers", "2", "--output", "o")
    assert status == 0, err
    assert not (tmp_path / "run").exists()


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


@pytest.mark.parametrize(
    ("library", "variables", "command"),
    [
        # It is no fault of the pairs: all were left out, and the status was 0.
        ("numba", {"NUMBA_NUM_THREADS": "0"}, ("align", SAMPLE, "--skip-bad-pairs")),
        ("matplotlib", {"MPLBACKEND": "x"}, ("plot", "portrait", SAMPLE)),
    ],
)
def test_a_library_that_refuses_its_settings_is_named(tmp_path, library, variables, command):
    pytest.importorskip(library)
    status, out, err = said(tmp_path, *command, "--output", "o.svg", **variables)
    assert (status, out) == (2, "") and "left out" not in err
    assert err.splitlines()[-1].startswith(f"semihmm: {library} refuses its settings: ")
    assert not (tmp_path / "o.svg").exists()
