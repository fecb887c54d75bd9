"""Tests that a room imports only rooms below it, and that files make no circles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from corpus_tools.errors import PACKAGES
from tests.paths import ROOT


def floors() -> dict[str, list[list[str]]]:
    """Return the rows of the architecture's tables by package, from the ground up.

    The first row of a table names the package, each further one the rooms of a floor.
    """
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tables = re.findall(r"(?m)^\| `(\w+)` .*\n\|---.*\n((?:\|.*\n)+)", text)
    return {
        package: [re.findall(r"`(\w+)`", row.split("|")[1]) for row in rows.splitlines()][::-1]
        for package, rows in tables
        if package in PACKAGES
    }


FLOORS = floors()
"""The rooms of each package, and the modules that stand beside them.

Rooms of one floor do not import each other. What a package's ``__init__`` offers is no room.
"""


def rooms_of(package: str) -> Iterator[tuple[str, Path]]:
    """Give the modules of a package, each with the room that it stands in."""
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT / package).with_suffix("").parts
        if parts != ("__init__",):
            yield parts[0], path


def imported_names(path: Path) -> set[str]:
    """Return the names that a module imports, with those of the modules that they are in.

    Imports in functions and for type checkers count too.
    """
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def imported_rooms(path: Path, package: str) -> set[str]:
    """Return the rooms of the package that a module imports."""
    parts = (name.split(".") for name in imported_names(path))
    return {room for top, room, *_ in (part for part in parts if len(part) > 1) if top == package}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_stands_on_a_floor(package):
    listed = {room for floor in FLOORS[package] for room in floor}
    assert {room for room, _ in rooms_of(package)} == listed


@pytest.mark.parametrize("package", PACKAGES)
def test_rooms_import_only_what_stands_below_them(package):
    height = {room: level for level, floor in enumerate(FLOORS[package]) for room in floor}
    wrong = [
        f"{path.relative_to(ROOT).as_posix()} imports {package}.{other}"
        for room, path in rooms_of(package)
        for other in sorted(imported_rooms(path, package) & set(height) - {room})
        if height[other] >= height[room]
    ]
    assert wrong == []


def test_files_do_not_import_each_other_in_circles():
    """Raises ``CycleError``, which names the files of the circle."""
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    graph = {
        module: {
            name if name in paths else name.rpartition(".")[0] for name in imported_names(path)
        }
        & (paths.keys() - {module})
        for module, path in paths.items()
    }
    assert graph["semihmm.cli.main"] >= {"semihmm.cli.program"}
    TopologicalSorter(graph).prepare()
