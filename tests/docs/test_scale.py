"""The example of docs/scale.md for a laptop runs as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.paths import ROOT
from tests.semihmm.program_runs import PATIENCE, SAMPLE, rows, run, write

PAGE = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_there_is_an_example_for_each_kind_of_cluster():
    kinds = ("LocalCluster", "SLURMCluster", "KubeCluster")
    assert [next(kind for kind in kinds if kind in one) for one in EXAMPLES] == list(kinds)
    for example in EXAMPLES:
        compile(example, "docs/scale.md", "exec")


def test_the_example_for_a_laptop(tmp_path):
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    pairs = rows(SAMPLE)
    (tmp_path / "pairs").mkdir()
    write(tmp_path / "pairs" / "1.jsonl", *pairs[:12])
    write(tmp_path / "pairs" / "2.jsonl", *pairs[12:])
    (tmp_path / "laptop.py").write_text(EXAMPLES[0])
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    subprocess.run(
        [sys.executable, "laptop.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        timeout=2 * PATIENCE,
    )
    run("align", tmp_path / "pairs", "--model", tmp_path / "model", "--output", tmp_path / "alone")
    made = sorted((tmp_path / "alignments").iterdir())
    assert [path.name for path in made] == ["1.jsonl", "2.jsonl"]
    assert b"".join(path.read_bytes() for path in made) == (tmp_path / "alone").read_bytes()
