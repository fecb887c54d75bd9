"""Commands say what to use in their place, and write where the user asks."""

import pytest

from corpus_tools.base.errors import BadUsage
from semihmm.aligner import Aligner
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write

PAIRS = rows(SAMPLE)[:4]


def test_stats_are_written_to_a_file(capsys, tmp_path, aligned):
    run("stats", SAMPLE, aligned)
    printed = capsys.readouterr().out
    path = tmp_path / "stats.txt"
    run("stats", SAMPLE, aligned, "--output", path)
    assert capsys.readouterr().out == ""
    assert path.read_text(encoding="utf-8") == printed


def test_score_of_hand_alignments_names_agreement(capsys):
    err = fails(capsys, 1, "score", SAMPLE, SAMPLE)
    assert "these are hand alignments" in err and "semihmm agreement" in err


def test_few_systems_have_no_interval_and_correlate_says_so(capsys, tmp_path):
    scores = [
        {"id": f"d{d}", "system": f"s{s}", "rouge": d % 3 + s} for d in range(5) for s in range(4)
    ]
    named = [{"id": row["id"], "system": row["system"]} for row in scores]
    judged = [{**one, "good": n % 7} for n, one in enumerate(named)]
    paths = write(tmp_path / "scores.jsonl", *scores), write(tmp_path / "judged.jsonl", *judged)
    run("correlate", *paths)
    assert "only 4 systems" in capsys.readouterr().err
    run("correlate", *paths, "--level", "all")
    assert "systems:" not in capsys.readouterr().err


def test_support_before_fit_raises_at_once():
    with pytest.raises(BadUsage, match="not trained"):
        Aligner().support(PAIRS)
