"""Tests that each operation on a file may fail once: no space, an I/O error, or a kill.

After each fault the old result is whole, the error is one line that names a file, nothing
temporary stays, and the next run ends with the bytes of an undisturbed one. What a process has done
between two operations on files is lost with it: so these are all the points where a kill differs.
"""

import json
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, SemiHmmError
from semihmm import Aligner
from semihmm.cli.main import main
from semihmm.model.semi_hmm import SemiHmm
from tests.copied_process import copies_processes, start
from tests.faulty_files import KILL, KILLED, KINDS, REMOVALS, FaultyFiles
from tests.semihmm.program_runs import SAMPLE, contents, rows, run, with_a_bad_pair, write

TRAIN = "--rewrite identity,stem --workers 1"


class Case(NamedTuple):
    """A command whose files fail.

    ``arguments``  those of the command; ``{}`` stands for the folder of all files.
    ``output``     the file or the model directory that it writes.
    ``partial``    the names of what may stay of a run that failed, until the next run.
    ``is_whole``   whether the output is the old one or the new one, and nothing between.
    """

    arguments: str
    output: str
    partial: str
    is_whole: bool = True


CASES = {
    "train": Case(
        "train {0}/pairs --model {0}/model --iterations 1 --overwrite " + TRAIN,
        "model",
        # Parameters that no manifest names go with the next model that is saved.
        r"cache.*|model/parameters-.*|.*\.lock",
    ),
    "train, resumed": Case(
        "train {0}/pairs --model {0}/new --iterations 2 --tolerance=-1 --resume " + TRAIN,
        "new",
        r"new(/model\.json|/parameters-.*)?|cache.*|.*\.lock",
        is_whole=False,
    ),
    "align, packed": Case(
        "align {0}/pairs --model {0}/model --output {0}/out.gz --resume",
        "out.gz",
        r"out\.gz\.partial|cache.*|.*\.lock",
    ),
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Return a folder with inputs and with results of earlier commands."""
    folder = tmp_path_factory.mktemp("prepared")
    write(folder / "pairs", *rows(SAMPLE)[:3])
    run("train", SAMPLE, "--model", folder / "model", "--iterations", 2, *TRAIN.split())
    (folder / "out.gz").write_text("old")
    return folder


def result(folder: Path, case: Case) -> object:
    """Return what the command made: the identity of a model, or the bytes of a file."""
    path = folder / case.output
    if path.is_file():
        return path.read_bytes()
    try:
        return Aligner.load(path).trained.identity
    except SemiHmmError:
        # There is no directory, or it was made and not yet filled.
        return None


def kept(folder: Path) -> int:
    """Count what a run that resumes need not do: iterations, pairs."""
    manifests = map(Path.read_text, folder.glob("new/model.json"))
    trained = [len(json.loads(manifest)["provenance"]["iterations"]) for manifest in manifests]
    lines = [path.read_bytes().splitlines(True)[1:] for path in folder.glob("*.partial")]
    return sum(trained) + sum(line.endswith(b"\n") for some in lines for line in some)


def run_faulty(case: Case, folder: Path, files: FaultyFiles) -> int:
    """Run the command over the layer and return its exit status."""

    def command() -> int:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
            files.install(patch)
            return main(case.arguments.format(folder).split())

    if not files.at or files.kind != KILL:
        return command()
    running = start(command)
    running.join()
    assert running.exitcode is not None
    return running.exitcode


@copies_processes
@pytest.mark.parametrize("command", CASES)
def test_a_fault_at_any_point_loses_nothing(command, prepared, tmp_path, capsys):
    case, undisturbed = CASES[command], tmp_path / "undisturbed"
    shutil.copytree(prepared, undisturbed)
    old, files = result(undisturbed, case), FaultyFiles(undisturbed, reads="cache")
    assert run_faulty(case, undisturbed, files) == 0
    new, whole = result(undisturbed, case), contents(undisturbed)
    assert len(files.points) > 4
    done, states = 0, set()
    for at, point in enumerate(files.points, start=1):
        operation, _, name = point.partition(" ")
        folder = tmp_path / f"{at}-{operation}-{name}"
        shutil.copytree(prepared, folder)
        layer = FaultyFiles(folder, at, KINDS[at % len(KINDS)], "cache")
        capsys.readouterr()
        status = run_faulty(case, folder, layer)
        found = result(folder, case)
        assert found == new or status, folder
        if found != new:
            before, done = done, kept(folder)
            assert before <= done, f"{folder}: what was done is lost"
            assert found == old if case.is_whole else (found is None) == (done == 0), folder
        if layer.kind == KILL:
            assert status == KILLED, folder
        elif status:
            last = capsys.readouterr().err.splitlines()[-1]
            assert last.startswith("semihmm: ") and str(folder) in last
        if layer.kind != KILL and operation not in REMOVALS:
            left = contents(folder).keys() - (whole if found == new else contents(prepared)).keys()
            assert not [name for name in left if not re.fullmatch(case.partial, name)], folder
        if (state := frozenset(contents(folder).items())) not in states:
            states.add(state)
            assert run_faulty(case, folder, FaultyFiles(folder)) == 0
            other = contents(folder).items() ^ whole.items()
            # What was not removed goes with the next model that is saved.
            allowed = case.partial if operation in REMOVALS or layer.kind == KILL else ""
            assert not [name for name, _ in other if not re.fullmatch(allowed, name)], folder
        shutil.rmtree(folder)


# Bad pairs


@pytest.mark.parametrize("where", ["encode", "expected_counts"])
def test_bad_pairs_are_skipped_and_counted(miniature, tmp_path, capsys, monkeypatch, where):
    bad = ["sample-07 sentence 2", "sample-20 sentence 1"]
    for one in bad:
        with_a_bad_pair(monkeypatch, where, one, ValueError("no"))
    options = ["--wordnet", miniature, "--skip-bad-pairs", "--resume", "--model"]
    run("train", SAMPLE, *options, tmp_path / "model", "--iterations", 1)
    assert f"left out: 2 ({', '.join(bad)})" in capsys.readouterr().err
    shutil.copytree(tmp_path / "model", tmp_path / "mended")
    trained = []
    for name in ("model", "mended"):
        run("train", SAMPLE, *options, tmp_path / name, "--iterations", 2)
        provenance = json.loads((tmp_path / name / "model.json").read_text())["provenance"]
        assert provenance["skipped"] == bad, "what was left out stays out"
        trained.append([one["objective"] for one in provenance["iterations"]])
        monkeypatch.undo()
    assert trained[0] == trained[1] and len(trained[0]) == 2


def test_a_likelihood_that_is_no_number_is_a_fault(sample, monkeypatch):
    intact = SemiHmm.expected_counts

    def expected_counts(model, encoded):
        counts = intact(model, encoded)
        lost = np.nan if sample[2].id in encoded.batch.ids else 0.0
        return counts | {"corpus.log_likelihood": counts["corpus.log_likelihood"] + lost}

    monkeypatch.setattr(SemiHmm, "expected_counts", expected_counts)
    problem = f"{sample[2].id}.*ArithmeticError: its likelihood is not a number"
    with pytest.raises(BadData, match=problem):
        Aligner(rewrite=("identity",)).fit(sample)
