"""What libraries import at their start is put off, and is there when it is used.

Each test runs in a process of its own: what is imported once stays.
"""

from __future__ import annotations

import subprocess
import sys

from tests.paths import ROOT


def test_one_pair_is_aligned_without_what_it_does_not_need():
    code = (
        "import sys; from semihmm import align; align('A cat sat. It ran.', 'Cats sit.');"
        "print({'scipy.stats', 'scipy.sparse', 'scipy.optimize', 'sklearn', 'pandas', 'dask',"
        "'torch', 'matplotlib', 'jinja2', 'pyarrow', 'rich'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stdout == "set()\n", run.stderr
