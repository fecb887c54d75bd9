"""Gives the constituents of document sentences (Daumé III and Marcu 2005, section 4.1.3)."""

from __future__ import annotations

from corpus_tools.parsing.documents import PARSERS, make_parser, parse_documents, parse_pairs
from corpus_tools.parsing.given_trees import read_trees, with_trees
from corpus_tools.parsing.parser import Parser

__all__ = [
    "PARSERS",
    "Parser",
    "make_parser",
    "parse_documents",
    "parse_pairs",
    "read_trees",
    "with_trees",
]
