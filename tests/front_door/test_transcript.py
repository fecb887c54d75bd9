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

DECIMALS = 6
"""A figure keeps so many digits after its point: later ones differ between machines."""

FIGURE = re.compile(r"(-?\d+(?:\.\d+(?:e-?\d+)?|e-\d+))")
"""A number with a point or an exponent. Whole numbers are text: they are the same everywhere."""

HASH = re.compile(r"(?<=model )[\da-f]{8}\b")
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
    """Run a command and return what it prints, without what differs between machines."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        run(*command.split(), "--quiet")
    printed = HASH.sub("00000000", without_version(out.getvalue()).rstrip() + "\n\n")
    return FIGURE.sub(shortened, printed)


def shortened(figure: re.Match[str]) -> str:
    """Round a figure that has more digits than all machines agree on."""
    exponent, decimals = "e" in figure[0], len(figure[0].partition(".")[2])
    return str(round(float(figure[0]), DECIMALS)) if exponent or decimals > DECIMALS else figure[0]


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
    # Texts and figures by turns.
    found = FIGURE.split(printed_by(command))
    looked_at = FIGURE.split(COMMANDS[command])
    assert found[::2] == looked_at[::2]
    # Figures at the border of two last digits are rounded up on one machine, down on another.
    near = pytest.approx([*map(float, looked_at[1::2])], rel=1e-6, abs=2 * 10**-DECIMALS)
    assert [*map(float, found[1::2])] == near


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        blocks = [f"{PROMPT}{command}\n{printed_by(command)}" for command in COMMANDS]
    TRANSCRIPT.write_text("".join(blocks), encoding="utf-8")


if __name__ == "__main__":
    main()
