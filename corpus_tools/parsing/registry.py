"""Lists the parsers by name. A new one is one file and one line here."""

from __future__ import annotations

import os
from os import PathLike

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.chunk_parser import Chunks
from corpus_tools.parsing.given_trees import GivenTrees
from corpus_tools.parsing.model_parsers import Benepar, Bllip, Stanza
from corpus_tools.parsing.parser import Flat, Parser
from corpus_tools.plugins.registry import Registry

PARSERS: Registry[type[Parser]] = Registry.of_classes(
    "parser", Parser, (Chunks, GivenTrees, Stanza, Benepar, Bllip, Flat), "semihmm.parsers"
)


def make_parser(name: str, source: str | PathLike[str] | None = None) -> Parser:
    """Make the parser called ``name``, one of ``PARSERS``.

    ``source`` is the file of the trees (parser ``trees``), or the name or directory of the model
    (``stanza``, ``benepar``, ``bllip``); ``None`` is the default of that parser. Raises
    ``BadUsage`` for an unknown name, and for a source where there can be none.
    """
    parser = PARSERS.choose(name)
    if source is None:
        return parser()
    if not parser.takes_source:
        raise BadUsage(f"the parser {name!r} has no models to choose from, found {source!r}")
    return parser(os.fspath(source))
