"""The program runs where Python lacks what Windows does not have."""

import subprocess
import sys

from semihmm import align
from tests.paths import ROOT

WITHOUT = """
# What Python's own library needs of these names on this system, it takes now.
import asyncio, numpy, os, selectors, signal, subprocess, sys, tempfile
from multiprocessing import resource_tracker

resource_tracker.ensure_running()

for name in ("getuid", "setpgid", "setsid", "uname", "O_CLOEXEC"):
    delattr(os, name)
for name in ("SIGHUP", "SIGPIPE", "SIGQUIT", "pthread_sigmask"):
    delattr(signal, name)
sys.modules["resource"] = sys.modules["grp"] = None
"""

USES = """
import runpy
from corpus_tools.base.parallel import in_processes
from semihmm.applications.score.system import _peak_memory
from semihmm.cli.main import main

if __name__ == "__main__":
    assert list(in_processes(abs, [-1, 2], 2, "counts")) == [1, 2]
    assert _peak_memory() == 0
    assert main(["demo", sys.argv[1]]) == 0
    sys.argv[1:] = ["align", "--document", "A cat sat.", "--abstract", "Cats sit."]
    runpy.run_module("semihmm", run_name="__main__")
"""


def test_nothing_needs_what_windows_lacks(tmp_path):
    """The processes that the program starts lack it too: they read the same file first."""
    align("A cat sat. It ran.", "Cats sit.")  # now the kernels are compiled
    program = tmp_path / "program.py"
    program.write_text(WITHOUT + USES)
    command = [sys.executable, program, tmp_path / "sample"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "[Cats]" in run.stdout
