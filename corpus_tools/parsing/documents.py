"""The documents of pairs as trees, and as rows that keep them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from os import PathLike
from typing import Any

from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing.chunks.chunk_parser import Chunks
from corpus_tools.parsing.given_trees import FIELD
from corpus_tools.parsing.penn import write_tree
from corpus_tools.parsing.registry import make_provider
from corpus_tools.texts.brackets import Tree, flat
from corpus_tools.texts.text import Text


def parse_documents(
    pairs: Iterable[Pair],
    parser: str = Chunks.name,
    source: str | PathLike | None = None,
    processes: int = 1,
    cache: str | PathLike | None = None,
) -> Iterator[list[Tree]]:
    """The trees of each pair's document, one a sentence, in the order of ``pairs``; abstracts are not parsed.

    ``parser`` and ``source`` as for ``make_provider``. ``cache`` is a file that keeps the trees for the next
    time, whatever the corpus. A parser shows a bar, and parses all before the first document is given back; ``none``
    takes one pair at a time. A sentence that cannot be parsed is flat; how many are is told at the end. Both on stderr.
    Raises ``BadUsage`` for an unknown or missing parser, ``BadData`` for unusable trees or cache.
    """
    provider = make_provider(parser, source)
    sentences = failures = 0
    pairs, asked = tee(pairs)
    for pair, trees in zip(pairs, provider.documents(asked, processes, cache), strict=True):
        sentences += len(trees)
        failures += trees.count(None)
        yield [
            flat(len(sentence)) if tree is None else tree
            for tree, sentence in zip(trees, pair.document.sentences(), strict=True)
        ]
    if failures:
        warning = (
            f"{failures} of {sentences} sentences could not be parsed by {parser!r} and are flat"
        )
        print(f"warning: {warning}", file=sys.stderr)


def parse_pairs(
    pairs: Sequence[Pair],
    parser: str = Chunks.name,
    source: str | PathLike | None = None,
    processes: int = 1,
    cache: str | PathLike | None = None,
) -> Iterator[dict[str, Any]]:
    """The pairs as JSON rows that ``read_pairs`` reads, with a field ``trees`` that ``read_trees`` reads.

    ``trees`` is a list of Penn bracketed strings, one for each sentence of the document. A side that was one
    string becomes the list of its sentences, so that they are the same whatever else the file will hold.
    Arguments, warnings and errors as for ``parse_documents``.
    """
    documents = parse_documents(pairs, parser, source, processes, cache)
    for pair, trees in zip(pairs, documents, strict=True):
        sentences = zip(trees, pair.document.sentences(), strict=True)
        yield _row(pair) | {FIELD: [write_tree(tree, sentence) for tree, sentence in sentences]}


def _row(pair: Pair) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": pair.id,
        "document": _side(pair.document),
        "abstract": _side(pair.abstract),
    }
    if pair.sure is not None:
        row |= {"sure": sorted(pair.sure), "possible": sorted(pair.possible)}
    return row


def _side(text: Text) -> list[str] | list[list[str]]:
    if text.characters is None:
        return [list(sentence) for sentence in text.sentences()]
    if len(text.strings) == len(text.boundaries) - 1:
        return list(text.strings)
    # One string, in which each sentence runs from its first to its last token.
    (string,) = text.strings
    bounds = zip(text.boundaries, text.boundaries[1:], strict=False)
    return [
        string[text.characters[start].start : text.characters[end - 1].end] for start, end in bounds
    ]
