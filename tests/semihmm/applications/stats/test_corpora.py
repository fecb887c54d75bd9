"""Columns of `semihmm stats`: corpora, systems and groups, from the command line."""

import csv
import json
from pathlib import Path

from semihmm.applications.stats.portrait_columns import PORTRAIT_FIGURES
from tests.semihmm.program_runs import SAMPLE, rows, run, told, write

PAIRS = rows(SAMPLE)[:4]
SYSTEMS = [
    {"id": pair["id"], "system": system, "document": pair["document"], "summary": [sentence]}
    for n, system in enumerate(("=1+2", "second"))
    for pair in PAIRS
    for sentence in pair["document"][n : n + 1]
]


def written(capsys, *arguments):
    run("stats", *arguments, "--format", "json")
    return json.loads(capsys.readouterr().out)


def test_systems_are_columns_and_csv_has_the_figures_of_json(capsys, tmp_path):
    """Records with a system and summaries with their documents give the same portrait."""
    pairs = write(tmp_path / "pairs.jsonl", *SYSTEMS)
    summaries = [{name: one[name] for name in ("id", "system", "summary")} for one in SYSTEMS]
    documents = write(tmp_path / "documents.jsonl", *PAIRS)
    both = write(tmp_path / "summaries.jsonl", *summaries), "--documents", documents
    found = written(capsys, pairs)
    assert found == written(capsys, *both)
    assert list(found["portrait"]) == list(found["corpora"]) == ["=1+2", "second"]
    assert found["portrait"]["=1+2"]["coverage"]["mean"] == 1
    assert found["portrait"]["second"]["0_to_10"]["difference"] < -0.3
    run("stats", *both)
    assert {"=1+2", "second"} <= {*capsys.readouterr().out.splitlines()}
    run("stats", *both, "--format", "csv")
    # A spreadsheet computes what begins with =, unless there is an apostrophe before it.
    names = {"=1+2": "'=1+2", "second": "second"}
    empty = dict.fromkeys(["mean", "low", "high", "pooled", "pairs", "difference", "p"])
    assert [*csv.DictReader(capsys.readouterr().out.splitlines())] == [
        {"column": names[system], "figure": name}
        | {of: "" if value is None else str(value) for of, value in (empty | own).items()}
        for system, figures in found["portrait"].items()
        for name, own in figures.items()
    ]


def test_corpora_groups_and_systems_are_columns(tmp_path, monkeypatch, aligned, worked_out):
    """The table has commands, and what they print."""
    monkeypatch.chdir(tmp_path)
    years = [{**one, "year": 2000 + n % 2} for n, one in enumerate(PAIRS)]
    write(tmp_path / "pairs.jsonl", *years)
    write(tmp_path / "systems.jsonl", *SYSTEMS)
    (tmp_path / "ignored.txt").write_text("bridge\n", encoding="utf-8")
    (tmp_path / "sample.jsonl").symlink_to(SAMPLE)
    worked_out("commands.txt", lambda line: told(line).splitlines())
    lines = rows(tmp_path / "each.jsonl")
    assert {line["id"] for line in lines} == {one["id"] for one in PAIRS} and len(lines) == 4
    assert lines[0].keys() == {"id", "column", *PORTRAIT_FIGURES}


def test_alignments_may_come_from_standard_input(capsys, aligned, give_standard_input):
    give_standard_input(Path(aligned).read_bytes())
    assert written(capsys, SAMPLE, "-") == written(capsys, SAMPLE, aligned)


def test_view_shows_several_corpora_each_with_its_alignments(capsys, tmp_path, aligned):
    other = write(tmp_path / "other.jsonl", *PAIRS[:1])
    run("view", SAMPLE, aligned, other)
    shown = capsys.readouterr().out
    name = PAIRS[0]["id"]
    assert f"{name} sample.jsonl: " in shown and f"{name} other.jsonl: " in shown
    assert shown.count(" sample.jsonl: ") == 20 and shown.count(" other.jsonl: ") == 1
