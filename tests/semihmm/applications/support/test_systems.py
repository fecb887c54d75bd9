"""Systems compared by the support of their summaries, from the command line to `correlate`."""

import json

import numpy as np
import pytest
from scipy import stats

from semihmm.applications.support.command import table_of_systems
from semihmm.cli.main import main

DOCUMENTS = {
    "a": "Rain fell on the old town of Graz on Monday, and the market was closed. Eva won 4-1.",
    "b": "The council will sell the mill for $3.4 million. Nobody was hurt, said the mayor.",
    "c": "Engineers found cracks in the bridge. It stays closed until May.",
}
COPIES = {name: text.split(". ")[0].rstrip(".") + "." for name, text in DOCUMENTS.items()}


def line(system, id, *supports, conflicts=0):
    sentences = [{"text": "", "support": one, "conflicts": []} for one in supports]
    sentences[0]["conflicts"] = [{}] * conflicts
    return {"id": id, "system": system, "sentences": sentences}


ROWS = [
    line("low", "a", 0.2, 0.9, conflicts=1),
    line("high", "c", 0.96),
    line("low", "b", 0.4),
    line("high", "b", 0.7, 0.8),
    line("low", "c", 0.5, 0.6),
    line("high", "a", 0.9, None),
    line("silent", "a", None),
]


def test_a_table_has_the_means_of_sentences_and_a_paired_test():
    *_, head, high, low, silent = table_of_systems(ROWS).splitlines()
    assert (
        " ".join(head.split()) == "system summaries sentences support under 0.5 conflicts in 100 p"
    )
    assert high.split()[:4] == ["high", "3", "4", f"{(0.9 + 0.7 + 0.8 + 0.96) / 4:.3f}"]
    assert low.split()[:4] == ["low", "3", "5", f"{(0.2 + 0.9 + 0.4 + 0.5 + 0.6) / 5:.3f}"]
    assert (low.split()[6], low.split()[9]) == ("0.400", "20.0")
    # Means of summaries, document by document.
    p = stats.ttest_rel([0.9, 0.75, 0.96], [0.55, 0.4, 0.55]).pvalue
    assert low.split()[-1] == f"{p:.3f}"
    assert silent.split() == ["silent", "1", "0", "-", "-", "-", "-"]


def test_intervals_are_those_of_documents_that_are_drawn():
    generator = np.random.default_rng(1)
    values = generator.random((40, 3)).round(4)
    table = table_of_systems(line("x", str(n), *own) for n, own in enumerate(values.tolist()))
    low, high = (float(one.strip("[],")) for one in table.splitlines()[-1].split()[4:6])
    draws = [values[generator.integers(40, size=40)].mean() for _ in range(4000)]
    assert [low, high] == pytest.approx(np.percentile(draws, (2.5, 97.5)), abs=0.01)


@pytest.fixture
def files(tmp_path):
    # Documents need no abstracts.
    rows = [{"id": id, "document": text} for id, text in DOCUMENTS.items()]
    rows[0]["abstract"], rows[1]["abstract"] = None, "Rain."
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    summaries = [
        {"id": id, "system": system, "summary": text}
        for id, copied in COPIES.items()
        for system, text in (("copy", copied), ("other", ["Vienna fell. ", "Anna sang 12 songs."]))
    ]
    text = "\n".join(map(json.dumps, summaries))
    (tmp_path / "summaries.jsonl").write_text(text, encoding="utf-8")
    judged = [
        {"id": id, "system": system, "right": [{"ann": 1, "eve": n}, {"ann": 1, "eve": None}]}
        for id in DOCUMENTS
        for n, system in enumerate(("other", "copy"))
    ]
    (tmp_path / "judged.jsonl").write_text("\n".join(map(json.dumps, judged)), encoding="utf-8")
    return tmp_path


def run(folder, *command):
    names = ("summaries.jsonl", "pairs.jsonl", "out.jsonl", "judged.jsonl")
    return main([str(folder / one) if one in names else one for one in command])


COMMAND = ("support", "summaries.jsonl", "--documents", "pairs.jsonl")


def test_one_command_writes_a_line_a_summary_and_compares_systems(files, capsys):
    assert run(files, *COMMAND, "--output", "out.jsonl") == 0
    out, _ = capsys.readouterr()
    assert "copies and errs" in out
    assert [one.split()[0] for one in out.splitlines()[-2:]] == ["copy", "other"]
    lines = (files / "out.jsonl").read_text(encoding="utf-8")
    rows = [*map(json.loads, lines.splitlines())]
    assert [(row["id"], row["system"]) for row in rows[:2]] == [("a", "copy"), ("a", "other")]
    # A list has the sentences that it was given as.
    assert [one["text"] for one in rows[1]["sentences"]] == ["Vienna fell.", "Anna sang 12 songs."]
    assert run(files, *COMMAND, "--workers", "1") == 0
    assert capsys.readouterr().out == out
    assert run(files, *COMMAND, "--workers", "1", "--output", "-") == 0
    streamed, told = capsys.readouterr()
    assert streamed == lines
    assert out.rstrip() in told
    assert run(files, "correlate", "out.jsonl", "judged.jsonl", "--level", "all") == 0
    out, _ = capsys.readouterr()
    assert "right eve:" in out
    assert "sentences  support" in out


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (
            {"id": "z", "system": "x", "summary": "It."},
            "'z' of 'x' has no document: the 3 documents have other ids",
        ),
        ({"id": "a", "system": "x", "positions": [1]}, "has positions, but no text"),
        ({"id": "a", "system": "copy", "summary": "It."}, "is given twice"),
    ],
)
def test_a_summary_that_cannot_be_compared_is_named(files, capsys, row, problem):
    with open(files / "summaries.jsonl", "a", encoding="utf-8") as stream:
        stream.write("\n" + json.dumps(row))
    assert run(files, *COMMAND, "--output", "out.jsonl") == 1
    assert not (files / "out.jsonl").exists()
    err = capsys.readouterr().err
    assert problem in err
    assert "summaries.jsonl, line 7" in err
