"""Tests what ``semihmm train`` and ``compile`` say, and that nothing is left to compile."""

import re
import subprocess
import sys

from corpus_tools.base.compiled_kernels import FOLDER
from tests.semihmm.program_runs import PATIENCE, SAMPLE, run

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
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert ran.stdout.splitlines() == ["_forward_backward 1", "_fill_paths 1", "link_greedily 1"]
    assert ran.stderr.endswith(f" kernels were compiled; all are in {FOLDER}\n")


def test_a_training_says_what_it_did(wordnet, tmp_path, capsys, looked_at):
    """Figures with a point or a comma differ between machines."""
    train = ("train", SAMPLE, "--model", tmp_path / "own", "--gold", SAMPLE, "--resume")
    for iterations in (1, 1, 2):
        run(*train, "--iterations", iterations)
    said = capsys.readouterr().err.replace(str(tmp_path), "FOLDER").replace(SAMPLE, "SAMPLE")
    said = re.sub(r"-?\d+[.,]\d+", "0.0", said)
    assert said == looked_at("trained.txt", said)
