"""Gives the constituents of document sentences (Daumé III and Marcu 2005, section 4.1.3).

A new parser is one file and one line in ``PARSERS``.
"""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corpus_tools.errors import BadUsage, SemiHmmWarning
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import row_of
from corpus_tools.parsing.chunk_parser import Chunks
from corpus_tools.parsing.given_trees import FIELD, GivenTrees, read_trees, with_trees
from corpus_tools.parsing.model_parsers import Benepar, Bllip, Stanza
from corpus_tools.parsing.parser import Flat, Parser
from corpus_tools.plugins.registry import Registry
from corpus_tools.storage.files import StrPath
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Tree, flat, write_tree

__all__ = [
    "PARSERS",
    "Parser",
    "make_parser",
    "parse_documents",
    "parse_pairs",
    "read_trees",
    "with_trees",
]

PARSERS: Registry[type[Parser]] = Registry.of_classes(
    "parser", Parser, (Chunks, GivenTrees, Stanza, Benepar, Bllip, Flat), "semihmm.parsers"
)


def make_parser(name: str, source: StrPath | None = None) -> Parser:
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


def parse_documents(
    pairs: Iterable[Pair],
    parser: Parser,
    processes: int = 1,
    cache: StrPath | None = None,
) -> Iterator[list[Tree]]:
    """Yield the trees of each pair's document, one a sentence; abstracts are not parsed.

    ``parser`` is what ``make_parser`` makes. ``cache`` is a file that keeps the trees for the next
    time, whatever the corpus. Parsers of sentences show a bar on stderr and parse all documents
    before the first is yielded; ``none`` and ``trees`` take one pair at a time. A sentence that
    cannot be parsed is flat; at the end a ``SemiHmmWarning`` says how many there were. Raises
    ``BadUsage`` for a missing package or model, ``BadData`` for unusable trees or an unusable
    cache.
    """
    sentences = failures = 0
    pairs, to_parse = itertools.tee(pairs)
    documents = parser.document_trees(to_parse, processes, cache)
    for pair, trees in zip(pairs, documents, strict=True):
        sentences += len(trees)
        failures += trees.count(None)
        yield [
            flat(len(sentence)) if tree is None else tree
            for tree, sentence in zip(trees, pair.document.sentences(), strict=True)
        ]
    if failures:
        warnings.warn(
            f"{failures} of {sentences} sentences could not be parsed by {parser.name!r} "
            "and are flat",
            SemiHmmWarning,
            stacklevel=2,
        )


def parse_pairs(
    pairs: Sequence[Pair],
    parser: Parser,
    processes: int = 1,
    cache: StrPath | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the pairs as rows of JSON lines, with the trees of their documents.

    ``read_pairs`` reads the rows, ``read_trees`` their field ``trees``.

    ``trees`` is a list of Penn bracketed strings, one for each sentence of the document. A side
    that was one string becomes the list of its sentences, so that reading it again finds the same
    sentences. Arguments, warnings and errors are those of ``parse_documents``.
    """
    documents = parse_documents(pairs, parser, processes, cache)
    for pair, trees in zip(pairs, documents, strict=True):
        sentences = pair.document.sentences()
        written = [write_tree(*parsed) for parsed in zip(trees, sentences, strict=True)]
        sides = {"document": _side(pair.document), "abstract": _side(pair.abstract)}
        yield row_of(pair) | sides | {FIELD: written}


def _side(text: Text) -> list[str] | list[list[str]]:
    if text.characters is None:
        return [list(sentence) for sentence in text.sentences()]
    if len(text.strings) == len(text.boundaries) - 1:
        return list(text.strings)
    # One string, in which each sentence runs from its first to its last token.
    (string,) = text.strings
    return [
        string[text.characters[start].start : text.characters[end - 1].end]
        for start, end in itertools.pairwise(text.boundaries)
    ]
