"""Files: replaced whole or not at all, read strictly, locked, and named by what they look like."""

import fcntl
import gzip
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from corpus_tools.base import files
from corpus_tools.base.errors import InUse
from corpus_tools.base.files import locked, replacing
from corpus_tools.base.reading import numbered_lines, read_text

# Reading


def test_plain_gzip_and_standard_input_read_alike(tmp_path, give_standard_input):
    text = "Grüße\nzwei\n"
    (tmp_path / "plain").write_text(text, encoding="utf-8")
    (tmp_path / "packed.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "packed without the ending").write_bytes(gzip.compress(text.encode()))
    read = [read_text(path) for file in tmp_path.iterdir() for path in (file, str(file))]
    assert read == [text] * 6
    for content in (text.encode(), gzip.compress(text.encode())):
        give_standard_input(content)
        assert read_text("-") == text


def test_lines_end_at_newline_only_and_a_byte_order_mark_is_dropped(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfone\x0c\xe2\x80\xa8still\rone\r\ntwo")
    lines = [line for _, line in numbered_lines(path)]
    assert lines == ["one\x0c\u2028still\rone\r\n", "two"]


# Writing


def test_replaces_on_success_with_the_usual_permissions(tmp_path):
    path = tmp_path / "out"
    path.write_text("old")
    with replacing(path) as stream:
        stream.write("Grüße\n")
    assert path.read_bytes() == "Grüße\n".encode()
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    assert os.listdir(tmp_path) == ["out"]


def test_two_writers_of_one_file_do_not_disturb_each_other(tmp_path):
    """What a killed process left goes; what another one writes stays."""
    path = tmp_path / "out"
    used, left_behind = (f".out.{digit * 16}{files.TEMPORARY}" for digit in "ab")
    for name in (used, left_behind):
        (tmp_path / name).touch()
    # Not by the number of a process: that of another container would say nothing.
    writing = (tmp_path / used).open("wb")
    fcntl.flock(writing, fcntl.LOCK_EX)
    (tmp_path / ".out.of a user.tmp").write_text("of a user")
    with replacing(path) as one:
        one.write("one\n")
        with replacing(path) as other:
            other.write("other\n")
        assert path.read_text() == "other\n"
    assert path.read_text() == "one\n"
    assert set(os.listdir(tmp_path)) == {used, ".out.of a user.tmp", "out"}
    writing.close()


HOLD = """
import sys
from pathlib import Path
from corpus_tools.base.files import locked
with locked(Path(sys.argv[1]), "the thing"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Return a process that holds the lock until its input ends."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"held\n"
        yield running
        running.kill()


def take(path: Path) -> None:
    with locked(path, "the thing"):
        assert path.exists()


@pytest.mark.parametrize("kind", [None, signal.SIGKILL, signal.SIGTERM])
def test_a_lock_is_refused_until_its_process_ends_however_it_ends(tmp_path, holder, kind):
    with pytest.raises(InUse, match="the thing"):
        take(tmp_path / "lock")
    if kind is not None:
        os.kill(holder.pid, kind)
    holder.communicate(b"")
    take(tmp_path / "lock")
    assert not list(tmp_path.iterdir())


def test_one_waits_for_a_lock(tmp_path, holder):
    """The process is told to end before its lock is waited for, so that this cannot hang."""
    holder.stdin.close()
    with locked(tmp_path / "lock", "the thing", wait=60):
        holder.wait()


def test_threads_and_calls_of_one_process_exclude_each_other(tmp_path):
    with locked(tmp_path / "lock", "the thing"):
        with pytest.raises(InUse, match="the thing"):
            take(tmp_path / "lock")
        assert (tmp_path / "lock").exists()
