"""Tests of what is declared in pyproject.toml and in other files of the project's root."""

from __future__ import annotations

import tomllib

from tests.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_all_kernels_and_no_other_modules_are_free_of_type_hints():
    overrides = PROJECT["tool"]["mypy"]["overrides"]
    (relaxed,) = (
        each["module"] for each in overrides if each.get("disallow_untyped_defs") is False
    )
    packages = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")
    kernels = {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for package in packages
        for path in (ROOT / package).rglob("*_kernels.py")
    }
    # The one way to compile kernels is no kernel itself.
    assert set(relaxed) == kernels - {"corpus_tools.compiled_kernels"}


def test_the_citation_has_the_version_of_the_project():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['project']['version']}\n" in citation
