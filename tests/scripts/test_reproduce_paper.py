"""The report on a corpus of eight pairs, under the names of the real ones."""

import shutil

import pytest

from tests.semihmm.program_runs import RAW, SAMPLE, rows, write

PAIRS = rows(SAMPLE)[:8]
CONFIGURATION = "default rewrite=identity+stem iterations=1"


@pytest.fixture
def data(tmp_path):
    for name in ("rte2", "edinburgh", "cnn-articles", "scitldr"):
        (tmp_path / name).mkdir()
    for name in ("rte2/dev", "rte2/dev.annotator-A", "edinburgh/train", "cnn-articles/pairs"):
        write(tmp_path / f"{name}.jsonl", *PAIRS)
    shutil.copy(RAW, tmp_path / "scitldr" / "pairs.jsonl")
    other = [row | {"sure": row["sure"][:-1]} for row in PAIRS]
    write(tmp_path / "rte2" / "dev.annotator-C.jsonl", *other)
    return tmp_path


def test_the_report_has_every_table_with_the_papers_figures(script, data):
    text = script("reproduce_paper").report(
        data, ("greedy", "cut-and-paste:2"), analysed=(CONFIGURATION,)
    )
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert [head.split(":")[0] for head in heads[1:]] == [
        "## Tables 1 and 3",
        "## Section 2.3",
        "## Section 2.2",
        *["## Table 4"] * 4,
        *["## Section 5.3 and Table 5"] * 2,
    ]
    lines = text.splitlines()
    (words, *_) = (line for line in lines if line.startswith("| Words |"))
    abstracts = sum(len(sentence.split()) for row in PAIRS for sentence in row["abstract"])
    assert words.split(" | ")[1:3] == ["261k", f"{abstracts:,}"]
    assert any(line.startswith("| the paper's two | 0.63 | 0.42 | 0.68 |") for line in lines)
    (pasted, _) = (
        line for line in lines if line.startswith("| Cut and Paste: `cut-and-paste:2` | 0.")
    )
    assert pasted.split(" | ")[1:4] == ["0.349", "0.379", "0.363"]
    (row, *_) = (line for line in lines if line.startswith("| cut-and-paste:2 |"))
    assert pasted.split(" | ")[4:7] == row.split(" | ")[1:4]
    (hmm, _) = (line for line in lines if line.startswith("| HMM (Doc=Src)"))
    assert set(hmm.split("|")[5:-1]) == {"  "}  # not among the systems here
