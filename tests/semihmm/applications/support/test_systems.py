"""Systems compared by the support of their summaries, from the command line to `correlate`."""

from pathlib import Path

import numpy as np
import pytest

from semihmm.applications.support.command import table_of_systems
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write

DOCUMENTS = {
    "a": "Rain fell on the old town of Graz on Monday, and the market was closed. Eva won 4-1.",
    "b": "The council will sell the mill for $3.4 million. Nobody was hurt, said the mayor.",
    "c": "Engineers found cracks in the bridge. It stays closed until May.",
}
COPIES = {name: text.split(". ")[0].rstrip(".") + "." for name, text in DOCUMENTS.items()}


def test_support_has_the_extracts_that_are_asked_for(tmp_path, capsys):
    pairs = write(tmp_path / "pairs.jsonl", *rows(SAMPLE)[:3])
    run("support", pairs)
    usual = capsys.readouterr().out
    run("support", pairs, "--extract", 1)
    assert capsys.readouterr().out != usual


def test_a_table_has_means_of_sentences_their_intervals_and_a_paired_test(looked_at):
    """The p of the second system: scipy's of the means .9, .75, .96 and .55, .4, .55."""
    made = table_of_systems(rows(Path(__file__).with_name("systems.jsonl")))
    assert made == looked_at("systems.txt", made)


def test_intervals_are_those_of_documents_that_are_drawn():
    generator = np.random.default_rng(1)
    values = generator.random((40, 3)).round(4)
    sentences = [[{"support": one, "conflicts": []} for one in own] for own in values.tolist()]
    table = table_of_systems(
        {"id": str(n), "system": "x", "sentences": own} for n, own in enumerate(sentences)
    )
    low, high = (float(one.strip("[],")) for one in table.splitlines()[-1].split()[4:6])
    draws = [values[generator.integers(40, size=40)].mean() for _ in range(4000)]
    assert [low, high] == pytest.approx(np.percentile(draws, (2.5, 97.5)), abs=0.01)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    # Documents need no abstracts.
    pairs = [{"id": id, "document": text} for id, text in DOCUMENTS.items()]
    pairs[0]["abstract"], pairs[1]["abstract"] = None, "Rain."
    write(tmp_path / "pairs.jsonl", *pairs)
    summaries = [
        {"id": id, "system": system, "summary": text}
        for id, copied in COPIES.items()
        for system, text in (("copy", copied), ("other", ["Vienna fell. ", "Anna sang 12 songs."]))
    ]
    write(tmp_path / "summaries.jsonl", *summaries)
    judged = [
        {"id": id, "system": system, "right": [{"ann": 1, "eve": n}, {"ann": 1, "eve": None}]}
        for id in DOCUMENTS
        for n, system in enumerate(("other", "copy"))
    ]
    write(tmp_path / "judged.jsonl", *judged)
    monkeypatch.chdir(tmp_path)


COMMAND = ("support", "summaries.jsonl", "--documents", "pairs.jsonl")


def test_one_command_writes_a_line_a_summary_and_compares_systems(capsys):
    run(*COMMAND, "--output", "out.jsonl")
    out, _ = capsys.readouterr()
    assert "copies and errs" in out
    assert [one.split()[0] for one in out.splitlines()[-2:]] == ["copy", "other"]
    copy, other, *_ = rows("out.jsonl")
    assert [(row["id"], row["system"]) for row in (copy, other)] == [("a", "copy"), ("a", "other")]
    # A list has the sentences that it was given as.
    assert [one["text"] for one in other["sentences"]] == ["Vienna fell.", "Anna sang 12 songs."]
    run(*COMMAND, "--workers", "1")
    assert capsys.readouterr().out == out
    run(*COMMAND, "--workers", "1", "--output", "-")
    streamed, told = capsys.readouterr()
    assert streamed == Path("out.jsonl").read_text(encoding="utf-8")
    assert out.rstrip() in told
    run("correlate", "out.jsonl", "judged.jsonl", "--level", "all")
    out, _ = capsys.readouterr()
    assert "right eve:" in out
    assert "sentences  support" in out


@pytest.mark.parametrize(
    ("id", "system", "more", "problem"),
    [
        ("z", "x", {}, "'z' of 'x' has no document: the 3 documents have other ids"),
        ("a", "x", {"positions": [1]}, "has positions, but no text"),
        ("a", "copy", {}, "is given twice"),
    ],
)
def test_a_summary_that_cannot_be_compared_is_named(capsys, id, system, more, problem):
    row = {"id": id, "system": system, **(more or {"summary": "It."})}
    write(Path("summaries.jsonl"), *rows("summaries.jsonl"), row)
    err = fails(capsys, 1, *COMMAND, "--output", "out.jsonl")
    assert not Path("out.jsonl").exists()
    assert problem in err
    assert "summaries.jsonl, line 7" in err
