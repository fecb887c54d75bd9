"""Citations of an abstract are checked against the passages in which its sources stand."""

import json

import pytest

from corpus_tools.pairs.given_pairs import as_pairs
from semihmm.aligner import Aligner
from semihmm.applications.support.citations import citations_of, passages_of_sources
from semihmm.applications.support.shown import write_support_page
from semihmm.cli.main import main
from tests.paths import lines_beside
from tests.semihmm.program_runs import write

PASSAGES = [
    "The mill was built in 1820 by the Harper family. It ground corn for the valley.",
    "The harbour of Elmsby opened in 1901. Ships from Norway brought timber.",
    "Engineers found cracks in Mill Bridge. The council closed it to cars until December.",
]


def pair_of(abstract, passages=PASSAGES):
    (pair,) = as_pairs([{"contexts": passages, "answer": abstract}])
    return pair


@pytest.mark.parametrize("line", lines_beside(__file__, "citations.txt"))
def test_passages_are_cited_by_their_names_or_numbers(line):
    names, cites, abstract = line.split(" | ")
    passages = [
        {"id": name, "text": text} for name, text in zip(names.split(), PASSAGES, strict=False)
    ]
    expected = [one.split() for one in cites.split(".")]
    found = citations_of(pair_of(abstract, passages or PASSAGES), [[]] * len(expected))
    assert [[*one.cites] for one in found] == expected
    # Without sources, no passage is a wrong one.
    assert not any("found in" in one.problem for one in found)


ANSWER = (
    "Engineers found cracks in Mill Bridge [2]. The council closed it to cars until December [3]. "
    "Ships from Norway brought timber [7]. The mill was built in 1820 by the Harper family."
)


def test_support_names_passages_and_wrong_citations(tmp_path):
    pair = pair_of(ANSWER)
    support = Aligner.load().aligned(pair).support()
    row = json.loads(json.dumps(support.as_dict()))
    assert [one["citation"] for one in row["sentences"]] == [
        *("cites 2, found in 3", "", "cites 7, but there are only 3 passages", "")
    ]
    assert [one["found_in"] for one in row["sentences"]] == [["3"], ["3"], ["2"], ["1"]]
    assert [one["sources"][0]["passage"] for one in row["sentences"]] == ["3", "3", "2", "1"]
    assert "citation: cites 2, found in 3" in str(support)
    assert "[.]?" not in str(
        Aligner.load().aligned(pair_of("Ravens stole the gold [2].")).support()
    )
    assert "5 (1.00, passage 3)" in str(support)
    frame = support.to_pandas()
    columns = "id sentence text support verdict sources conflicts passages citation"
    assert [*frame.columns] == columns.split() and {*frame["id"]} == {pair.id}
    assert frame["citation"].tolist()[0] == "cites 2, found in 3"
    assert frame["passages"].tolist()[1] == ["3"]
    page = tmp_path / "page.html"
    write_support_page([support], page, "answers")
    html = page.read_text(encoding="utf-8")
    assert "citation: cites 2, found in 3" in html and "Wrong citations" in html


def test_sources_in_two_passages_name_both():
    """Several sentences that may each be a source make a passage likely."""
    pair = pair_of(
        "Engineers found cracks in Mill Bridge, and Ships from Norway brought timber [1]."
    )
    (citations,) = Aligner.load().aligned(pair).support().citations
    assert {*citations.found_in} == {"2", "3"}
    assert passages_of_sources(["1", "2", "2"], [(0, 0.3), (1, 0.25), (2, 0.25)]) == ["2"]


@pytest.mark.parametrize(("field", "told"), [("contexts", "1 of 3 sentences with"), ("text", "")])
def test_a_command_counts_wrong_citations(field, told, tmp_path, capsys):
    """It tells of none where documents have no passages, and neither do lines and pages."""
    document = PASSAGES if field == "contexts" else " ".join(PASSAGES)
    row = {"id": "1", field: document, "answer": ANSWER.replace("[7]", "[2]")}
    output = tmp_path / "support.jsonl"
    pairs = write(tmp_path / "pairs.jsonl", row)
    assert main(["support", pairs, "--output", str(output)]) == 0
    said = capsys.readouterr().err
    assert told in said
    assert main(["view", pairs, "--support", "--output", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for shown, name in ((said, "citations"), (output.read_text(), "cites"), (page, "Wrong c")):
        assert (name in shown) == bool(told)
