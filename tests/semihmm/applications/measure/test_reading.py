"""Summaries, references, scores and judgements in files and folders of all forms.

``files.jsonl`` has files, the reader with the paths that it gets, and what comes of them.
"""

import gzip
import json
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict
from io import StringIO
from pathlib import Path

from corpus_tools.base.errors import SemiHmmError
from semihmm.applications.measure.ratings import read_judgements, read_scores
from semihmm.applications.measure.summaries import Compressions, SystemSummary
from semihmm.applications.measure.summary_files import (
    is_folder_of_texts,
    read_references,
    read_summaries,
    read_text_files,
)
from semihmm.cli.main import main
from tests.installed import without_version


def program(*arguments):
    """Run the program; return its exit status, what it prints and what it says."""
    with redirect_stdout(StringIO()) as printed, redirect_stderr(StringIO()) as said:
        status = main(arguments)
    return status, without_version(printed.getvalue()), said.getvalue()


READERS = {
    "summaries": read_summaries,
    "references": read_references,
    "texts": read_text_files,
    "is a folder of texts": is_folder_of_texts,
    "program": program,
    "scores": lambda paths: (read_scores(paths).columns, read_scores(paths).signatures),
    "judgements": lambda path: read_judgements(path).columns,
}


def plain(value):
    """Return what a reader gives as JSON has it."""
    if isinstance(value, SystemSummary | Compressions):
        value = [*asdict(value).values()]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    return [*map(plain, value)] if isinstance(value, list | tuple) else value


def outcome(case):
    """Return what comes of a case, whose files are written to the current directory."""
    for name, content in case["files"].items():
        if not isinstance(content, str):
            content = "".join(f"{json.dumps(record)}\n" for record in content)
        data = content.encode()
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with warnings.catch_warnings(record=True, action="always") as caught:
        try:
            made = READERS[case["reader"]](*case["paths"], **case.get("options", {}))
            found = {"gives": plain(made)}
        except SemiHmmError as error:
            found = {"refused": str(error)}
    return found | {"warnings": [str(one.message) for one in caught]}


def test_files_are_read_or_refused(tmp_path, monkeypatch, request, looked_at):
    cases = request.path.with_name("files.jsonl").read_text(encoding="utf-8").splitlines()
    made = []
    for number, case in enumerate(map(json.loads, cases)):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        made.append(json.dumps({**case, **outcome(case)}, ensure_ascii=False))
    made = "\n".join(made) + "\n"
    assert made == looked_at("files.jsonl", made)
