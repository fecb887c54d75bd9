"""Tests of ``semihmm view``: what it shows, and what it refuses."""

from __future__ import annotations

import json
import re

import pytest

from semihmm.saving.general_model import GENERAL_MODEL
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write


def data_of(path):
    """Return the overview of a page and its pairs."""
    page = path.read_text(encoding="utf-8")
    overview, pairs = (
        re.findall(rf'id="{name}">(.*?)</script>', page, re.DOTALL)[0]
        for name in ("overview", "pairs")
    )
    return json.loads(overview), [json.loads(line) for line in pairs.split("\n")]


def test_the_model_names_components_in_the_terminal(aligned, model_directory, capsys):
    run("view", SAMPLE, aligned, "--model", model_directory)
    assert re.search(r"¹\s1\.00\s(identity|stem|relation)", capsys.readouterr().out)


def test_a_page_without_a_model(aligned, tmp_path, capsys):
    run("view", SAMPLE, aligned, "--output", tmp_path / "page.html")
    out, err = capsys.readouterr()
    assert out == ""
    assert f"open {tmp_path / 'page.html'} in a browser" in err
    overview, pairs = data_of(tmp_path / "page.html")
    assert overview["reference"] is None
    assert overview["components"] == []
    assert [pair["id"] for pair in pairs] == [row["id"] for row in rows(SAMPLE)]
    alignments = {row["id"]: row for row in rows(aligned)}
    for pair in pairs:
        assert [link[:2] for link in pair["links"]] == [
            phrase["abstract"] for phrase in alignments[pair["id"]]["phrases"]
        ]
        assert "posteriors" not in pair


def test_a_page_with_the_model(aligned, model_directory, trained, sample, tmp_path):
    run("view", SAMPLE, aligned, "--model", model_directory, "--output", tmp_path / "page.html")
    overview, pairs = data_of(tmp_path / "page.html")
    assert set(overview["components"]) == {"identity", "stem", "relation", "multiword", "asides"}
    explained = [link for pair in pairs for link in pair["links"] if len(link) == 8]
    assert explained and all(0 < link[7] <= 1 for link in explained)
    posteriors = trained.posteriors(sample[0]).links
    cells = {(a, d): p for a, d, p in pairs[0]["posteriors"]}
    likely = {(a, d) for a in range(32) for d in range(120) if posteriors[d, a] >= 0.01}
    assert set(cells) == likely
    assert all(abs(cells[a, d] - posteriors[d, a]) <= 0.005 for a, d in likely)


def probabilities(page):
    """Return those of all links of a page."""
    return [link[4] for pair in page[1] for link in pair["links"]]


def test_without_alignments_the_model_makes_them(aligned, model_directory, tmp_path):
    run("view", SAMPLE, "--model", model_directory, "--output", tmp_path / "made.html")
    run("view", SAMPLE, aligned, "--model", model_directory, "--output", tmp_path / "read.html")
    made, read = data_of(tmp_path / "made.html"), data_of(tmp_path / "read.html")
    # A file has six digits of a probability, and a page three: rounded twice, the last may differ.
    assert probabilities(made) == pytest.approx(probabilities(read), abs=1.1e-3)
    for links in (link for page in (made, read) for pair in page[1] for link in pair["links"]):
        links[4] = None
    assert made[1] == read[1]


def test_without_alignments_and_model_the_general_model_makes_them(aligned, tmp_path, capsys):
    run("view", SAMPLE, "--output", tmp_path / "page.html")
    overview, pairs = data_of(tmp_path / "page.html")
    with_model = ["--model", GENERAL_MODEL, "--output", tmp_path / "named.html"]
    run("view", SAMPLE, *with_model)
    named = data_of(tmp_path / "named.html")
    assert (overview, pairs) == named
    assert overview["components"] and all(pair["posteriors"] for pair in pairs)
    capsys.readouterr()
    run("view", SAMPLE)
    assert re.search(r"¹\s1\.00\s(identity|stem|relation)", capsys.readouterr().out)
    run("view", SAMPLE, "--compare", aligned, "--output", tmp_path / "compared.html")
    assert data_of(tmp_path / "compared.html")[0]["reference"] == "aligned.jsonl"


def test_against_the_hand_alignment(aligned, tmp_path):
    run("view", SAMPLE, aligned, "--gold", "--output", tmp_path / "page.html")
    overview, pairs = data_of(tmp_path / "page.html")
    assert overview["reference"] == "the hand alignment"
    statuses = [link[5] for pair in pairs for link in pair["links"]]
    assert set(statuses) == {"agrees", "missing", "extra"}
    assert sum(row[1] for row in overview["pairs"]) == len(statuses) - statuses.count("agrees")


# What is refused


def test_alignments_of_another_text_are_refused(aligned, tmp_path, capsys):
    pairs = rows(SAMPLE)
    pairs[3]["document"][0] = pairs[3]["document"][0].upper()
    other = write(tmp_path / "pairs.jsonl", *pairs)
    err = fails(capsys, 1, "view", other, aligned, "--output", tmp_path / "page.html")
    assert f"{aligned}, line 4" in err and "was made from another document" in err
    assert not (tmp_path / "page.html").exists()
