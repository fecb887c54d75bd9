"""Commands on the sample print what they printed when that was last looked at."""

import contextlib
import io
import re

import pytest

from tests.installed import without_version
from tests.paths import ROOT
from tests.semihmm.program_runs import run

TRANSCRIPT = ROOT / "tests" / "golden" / "transcript.txt"

DECIMALS = 6
"""A figure keeps so many digits after its point: later ones differ between machines."""

FIGURE = re.compile(r"(-?\d+(?:\.\d+(?:e-?\d+)?|e-\d+))")
"""A number with a point or an exponent. Whole numbers are text: they are the same everywhere."""


def printed_by(command: str) -> str:
    """Run a command and return what it prints, without what differs between machines."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        run(*command.split(), "--quiet")
    return FIGURE.sub(shortened, without_version(out.getvalue()).rstrip() + "\n\n")


def shortened(figure: re.Match[str]) -> str:
    """Round a figure that has more digits than all machines agree on."""
    exponent, decimals = "e" in figure[0], len(figure[0].partition(".")[2])
    return str(round(float(figure[0]), DECIMALS)) if exponent or decimals > DECIMALS else figure[0]


@pytest.mark.usefixtures("wordnet")
def test_commands_print_what_was_looked_at(tmp_path, monkeypatch, looked_at):
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ semihmm (.*)\n", TRANSCRIPT.read_text("utf-8"), re.MULTILINE)
    made = "".join(f"$ semihmm {command}\n{printed_by(command)}" for command in commands)
    # Texts and figures by turns.
    found, expected = map(FIGURE.split, (made, looked_at(TRANSCRIPT, made)))
    assert found[::2] == expected[::2]
    # Figures at the border of two last digits are rounded up on one machine, down on another.
    near = pytest.approx([*map(float, expected[1::2])], rel=1e-6, abs=2 * 10**-DECIMALS)
    assert [*map(float, found[1::2])] == near
