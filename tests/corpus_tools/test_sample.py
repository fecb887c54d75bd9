"""The sample corpus that ships with the project keeps to the format that its readers rely on."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

DATA = files("corpus_tools") / "data"


def read(name: str) -> list[dict]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


PAIRS = read("sample.jsonl")


def tokens(sentences: list[str]) -> list[str]:
    return [token for sentence in sentences for token in sentence.split(" ")]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_tokens_and_links(pair):
    assert list(pair) == ["id", "document", "abstract", "sure", "possible"]
    sentences = pair["document"] + pair["abstract"]
    for sentence in sentences:
        assert sentence == " ".join(sentence.split())
        assert sentence.endswith((" .", " ''")), sentence
    for token in tokens(sentences):
        assert len(token) == 1 or not token.endswith((",", ";", ":", "?", "!")), token
        assert token == "'s" or not token.endswith("'s"), token
    n_document, n_abstract = len(tokens(pair["document"])), len(tokens(pair["abstract"]))
    assert 80 <= n_document <= 160 and 15 <= n_abstract <= 45
    sure, possible = ([tuple(link) for link in pair[key]] for key in ("sure", "possible"))
    assert not set(sure) & set(possible)
    for links in (sure, possible):
        assert links == sorted(set(links)) != []
        assert all(0 <= d < n_document and 0 <= a < n_abstract for d, a in links)


def test_a_second_annotator_linked_the_same_pairs_almost_alike():
    second = read("second_annotator.jsonl")
    assert [row["id"] for row in second] == [pair["id"] for pair in PAIRS]
    agreed = total = 0
    for row, pair in zip(second, PAIRS, strict=True):
        sure, first = ({*map(tuple, one["sure"])} for one in (row, pair))
        words = len(tokens(pair["document"])), len(tokens(pair["abstract"]))
        links = [*row["sure"], *row["possible"]]
        assert all(d < words[0] and a < words[1] for d, a in links)
        assert not sure & {*map(tuple, row["possible"])}
        agreed += 2 * len(sure & first)
        total += len(sure) + len(first)
    assert 0.7 < agreed / total < 0.95


SYSTEMS = ["lead", "ends", "middle", "headline", "rewriter", "careless"]
IDS = [f"sample-{n:02}" for n in range(1, 13)]


def test_every_system_has_a_summary_and_a_judgement_of_every_document():
    for name in ("summaries.jsonl", "judgements.jsonl"):
        lines = [(line["id"], line["system"]) for line in read(name)]
        assert lines == [(id, system) for id in IDS for system in SYSTEMS]
    assert [line["id"] for line in read("references.jsonl")] == IDS
