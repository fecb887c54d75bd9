"""Two people annotate in the browser, are compared, and somebody decides where they differ."""

import json
import signal

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser import opened, press, settle, texts_of
from tests.semihmm.applications.annotate.tiny_work import annotating
from tests.semihmm.program_runs import fails, rows, run, write

RIGHT = Keys.ARROW_RIGHT
PAIRS = {
    "1": ("The mill burned down on Monday .", "Mill burned .", "f1f1d", "f1f1d"),
    "2": (
        "Police closed the bridge to cars .",
        "Bridge shut .",
        f"f1{Keys.ENTER}{RIGHT}1f1d",
        "f10f1d",
    ),
    "4": ("Prices went up .", "Prices up .", "f1f1d", "f1f2f1d"),
    "6": ("A dog barked and a cat ran .", "A cat ran .", "f1d", "0f1d"),
    "8": (
        "The council will close the school .",
        "School shuts .",
        "f10f1d",
        f"f1{Keys.ENTER}{RIGHT * 3}2f1d",
    ),
    "10": ("The fair opens in May .", "Fair opens .", "f1f1d", "f1f1"),
}
"""Document, abstract, what anna presses and what ben presses, who does not decide the last pair."""


def show(browser, server):
    """Open the page, and wait until it shows a pair."""
    opened(browser, server.address)
    settle(browser)


def do(browser, keys):
    """Press keys, and wait until all that was asked for is done."""
    press(browser, keys)
    settle(browser)


@pytest.fixture(scope="module")
def files(browser, tmp_path_factory):
    """Return the folder of the pairs and of what both made of them by keys alone."""
    folder = tmp_path_factory.mktemp("adjudicate")
    texts = (
        {"id": id, "document": [document], "abstract": [abstract]}
        for id, (document, abstract, *_) in PAIRS.items()
    )
    pairs = write(folder / "pairs.jsonl", *texts)
    for person, name in enumerate(("anna", "ben"), start=2):
        with annotating(pairs, "--output", folder / f"{name}.jsonl") as server:
            show(browser, server)
            do(browser, "".join(pair[person] for pair in PAIRS.values()))
    assert browser.get_log("browser") == []
    return folder


def adjudicating(files):
    """Return the command that decides between the two."""
    people = (files / "anna.jsonl", files / "ben.jsonl")
    return (files / "pairs.jsonl", "--output", files / "gold.jsonl", "--adjudicate", *people)


def test_two_people_are_compared_and_decided_between(browser, files, capsys):
    run("agreement", files / "anna.jsonl", files / "ben.jsonl", "--json")
    (agreement,) = json.loads(capsys.readouterr().out)["agreements"]
    assert (len(agreement["pairs"]), agreement["undecided"]) == (5, 1)
    differences = [one for pair in agreement["pairs"] for one in pair["differences"]]
    assert {(one["id"], one["kind"], one["words"]) for one in differences} == {
        ("2", "only_first", "shut"),
        ("4", "strength", "up"),
        ("6", "only_first", "A"),
        ("8", "only_second", "shuts"),
    }
    with annotating(*adjudicating(files)) as server:
        assert "1 pair left out" in server.said and "4 differences in 4 of 5 pairs" in server.said
        show(browser, server)
        assert texts_of(browser, "#decided") == ["1 of 5 decided"]
        assert texts_of(browser, "#people .said") == ["“shut” ← “closed”, sure", "“shut” unaligned"]
        assert browser.execute_script(
            "return [...document.querySelectorAll('#document [data-letters]')]"
            ".map((each) => each.dataset.letters + each.textContent)"
        ) == ["Aclosed"]
        do(browser, "bazza")
        assert texts_of(browser, "#people [aria-pressed=true] .said") == ["“shut” ← “closed”, sure"]
        do(browser, "d")
        assert texts_of(browser, "#people .said") == ["“up” ← “up”, sure", "“up” ← “up”, possible"]
        # The letters above it are wider than the word.
        assert texts_of(browser, "#abstract .text .proposed") == ["up"]
        do(browser, "b")
        server.end(signal.SIGKILL)
    with annotating(*adjudicating(files)) as server:
        assert "continuing: 2 of 5" in server.said
        show(browser, server)
        # At last, what only ben has, as possible, is linked anew, as sure.
        do(browser, f"dwbd{Keys.ENTER}1d")
        assert texts_of(browser, "#decided") == ["5 of 5 decided"]
        assert "5 of 5" in server.end()[1]
    assert browser.get_log("browser") == []
    gold = {row["id"]: row for row in rows(files / "gold.jsonl")}
    said = {id: row["annotation"] for id, row in gold.items()}
    assert [one["from"] for one in said["2"]["links"]] == ["agreed", "anna", "agreed"]
    assert [(one["from"], one["sure"]) for one in said["4"]["links"]][1] == ("ben", False)
    assert (said["6"]["null"], said["6"]["null_from"]) == ([0], ["ben"])
    assert [one["from"] for one in said["8"]["links"]] == ["agreed", "adjudicator", "agreed"]
    assert gold["8"]["sure"] == [[3, 1], [5, 0], [6, 2]]
    write(files / "decided.jsonl", *rows(files / "pairs.jsonl")[:5])
    run("align", files / "decided.jsonl", "--output", files / "aligned.jsonl")
    run("score", files / "gold.jsonl", files / "aligned.jsonl", "--json")
    scores = json.loads(capsys.readouterr().out)["scores"]["all_words"]
    assert 0.7 < scores["soft_f"]["value"] <= 1


def test_what_cannot_be_adjudicated_is_refused(files, tmp_path, capsys):
    pairs, anna = files / "pairs.jsonl", files / "anna.jsonl"
    command = ("annotate", pairs, "--no-browser", "--output", tmp_path / "gold.jsonl")
    blank = write(tmp_path / "blank.jsonl", *rows(pairs))
    assert "of two annotators or more" in fails(capsys, 2, *command, "--adjudicate", anna)
    assert "no pair was decided by two" in fails(capsys, 1, *command, "--adjudicate", anna, blank)
    assert "No such file" in fails(capsys, 1, *command, "--adjudicate", anna, tmp_path / "nobody")
    assert not (tmp_path / "gold.jsonl").exists()
