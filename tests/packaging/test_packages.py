"""What wheel and source package hold, and that the wheel installs and runs."""

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from corpus_tools.base.errors import PACKAGES
from tests.paths import PROJECT, ROOT

pytestmark = pytest.mark.slow
"""The front door runs on a wheel too, without an environment of its own (``tests/front_door``)."""

OWN = f"3.{sys.version_info.minor}"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
UV = pytest.importorskip("uv").find_uv_bin()
LARGEST_MODEL = 1_000_000
"""The bytes that the general model may take in the wheel."""


def run(*command: object, folder: Path) -> str:
    """Run a command in a folder, without the project in the path; return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.check_output([*map(str, command)], cwd=folder, env=environment, text=True)


def interpreter(version: str) -> str | None:
    """Return a Python of a version: this one, in the path, of pyenv, or one of scripts/test.sh."""
    if version == OWN:
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [*pyenv.glob(f"versions/{version}.*"), *Path(sys.prefix).glob("pythons/*")]
    files = (folder / "bin" / f"python{version}" for folder in folders)
    return next(map(str, filter(Path.is_file, files)), shutil.which(f"python{version}"))


def install(version: str, folder: Path, *packages: object) -> Path:
    """Return the Python of a new environment with some packages, of which none is WordNet."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version}; scripts/test.sh --all tries to get it")
    run(UV, "venv", "--quiet", "--python", python, folder / "venv", folder=folder)
    installed = folder / "venv" / "bin" / "python"
    run(UV, "pip", "install", "--quiet", "--python", installed, *packages, folder=folder)
    return installed


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Return the wheel, and the source package that it was built from."""
    asked = [sys.executable, "-m", "pip", "index", "versions", "hatchling"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("there is no package index, from which the parts of the build come")
    folder = tmp_path_factory.mktemp("packages")
    run(UV, "build", "--quiet", "--out-dir", folder / "dist", ROOT, folder=folder)
    return sorted((folder / "dist").glob("semihmm-*"))


@pytest.fixture(scope="module")
def wheel(packages):
    return packages[0]


def test_the_packages_hold_all_files_and_the_metadata(packages):
    wheel, source = packages
    with zipfile.ZipFile(wheel) as archive:
        sizes = {item.filename: item.file_size for item in archive.infolist()}
        (name,) = (name for name in sizes if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*"))
    written = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in sizes if ".dist-info/" not in name} == written
    model = [size for name, size in sizes.items() if name.startswith("semihmm/general_model/")]
    assert 0 < sum(model) <= LARGEST_MODEL
    assert metadata["Version"] == PROJECT["project"]["version"]
    assert metadata["Requires-Python"] == f">={VERSIONS[0]}"
    links = re.findall(r"\]\(([^)]+)\)", metadata.get_payload())
    assert [link for link in links if not link.startswith("https://")] == []
    with tarfile.open(source) as archive:
        top = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    assert {"docs", "scripts", "tests", "LICENSE", "CITATION.cff", *PACKAGES} <= top


@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_installs_and_runs(wheel, version, tmp_path):
    installed = install(version, tmp_path, wheel)
    semihmm = installed.with_name("semihmm")
    numbered = f"semihmm {PROJECT['project']['version']}\n"
    assert run(installed, "-m", "semihmm", "--version", folder=tmp_path) == numbered
    run(semihmm, "demo", "demo", folder=tmp_path)
    work = tmp_path / "demo"
    run(semihmm, "train", "pairs.jsonl", "--model", "own", folder=work)
    run(semihmm, "view", "pairs.jsonl", "--model", "own", "--output", "own.html", folder=work)
    lines = [(work / f"{name}.jsonl").read_text().splitlines() for name in ("pairs", "aligned")]
    assert len(lines[0]) == len(lines[1]) > 1
    assert "<html" in (work / "own.html").read_text(encoding="utf-8")


(NUMBA,) = (one for one in PROJECT["project"]["dependencies"] if one.startswith("numba"))
OLDEST = NUMBA.partition(",")[0].replace(">=", "==") + ".*"
PAIR = "from semihmm import align; print(align('A cat sat. It ran.', 'Cats sit.').phrases)"
READ = f"{PAIR}; from corpus_tools.base.compiled_kernels import COMPILED; assert not COMPILED"


@pytest.mark.parametrize("numba", [OLDEST, NUMBA], ids=["oldest", "newest"])
def test_kernels_are_compiled_and_kept_by_each_numba(wheel, numba, tmp_path, monkeypatch):
    """``corpus_tools/base/compiled_kernels.py`` uses what is numba's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    installed = install("3.11", tmp_path, wheel, numba)
    phrases = run(installed, "-c", PAIR, folder=tmp_path)
    assert "'cat'" in phrases
    assert list((tmp_path / "cache").rglob("*.nbc"))
    assert run(installed, "-c", READ, folder=tmp_path) == phrases
