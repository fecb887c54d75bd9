"""Tests of a cache of compiled kernels that is full, damaged, or cannot be written at all."""

import runpy
import shutil
import warnings
from itertools import count

import pytest

from corpus_tools.base import compiled_kernels
from corpus_tools.base.errors import SemiHmmWarning
from corpus_tools.base.progress import setting_quiet
from tests.faulty_files import NO_SPACE, FaultyFiles


def add_one(number):
    return number + 1


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a cache of kernels."""
    monkeypatch.setattr(compiled_kernels, "FOLDER", tmp_path / "kernels")
    compiled_kernels._warn.cache_clear()
    return tmp_path / "kernels"


def result():
    """Return what a kernel gives that was compiled or read in a new process."""
    return compiled_kernels.compiled(add_one)(1)


def files(folder, ending):
    return [path for path in folder.rglob("*") if path.name.endswith(ending)]


def test_a_kernel_is_compiled_once_and_that_is_told(folder, capsys):
    compiled_kernels.COMPILED.clear()
    assert result() == 2
    told = capsys.readouterr().err
    assert told.startswith("semihmm: compiling") and str(folder) in told
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == {".nbi", ".nbc"}
    assert len(compiled_kernels.COMPILED) == 1
    assert result() == 2
    assert len(compiled_kernels.COMPILED) == 1
    for before in (["another"], []):
        compiled_kernels.COMPILED[:] = before
        shutil.rmtree(folder)
        with setting_quiet(quiet=not before):
            assert result() == 2
    assert capsys.readouterr().err == ""


def test_equal_files_of_two_installations_share_what_is_compiled(folder, tmp_path):
    source = "def twice(number):\n    return 2 * number\n"
    for place, expected in (("one", source), ("two", source), ("other", source.replace("2", "3"))):
        file = tmp_path / place / "some_kernels.py"
        file.parent.mkdir()
        file.write_text(expected)
        module = runpy.run_path(str(file))
        compiled_kernels.COMPILED.clear()
        assert compiled_kernels.compiled(module["twice"])(1) == (3 if place == "other" else 2)
        assert bool(compiled_kernels.COMPILED) == (place != "two")


def test_a_kernel_is_a_part_of_the_one_that_calls_it(folder):
    called = compiled_kernels.inner(add_one)
    caller = compiled_kernels.compiled(lambda number: called(called(number)))
    assert caller(1) == 3
    (kernel,) = called.overloads.values()
    assert kernel.library.get_pointer_to_function(kernel.fndesc.mangled_name) == 0


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("content", [b"", b"no pickle", None], ids=["empty", "other", "half"])
def test_a_damaged_cache_is_compiled_anew(folder, ending, content):
    assert result() == 2
    (damaged,) = files(folder, ending)
    damaged.write_bytes(damaged.read_bytes()[:-20] if content is None else content)
    with pytest.warns(SemiHmmWarning, match="kernels"):
        assert result() == 2
    compiled_kernels._warn.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert result() == 2


def test_a_kernel_that_cannot_be_kept_is_told(folder, monkeypatch):
    """Whatever operation finds the disk full, the kernel runs, and no file without a name stays."""
    for at in count(1):
        shutil.rmtree(folder, ignore_errors=True)
        compiled_kernels._warn.cache_clear()
        layer = FaultyFiles(folder.parent, at, NO_SPACE)
        with (
            monkeypatch.context() as patch,
            warnings.catch_warnings(record=True, action="always") as told,
        ):
            layer.install(patch)
            assert result() == 2
        assert not [path for path in folder.rglob("*") if ".tmp" in path.name]
        assert len(files(folder, ".nbc")) == 1 - len(told)
        problem = "(No space left on device): they are compiled anew"
        assert all(str(one.message).endswith(problem) for one in told)
        if not layer.reached:
            break
    assert at > 10
