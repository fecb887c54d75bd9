"""Tests of a cache of compiled kernels that is full, damaged, or cannot be written at all."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import warnings

import pytest

from corpus_tools import compiled_kernels
from corpus_tools.compiled_kernels import numba_kernels
from corpus_tools.errors import SemiHmmWarning
from corpus_tools.storage import files as storage


def add_one(number):
    return number + 1


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a cache of kernels."""
    monkeypatch.setattr(compiled_kernels, "FOLDER", tmp_path / "kernels")
    monkeypatch.setattr(compiled_kernels, "_warned", [])
    return tmp_path / "kernels"


def result():
    """Return what a kernel gives that was compiled or read in a new process."""
    return compiled_kernels.compiled(add_one)(1)


def files(folder, ending):
    return [path for path in folder.rglob("*") if path.name.endswith(ending)]


def remove(folder, ending):
    for path in files(folder, ending):
        path.unlink()


def test_a_kernel_is_read_from_the_cache(folder):
    def written():
        return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}

    assert result() == 2
    first = written()
    assert {path.suffix for path in first} == {".door", ".nbi", ".nbc"}
    assert result() == 2
    assert written() == first


def test_copies_of_the_program_share_a_kernel(folder, tmp_path):
    for copy in ("one", "two"):
        module = {"__name__": "some_package.some_kernels"}
        exec(
            compile("def add_one(n): return n + 1", tmp_path / copy / "some_kernels.py", "exec"),
            module,
        )
        assert compiled_kernels.compiled(module["add_one"])(1) == 2
    assert len(files(folder, ".nbc")) == len(files(folder, ".door")) == 1


def test_compiling_is_told_once(folder, capsys, monkeypatch):
    monkeypatch.setattr(add_one, "__module__", "semihmm.some_kernels")
    monkeypatch.setattr(numba_kernels.TOLD, "is_told", False)
    assert result() == 2
    told = capsys.readouterr().err
    assert told.startswith("semihmm: compiling") and str(folder) in told
    shutil.rmtree(folder)
    assert result() == 2
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("ending", [".door", ".nbi", ".nbc"])
@pytest.mark.parametrize("content", [b"", b"no pickle", None], ids=["empty", "other", "half"])
def test_a_damaged_cache_is_compiled_anew(folder, ending, content):
    assert result() == 2
    (damaged,) = files(folder, ending)
    damaged.write_bytes(damaged.read_bytes()[:-20] if content is None else content)
    if ending != ".door":
        # numba's own files are read where there is no door.
        remove(folder, ".door")
    with pytest.warns(SemiHmmWarning, match=r"kernels: compiled kernels cannot be kept or read"):
        assert result() == 2
    compiled_kernels._warned.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert result() == 2
        remove(folder, ".door")
        assert result() == 2


def test_a_full_disk_is_a_warning_and_leaves_nothing(folder):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, limits[1]))
        with pytest.warns(SemiHmmWarning, match=r"\(File too large\): they are compiled anew"):
            assert result() == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert not files(folder, ".nbc")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert result() == 2
    assert files(folder, ".nbc")


def test_a_cache_folder_in_which_others_may_write_is_not_used(tmp_path, monkeypatch):
    """Whoever can write there runs code in everybody's process: kernels are pickles."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(storage.tempfile, "tempdir", str(tmp_path))
    folder = storage.cache_folder()
    assert folder == tmp_path / "semihmm" and folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o770)
    assert storage.cache_folder() == tmp_path / f"semihmm-{os.getuid()}"
