"""Tests of commands whose addresses are limited (``ulimit -v``)."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest

from corpus_tools import address_space, compiled_kernels
from corpus_tools.errors import BadUsage
from tests.semihmm.program_runs import PATIENCE, PROGRAM, SAMPLE

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux counts addresses as these limits suppose"
)
MIB = 2**20


def limited(mib, *arguments):
    """Run a command with so many MiB of addresses."""
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (mib * MIB, mib * MIB)),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("mib", [200, 350, 500, 599])
def test_too_little_for_the_kernels_is_refused(tmp_path, mib):
    """Some libraries wait for ever there, and others fail anywhere."""
    ended = limited(mib, "train", SAMPLE, "--model", tmp_path / "model")
    assert ended.returncode == 2
    assert "need 600 MiB of addresses" in ended.stderr
    assert f"the limit of memory (ulimit -v) is {mib} MiB" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("command", ["extract", "tokenize"])
def test_what_needs_no_kernels_needs_less(tmp_path, command):
    output = tmp_path / "out.jsonl"
    ended = limited(300, command, SAMPLE, "--output", output)
    assert ended.returncode == 0, ended.stderr
    assert output.stat().st_size > 0


def test_parsing_imports_no_library_that_waits_for_memory(tmp_path):
    pytest.importorskip("HanTa", reason="HanTa is not installed")
    ended = limited(300, "parse", SAMPLE, "--cache", tmp_path / "trees", "--output", tmp_path / "o")
    assert ended.returncode in (0, 1)
    assert "Traceback" not in ended.stderr


def test_a_system_of_a_comparison_that_finds_too_little_is_named():
    ended = limited(300, "compare", SAMPLE, "--systems", "default iterations=1")
    assert ended.returncode in (1, 2)
    assert ended.stderr.startswith("semihmm: ")
    assert "Traceback" not in ended.stderr


def test_openblas_makes_no_threads_unless_the_user_says_so(tmp_path):
    code = (
        "import os, sys; from semihmm.cli.main import main; sys.argv[1:] = ['--version']; main();"
        "print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    for given, expected in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")):
        variables = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
        ended = subprocess.run(
            [sys.executable, "-c", code],
            env={**variables, **given},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ended.stdout.splitlines()[-1] == expected


def test_without_a_limit_nothing_is_said(monkeypatch):
    monkeypatch.setattr(address_space, "address_limit", lambda: None)
    address_space.require_addresses_for_kernels()
    assert address_space.limit_in_words() == ""


def test_the_message_names_the_limit(monkeypatch):
    monkeypatch.setattr(address_space, "address_limit", lambda: 512 * MIB)
    with pytest.raises(BadUsage, match="512 MiB: raise it"):
        address_space.require_addresses_for_kernels()


def test_kernels_that_must_be_compiled_need_more(monkeypatch, tmp_path):
    monkeypatch.setattr(compiled_kernels, "FOLDER", tmp_path)
    kernel = compiled_kernels.compiled(abs_of)
    monkeypatch.setattr(address_space, "address_limit", lambda: 700 * MIB)
    with pytest.raises(BadUsage, match=r"950 MiB of addresses; .* is 700 MiB: raise it, or run"):
        kernel(-1)
    monkeypatch.setattr(address_space, "address_limit", lambda: None)
    assert kernel(-1) == 1


def abs_of(number):
    return abs(number)
