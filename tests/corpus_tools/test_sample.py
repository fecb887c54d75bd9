"""The sample corpus that ships with the project keeps to the format that its readers rely on."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

DATA = files("corpus_tools") / "data"


def read(name: str) -> list[dict]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


PAIRS = read("sample.jsonl")
RAW = read("raw_sample.jsonl")


def tokens(sentences: list[str]) -> list[str]:
    return [token for sentence in sentences for token in sentence.split(" ")]


def letters(text: str) -> str:
    """Return the text without what tokenising changes: white space and kinds of quotes."""
    return "".join(text.replace("``", '"').replace("''", '"').split())


def test_ids_are_numbered_without_gaps():
    assert [pair["id"] for pair in PAIRS] == [f"sample-{n:02}" for n in range(1, len(PAIRS) + 1)]
    assert [pair["id"] for pair in RAW] == [f"raw-{n:02}" for n in range(1, len(RAW) + 1)]
    assert len(PAIRS) >= 16
    assert len(RAW) == 4


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


def test_some_abstract_tokens_have_no_counterpart():
    unaligned = total = 0
    for pair in PAIRS:
        linked = {a for _, a in pair["sure"] + pair["possible"]}
        total += len(tokens(pair["abstract"]))
        unaligned += len(tokens(pair["abstract"])) - len(linked)
    assert 0.10 < unaligned / total < 0.20, (
        "people leave about 16 % unaligned (section 2.3 of the paper)"
    )


def test_raw_pairs_are_the_untokenised_text_of_sample_pairs():
    sides = [(letters(" ".join(p["document"])), letters(" ".join(p["abstract"]))) for p in PAIRS]
    for pair in RAW:
        assert list(pair) == ["id", "article", "highlights"]
        assert (letters(pair["article"]), letters(pair["highlights"])) in sides
    for sign in ('"', "'s ", "n't ", " its ", "It's ", "Dr. ", "U.S. ", "é", "\n"):
        assert any(sign in pair["article"] for pair in RAW), "what makes tokenising hard"


SYSTEMS = ["lead", "ends", "middle", "headline", "rewriter", "careless"]
IDS = [f"sample-{n:02}" for n in range(1, 13)]


def test_every_system_has_a_summary_and_a_judgement_of_every_document():
    for name in ("summaries.jsonl", "judgements.jsonl"):
        lines = [(line["id"], line["system"]) for line in read(name)]
        assert lines == [(id, system) for id in IDS for system in SYSTEMS]
    assert [line["id"] for line in read("references.jsonl")] == IDS


def test_references_are_the_abstract_and_another_text():
    abstracts = {pair["id"]: pair["abstract"] for pair in PAIRS}
    for line in read("references.jsonl"):
        abstract, other = line["references"]
        assert letters("".join(abstract)) == letters("".join(abstracts[line["id"]]))
        assert other != abstract


def test_extracts_are_sentences_of_their_documents():
    documents = {pair["id"]: [letters(one) for one in pair["document"]] for pair in PAIRS}
    extracts = [line for line in read("summaries.jsonl") if line["system"] in SYSTEMS[:3]]
    assert len(extracts) == 36
    for line in extracts:
        assert {letters(one) for one in line["summary"]} <= set(documents[line["id"]])


def test_judgements_are_in_their_ranges():
    for line in read("judgements.jsonl"):
        assert 0 <= line["content"] <= 1
        assert line["readability"] in {1, 2, 3, 4, 5}
