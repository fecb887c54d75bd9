"""The kernels run as Python, too (``NUMBA_DISABLE_JIT=1``): for debuggers and for coverage."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm import Aligner
from tests.semihmm.program_runs import SAMPLE


def trained_and_aligned(directory):
    """Return parameters and phrase links of two pairs of the sample."""
    pairs = read_pairs(SAMPLE)[:2]
    aligner = Aligner(iterations=2, workers=1, rewrite=("identity", "stem", "lexical")).fit(pairs)
    aligner.save(directory)
    (parameters,) = directory.glob("parameters-*.npz")
    alignments = []
    for decoder in ("posterior", "viterbi"):
        aligner.settings = aligner.settings.changed(decoder=decoder)
        for alignment in aligner.align(pairs):
            links = alignment.phrases
            alignments.append([(*one.abstract, *one.document, one.probability) for one in links])
    with np.load(parameters, allow_pickle=False) as arrays:
        return dict(arrays), alignments


def in_python(directory):
    """Return the same from a process in which nothing is compiled."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as others:
        return others.submit(trained_and_aligned, directory).result()


def test_kernels_give_the_same_as_python_and_compiled(tmp_path, monkeypatch):
    parameters, alignments = trained_and_aligned(tmp_path / "compiled")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    python_parameters, python_alignments = in_python(tmp_path / "python")
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
