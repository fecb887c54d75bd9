"""What wheel and source package hold, what PyPI shows of them, and that they install and run."""

from __future__ import annotations

import email.message
import email.parser
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.test_dependencies import PROJECT

OWN = f"3.{sys.version_info.minor}"
VERSIONS = [
    pytest.param(version, marks=[] if version == OWN else pytest.mark.slow)
    for version in ("3.11", "3.12", "3.13", "3.14")
]

LARGEST_MODEL = 1_000_000
"""The bytes that the general model may take in the wheel."""

QUICK_TESTS = ("test_dependencies.py", "test_documents.py", "test_layout.py", "test_rooms.py")
"""Tests of files, which show that the source package lacks none that the tests read."""


def run(*command: object, folder: Path, **variables: str) -> str:
    """Run a command in a folder, without the project in the path; return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def index_answers() -> bool:
    """Tell whether pip can ask a package index."""
    asked = [sys.executable, "-m", "pip", "index", "versions", "hatchling"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def interpreter(version: str) -> str | None:
    """Return a Python of a version: in the path, of pyenv, or one that scripts/test.sh got."""
    name = f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    others = [*pyenv.glob(f"versions/{version}.*"), *Path(sys.prefix).glob("pythons/*")]
    candidates = [Path(shutil.which(name) or name), *(folder / "bin" / name for folder in others)]
    for candidate in filter(Path.is_file, candidates):
        # Shims of pyenv are there for versions that it does not run.
        ran = subprocess.run([str(candidate), "-c", ""], capture_output=True, check=False)
        if ran.returncode == 0:
            return str(candidate)
    return None


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Return the folder of the source package and of the wheel that was built from it."""
    pytest.importorskip("build", reason="build is not installed")
    if not index_answers():
        pytest.skip("there is no package index, from which the parts of the build come")
    folder = tmp_path_factory.mktemp("packages")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, folder=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(packages):
    """Return the wheel."""
    (path,) = packages.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def metadata(wheel) -> email.message.Message:
    """Return the metadata of the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return email.parser.Parser().parsestr(archive.read(name).decode())


def test_twine_accepts_both(packages):
    pytest.importorskip("twine", reason="twine is not installed")
    files = sorted(packages.iterdir())
    assert [file.name.rpartition(".")[2] for file in files] == ["whl", "gz"]
    checked = run(sys.executable, "-m", "twine", "check", "--strict", *files, folder=packages)
    assert checked.count("PASSED") == 2


def test_the_wheel_holds_the_packages_and_their_data(wheel):
    with zipfile.ZipFile(wheel) as archive:
        sizes = {item.filename: item.file_size for item in archive.infolist()}
    written = {
        path.relative_to(ROOT).as_posix()
        for package in ("corpus_tools", "jump_models", "rewrite_models", "semihmm")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"corpus_tools/data/sample.jsonl", "semihmm/py.typed"} <= written
    assert {name for name in sizes if ".dist-info/" not in name} == written
    model = [size for name, size in sizes.items() if name.startswith("semihmm/general_model/")]
    assert 0 < sum(model) <= LARGEST_MODEL


def test_the_metadata_is_complete(metadata):
    assert metadata["Version"] == PROJECT["project"]["version"]
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == f">={VERSIONS[0]}"
    assert metadata["Author"] and metadata["Summary"] and metadata["Keywords"]
    # No address of the project is known.
    assert "Project-URL" not in metadata and "Home-page" not in metadata
    tested = {f"Programming Language :: Python :: {version}" for version in VERSIONS}
    assert tested <= set(metadata.get_all("Classifier", []))


def test_the_description_has_no_links_that_lead_nowhere(metadata):
    description = metadata.get_payload()
    links = re.findall(r"\]\(([^)]+)\)", description)
    assert [link for link in links if not link.startswith("https://")] == []
    assert "`docs/view.md`" in description


def test_the_source_package_passes_tests_of_files(packages, tmp_path):
    (archive,) = packages.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    assert {"docs", "scripts", "tests", "LICENSE", "CITATION.cff"} <= set(os.listdir(folder))
    tests = [f"tests/{name}" for name in QUICK_TESTS]
    report = run(
        *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *tests),
        folder=folder,
        PYTHONPATH=str(folder),
    )
    assert "passed" in report


@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_installs_and_runs(wheel, version, tmp_path):
    """Another directory, a clean environment, no WordNet in it."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version}; scripts/test.sh --all tries to get it")
    run(python, "-m", "venv", tmp_path / "venv", folder=tmp_path)
    installed = tmp_path / "venv" / "bin" / "python"
    run(installed, "-m", "pip", "install", "--quiet", "--prefer-binary", wheel, folder=tmp_path)
    work = tmp_path / "elsewhere"
    work.mkdir()
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    semihmm = installed.with_name("semihmm")
    numbered = f"semihmm {PROJECT['project']['version']}\n"
    assert run(semihmm, "--version", folder=work) == numbered
    assert run(installed, "-m", "semihmm", "--version", folder=work) == numbered
    program = "from importlib.resources import files; print(files('corpus_tools') / 'data')"
    sample = Path(run(installed, "-c", program, folder=work).strip()) / "sample.jsonl"
    assert tmp_path in sample.parents
    run(semihmm, "align", sample, "--output", "general.jsonl", folder=work, **cache)
    run(semihmm, "train", sample, "--model", "model", folder=work, **cache)
    page = ["--model", "model", "--output", "report.html"]
    run(semihmm, "view", sample, *page, folder=work, **cache)
    lines = (work / "general.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(sample.read_text(encoding="utf-8").splitlines())
    assert (work / "model" / "model.json").exists()
    assert "Tessera" in (work / "report.html").read_text(encoding="utf-8")
