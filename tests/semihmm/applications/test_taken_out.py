"""An application that is taken out, a folder and a line, is missed by nothing but what it did."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from corpus_tools.base.errors import PACKAGES
from semihmm.registry import APPLICATIONS, application, commands
from tests.paths import ROOT

IMPORTED = """
import sys
from importlib import import_module
from pathlib import Path

for package in {packages}:
    for path in sorted(Path(package).rglob("*.py")):
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        if not name.endswith("__main__") and not {left_out}.search(name):
            import_module(name)
from semihmm.cli.main import main
from semihmm.registry import commands

print(*commands())
for command in commands():
    try:
        main([command, "--help"])
    except SystemExit as end:
        assert not end.code, command
"""


@pytest.fixture
def house(tmp_path):
    """Return a copy of the program."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path


@pytest.mark.parametrize("name", APPLICATIONS)
def test_the_rest_still_imports_and_its_commands_run(name, house):
    shutil.rmtree(house / "semihmm" / "applications" / name)
    registry = house / "semihmm" / "registry.py"
    lines = registry.read_text(encoding="utf-8").splitlines(keepends=True)
    left = [line for line in lines if not line.startswith(f'    "{name}": ')]
    assert len(left) == len(lines) - 1
    registry.write_text("".join(left), encoding="utf-8")
    program = IMPORTED.format(packages=PACKAGES, left_out="__import__('re').compile('_kernels$')")
    environment = {**os.environ, "PYTHONPATH": str(house), "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=house,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    listed = run.stdout.splitlines()[0].split()
    own = set(application(name).COMMANDS)
    assert listed == [command for command in commands() if command not in own]
    assert len(re.findall(r"(?m)^usage|^Usage", run.stdout)) == len(listed)
