"""Tests of ``semihmm view``: what it shows, and what it refuses."""

from __future__ import annotations

import json
import re

import pytest

from tests.semihmm.program_runs import SAMPLE, run


def data_of(path):
    """Return the overview of a page and its pairs."""
    page = path.read_text(encoding="utf-8")
    overview, pairs = (
        re.findall(rf'id="{name}">(.*?)</script>', page, re.DOTALL)[0]
        for name in ("overview", "pairs")
    )
    return json.loads(overview), [json.loads(line) for line in pairs.split("\n")]


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


def test_against_the_hand_alignment(aligned, tmp_path):
    run("view", SAMPLE, aligned, "--gold", "--output", tmp_path / "page.html")
    overview, pairs = data_of(tmp_path / "page.html")
    assert overview["reference"] == "the hand alignment"
    statuses = [link[5] for pair in pairs for link in pair["links"]]
    assert set(statuses) == {"agrees", "missing", "extra"}
    assert sum(row[1] for row in overview["pairs"]) == len(statuses) - statuses.count("agrees")
