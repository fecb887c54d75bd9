# ruff: noqa: RUF001 (the marks of other scripts are the point)
"""Tests texts in scripts that write no spaces, from end to end."""

from __future__ import annotations

import json

import pytest

from tests.semihmm.program_runs import run, write

PAIRS = {
    "Chinese": [
        ("北京的天气今天很好。孩子们在公园里玩。", "北京天气很好。"),
        ("研究人员提出了新的模型GPT-4！它比旧的模型更好。", "新的模型更好。"),
        ("总统星期一访问了上海？他会见了很多工人。", "总统访问上海。"),
    ],
    "Japanese": [
        ("東京の天気は今日とても良いです。子供たちは公園で遊んでいます。", "東京の天気は良い。"),
        (
            "研究者は新しいモデルを提案しました！それは古いモデルより良いです。",
            "新しいモデルは良い。",
        ),
        ("大統領は月曜日に「上海」を訪れました。", "大統領は上海を訪れた。"),
    ],
    "Thai": [("นักวิจัยเสนอแบบจำลองใหม่ ซึ่งดีกว่าเดิม", "แบบจำลองใหม่ดีกว่า")],
}


def rows(language: str) -> list[dict]:
    return [{"document": document, "abstract": abstract} for document, abstract in PAIRS[language]]


@pytest.mark.parametrize("language", PAIRS)
def test_texts_without_spaces_are_trained_on_and_aligned(language, miniature, tmp_path, capsys):
    path = write(tmp_path / "pairs.jsonl", *rows(language))
    options = ["--tokenizer", "unicode"]
    model = tmp_path / "model"
    run("train", path, "--model", model, *options, "--iterations", 2, "--wordnet", miniature)
    run("align", path, "--model", model, *options, "--output", tmp_path / "aligned.jsonl")
    out, err = capsys.readouterr()
    assert "without spaces" not in err
    assert f"{len(PAIRS[language])} pairs read, tokenizer unicode" in err
    run("export", path, tmp_path / "aligned.jsonl", "--format", "jsonl", *options)
    out, _ = capsys.readouterr()
    exported = [json.loads(line) for line in out.splitlines()]
    assert len(exported) == len(PAIRS[language])
    assert all(row["digests"]["document"]["tokens"] > 10 for row in exported)
    shared = [link for row in exported for link in row["phrases"]]
    assert any(
        len(link["abstract_text"]) > 1 and link["abstract_text"] == link["document_text"]
        for link in shared
    ), "words of several characters are found as phrases"
    run("stats", path, tmp_path / "aligned.jsonl", *options)
    run("extract", path, *options)


@pytest.mark.parametrize("tokenizer", [[], ["--tokenizer", "treebank"]])
@pytest.mark.parametrize("language", PAIRS)
def test_a_tokenizer_that_cuts_at_spaces_is_warned_of_once(language, tokenizer, tmp_path, capsys):
    path = write(tmp_path / "pairs.jsonl", *rows(language), *rows(language))
    run("stats", path, *tokenizer)
    _, err = capsys.readouterr()
    assert err.count("without spaces") == 1
    assert "pairs.jsonl, line " in err and "--tokenizer unicode" in err


def test_the_other_scores_take_texts_without_spaces(tmp_path, capsys):
    gold = [row | {"sure": [[0, 0]], "possible": []} for row in rows("Chinese")]
    path = write(tmp_path / "gold.jsonl", *gold)
    (tmp_path / "other").write_text("0-0 1-1\n" * len(gold), encoding="utf-8")
    options = ["--tokenizer", "unicode", "--format", "pharaoh"]
    run("score", path, tmp_path / "other", *options)
    run("errors", path, tmp_path / "other", *options)
    out, _ = capsys.readouterr()
    assert "tokenizer unicode" in out
