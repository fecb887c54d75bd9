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
    "scipy.stats that is imported already stays": """
        import scipy.stats as before
        from corpus_tools.texts.nltk_package import load_nltk
        load_nltk()
        assert sys.modules["scipy.stats"] is before
        assert sys.modules["nltk.metrics.association"].fisher_exact is before.fisher_exact
    """,
    "NLTK that is imported already stays": """
        import nltk
        from corpus_tools.texts.nltk_package import load_nltk
        load_nltk()
        import scipy.stats
        assert sys.modules["nltk.metrics.association"].fisher_exact is scipy.stats.fisher_exact
    """,
    "kernels come without scipy.linalg, and numba's algebra works all the same": """
        import numpy as np
        from rewrite_models.run_kernels import compiled
        from numba.np import arraymath
        assert arraymath._HAVE_BLAS
        linear = sys.modules["scipy.linalg"]
        assert "inv" not in vars(linear)
        import scipy.linalg
        assert scipy.linalg is linear and "inv" not in vars(linear)
        assert np.allclose(scipy.linalg.inv(np.eye(2)), np.eye(2))
        assert type(linear) is type(sys)
        assert scipy.linalg.cython_blas is sys.modules["scipy.linalg.cython_blas"]
    """,
    "what imports from a package that was put off gets it whole": """
        from corpus_tools.late_imports import put_off
        put_off("scipy.linalg")
        from scipy.linalg import cython_blas, inv
        import scipy.stats
        assert scipy.stats.norm.cdf(0) == 0.5
    """,
    "a package that was put off is listed whole": """
        from corpus_tools.late_imports import put_off
        put_off("scipy.linalg")
        import scipy.linalg
        assert "inv" in dir(scipy.linalg)
        assert not hasattr(scipy.linalg, "nonsense") and not hasattr(scipy.linalg, "__nonsense__")
    """,
    "several threads wait for a package that was put off": """
        from concurrent.futures import ThreadPoolExecutor
        from corpus_tools.late_imports import put_off
        put_off("scipy.linalg")
        import scipy.linalg
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: scipy.linalg.inv, range(64)))
        assert len(set(found)) == 1
    """,
    "what is not installed stays so": """
        from corpus_tools.late_imports import put_off, standing_in
        put_off("no_such_package")
        with standing_in("no_such_package", "no_such_package.part"):
            try:
                import no_such_package.part
            except ModuleNotFoundError:
                print("missing")
        assert "no_such_package" not in sys.modules
    """,
    "a package whose code fails fails where it is used, again and again": """
        import pathlib, tempfile
        from corpus_tools.late_imports import put_off
        folder = pathlib.Path(tempfile.mkdtemp())
        (folder / "broken_package").mkdir()
        (folder / "broken_package" / "__init__.py").write_text("1 / 0")
        sys.path.insert(0, str(folder))
        put_off("broken_package")
        import broken_package
        for _ in range(2):
            try:
                broken_package.x
            except ZeroDivisionError:
                print("fails")
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
