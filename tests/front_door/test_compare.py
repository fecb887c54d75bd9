"""``compare`` as a user meets it, on documents that are longer than their extracts."""

from __future__ import annotations

import json

from semihmm.cli.main import main
from tests.semihmm.program_runs import SAMPLE, rows, write


def test_a_system_that_fails_takes_nothing_from_the_others_and_the_annotators(tmp_path, capsys):
    second = [row | {"sure": row["sure"][1:]} for row in rows(SAMPLE)]
    write(tmp_path / "second.jsonl", *second)
    figures = tmp_path / "all.json"
    systems = "greedy,default wordnet=/nowhere,default iterations=1"
    annotators = [SAMPLE, str(tmp_path / "second.jsonl")]
    command = ["compare", SAMPLE, "--systems", systems, "--json", str(figures)]
    status = main([*command, "--annotators", *annotators])
    out, err = capsys.readouterr()
    assert status == 1 and err.splitlines()[-1].endswith("default wordnet=/nowhere")
    written = json.loads(figures.read_text())
    *_, greedy, failed, trained = written["rows"]
    assert "/nowhere" in failed["reason"] and failed["scores"] == {}
    assert failed["reason"] in out
    assert [greedy["reason"], trained["reason"]] == [None, None]
    soft_f = {
        row["name"]: row["scores"]["all_words"]["soft_f"]["value"] for row in (greedy, trained)
    }
    assert 0.5 < soft_f["greedy"] < soft_f["default iterations=1"]
    # What the rows read beside the pairs, and what the titles of columns do not say.
    assert greedy["by"] == "" and trained["by"].startswith("model ")
    assert f" | {trained['by'].partition(', ')[2]} | " in written["signature"] + " | "
    assert "WordNet" in written["signature"] and "paraphrases" in written["signature"]
    assert "p: of the paired bootstrap" in out and "not taken: pairs that" in out
    (agreement,) = written["kappas"]
    assert 0.9 < agreement["sure"] < 1
    assert len(written["rows"]) == 4 + 3


def test_annotators_are_compared_even_if_no_system_could_run(capsys):
    arguments = ["compare", SAMPLE, "--systems", "default wordnet=/nowhere"]
    assert main([*arguments, "--annotators", SAMPLE]) == 1
    assert "human sample.jsonl / gold" in capsys.readouterr().out
    assert main(arguments) == 2
