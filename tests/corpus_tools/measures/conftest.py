"""Fixtures for the tests of measures."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

from tests.paths import ROOT


@pytest.fixture
def agreement(monkeypatch) -> ModuleType:
    """Return the script that compares ROUGE with other programs."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("rouge_agreement")
