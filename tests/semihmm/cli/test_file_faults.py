"""Tests that each operation on a file may fail once: no space, or an I/O error.

After each fault the old result is whole, the error is one line that names a file, nothing
temporary stays, and the next run ends with the bytes of an undisturbed one.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from corpus_tools.errors import SemiHmmError
from semihmm import Aligner
from semihmm.cli.main import main
from tests.faulty_files import IO_ERROR, NO_SPACE, REMOVALS, FaultyFiles
from tests.semihmm.program_runs import SAMPLE, contents, rows, write

TRAIN = ["--rewrite", "identity,stem", "--workers", "1"]


@dataclass(frozen=True)
class Case:
    """A command whose files fail.

    ``arguments``  those of the command; ``{}`` stands for the folder of all files.
    ``output``     the file or the model directory that it writes.
    ``partial``    what may stay of a run that failed, beside the output.
    """

    arguments: str
    output: str
    partial: str = ""

    def command(self, folder: Path) -> list[str]:
        arguments = self.arguments.format(folder).split()
        return [*arguments, *(TRAIN if arguments[0] == "train" else ())]


CASES = {
    "train, cached": Case(
        "train {0}/pairs --model {0}/model --iterations 1 --overwrite --cache {0}/cache", "model"
    ),
    "align, packed": Case(
        "align {0}/pairs --model {0}/model --output {0}/out.gz", "out.gz", "out.gz.partial"
    ),
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Return a folder with inputs and with results of earlier commands."""
    folder = tmp_path_factory.mktemp("prepared")
    pairs = rows(SAMPLE)
    write(folder / "pairs", *pairs[:3])
    for command in (
        ["train", SAMPLE, "--model", folder / "model", "--iterations", "2", *TRAIN],
        ["align", folder / "pairs", "--model", folder / "model", "--output", folder / "aligned"],
    ):
        assert main(list(map(str, command))) == 0
    (folder / "out.gz").write_text("old")
    return folder


def result(folder: Path, case: Case) -> object:
    """Return what the command made: the identity of a model, or the bytes of a file."""
    path = folder / case.output
    if case.arguments.startswith("train"):
        return Aligner.load(path).trained.identity if path.is_dir() else None
    return path.read_bytes()


def run_faulty(case: Case, folder: Path, files: FaultyFiles) -> int:
    """Run the command over the layer and return its exit status."""
    with pytest.MonkeyPatch.context() as patch:
        files.install(patch)
        return main(case.command(folder))


@pytest.fixture(params=CASES)
def undisturbed(request, prepared, tmp_path):
    """Return a case, its result before and after, what lies there, and its points."""
    case, folder = CASES[request.param], tmp_path / "undisturbed"
    shutil.copytree(prepared, folder)
    before, files = result_or_none(folder, case), FaultyFiles(folder, reads="cache")
    assert run_faulty(case, folder, files) == 0
    assert len(files.points) > 4
    return case, (before, result(folder, case)), contents(folder), files.points


def result_or_none(folder: Path, case: Case) -> object:
    try:
        return result(folder, case)
    except SemiHmmError:
        # A directory without a model: it was made and not yet filled.
        return None


def require_next_run(case: Case, folder: Path, results: tuple, expected: dict[str, bytes]) -> None:
    """Run the command once more and compare with the undisturbed run."""
    assert main(case.command(folder)) == 0
    assert result(folder, case) == results[1]
    assert contents(folder) == expected


def each(points: list[str], check: Callable[[int], None]) -> None:
    """Check all points; name the one that does not hold."""
    for at, point in enumerate(points, start=1):
        try:
            check(at)
        except AssertionError as error:
            raise AssertionError(f"point {at}, {point}: {error}") from error


def test_errors_leave_the_old_result_and_one_line(undisturbed, prepared, tmp_path, capsys):
    case, results, expected, points = undisturbed

    def check(at: int) -> None:
        folder = tmp_path / f"error-{at}"
        shutil.copytree(prepared, folder)
        files = FaultyFiles(folder, at, (NO_SPACE, IO_ERROR)[at % 2], "cache")
        capsys.readouterr()
        status = run_faulty(case, folder, files)
        err = capsys.readouterr().err
        assert files.reached
        assert "Traceback" not in err
        if status:
            assert status == 1
            last = err.splitlines()[-1]
            assert last.startswith("semihmm: ") and str(folder) in last, err
        assert result_or_none(folder, case) in (results if status else results[1:])
        whole = expected if result_or_none(folder, case) == results[1] else contents(prepared)
        kept = {name for name in expected if name.startswith("cache")}
        left = contents(folder).keys() - whole.keys() - kept
        # Parameters that no manifest names go with the next model that is saved, and a lock that
        # nobody holds with the next run.
        of_next = re.compile(r"model/parameters-.*|.*\.lock")
        if case.partial:
            of_next = re.compile(rf"{case.partial}(/\d+(\.json)?)?|.*\.lock")
        left = {name for name in left if not of_next.fullmatch(name)}
        assert not left or files.operation in REMOVALS, left
        require_next_run(case, folder, results, expected)
        shutil.rmtree(folder)

    each(points, check)
