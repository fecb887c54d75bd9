"""Files: replaced whole or not at all, read strictly, locked, and named by what they look like."""

import errno
import fcntl
import gzip
import io
import os
import platform
import signal
import stat
import sys
from contextlib import ExitStack
from itertools import chain, count, groupby
from pathlib import Path

import filelock
import pytest
from filelock import FileLock, Timeout
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base import files, folders, reading
from corpus_tools.base.errors import BadData, InUse
from corpus_tools.base.files import replacing, write_json_lines
from corpus_tools.base.folders import locked
from corpus_tools.pairs.corpus_files import keep_pairs
from tests.copied_process import copies_processes, start
from tests.examples import fuzz
from tests.faulty_files import NUMBERS, FaultyFiles
from tests.semihmm.program_runs import contents
from tests.tiny_corpora import pair

# Reading


@fuzz(40)
@given(
    lines=st.lists(st.text("a\u00e9\r ", max_size=4), max_size=9),
    end=st.sampled_from(["", "\n"]),
    size=st.integers(1, 12),
)
def test_spans_are_the_least_runs_of_lines_of_a_size(tmp_path, lines, end, size):
    path = tmp_path / "text"
    path.write_bytes(("\n".join(lines) + end).encode())
    spans = reading.line_spans(path, size)
    read = [[*reading.numbered_lines(path, span)] for span in spans]
    assert [*chain.from_iterable(read)] == [*reading.numbered_lines(path)]
    sizes = [[len(line.encode()) for _, line in span] for span in read]
    assert all(sum(rest) < size for *rest, _ in sizes)
    assert all(sum(own) >= size for own in sizes[:-1])
    assert [span.end - span.start for span in spans] == [*map(sum, sizes)]


# Writing


def test_a_file_that_is_named_by_a_link_is_replaced_and_the_link_stays(tmp_path):
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o640)
    (tmp_path / "link").symlink_to("file")
    write_json_lines([{"a": "\u00e9"}, 2], tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == '{"a": "\u00e9"}\n2\n'
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
    with pytest.raises(TypeError, match="set"):
        write_json_lines([1, {"no JSON"}], tmp_path / "link")
    assert reading.read_text(tmp_path / "file") == '{"a": "\u00e9"}\n2\n'
    assert sorted(os.listdir(tmp_path)) == ["file", "link"]


def test_packed_files_of_one_text_are_alike_with_the_usual_permissions_and_devices_stay(
    tmp_path, capsys
):
    for name in ("a.gz", "b.gz"):
        with replacing(tmp_path / name) as stream:
            stream.write("text")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text"
    assert b"a.gz" not in (tmp_path / "a.gz").read_bytes()
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "a.gz").stat().st_mode) == 0o666 & ~umask
    for path in (os.devnull, "-"):
        with replacing(path) as stream:
            stream.write("text")
        assert not files.can_be_resumed(path)
    assert capsys.readouterr().out == "text" and not os.path.isfile(os.devnull)
    assert files.can_be_resumed(tmp_path / "a.gz") and files.can_be_resumed(tmp_path / "new")
    with pytest.raises(BadData, match=r"^cannot write .*missing/file: .*\(nothing was replaced\)$"):
        write_json_lines([], tmp_path / "missing" / "file")


PAIRS = 300 * [pair("1", "a b", "a")]
"""More than a buffer holds."""


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize(
    ("write", "operations"),
    [
        (lambda folder: write_json_lines([1], folder / "old"), "open write fsync close replace"),
        (lambda folder: write_json_lines([1], folder / "old.gz"), "open write fsync close replace"),
        (lambda folder: keep_pairs(PAIRS, folder), "open write close"),
    ],
)
def test_whatever_the_disk_refuses_is_named_and_what_was_there_stays(
    tmp_path, monkeypatch, write, operations, kind
):
    """A file is on the disk before it has its name."""
    for name in ("old", "old.gz"):
        (tmp_path / name).write_text("old")
    for at in count(1):
        layer = FaultyFiles(tmp_path, at, kind)
        with monkeypatch.context() as patch:
            layer.install(patch)
            try:
                write(tmp_path)
                break
            except BadData as error:
                said = str(error)
        problem = f": {os.strerror(NUMBERS[kind])} (nothing was replaced)"
        assert said.startswith("cannot write ") and said.endswith(problem)
        assert contents(tmp_path) == {"old": b"old", "old.gz": b"old"}
    done = [point.partition(" ")[0] for point in layer.points]
    assert at == len(done) + 1 and [one for one, _ in groupby(done)] == operations.split()


# Folders


def test_the_cache_folder_is_one_of_this_user_in_which_nobody_else_may_write(tmp_path, monkeypatch):
    """Whoever can write there runs code in everybody's process: kernels are pickles."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(files.tempfile, "tempdir", str(tmp_path))
    folder = files.cache_folder()
    assert folder == tmp_path / "semihmm" and stat.S_IMODE(folder.stat().st_mode) == 0o700
    left, others = f"run-{platform.node()}-left", f"run-not-{platform.node()}-left"
    for name in (left, others):
        folders.make_folder(folder / name / "part", "a part")
        (folder / f"{name}.lock").touch()
    with folders.scratch_folder() as scratch:
        assert scratch.parent == folder and stat.S_IMODE(scratch.stat().st_mode) == 0o700
        assert left not in os.listdir(folder)
    assert sorted(os.listdir(folder)) == [others, f"{others}.lock"]
    with pytest.raises(BadData, match=r"lock/part: cannot make a part: Not a directory$"):
        folders.make_folder(folder / f"{others}.lock" / "part", "a part")
    folder.chmod(0o770)
    other = tmp_path / f"semihmm-{os.getuid()}"
    assert files.cache_folder() == other
    other.rmdir()
    other.symlink_to(tmp_path)
    with pytest.raises(BadData, match="set XDG_CACHE_HOME"):
        files.cache_folder()


@pytest.mark.parametrize("number", [None, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
@pytest.mark.parametrize("name", ["out", "n" * 255, "\u00e9" * 127, "n" * 252 + ".gz"])
def test_two_writers_of_one_file_do_not_disturb_each_other(tmp_path, monkeypatch, name, number):
    """What a killed process left goes, unless the system has no locks; all else stays.

    A name may be as long as a file system allows.
    """
    path = tmp_path / name
    with replacing(path) as one:
        (own,) = os.listdir(tmp_path)
        one.write("own")
    token = own.split(".")[-2]
    used, left_behind = (own.replace(token, digit * 16) for digit in "ab")
    others = [used, own.replace(token, "of a user"), f".other{own[own.index(token) - 1 :]}"]
    for file in (*others, left_behind):
        (tmp_path / file).touch()
    others.append(own.replace(token, "c" * 16))
    (tmp_path / others[-1]).symlink_to(os.devnull)

    def flock(*_):
        raise OSError(number, os.strerror(number))

    # Not by the number of a process: that of another container would say nothing.
    with (tmp_path / used).open("wb") as writing:
        fcntl.flock(writing, fcntl.LOCK_EX)
        if number is not None:
            monkeypatch.setattr(fcntl, "flock", flock)
            others.append(left_behind)
        with replacing(path) as one:
            one.write("one\n")
            with replacing(path) as other:
                other.write("other\n")
            assert reading.read_text(path) == "other\n"
        assert reading.read_text(path) == "one\n"
        assert sorted(os.listdir(tmp_path)) == sorted([*others, name])


CLOSED = io.StringIO()
CLOSED.close()


@pytest.mark.parametrize("stream", [None, CLOSED])
def test_a_closed_standard_output_is_named(monkeypatch, stream):
    monkeypatch.setattr(sys, "stdout", stream)
    with pytest.raises(BadData, match="cannot write standard output: Bad file"), replacing("-"):
        raise AssertionError("it was opened")


# Locks


def take(path: Path, *, waits: bool = False) -> None:
    with locked(path, "the thing", waits=waits):
        assert path.exists()


@copies_processes
def test_a_lock_is_refused_until_its_process_ends_even_if_it_is_killed(tmp_path):
    received, sent = os.pipe()

    def hold() -> None:
        with locked(tmp_path / "lock", "the thing"):
            os.write(sent, b"held")
            signal.pause()

    running = start(hold)
    assert os.read(received, 4) == b"held"
    assert stat.S_IMODE((tmp_path / "lock").stat().st_mode) == 0o600
    with pytest.raises(InUse, match="the thing"):
        take(tmp_path / "lock")
    running.kill()
    running.join()
    take(tmp_path / "lock")
    assert not list(tmp_path.iterdir())
    os.close(received)
    os.close(sent)


@pytest.mark.parametrize(("module", "name"), [(fcntl, "flock"), (os, "open")])
def test_one_waits_for_a_lock_of_the_same_process_too(tmp_path, monkeypatch, module, name):
    """It is released when it was refused, or when its file was found and not yet opened."""
    held = ExitStack()
    # Not by ``locked``: filelock refuses to wait for another lock of its own thread.
    fcntl.flock(held.enter_context((tmp_path / "lock").open("wb")), fcntl.LOCK_EX)
    held.callback((tmp_path / "lock").unlink)
    with pytest.raises(InUse, match="the thing"):
        take(tmp_path / "lock")
    assert (tmp_path / "lock").exists()
    intact = getattr(module, name)

    def releasing(*arguments):
        try:
            return intact(*arguments)
        except OSError:
            held.close()
            raise

    monkeypatch.setattr(module, name, releasing)
    take(tmp_path / "lock", waits=True)
    assert not list(tmp_path.iterdir())


def test_a_run_waits_for_the_lock_of_its_folder_as_long_as_it_takes(tmp_path, monkeypatch):
    """Another run may hold it, while it looks for folders that were left behind."""

    class HeldLong(FileLock):
        """A lock that is free only after more seconds than one may name."""

        def acquire(self, *arguments, **named):
            if self.timeout >= 0:
                raise Timeout(self.lock_file)
            return super().acquire(*arguments, **named)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(filelock, "FileLock", HeldLong)
    with folders.scratch_folder() as folder:
        assert folder.is_dir()


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.symlink_to(os.devnull), "{} is a link"),
        (os.mkfifo, "{} is no plain file"),
        (os.mkdir, "Is a directory"),
    ],
)
def test_only_a_plain_file_is_a_lock(tmp_path, make, problem):
    make(path := tmp_path / "lock")
    before = os.listdir("/proc/self/fd")
    with pytest.raises(BadData) as error:
        take(path)
    assert str(error.value) == f"cannot write the thing: {problem.format(path)}"
    assert len(os.listdir("/proc/self/fd")) <= len(before)
