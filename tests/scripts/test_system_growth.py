"""Tests of the table and the figure of systems on corpora that grow."""

from __future__ import annotations

import importlib
import json

import pytest

from semihmm.baselines.greedy import Greedy
from semihmm.evaluation.semi_hmm_system import SemiHmmSystem
from tests.paths import ROOT


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("system_growth")


@pytest.fixture
def growth(script):
    return script.Growth("two sizes", (2, 4), 6.0, 3.0)


@pytest.fixture
def corpus(tmp_path):
    def written(size, document, abstract):
        rows = [
            {"id": f"{number}", "document": "a b c . " * int(document), "abstract": "b c ."}
            for number in range(size)
        ]
        path = tmp_path / f"{size}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return written


def test_a_row_for_each_system_and_a_cell_for_each_size(
    script, growth, corpus, monkeypatch, capsys, tmp_path
):
    ours = SemiHmmSystem("default iterations=1 wordnet=none paraphrases=none")
    monkeypatch.setattr(script, "OURS", ours)
    monkeypatch.setattr(script, "SYSTEMS", (ours, Greedy()))
    costs = script.measured(growth, corpus)
    assert [list(by_size) for by_size in costs.values()] == [[2, 4], [2, 4]]
    assert all(cost.memory > 0 for by_size in costs.values() for cost in by_size.values())
    rows = capsys.readouterr().out.splitlines()[-4:]
    assert rows[0] == "| two sizes: 6 + 3 words | 2 pairs | 4 pairs |"
    assert [row.count("|") for row in rows] == [4] * 4
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    script.draw(tmp_path / "growth.svg", {growth.name: costs})
    assert (tmp_path / "growth.svg").read_text().endswith("</svg>\n")


def test_a_system_is_left_out_where_it_would_take_too_long(script, growth, corpus, monkeypatch):
    monkeypatch.setattr(script, "MOST_SECONDS", 0.0)
    files = {size: corpus(size, 6, 3) for size in growth.sizes}
    monkeypatch.setattr(script, "_cost", lambda system, pairs: script.Cost(1.0, 1))
    assert list(dict(script._grown(Greedy(), files))) == [2]
