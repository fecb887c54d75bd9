"""The sample corpus, a trained model and what comes of them, and a Dask scheduler."""

import subprocess
import sys
from importlib.resources import files

import pytest

from corpus_tools.alignments.alignment import write_alignments
from corpus_tools.pairs.read_pairs import read_pairs
from rewrite_models import word_vectors
from semihmm.aligner import Aligner
from tests.paths import ROOT
from tests.semihmm.program_runs import sample_in_files
from tests.tiny_vectors import vectors_of


@pytest.fixture(autouse=True)
def vectors(monkeypatch):
    """Make word vectors without an encoder, wherever a model asks for some."""
    monkeypatch.setattr(word_vectors, "embed_pairs", lambda pairs, _: map(vectors_of, pairs))


@pytest.fixture(scope="session")
def sample():
    """Return the pairs that come with the program."""
    return read_pairs(str(files("corpus_tools") / "data" / "sample.jsonl"))


@pytest.fixture(scope="session")
def trained(sample, miniature):
    """Return an aligner trained on the sample. All tests share it: they must not change it."""
    return Aligner(iterations=2, wordnet=str(miniature)).fit(sample)


@pytest.fixture
def model_directory(trained, tmp_path):
    """Return the directory of a saved model, which a test may change."""
    trained.save(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def aligned(trained, sample, tmp_path):
    """Return a file with the sample's alignments."""
    write_alignments(trained.align(sample), tmp_path / "aligned.jsonl")
    return tmp_path / "aligned.jsonl"


@pytest.fixture
def shards(tmp_path):
    """Return a directory with the sample's pairs in four files."""
    return sample_in_files(tmp_path / "pairs")


SCHEDULER = """
from distributed import LocalCluster

options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
with LocalCluster("127.0.0.1", processes=False, protocol="tcp://", **options) as cluster:
    print(cluster.scheduler_address, flush=True)
    input()
"""


@pytest.fixture
def scheduler():
    """Start a Dask scheduler with a worker in a process of its own, which a test may kill."""
    command = [sys.executable, "-c", SCHEDULER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as started:
        yield started
        started.kill()
