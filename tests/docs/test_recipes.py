"""The recipes of docs/recipes.md run as they stand there, and print what stands below them."""

from __future__ import annotations

import re

import pytest

from tests.installed import has_wordnet
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
RECIPES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
NUMBERED = [pytest.param(*recipe, id=str(n)) for n, recipe in enumerate(RECIPES, start=1)]


def test_all_recipes_are_looked_at():
    assert len(RECIPES) == PAGE.count("```python") == 4


@pytest.mark.filterwarnings("ignore::corpus_tools.errors.MissingResource")
@pytest.mark.parametrize(("program", "printed"), NUMBERED)
def test_recipes_print_what_stands_below_them(program, printed, tmp_path, monkeypatch, capsys):
    if "from datasets" in program:
        pytest.importorskip("datasets", reason="datasets is not installed")
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    out = capsys.readouterr().out
    assert out
    # Without WordNet, other words are from nowhere.
    if has_wordnet():
        assert out == printed
