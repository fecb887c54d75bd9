"""Summaries, references, scores and judgements in files and folders of all forms.

``files.txt`` has files, the reader with the paths that it gets, and what comes of them.
"""

import gzip
import json
import tempfile
from dataclasses import asdict
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
from tests.semihmm.program_runs import told

READERS = {
    "summaries": read_summaries,
    "references": read_references,
    "texts": read_text_files,
    "is a folder of texts": lambda path: [is_folder_of_texts(path)],
    "program": lambda *words: told(f"$ semihmm {' '.join(words)}").splitlines(),
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


def outcome(line):
    """Yield what comes of a case, whose files are written to the current directory."""
    case = json.loads(line)
    for name, content in case["files"].items():
        if not isinstance(content, str):
            content = "".join(f"{json.dumps(record)}\n" for record in content)
        data = content.encode()
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    try:
        made = READERS[case["reader"]](*case["paths"], **case.get("options", {}))
    except SemiHmmError as error:
        made = [str(error)]
    for part in made.items() if isinstance(made, dict) else made:
        yield part if isinstance(part, str) else json.dumps(plain(part), ensure_ascii=False)


def test_files_are_read_or_refused(tmp_path, monkeypatch, worked_out):
    def in_own_folder(line):
        folder = tempfile.mkdtemp(dir=tmp_path)
        monkeypatch.chdir(folder)
        return outcome(line)

    worked_out("files.txt", in_own_folder)
