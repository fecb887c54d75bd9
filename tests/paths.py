"""Paths of the repository and of the data beside it."""

import json
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
"""What the project declares."""


def lines_beside(test: str, table: str) -> list[str]:
    """Return the lines of a table in the folder of a test file, without the title of the table."""
    return Path(test).with_name(table).read_text(encoding="utf-8").splitlines()[1:]


def records_beside(test: str, table: str) -> list[list[Any]]:
    """Return the values of each record of a table of JSON lines in the folder of a test file."""
    lines = Path(test).with_name(table).read_text(encoding="utf-8").splitlines()
    return [[*json.loads(line).values()] for line in lines]
