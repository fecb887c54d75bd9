"""The wheel, installed beside the environment's libraries: what a user has."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from filelock import FileLock

from corpus_tools.errors import PACKAGES
from corpus_tools.storage.new_folders import cache_folder
from corpus_tools.texts.wordnet_files import find_wordnet
from tests.installed import has_wordnet
from tests.paths import ROOT

FOLDER = Path(sys.prefix) / "front-door"
"""Always the same place: kernels are compiled once for each."""


@pytest.fixture(scope="session")
def installed() -> Path:
    """Return the Python of an environment in which the wheel is installed, not this folder."""
    with FileLock(f"{FOLDER}.lock"):
        sources = hashlib.sha256()
        for file in sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                sources.update(f"{file}\n".encode() + file.read_bytes())
        mark = FOLDER / sources.hexdigest()
        if not mark.exists():
            shutil.rmtree(FOLDER, ignore_errors=True)
            _install()
            mark.touch()
    return FOLDER / "bin" / "python"


@pytest.fixture(scope="session")
def paste(installed, tmp_path_factory):
    """Return a function that runs blocks by the installation, and returns what each wrote.

    A block is a folder, the code and the language. The first block of a folder finds it empty,
    unless the test has put something there.
    """

    def run(
        work: Path, blocks: Iterable[tuple[str, str, str]], has_list: bool = False
    ) -> list[dict[str, str]]:
        surroundings = {
            # Where a list of paraphrases may be.
            "HOME": str(tmp_path_factory.mktemp("home")),
            "XDG_CACHE_HOME": str(cache_folder().parent),
            "NLTK_DATA": str(ROOT / "tests" / "nltk_data") if has_list else "",
            "WNSEARCHDIR": str(find_wordnet()) if has_wordnet() else "",
            "PYTHONPATH": "",
        }
        done = subprocess.run(
            [str(installed), "-P", str(Path(__file__).with_name("driver.py"))],
            input=json.dumps(list(blocks)),
            cwd=work,
            env=os.environ | surroundings,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        said: list[dict[str, str]] = json.loads(done.stdout)
        return said

    return run


def _install() -> None:
    uv = pytest.importorskip("uv").find_uv_bin()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(FOLDER)], check=True)
    built = [uv, "build", "--quiet", "--wheel", "--out-dir", str(FOLDER / "dist"), str(ROOT)]
    run = subprocess.run(built, capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip(f"the wheel cannot be built here, which takes a package index: {run.stderr}")
    (wheel,) = (FOLDER / "dist").glob("*.whl")
    python = str(FOLDER / "bin" / "python")
    command = [uv, "pip", "install", "--quiet", "--no-deps", "--python", python, str(wheel)]
    subprocess.run(command, check=True)
    (own,) = FOLDER.glob("lib/python*/site-packages")
    # Their .pth files are not read there, and so this folder is not found.
    libraries = next(path for path in sys.path if path.endswith("site-packages"))
    (own / "libraries.pth").write_text(libraries + "\n")
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            # Kernels are compiled anew when their file is younger.
            os.utime(own / name, (0, 0))
