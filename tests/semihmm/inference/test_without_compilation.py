"""The kernels run as Python, too (``NUMBA_DISABLE_JIT=1``): for debuggers and for coverage."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.paths import ROOT

PROGRAM = """
import json, sys
from semihmm.aligner import Aligner
from tests.semihmm.program_runs import SAMPLE
from corpus_tools.pairs.read_pairs import read_pairs

pairs = read_pairs(SAMPLE)[:2]
aligner = Aligner(iterations=2, workers=1, rewrite=("identity", "stem", "lexical")).fit(pairs)
aligner.save(sys.argv[1])
alignments = []
for decoder in ("posterior", "viterbi"):
    aligner.settings = aligner.settings.changed(decoder=decoder)
    for alignment in aligner.align(pairs):
        links = alignment.phrases
        alignments.append([(*link.abstract, *link.document, link.probability) for link in links])
print(json.dumps(alignments))
"""


def result(directory, **environment: str) -> tuple[dict[str, np.ndarray], list]:
    """Return parameters and phrase links of two pairs of the sample, from a new process."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(directory)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    (parameters,) = directory.glob("parameters-*.npz")
    with np.load(parameters, allow_pickle=False) as arrays:
        return dict(arrays), json.loads(run.stdout)


def test_kernels_give_the_same_as_python_and_compiled(tmp_path):
    parameters, alignments = result(tmp_path / "compiled")
    python_parameters, python_alignments = result(tmp_path / "python", NUMBA_DISABLE_JIT="1")
    assert parameters.keys() == python_parameters.keys()
    for name, values in parameters.items():
        if values.dtype.kind == "f":
            np.testing.assert_allclose(python_parameters[name], values, rtol=1e-12)
        else:
            np.testing.assert_array_equal(python_parameters[name], values)
    assert sum(map(len, alignments)) > 20
    for links, python_links in zip(alignments, python_alignments, strict=True):
        assert [link[:4] for link in python_links] == [link[:4] for link in links]
        probabilities = [link[4] for link in links]
        assert [link[4] for link in python_links] == pytest.approx(probabilities, rel=1e-12)
