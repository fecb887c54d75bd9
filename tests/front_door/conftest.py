"""The wheel, installed beside the environment's libraries: what a user has."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from corpus_tools.base.files import cache_folder
from corpus_tools.texts.lexicons import find_wordnet
from tests.installed import has_wordnet
from tests.paths import ROOT


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> Path:
    """Return the Python of an environment in which the wheel is installed, not this folder."""
    uv = pytest.importorskip("uv").find_uv_bin()
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    # Otherwise uv would install what it built before another file than pyproject.toml changed.
    install = [uv, "pip", "install", "--quiet", "--no-deps", "--refresh-package", "semihmm"]
    install += ["--python", str(python), str(ROOT)]
    run = subprocess.run(install, capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip(f"the wheel cannot be built here, which takes a package index: {run.stderr}")
    (own,) = folder.glob("lib/python*/site-packages")
    # Their .pth files are not read there, and so this folder is not found.
    libraries = next(path for path in sys.path if path.endswith("site-packages"))
    (own / "libraries.pth").write_text(libraries + "\n")
    return python


@pytest.fixture(scope="session")
def paste(installed, tmp_path_factory):
    """Return a function that runs blocks by the installation, and returns what each wrote.

    A block is a folder, the code and the language. The first block of a folder finds it empty,
    unless the test has put something there. Other packages may be in a folder of their own.
    """

    def run(
        work: Path, blocks: Iterable[tuple[str, str, str]], packages: Path | str = ""
    ) -> list[dict[str, str]]:
        surroundings = {
            # Neither there nor among the tests' data is a list of paraphrases.
            "HOME": str(tmp_path_factory.mktemp("home")),
            "XDG_CACHE_HOME": str(cache_folder().parent),
            "NLTK_DATA": "",
            "WNSEARCHDIR": str(find_wordnet()) if has_wordnet() else "",
            "PYTHONPATH": str(packages),
        }
        command = [str(installed), "-P", str(Path(__file__).with_name("driver.py"))]
        given, env = json.dumps(list(blocks)), os.environ | surroundings
        printed = subprocess.check_output(command, input=given, cwd=work, env=env, text=True)
        said: list[dict[str, str]] = json.loads(printed)
        return said

    return run
