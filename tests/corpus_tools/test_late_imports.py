"""What libraries import at their start is put off, and is there when it is used.

Each test runs in a process of its own: what is imported once stays.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from tests.paths import ROOT

CASES = {
    "NLTK comes without scipy.stats, and its measures work all the same": """
        from corpus_tools.texts.tokenizers import tokens_of
        assert len(tokens_of("It's here.", "treebank")) == 4
        assert "scipy.stats" not in sys.modules and "scipy.sparse" not in sys.modules
        from nltk.metrics import BigramAssocMeasures
        measured = BigramAssocMeasures.fisher(10, (20, 30), 100)
        import scipy.stats
        assert scipy.stats.__file__ and isinstance(scipy.stats.norm.cdf(0), float)
        expected = scipy.stats.fisher_exact([[10, 10], [20, 60]], alternative="less")[1]
        assert abs(measured - expected) < 1e-12
    """,
    "kernels come without scipy.linalg, and numba's algebra works all the same": """
        import numba
        import numpy as np
        from rewrite_models.run_kernels import compiled
        assert "scipy.linalg" not in sys.modules
        assert np.allclose(numba.njit(lambda a: a @ a)(np.eye(2)), np.eye(2))
    """,
}
"""Programs by what they show."""


@pytest.mark.parametrize("program", CASES.values(), ids=CASES)
def test_late_imports(program):
    code = "import sys\n" + textwrap.dedent(program)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")


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
