"""The constituents of document sentences (Daumé III and Marcu 2005, section 4.1.3), from providers by name."""

from __future__ import annotations

from corpus_tools.parsing.documents import parse_documents, parse_pairs
from corpus_tools.parsing.given_trees import read_trees, with_trees
from corpus_tools.parsing.registry import PROVIDERS, Provider, make_provider
from corpus_tools.texts.brackets import ROOT, UNKNOWN, Bracket, Tree, flat

__all__ = [
    "PROVIDERS",
    "ROOT",
    "UNKNOWN",
    "Bracket",
    "Provider",
    "Tree",
    "flat",
    "make_provider",
    "parse_documents",
    "parse_pairs",
    "read_trees",
    "with_trees",
]
