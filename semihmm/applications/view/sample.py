"""Reads the sample that comes with the program, and writes its files for trying commands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from corpus_tools.base import files as storage
from corpus_tools.base import folders
from corpus_tools.base.errors import BadUsage
from semihmm.cli.messages import write_result

DEMO_MARK = ".semihmm-demo"
"""The file that marks the folder of a demo."""

COPIED_SAMPLES = ("summaries", "references", "judgements", "german", "russian", "chinese")
"""Files of the sample that are copied unchanged."""

DATA = files("corpus_tools") / "data"


def examples() -> Iterator[dict[str, str]]:
    """Yield pairs of raw text from the sample, one of each language."""
    raw = sample_rows("raw_sample.jsonl")[0]
    yield {"document": raw["article"], "abstract": raw["highlights"]}
    for name in ("german", "russian", "chinese"):
        yield sample_rows(f"{name}.jsonl")[0]


def write_files(folder: Path) -> None:
    """Write the files that the commands of README and guide read.

    Raises ``BadUsage`` for a folder with files that no demo wrote, and for a file that was edited
    since the demo wrote it.
    """
    folders.make_folder(folder, "the demo's directory")
    inside = [*folder.rglob("*")]
    if inside and folder / DEMO_MARK not in inside:
        raise BadUsage(f"{folder} has files that no demo wrote: name another folder")
    for path in inside:
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise BadUsage(f"{path} is no plain file: name another folder")
    write_result({}, folder / DEMO_MARK)
    gold = sample_rows("sample.jsonl")
    texts = [{key: row[key] for key in ("id", "document", "abstract")} for row in gold]
    links = {row["id"]: row for row in sample_rows("second_annotator.jsonl")}
    raw = sample_rows("raw_sample.jsonl")[0]
    rows_of_files = {
        "pairs.jsonl": texts,
        "gold.jsonl": gold,
        # The hand alignments of the sample are those of one person: here of Anna.
        "anna.jsonl": gold,
        "ben.jsonl": [{**row, **links[row["id"]]} for row in texts],
        "judged.jsonl": [*_judged(texts)],
        **{f"{name}.jsonl": sample_rows(f"{name}.jsonl") for name in COPIED_SAMPLES},
    }
    contents = {
        **{name: "".join(map(storage.json_line, rows)) for name, rows in rows_of_files.items()},
        "article.txt": raw["article"] + "\n",
        "summary.txt": raw["highlights"] + "\n",
    }
    for name, content in contents.items():
        file = folder / name
        if file.exists() and file.read_bytes() != content.encode():
            raise BadUsage(f"{file} was changed after the demo wrote it: name another folder")
    for name, content in contents.items():
        with storage.replacing(folder / name) as stream:
            stream.write(content)


def _judged(texts: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield each abstract twice: with its own document, which supports it, and with another."""
    for row, after in zip(texts, [*texts[1:], texts[0]], strict=True):
        number = len(row["abstract"])
        yield {**row, "supported": [True] * number}
        other = {"id": f"{row['id']}-other", "document": after["document"]}
        yield {**row, **other, "supported": [False] * number}


def sample_rows(name: str) -> list[dict[str, Any]]:
    """Read a file of the sample."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
