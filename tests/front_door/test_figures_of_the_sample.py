"""What the program makes of the sample, beside what it made of it when that was last looked at.

A fitted number or a default that changes by accident moves one of these figures.
"""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT
from tests.semihmm.program_runs import SAMPLE, rows, run, texts, write

LOOKED_AT = ROOT / "tests" / "golden" / "sample.jsonl"
TEXTS = ("sample", "german", "russian", "chinese")
SETTINGS = [row["settings"] for row in rows(LOOKED_AT) if "settings" in row]
"""Every setting of a model that changes what it learns, but those that need word vectors."""


TOLERANCES = {"iterations": {"rel": 1e-9}, "links": {"abs": 2e-6}}
"""The objective has all digits: it shows whatever training counts."""


def links_of(row: dict[str, Any]) -> list[list[float]]:
    return [[*link["abstract"], *link["document"], link["probability"]] for link in row["phrases"]]


def figures(text: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the support and the links of each pair of a text."""
    pairs = ROOT / "corpus_tools" / "data" / f"{text}.jsonl"
    supported, aligned = folder / f"{text}-supported.jsonl", folder / f"{text}-aligned.jsonl"
    run("support", pairs, "--output", supported)
    model = folder / text
    run("train", pairs, "--iterations", 3, "--model", model)
    run("align", pairs, "--model", model, "--output", aligned)
    for support, alignment in zip(rows(supported), rows(aligned), strict=True):
        yield {
            "id": support["id"],
            "support": [one["support"] for one in support["sentences"]],
            "sources": [
                [[source["sentence"], source["share"]] for source in sentence["sources"]]
                for sentence in support["sentences"]
            ],
            "words": [word["support"] for word in support["words"]],
            "links": links_of(alignment),
        }


def trained(settings: str, folder: Path) -> dict[str, Any]:
    """Return what a model with some settings learns from eight pairs, and its links."""
    folder.mkdir()
    pairs = write(folder / "pairs.jsonl", *texts(SAMPLE)[:8])
    model, aligned = folder / "model", folder / "aligned.jsonl"
    run("train", pairs, "--iterations", 2, "--model", model, *settings.split())
    run("align", pairs, "--model", model, "--output", aligned)
    iterations = json.loads((model / "model.json").read_text())["provenance"]["iterations"]
    counts = [[one["objective"], one["null"], *one["weights"].values()] for one in iterations]
    return {"iterations": counts, "links": [*map(links_of, rows(aligned))]}


def numbers(nested: Any) -> list[Any]:
    """Return all that is in lists of lists, in order."""
    return [*chain.from_iterable(map(numbers, nested))] if isinstance(nested, list) else [nested]


@pytest.mark.usefixtures("wordnet")
def test_the_figures_are_those_that_were_looked_at(tmp_path, looked_at):
    pytest.importorskip("HanTa", reason="a parser needs it: pip install '.[chunks]'")
    rows = [{"text": text} | row for text in TEXTS for row in figures(text, tmp_path)]
    rows += [{"settings": one} | trained(one, tmp_path / one) for one in SETTINGS]
    made = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    for row, line in zip(rows, looked_at(LOOKED_AT, made).splitlines(), strict=True):
        expected = json.loads(line)
        assert row.keys() == expected.keys()
        for name, values in expected.items():
            near = pytest.approx(numbers(values), **TOLERANCES.get(name, {"abs": 6e-4}))
            assert numbers(row[name]) == near, (row, name)
