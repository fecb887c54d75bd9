"""The scripts as modules."""

import importlib

import pytest

from tests.paths import ROOT


@pytest.fixture
def script(monkeypatch):
    """Return a function that imports a script."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module
