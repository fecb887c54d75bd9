"""The Python of README and guide runs as it is printed there, and type checkers accept it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib.resources import files
from importlib.util import find_spec

import pytest

from semihmm.cli.commands import COMMANDS
from semihmm.cli.run_command import parser
from tests.installed import has_wordnet
from tests.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README + GUIDE, re.DOTALL | re.MULTILINE)


def test_there_are_examples():
    assert len(EXAMPLES) == 4


def test_the_first_example_prints_what_stands_below_it(capsys):
    example, printed = re.findall(r"^```\w*\n(.*?)^```", README, re.DOTALL | re.MULTILINE)[:2]
    assert len(example.splitlines()) == 3
    if not has_wordnet():
        pytest.skip("there is no WordNet, which knows that automobiles are cars")
    exec(example, {})
    out = capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines == printed.splitlines()


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
COMMAND_LINES = [
    pytest.param(line, id=f"{page.stem}: {line[:60]}")
    for page in PAGES
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    for line in block.replace("\\\n", " ").splitlines()
    if line.startswith("semihmm ")
]


def test_there_are_command_lines():
    assert len(COMMAND_LINES) > 20


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_the_program_accepts_the_command_lines_of_all_pages(line):
    words = shlex.split(line, comments=True)
    ends = [n for n, word in enumerate(words) if word in {"|", ">", "&&"}]
    arguments = words[1 : min(ends, default=None)]
    assert parser(arguments).parse_args(arguments).command in COMMANDS


@pytest.mark.filterwarnings("ignore::corpus_tools.errors.MissingResource")
def test_the_examples_run(tmp_path, monkeypatch, capsys):
    shutil.copy(str(files("corpus_tools") / "data" / "sample.jsonl"), tmp_path / "pairs.jsonl")
    monkeypatch.chdir(tmp_path)
    for example in EXAMPLES:
        exec(example, {})
    assert "SoftF" in capsys.readouterr().out
    assert (tmp_path / "model" / "model.json").exists()


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_type_checkers_accept_the_examples(tmp_path):
    """They know that one pair gives one alignment, and which settings there are."""
    wrong = [
        "from semihmm import Aligner",
        "Aligner(iteration=3)",
        "Aligner(jump=3)",
        'Aligner().align(["a", "b"])',
        'Aligner().align(("a", "b")).append',
        'Aligner().aligned([("a", "b")]).phrases',
        'Aligner.load(jump="uniform")',
    ]
    names = []
    for number, text in enumerate([*EXAMPLES, "\n".join(wrong)]):
        names.append(tmp_path / f"example_{number}.py")
        names[-1].write_text(text, encoding="utf-8")
    checker = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    cache = ["--cache-dir", str(ROOT / ".mypy_cache" / "readme")]
    run = subprocess.run(
        [*checker, *cache, "--config-file", str(ROOT / "pyproject.toml"), *map(str, names)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    refused = re.findall(r"example_(\d)\.py:(\d+): error", run.stdout)
    assert sorted(set(refused)) == [
        (str(len(EXAMPLES)), str(line)) for line in range(2, len(wrong) + 1)
    ], run.stdout + run.stderr
