"""The script that plants faults, in a tree of one module and its tests."""

import ast
import os
import shutil
import subprocess
import sys

import pytest

from tests.paths import ROOT

MODULE = """
import sys

def larger(left, right):
    return left > right

def largest(numbers):
    return max(numbers)

def sum_of(numbers):
    return sum(numbers)

def unseen(number):
    return number + 1

if __name__ == "__main__":
    print(sum_of([1, 2]))
"""
TESTS = """
import subprocess
import sys
import weakref

from semihmm import module

LARGEST = module.largest([1])

GONE = weakref.proxy(set())

def test_that_fails_anyway():
    assert not module.larger(2, 1)

def test_of_what_is_larger():
    assert not module.larger(1, 1)

def test_of_a_process():
    command = [sys.executable, "-m", "semihmm.module"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.stdout == "3\\n"

def test_that_sees_no_difference():
    assert module.unseen(0)
"""
PACKAGES = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")
FAULTS = """
@ semihmm/module.py : tests/semihmm
-     return left > right
+     return left >= right
-     return max(numbers)
+     return numbers.max()
-     return sum(numbers)
+     return sum(numbers) + 1
-     return number + 1
+     return number + 2
-     return number - 1
+     return number
"""


@pytest.fixture
def tree(tmp_path):
    for name in (*PACKAGES, "scripts", "tests/semihmm"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("mutants.py", "script_options.py"):
        shutil.copy2(ROOT / "scripts" / name, tmp_path / "scripts")
    (tmp_path / "scripts" / "mutants.txt").write_text(FAULTS)
    (tmp_path / "semihmm" / "__init__.py").touch()
    (tmp_path / "semihmm" / "module.py").write_text(MODULE)
    (tmp_path / "tests" / "semihmm" / "test_module.py").write_text(TESTS)
    return tmp_path


def test_each_fault_has_the_test_that_catches_it_or_survives(tree, looked_at):
    command = [sys.executable, str(tree / "scripts" / "mutants.py")]
    ours = "PYTEST", "COVERAGE"
    environment = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, "")
    assert run.stdout == looked_at("planted.txt", run.stdout)
    assert (tree / "semihmm" / "module.py").read_text() == MODULE


def test_drawn_faults_are_the_same_for_a_seed(script):
    mutants = script("mutants")
    tests = mutants.nearest(["corpus_tools/model_parts", "semihmm/inference/bucket_kernels.py"], ())
    faults = [[*mutants.drawn(8, seed, tests)] for seed in (5, 5, 6)]
    assert faults[0] == faults[1] != faults[2]
    for fault in faults[0]:
        sound = (ROOT / fault.file).read_text()
        assert sound.count(fault.old) == 1
        faulty = ast.parse(sound.replace(fault.old, fault.new))
        assert ast.unparse(faulty) != ast.unparse(ast.parse(sound))


def test_each_fault_of_the_list_stands_in_its_file(script):
    faults = [*script("mutants").read_list((ROOT / "scripts" / "mutants.txt").read_text("utf-8"))]
    lost = [
        (fault.file, fault.old)
        for fault in faults
        if fault.old not in (ROOT / fault.file).read_text("utf-8")
        or not all((ROOT / test.partition("::")[0]).exists() for test in fault.tests)
    ]
    assert len(faults) > 200
    assert lost == []
