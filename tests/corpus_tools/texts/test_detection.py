# ruff: noqa: RUF001 (the curly quotes are the point)
from __future__ import annotations

import pytest

from corpus_tools.texts.detection import detect_tokenizer, unspaced_run


@pytest.mark.parametrize(
    ("strings", "expected"),
    [
        (["It rained , and we left ."], "whitespace"),
        (["It rained, and we left."], "treebank"),
        (["Mr. Hall left ."], "whitespace"),
        (["Mr. Hall left.", "Who ?"], "whitespace"),
        (["no marks at all"], "whitespace"),
        (["He works for Sony Corp."], "whitespace"),
        (["J. R. Hall of the U.S. left -LRB- again -RRB-"], "whitespace"),
        (["the company 's plan did n't work"], "whitespace"),
        (["the company's plan didn't work"], "treebank"),
        (["the company’s plan"], "treebank"),
        (["Fed (again) raises rates"], "treebank"),
        (["it costs $5 or 3%"], "treebank"),
        (["it costs $ 5 or 3 %"], "whitespace"),
        (["", " "], "whitespace"),
        ([], "whitespace"),
    ],
)
def test_detection(strings, expected):
    assert detect_tokenizer(strings) == expected


@pytest.mark.parametrize(
    ("strings", "run"),
    [
        (["The name 東京タワー stands for a tower."], None),
        (["한국어는 띄어쓰기를 합니다."], None),
        (
            ["Short.", "我们提出了一种新的模型它比旧的更好。"],
            "我们提出了一种新的模型它比旧的更好。",
        ),
        (["スーパーコンピューターは速い。"], "スーパーコンピューターは速い。"),
        (["天气很好，孩子们在玩！"], None),
        (["天气很好，孩子们在公园里玩！"], "天气很好，孩子们在公园里玩！"),
        (["ประเทศไทยสวยมาก"], "ประเทศไทยสวยมาก"),
        (["我们 提出 了 一 种 新 的 模型 它 比 旧 的 更 好"], None),
    ],
)
def test_long_runs_without_spaces(strings, run):
    assert unspaced_run(strings) == run
