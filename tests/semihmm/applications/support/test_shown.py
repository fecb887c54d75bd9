"""Support is shown as text, JSON, labels, data frames and HTML, with citations."""

import json
import re
from itertools import pairwise

import pytest

from corpus_tools.pairs.given_pairs import as_pairs
from semihmm.applications.support.citations import citations_of
from semihmm.applications.support.conflicts import Conflict
from semihmm.applications.support.report import SentenceSupport, Source, Support, WordSupport
from semihmm.applications.support.shown import write_support_page
from semihmm.cli.main import main
from tests.paths import lines_beside, records_beside
from tests.semihmm.program_runs import write


def supports():
    """Give supports by hand, of the rows of ``shown.jsonl``."""
    for given, whole, of_sentences, of_words in records_beside(__file__, "shown.jsonl"):
        (pair,) = as_pairs([given])
        texts = [pair.abstract.passage(*span).text for span in pairwise(pair.abstract.boundaries)]
        sentences = [
            SentenceSupport(
                text,
                value,
                [Source(*one) for one in sources],
                [Conflict(*one) for one in conflicts],
                *more,
            )
            for text, (value, sources, conflicts, *more) in zip(texts, of_sentences, strict=True)
        ]
        characters = pair.abstract.characters or [None] * len(of_words)
        words = zip(pair.abstract.tokens, characters, of_words, strict=True)
        yield Support(pair, whole, sentences, [WordSupport(*one, *own) for *one, own in words])


def lines_of(value):
    """Give JSON, each object in a list in a line."""
    for name, own in value.items():
        is_list = isinstance(own, list) and own and isinstance(own[0], dict)
        yield from (f"{name}: {json.dumps(one)}" for one in (own if is_list else [own]))


def test_each_form_of_a_support_is_as_it_was_looked_at(looked_at, tmp_path):
    made = []
    for one in supports():
        html = re.sub("<style>.+</style>", "<style>", one._repr_html_(), flags=re.DOTALL)
        made += [str(one), *lines_of(one.as_dict()), *lines_of(one.labels())]
        made += [one.to_pandas().to_csv(index=False), html, ""]
    write_support_page(supports(), tmp_path / "page.html", "pairs")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for data in re.findall(r'type="application/json" id="\w+">(.*?)</script>', page, re.DOTALL):
        for row in map(json.loads, data.splitlines()):
            assert row.pop("html", "") in "\n".join(made)
            made += lines_of(row)
    text = "\n".join(made) + "\n"
    assert text == looked_at("shown.txt", text)


PASSAGES = [
    "The mill was built in 1820 by the Harper family. It ground corn for the valley.",
    "The harbour of Elmsby opened in 1901. Ships from Norway brought timber.",
    "Engineers found cracks in Mill Bridge. The council closed it to cars until December.",
]


@pytest.mark.parametrize("row", lines_beside(__file__, "citations.txt"))
def test_passages_are_cited_by_their_names_or_numbers(row):
    names, abstract, found, said = row.split(" | ")
    passages = [
        {"id": name, "text": text} for name, text in zip(names.split(), PASSAGES, strict=False)
    ]
    (pair,) = as_pairs([{"contexts": passages or PASSAGES, "answer": abstract}])
    cited = citations_of(pair, [one.split() for one in found.split(".")])
    assert "; ".join(f"{' '.join(one.cites)}: {one.problem}".strip(": ") for one in cited) == said


ANSWER = (
    "Engineers found cracks in Mill Bridge [2]. The council closed it to cars until December [3]. "
    "Ships from Norway brought timber [2]. The mill was built in 1820 by the Harper family."
)


@pytest.mark.parametrize(("field", "told"), [("contexts", "1 of 3 sentences with"), ("text", "")])
def test_a_command_counts_wrong_citations(field, told, tmp_path, capsys):
    """It tells of none where documents have no passages, and neither do lines and pages."""
    document = PASSAGES if field == "contexts" else " ".join(PASSAGES)
    pairs = write(tmp_path / "pairs.jsonl", {"id": "1", field: document, "answer": ANSWER})
    output = tmp_path / "support.jsonl"
    assert main(["support", pairs, "--output", str(output)]) == 0
    said = capsys.readouterr().err
    assert told in said
    assert main(["view", pairs, "--support", "--output", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for shown, name in ((said, "citations"), (output.read_text(), "cites"), (page, "Wrong c")):
        assert (name in shown) == bool(told)
