"""The package shows its public names, and finds them."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.paths import ROOT


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_type_checkers_accept_the_examples(tmp_path):
    """They know that one pair gives one alignment."""
    wrong = [
        "from semihmm import Aligner",
        'Aligner().align(["a", "b"])',
        'Aligner().align(("a", "b")).append',
        'Aligner().aligned([("a", "b")]).phrases',
    ]
    pages = "".join((ROOT / page).read_text() for page in ("README.md", "docs/python.md"))
    examples = re.findall(r"^```python\n(.*?)^```", pages, re.DOTALL | re.MULTILINE)
    assert len(examples) == 4
    for number, text in enumerate([*examples, "\n".join(wrong)]):
        (tmp_path / f"example_{number}.py").write_text(text)
    # As all modules are checked, so that what is known of these is there.
    run = subprocess.run(
        [sys.executable, "-m", "mypy", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    refused = re.findall(r"example_(\d)\.py:(\d+): error", run.stdout)
    assert sorted(set(refused)) == [("4", str(line)) for line in range(2, len(wrong) + 1)], (
        run.stdout + run.stderr
    )
