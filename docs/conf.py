"""Settings of Sphinx: ``python -m sphinx -W docs FOLDER`` makes the guide and the API reference."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parents[1]))

from semihmm.model.saving import GENERAL_MODEL

project = "semihmm"
author = "semihmm developers"
copyright = "the semihmm authors"
version = release = installed_version("semihmm")

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"semihmm {version}"
html_copy_source = False

# Headings can be linked to, as on the pages of code hosts.
myst_heading_anchors = 3
# The notebook is kept without its results: they are computed here.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
# The names of these types say more than what they stand for.
autodoc_type_aliases = {
    name: name for name in ("Alignments", "PairLike", "PairsLike", "References", "Side", "StrPath")
}

TERM = re.compile(r"( *)(``[^`]+``(?:, ``[^`]+``)*)  +(\S.*)")
"""A line of our docstrings that explains names: they stand before two or more spaces."""

OUTER_LINK = r"\[[^\]]*\]\({}([^)]*)\)"
"""A link to a file above this folder, by the way up to there."""

ALIAS = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")
"""How Sphinx prints an alias in a union."""


def explain_names(lines: list[str]) -> list[str]:
    """Return a docstring with definition lists in place of lines that explain names."""
    made: list[str] = []
    indent: int | None = None
    for line in lines:
        if term := TERM.fullmatch(line):
            indent = len(term[1])
            made += ["", term[1] + term[2], f"{term[1]}    {term[3]}"]
            continue
        depth = len(line) - len(line.lstrip())
        if indent is not None and line.strip() and depth > indent:
            made.append(" " * (indent + 4) + line.strip())
            continue
        if indent is not None and line.strip():
            made.append("")
        indent = None
        made.append(line)
    return made


def change_docstring(app: Sphinx, what: str, name: str, *rest: Any) -> None:
    """Change the lines of a docstring, which Sphinx gives last, in place."""
    rest[-1][:] = explain_names(rest[-1])


def change_signature(*arguments: Any) -> tuple[str | None, str | None]:
    """Return the signature and the result's type, which Sphinx gives last, easier to read.

    Without the folder of the general model on the machine on which the pages are made.
    """
    signature, result = (
        part and ALIAS.sub(r"\1", part).replace(repr(GENERAL_MODEL), "GENERAL_MODEL")
        for part in arguments[-2:]
    )
    return signature, result


def unlink_outer_files(app: Sphinx, page: str, source: list[str]) -> None:
    """Put names in place of links to files outside this folder, of which no pages are made."""
    way_up = re.escape("../" * (page.count("/") + 1))
    source[0] = re.sub(OUTER_LINK.format(way_up), r"`\1`", source[0])


def setup(app: Sphinx) -> None:
    """Register what changes pages, docstrings and signatures."""
    app.connect("source-read", unlink_outer_files)
    app.connect("autodoc-process-docstring", change_docstring)
    app.connect("autodoc-process-signature", change_signature)
