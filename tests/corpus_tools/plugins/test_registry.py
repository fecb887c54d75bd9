"""Plug-ins of other packages, which name them as entry points."""

from __future__ import annotations

import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.plugins.registry import Plugin, Registry


class Tool(Plugin):
    name = "own"


class Hammer(Tool):
    name = "hammer"


class Other(Plugin):
    name = "other"


class Stranger: ...


GROUP = "semihmm.tools"


@pytest.fixture
def offered(tmp_path, monkeypatch):
    """Return a function that installs a package with one entry point, and makes the registry."""

    def made(name, value):
        folder = tmp_path / "hardware-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: hardware\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {value}\n")
        monkeypatch.syspath_prepend(tmp_path)
        return Registry.of_classes("tool", Tool, (Tool,), GROUP)

    return made


def test_a_registry_has_our_own_plug_ins_and_then_those_of_others(offered):
    tools = offered("hammer", f"{__name__}:Hammer")
    assert dict(tools) == {"own": Tool, "hammer": Hammer}
    assert tools.choose("hammer") is Hammer


def test_plug_ins_of_another_role_are_passed_over(offered):
    assert list(offered("other", f"{__name__}:Other")) == ["own"]


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("saw", "no_such_module:Saw", "No module named 'no_such_module'"),
        ("saw", f"{__name__}:Saw", "Saw"),
        ("saw", f"{__name__}:Hammer", "calls itself otherwise"),
        ("own", f"{__name__}:Tool", "another tool of this name"),
        ("stranger", f"{__name__}:Stranger", "does not derive from Plugin"),
    ],
)
def test_one_that_cannot_be_used_is_named_with_its_package(offered, name, value, problem):
    tools = offered(name, value)  # nothing is imported before it is asked
    with pytest.raises(BadUsage, match=rf"plug-in {name} of the package hardware .*{problem}"):
        list(tools)
