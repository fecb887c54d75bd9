"""Tests that the documents' links and the names of code in them lead somewhere."""

import json
import re
import subprocess
import sys
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

import pytest

import semihmm
from tests.paths import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAME = re.compile(r"`((?:corpus_tools|jump_models|rewrite_models|semihmm)(?:\.\w+)+)`")
FILE = re.compile(r"`((?:corpus_tools|jump_models|rewrite_models|semihmm|scripts|tests)/[\w/.]*)`")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in kept}


def leads_somewhere(page: Path, target: str) -> bool:
    """Tell whether a link's file and heading exist."""
    name, _, heading = target.partition("#")
    file = page.parent / name if name else page
    return file.is_file() and (not heading or heading in anchors(file))


def exists(name: str) -> bool:
    """Tell whether a dotted name is that of a module, of something in it, or of a field."""
    holder, _, field = name.rpartition(".")
    try:
        resolve_name(name)
    except AttributeError:
        return field in getattr(resolve_name(holder), "__annotations__", {})
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    ours = [link for link in links if not link.startswith("https://")]
    assert [link for link in ours if not leads_somewhere(page, link)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_names_and_files_of_the_code_exist(page):
    text = page.read_text(encoding="utf-8")
    assert [name for name in NAME.findall(text) if not exists(name)] == []
    assert [name for name in FILE.findall(text) if not (ROOT / name).exists()] == []


# The guide and the API reference are built without warnings, and the tutorial runs


DOCS = ROOT / "docs"
NEEDED = ("sphinx", "furo", "myst_nb", "ipykernel", "pandas")
NAMES_OF_PAGES = {
    path.relative_to(DOCS).with_suffix("").as_posix()
    for path in (*DOCS.rglob("*.md"), *DOCS.glob("*.ipynb"))
}
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
    return {
        path.relative_to(folder).with_suffix("").as_posix(): shown(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*.html")
    }


def shown(page: str) -> str:
    """Return the text of a web page."""
    return unescape(re.sub(r"<[^>]+>", "", re.sub(r"(?s)<(script|style).*?</\1>", "", page)))


@pytest.mark.slow
def test_there_is_a_page_for_each_document(site):
    assert {"api", "index", "tutorial", "view"} <= NAMES_OF_PAGES <= set(site)


def test_the_index_leads_to_each_page():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    links = {link.rpartition(".")[0] for link in re.findall(r"(?<!!)\[[^]]*\]\(([^)]+)\)", index)}
    assert links == NAMES_OF_PAGES - {"index"}


@pytest.mark.slow
def test_the_reference_has_all_public_names(site):
    missing = [name for name in semihmm.__all__ if f"semihmm.{name}" not in site["api"]]
    assert missing == []
    assert "the directory in which the model is saved after each iteration" in site["api"]
    assert "document sentences for each abstract sentence" in site["api"], "the settings"


@pytest.mark.slow
def test_signatures_are_for_readers(site):
    assert "directory: str | PathLike[str] = GENERAL_MODEL" in site["api"]
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
