"""The script that makes the README's picture."""

from __future__ import annotations

import struct
import subprocess
import sys

import pytest

from tests.browser import open_browser
from tests.paths import ROOT

PICTURE = ROOT / "docs" / "images" / "view.png"

LARGEST = 200_000
"""Bytes: a README should open at once."""

browser = pytest.fixture(open_browser)


def size(png: bytes) -> tuple[int, int]:
    """Return the width and the height of a PNG."""
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_the_picture_is_small():
    assert f"({PICTURE.relative_to(ROOT).as_posix()})" in (ROOT / "README.md").read_text("utf-8")
    assert len(PICTURE.read_bytes()) < LARGEST


def test_the_script_makes_a_picture_of_the_same_size(browser, tmp_path):
    script = ROOT / "scripts" / "make_picture.py"
    command = [sys.executable, str(script), "--output", str(tmp_path / "view.png")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert size((tmp_path / "view.png").read_bytes()) == size(PICTURE.read_bytes())
