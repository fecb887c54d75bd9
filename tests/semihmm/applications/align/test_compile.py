"""Tests that ``semihmm compile`` leaves nothing of aligning and training to compile."""

import subprocess
import sys

from corpus_tools.base.compiled_kernels import FOLDER
from tests.semihmm.program_runs import PATIENCE

PROGRAM = """
from semihmm.applications.score import greedy_kernels
from semihmm.cli.main import main
from semihmm.inference import batch_kernels

assert main(["compile"]) == 0
for name, kernel in (*vars(batch_kernels).items(), *vars(greedy_kernels).items()):
    # Kernels that only kernels call are parts of these.
    if hasattr(kernel, "signatures") and "no_cpython_wrapper" not in kernel.targetoptions:
        print(name, len(kernel.signatures))
"""


def test_each_kernel_that_python_calls_is_compiled():
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert run.stdout.splitlines() == ["_forward_backward 1", "_fill_paths 1", "link_greedily 1"]
    assert run.stderr.endswith(f" kernels were compiled; all are in {FOLDER}\n")
