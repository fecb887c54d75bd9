"""What the program makes of the sample, beside what it made of it when that was last looked at.

A fitted number or a default that changes by accident moves one of these figures. Where a change is
meant, this writes them anew: ``NLTK_DATA=tests/nltk_data python -m
tests.front_door.test_figures_of_the_sample``
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus_tools.base.errors import BadUsage
from rewrite_models.wordnet_reader import open_wordnet
from tests.paths import ROOT
from tests.semihmm.program_runs import rows, run

LOOKED_AT = ROOT / "tests" / "golden" / "sample.jsonl"
TEXTS = ("sample", "german", "russian", "chinese")


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
            "links": [
                [*link["abstract"], *link["document"], link["probability"]]
                for link in alignment["phrases"]
            ],
        }


@pytest.mark.parametrize("text", TEXTS)
def test_the_figures_are_those_that_were_looked_at(text, tmp_path):
    try:
        open_wordnet()
    except BadUsage as error:
        pytest.skip(str(error))
    expected = [row for row in rows(LOOKED_AT) if row.pop("text") == text]
    for found, looked_at in zip(figures(text, tmp_path), expected, strict=True):
        for name, values in looked_at.items():
            assert numbers(found[name]) == pytest.approx(numbers(values), abs=6e-4), name


def numbers(nested: Any) -> list[Any]:
    """Return all that is in lists of lists, in order."""
    if isinstance(nested, list):
        return [number for one in nested for number in numbers(one)]
    return [nested]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = [{"text": text} | row for text in TEXTS for row in figures(text, Path(folder))]
    LOOKED_AT.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in made))


if __name__ == "__main__":
    main()
