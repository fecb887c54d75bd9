"""``agreement`` as a user meets it: what is compared, what is left out and what is refused."""

import json
import re
import sys

from semihmm.cli.main import main
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, texts, write


def test_pairs_that_both_have_decided_are_compared(tmp_path, capsys):
    sample = rows(SAMPLE)
    anna = write(tmp_path / "anna.jsonl", *sample[:6])
    others = [row | {"sure": row["sure"][1:], "possible": []} for row in sample[2:9]]
    others[0] = texts(SAMPLE)[2]
    ben = write(tmp_path / "ben.jsonl", *others)
    run("agreement", anna, ben, "--json")
    (agreement,) = json.loads(capsys.readouterr().out)["agreements"]
    assert (agreement["undecided"], agreement["only_one"]) == (1, 5)
    assert {pair["id"] for pair in agreement["pairs"]} == {row["id"] for row in sample[3:6]}
    assert 0.9 < agreement["sure"] < 1
    run("agreement", anna, ben)
    out = capsys.readouterr().out
    assert "3 pairs decided by both; left out: 1 undecided, 5 that only one has" in out
    assert "linked by anna.jsonl only" in out


def test_what_cannot_be_compared_is_refused(tmp_path, capsys):
    without_links = texts(SAMPLE)
    changed = [row | {"document": ["Another text ."], "sure": []} for row in without_links]
    other = write(tmp_path / "other.jsonl", *changed)
    undecided = write(tmp_path / "undecided.jsonl", *without_links)
    assert "name their files" in fails(capsys, 2, "agreement", SAMPLE)
    assert "given twice" in fails(capsys, 2, "agreement", SAMPLE, SAMPLE)
    assert "no pair that two" in fails(capsys, 1, "agreement", SAMPLE, undecided)
    assert "made from another document" in fails(capsys, 1, "agreement", SAMPLE, other)
    assert "--json prints no" in fails(
        capsys, 2, "agreement", SAMPLE, other, "--json", "--examples", 9
    )


def test_latex_is_escaped_everywhere(tmp_path, capsys):
    """In tables, in the lines between them, and not in comments, where all is allowed."""
    one, two = (
        write(tmp_path / name, *({**row, "id": f"{row['id']}_x"} for row in rows(SAMPLE)))
        for name in ("an_na.jsonl", "be_n&.jsonl")
    )
    ignored = tmp_path / "ign_ored"
    ignored.write_text("the\n")
    run("agreement", one, two, "--format", "latex", "--ignore", ignored)
    lines = capsys.readouterr().out.splitlines()
    assert "an\\_na.jsonl and be\\_n\\&.jsonl: 20 pairs decided by both" in lines
    shown = [line for line in lines if not line.startswith("% ")]
    assert any("ign\\_ored" in line for line in lines) and len(shown) == len(lines) - 1
    assert not any(re.search(r"(?<!\\)_", line) for line in shown)


def test_the_union_has_every_link_of_all_sure_where_it_is_for_one(tmp_path, capsys):
    """A pair that only one has decided is left out, and one that nobody linked is decided."""
    union = tmp_path / "union.jsonl"
    decided = {
        "anna": [{"sure": [[0, 0], [1, 1]], "possible": [[2, 1]]}, {"sure": [[0, 0]]}, {}],
        "ben": [{"sure": [[0, 0]], "possible": [[1, 1], [2, 0]]}, {"sure": []}, {"sure": []}],
        "cy": [{}, {}, {}],
    }
    texts = {"document": ["the Mac sold ."], "abstract": ["the Mac"]}
    files = [
        write(tmp_path / name, *({"id": str(n), **texts, **row} for n, row in enumerate(own)))
        for name, own in decided.items()
    ]
    run("agreement", *files, "--union", union)
    assert "kappa" in capsys.readouterr().out
    assert [(row["id"], row["sure"], row["possible"]) for row in rows(union)] == [
        ("0", [[0, 0], [1, 1]], [[2, 0], [2, 1]]),
        ("1", [[0, 0]], []),
    ]
    fails(capsys, 2, "agreement", *files, "--union", files[0])


# ``compare`` as a user meets it, on documents that are longer than their extracts


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


def test_a_system_that_is_not_installed_is_no_failure(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "eflomal", None)
    run("compare", SAMPLE, "--systems", "greedy,eflomal")
    assert "not installed: pip install" in capsys.readouterr().out


def test_annotators_are_compared_even_if_no_system_could_run(capsys):
    arguments = ["compare", SAMPLE, "--systems", "default wordnet=/nowhere"]
    assert main([*arguments, "--annotators", SAMPLE]) == 1
    assert "sample.jsonl against gold" in capsys.readouterr().out
    assert main(arguments) == 2
