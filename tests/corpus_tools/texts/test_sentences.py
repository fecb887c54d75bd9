# ruff: noqa: RUF001 (the curly quotes and the other marks are the point)
from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.sentences import _punkt, split_sentences
from tests.examples import examples
from tests.paths import DATA

SCITLDR = DATA / "scitldr" / "pairs.jsonl"


def sentences(string: str) -> list[str]:
    return [string[start:end].strip() for start, end in split_sentences(string)]


@pytest.mark.parametrize(
    "expected",
    [
        ["I saw Mr. Smith, i.e. him.", "It ran!", "Did it?", "“Yes.”", "He left."],
        ["J. K. Rowling et al. wrote it.", "It won."],
        ["It rained .", "`` Yes . ''", "Mr. Hall left ."],
        ["Apples, pears etc.", "However, no figs, cf. Fig. 3."],
        ["He left the U.S.", "The rest of the U.S. Senate stayed."],
        ["We call it plan B.", "This is No. 1 of three.", "She said no."],
        ["Well . . . it rained.", "So . . . what?"],
        ["It ended. . . .", "The rest is known."],
        ["我们提出一种模型。", "它很好！", "为什么？", "“好。”", "GPT-3．5也好。"],
        ["東京へ行きました。", "「はい。」", "それだけです"],
        ["यह एक वाक्य है।", "यह दूसरा है।"],
        ["هل هذا صحيح؟", "نعم"],
        ["ខ្ញុំទៅ។", "គាត់មក។"],
    ],
    ids=lambda expected: expected[0],
)
def test_sentences(expected):
    assert sentences(" ".join(expected)) == expected


def written(rows: list[dict], path: Path) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def raw_scitldr(number: int) -> list[dict]:
    """Return pairs whose sides are raw strings."""
    lines = SCITLDR.read_text(encoding="utf-8").splitlines()[:number]
    rows = map(json.loads, lines)
    return [
        {side: " ".join(row[side]) for side in ("document", "abstract")} | {"id": row["id"]}
        for row in rows
    ]


def test_tokens_depend_on_the_text_alone(tmp_path):
    if not SCITLDR.exists():
        pytest.skip("the corpus scitldr is not beside the repository")
    rows = raw_scitldr(200)
    together = read_pairs(written(rows, tmp_path / "all.jsonl"))
    assert len(together) == 200
    alone = [read_pairs(written([row], tmp_path / "one.jsonl"))[0] for row in rows]
    assert alone == together


WORDS = "Mr No no nos Dr. U.S. e.g. a I Next words it 2 3. 2015 \u00c9t\u00e9 x.y"
MARKS = """. ? ! .. ... ." .) ?' !\u201d , ; : - -- " ( ) ' \u201c \u201d [ ]"""
PIECES = [*WORDS.split(), *MARKS.split(), *([" "] * 12), "\t", "\u00a0", "end. Then", "(end.) So"]
"""Pieces of text about which Punkt has rules; blanks are frequent."""


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=24).map("".join))
def test_sure_ends_are_what_punkt_says_of_the_whole_text(string):
    if string.isspace() or not set(string) & set(".?!") or ". . ." in string:
        return
    assert split_sentences(string) == list(_punkt().span_tokenize(string))
