"""Tests that the documents' links and the names of code in them lead somewhere."""

import importlib
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
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
    """Tell whether a dotted name is that of a module or of something in a module."""
    parts = name.split(".")
    modules = 1
    while modules < len(parts) and find_spec(".".join(parts[: modules + 1])):
        modules += 1
        if not hasattr(importlib.import_module(".".join(parts[:modules])), "__path__"):
            break
    value: object = importlib.import_module(".".join(parts[:modules]))
    for part in parts[modules:]:
        if not hasattr(value, part) and part not in getattr(value, "__annotations__", {}):
            return False
        value = getattr(value, part, None)
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    ours = [link for link in links if not link.startswith("https://")]
    assert [link for link in ours if not leads_somewhere(page, link)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_and_files_of_the_code_exist(page):
    text = page.read_text(encoding="utf-8")
    assert [name for name in NAME.findall(text) if not exists(name)] == []
    assert [name for name in FILE.findall(text) if not (ROOT / name).exists()] == []
