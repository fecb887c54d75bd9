"""Fixtures for the tests of all packages."""

import gc
import io
import os
import signal
import sys

import pytest
from hypothesis import settings

from corpus_tools.base.compiled_kernels import COMPILED
from semihmm.cli.main import GARBAGE_THRESHOLDS
from semihmm.model.settings import WARNINGS_GIVEN
from tests.browser import open_browser
from tests.installed import need_wordnet
from tests.paths import ROOT
from tests.tiny_wordnet import write_wordnet

INSTALLED = [str(ROOT / "tests" / "nltk_data"), os.environ.get("NLTK_DATA", "")]
"""Where NLTK and the processes that tests start look first: a list of some paraphrases."""

os.environ["NLTK_DATA"] = os.pathsep.join(filter(None, INSTALLED))

# Processes that tests start run as a user's do: nothing of the tester's shell tells Python how.
for name in [name for name in os.environ if name.startswith("PYTHON") and name != "PYTHONPATH"]:
    del os.environ[name]

# A process in the background of a shell ignores Ctrl-C, and so would commands that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# As the program does: with Python's own, the search for cycles takes up to a tenth of the time.
gc.set_threshold(*GARBAGE_THRESHOLDS)

# A machine may be busy. The same inputs are drawn in each run, others with --all.
settings.register_profile("usual", deadline=None, derandomize=True)
settings.load_profile("usual")
settings.register_profile("all", derandomize=False, max_examples=10 * settings().max_examples)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--anew", action="store_true", help="write anew what tests compare with")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the front door first, then the longest files, so that all processes end together."""

    def lightness(item: pytest.Item) -> tuple[bool, bool]:
        folder = item.path.relative_to(ROOT / "tests").parts[0]
        return folder != "front_door", folder != "semihmm"

    items.sort(key=lightness)


@pytest.fixture
def give_standard_input(monkeypatch):
    """Return a function that puts some bytes into standard input."""

    def give(content):
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)))
        monkeypatch.setattr(sys, "stdin", stream)

    return give


@pytest.fixture
def looked_at(request):
    """Return a function that reads a file, named from the test's folder, of what the test makes.

    With ``--anew`` what the test has made is written first.
    """

    def read(name, made):
        path = request.path.parent / name
        if request.config.getoption("anew"):
            path.write_text(made, encoding="utf-8")
        return path.read_text(encoding="utf-8")

    return read


@pytest.fixture
def worked_out(request, looked_at):
    """Return a function that compares a table beside the test with what becomes of its lines.

    Below each line of the table stand the lines that ``work`` makes of it, indented. Titles begin
    with "#".
    """

    def compare(name, work):
        lines = []
        for line in request.path.with_name(name).read_text(encoding="utf-8").split("\n"):
            if line.startswith("#") or not line:
                lines.append(line)
            elif not line.startswith("  "):
                lines += [line, *(f"  {made}" for made in work(line))]
        made = "\n".join(lines)
        assert made == looked_at(name, made)

    return compare


browser = pytest.fixture(scope="session")(open_browser)
wordnet = pytest.fixture(scope="session")(need_wordnet)


@pytest.fixture(autouse=True)
def nothing_was_said():
    """Let each test see what a process says once, but for the time that kernels take here."""
    WARNINGS_GIVEN.clear()
    COMPILED[:] = ["whatever came before"]


@pytest.fixture(scope="session")
def miniature(tmp_path_factory):
    """Return the directory of a WordNet of some synsets. Tests must not change what is in it."""
    return write_wordnet(tmp_path_factory.mktemp("wordnet") / "dict")
