"""Commands without options on the sample's pairs in other languages than English."""

import json

import pytest

from tests.paths import ROOT
from tests.semihmm.program_runs import rows, run, write


@pytest.mark.parametrize("language", ["german", "russian", "chinese"])
def test_commands_answer_in_each_language(language, tmp_path, capsys):
    """Users are told the language, and the model that was trained on five pairs finds most links.

    Its precision is .75, .83 and .93. Summaries that are the abstracts themselves score 1.
    """
    pairs, aligned = ROOT / "corpus_tools" / "data" / f"{language}.jsonl", tmp_path / "aligned"
    run("align", pairs, "--output", aligned)
    assert language.capitalize() in capsys.readouterr().err
    run("score", pairs, aligned, "--json")
    scores = json.loads(capsys.readouterr().out)["scores"]["all_words"]
    assert scores["soft_precision"]["value"] > 0.7
    run("support", pairs)
    supports = [json.loads(line)["support"] for line in capsys.readouterr().out.splitlines()]
    assert len(supports) == 5 and all(0 < support < 1 for support in supports)
    texts = [(row["id"], row["abstract"]) for row in rows(pairs)]
    summaries = write(tmp_path / "summaries", *({"id": id, "summary": text} for id, text in texts))
    references = write(
        tmp_path / "references", *({"id": id, "references": [text]} for id, text in texts)
    )
    metrics = ("--metric", "rouge-1,coverage", "--json")
    run("measure", summaries, "--references", references, *metrics)
    measured = json.loads(capsys.readouterr().out)["summaries"]
    assert [row["rouge-1"]["f"] for row in measured] == [1] * 5
    assert [row["coverage"]["f"] for row in measured] == pytest.approx([1] * 5, abs=1e-3)
