"""The guide and the API reference are built without warnings, and the tutorial runs."""

import json
import re
import subprocess
import sys
from html import unescape
from importlib.util import find_spec

import pytest

import semihmm
from tests.paths import ROOT

DOCS = ROOT / "docs"
NEEDED = ("sphinx", "furo", "myst_nb", "ipykernel", "pandas")
PAGES = {path.stem for path in (*DOCS.glob("*.md"), *DOCS.glob("*.ipynb"))}
NOTEBOOK = json.loads((DOCS / "tutorial.ipynb").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the text of each page, as a reader sees it, by name."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}; pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", str(DOCS), str(folder)]
    run = subprocess.run(sphinx, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return {path.stem: shown(path.read_text(encoding="utf-8")) for path in folder.glob("*.html")}


def shown(page: str) -> str:
    """Return the text of a web page."""
    return unescape(re.sub(r"<[^>]+>", "", re.sub(r"(?s)<(script|style).*?</\1>", "", page)))


@pytest.mark.slow
def test_there_is_a_page_for_each_document(site):
    assert {"api", "index", "tutorial", "view"} <= PAGES <= set(site)


def test_the_index_leads_to_each_page():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    links = {link.rpartition(".")[0] for link in re.findall(r"(?<!!)\[[^]]*\]\(([^)]+)\)", index)}
    assert links == PAGES - {"index"}


@pytest.mark.slow
def test_the_reference_has_all_public_names(site):
    missing = [name for name in semihmm.__all__ if f"semihmm.{name}" not in site["api"]]
    assert missing == []
    assert "the directory in which the model is saved after each iteration" in site["api"]
    assert "document sentences for each abstract sentence" in site["api"], "the settings"


@pytest.mark.slow
def test_signatures_are_for_readers(site):
    assert "model: str | PathLike[str] = GENERAL_MODEL" in site["api"]
    assert str(ROOT) not in site["api"] and "ForwardRef" not in site["api"]


@pytest.mark.slow
def test_the_tutorial_ran(site):
    assert "'cracks'" in site["tutorial"]
    for model in ("trained", "general"):
        assert re.search(rf"{model} soft_f 0\.\d{{3}} \[", site["tutorial"])


def test_the_notebook_is_kept_without_results():
    cells = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    assert cells
    assert [cell for cell in cells if cell["outputs"] or cell["execution_count"]] == []
