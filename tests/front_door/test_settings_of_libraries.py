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


def test_nothing_in_the_current_folder_is_run_or_read(tmp_path, monkeypatch):
    """Processes were started with the current folder first in their path."""
    pytest.importorskip("HanTa")
    assert compiled_kernels.COMPILED is not None  # numba is imported by the program
    monkeypatch.chdir(tmp_path)
    for name in ("multiprocessing.py", "numpy.py", "morphmodel_en.pgz"):
        Path(name).write_text("open('run', 'w').close()\n")
    Path(".numba_config.yaml").write_text("debug: 1\nnum_threads: 0\n")
    write(Path("pairs"), rows(SAMPLE)[0])
    expected = {*os.listdir(), "parse", "align"}
    for command in ("parse pairs", "align pairs --cluster local --workers 1"):
        status, out, err = said(tmp_path, *command.split(), "--output", command.split()[0])
        assert (status, out) == (0, ""), err
    assert {*os.listdir()} == expected
    # Before it compiles, numba looks again.
    config.reload_config()
    assert config.DEBUG == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes")
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
    os.mkfifo(tmp_path / "matplotlibrc")  # is not opened, which would wait for ever
    status, out, err = said(tmp_path, *command, "--output", "o.svg", **variables)
    assert (status, out) == (2, "") and "left out" not in err
    assert err.splitlines()[-1].startswith(f"semihmm: {library} refuses its settings: ")
    assert os.listdir(tmp_path) == ["matplotlibrc"]
