"""The report on a corpus of eight pairs, under the names of the real ones."""

import re
import shutil

import pytest

from tests.semihmm.program_runs import RAW, SAMPLE, rows, write

PAIRS = rows(SAMPLE)[:8]
OTHERS = rows(SAMPLE)[8:14]
CONFIGURATION = "default rewrite=identity+stem iterations=1"


@pytest.fixture
def data(tmp_path):
    for name in ("rte2", "edinburgh", "cnn-articles", "scitldr"):
        (tmp_path / name).mkdir()
    for name in ("rte2/dev", "rte2/dev.annotator-A", "cnn-articles/pairs"):
        write(tmp_path / f"{name}.jsonl", *PAIRS)
    write(tmp_path / "edinburgh" / "train.jsonl", *OTHERS)
    shutil.copy(RAW, tmp_path / "scitldr" / "pairs.jsonl")
    other = [row | {"sure": row["sure"][:-1]} for row in PAIRS]
    write(tmp_path / "rte2" / "dev.annotator-C.jsonl", *other)
    return tmp_path


def test_the_report_is_what_was_looked_at(script, data, looked_at):
    """Without what ``compare``, whose tables have times, and ``errors`` print."""
    systems = "greedy", "cut-and-paste:2"
    text = script("reproduce_paper").report(data, systems, analysed=(CONFIGURATION,))
    blocks = re.sub("```.*?```", "`", text, flags=re.DOTALL).rstrip().split("\n\n")
    own = [block for block in blocks if not block.startswith(("`", "|  | all words"))]
    made = "\n\n".join(own) + "\n"
    assert made == looked_at("report.md", made)
