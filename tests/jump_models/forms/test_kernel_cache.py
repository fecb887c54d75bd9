"""Compiled code that several processes left in one cache folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.paths import ROOT


def steps(cache, *names: str) -> list:
    """Return what a new process says about the named steps."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.jump_models.forms.single_steps", *names],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_processes_that_compile_different_kernels_can_share_a_cache(tmp_path):
    """Each of the first two compiles one step, as the second function of the process.

    numba names a function's symbol by module, name, argument types and this number. When all
    implementations of a form had the same name, the third process called one for the other.
    """
    # 0.5 from each of the two nodes of a boundary: 20 * 0.5, and the largest source times 0.5.
    forward, viterbi = ["forward", 10.0], ["viterbi", 2.0]
    assert steps(tmp_path, "forward") == [forward]
    assert steps(tmp_path, "viterbi") == [viterbi]
    assert steps(tmp_path, "forward", "viterbi") == [forward, viterbi]
    assert steps(tmp_path, "viterbi", "forward") == [viterbi, forward]
