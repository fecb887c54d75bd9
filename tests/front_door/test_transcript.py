"""Commands on the sample print what they printed when that was last looked at.

Where a change is meant, this writes the transcript anew:
``NLTK_DATA=$PWD/tests/nltk_data python -m tests.front_door.test_transcript``
"""

import contextlib
import io
import os
import re
import tempfile

import pytest

from tests.installed import without_version
from tests.paths import ROOT
from tests.semihmm.program_runs import run

TRANSCRIPT = ROOT / "tests" / "golden" / "transcript.txt"
PROMPT = "$ semihmm "
COMMANDS = {
    command: printed
    for block in TRANSCRIPT.read_text(encoding="utf-8").split(PROMPT)[1:]
    for command, _, printed in [block.partition("\n")]
}
"""What each command printed."""

NUMBER = re.compile(r"(-?(?:\d+\.)?\d+(?:e-?\d+)?)")
HASH = re.compile(r"\b(?=[a-f]*\d)[\da-f]{8}(?:[\da-f]{8})*\b")
"""The digits of a hash of a model: they depend on the last digits of its parameters."""

MADE = """\
demo .
train pairs.jsonl --model own --iterations 2
align german.jsonl --output german-aligned.jsonl
measure summaries.jsonl --references references.jsonl --json --output scores.json
""".splitlines()
"""The commands that make the files that others read."""


def prepare() -> None:
    """Put the sample and what is made of it into the current folder."""
    for command in MADE:
        printed_by(command)


def printed_by(command: str) -> str:
    """Run a command and return what it prints, without its version and the digits of hashes."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        run(*command.split(), "--quiet")
    return HASH.sub("00000000", without_version(out.getvalue()).rstrip() + "\n\n")


@pytest.fixture(scope="module")
def folder(wordnet, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        prepare()
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_what_was_looked_at(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    # Texts and numbers by turns.
    found = NUMBER.split(printed_by(command))
    looked_at = NUMBER.split(COMMANDS[command])
    assert found[::2] == looked_at[::2]
    assert [*map(float, found[1::2])] == pytest.approx([*map(float, looked_at[1::2])], abs=2e-6)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        blocks = [f"{PROMPT}{command}\n{printed_by(command)}" for command in COMMANDS]
    TRANSCRIPT.write_text("".join(blocks), encoding="utf-8")


if __name__ == "__main__":
    main()
