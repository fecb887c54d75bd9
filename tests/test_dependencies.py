"""Tests of what is declared in pyproject.toml and in other files of the project's root."""

from __future__ import annotations

import importlib
import tomllib

import pytest

from tests.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

INTERNALS = {
    "corpus_tools/compiled_kernels.py": (
        "numba.core.config:CACHE_DIR",
        "numba.core.caching:FunctionCache.load_overload",
        "numba.core.caching:FunctionCache.save_overload",
        "numba.core.dispatcher:Dispatcher",
    ),
    "jump_models/forms/form_kernels.py": ("numba.extending:overload",),
    # Tokens of a word do not depend on other words; a blank is a space only.
    "corpus_tools/texts/tokenizers.py": ("nltk.tokenize:NLTKWordTokenizer.tokenize",),
    "corpus_tools/texts/sentences.py": (
        "nltk.tokenize.punkt:PunktParameters.add_ortho_context",
        "nltk.tokenize.punkt:_ORTHO_LC",
        "nltk.tokenize.punkt:PunktSentenceTokenizer.span_tokenize",
    ),
    "corpus_tools/parsing/chunks/chunk_parser.py": (
        "nltk.chunk:RegexpParser.parse",
        "nltk.chunk.regexp:tag_pattern2re_pattern",
    ),
    "corpus_tools/texts/local_path.py": ("nltk.data:PathPointer.join",),
}
"""What of other packages' internals is used, by the file that uses it.

A new version may change them without notice, so that these packages have upper bounds. Instances of
HanTa's tagger also have ``LP_wtag``, ``LP_trans_word`` and ``int2tag``.
"""


@pytest.mark.parametrize("file", INTERNALS)
def test_internals_of_other_packages_are_where_they_are_looked_for(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    for internal in INTERNALS[file]:
        module, _, path = internal.partition(":")
        if module.startswith("HanTa"):
            pytest.importorskip(module)
        value = importlib.import_module(module)
        for name in path.split("."):
            value = getattr(value, name)
        assert path.rpartition(".")[2] in text


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
