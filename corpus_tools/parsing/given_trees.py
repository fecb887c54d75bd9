"""Defines the parser ``trees``: Penn trees that the user brings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import record_id
from corpus_tools.parsing.parser import Parser
from corpus_tools.storage.files import (
    STANDARD_STREAM,
    StrPath,
    in_line,
    numbered_json_lines,
    open_text,
    shown_name,
)
from corpus_tools.texts.trees import Tree, read_tree

FIELD = "trees"
"""The field of a JSON row that holds the trees of its document."""


class Given(NamedTuple):
    """A bracketed string and the line on which it begins, counted from 1."""

    text: str
    line: int


@dataclass(frozen=True)
class GivenTrees(Parser):
    """Gives trees that were made before.

    ``source`` is their file, see ``read_trees``; ``None``: the pairs have them.
    """

    name: ClassVar[str] = "trees"
    takes_source: ClassVar[bool] = True

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1, cache: StrPath | None = None
    ) -> Iterator[list[Tree | None]]:
        if self.source is None:
            return map(_own_trees, pairs)
        return read_trees(self.source, list(pairs))


def _own_trees(pair: Pair) -> list[Tree | None]:
    if pair.trees is None:
        raise BadUsage(
            f"pair {pair.id!r} has no trees, which the parser 'trees' needs: take them with "
            f"corpus_tools.parsing.with_trees from JSON lines with the field {FIELD!r}, "
            "or from a file of Penn trees, one a sentence"
        )
    return list(pair.trees)


def with_trees(pairs: Sequence[Pair], path: StrPath) -> list[Pair]:
    """Return the pairs with the trees of their documents, read from a file by ``read_trees``."""
    documents = zip(pairs, read_trees(path, pairs), strict=True)
    return [replace(pair, trees=tuple(trees)) for pair, trees in documents]


def read_trees(path: StrPath, pairs: Sequence[Pair]) -> Iterator[list[Tree | None]]:
    """Yield the trees of each pair's document, from a file of either format.

    JSON lines (as ``parse_pairs`` writes them): the rows with the ids of the pairs have the field
    ``trees``, a list of bracketed strings, one for each sentence of the document. Penn trees: one
    for each sentence that has tokens, over the documents in their order, each beginning on a line
    of its own. ``None`` stands for a tree without leaves, ``(())``, which parsers leave where they
    fail. Raises ``BadData`` with file, line, id and sentence number (from 1) for a tree that is
    missing, malformed or of another sentence.
    """
    file = shown_name(path)
    documents = _json_lines(path, pairs) if _is_json_lines(path) else _penn_trees(path, pairs)
    for pair, trees in zip(pairs, documents, strict=True):
        sentences = enumerate(pair.document.sentences(), start=1)
        yield [
            _tree(tree, sentence, number, pair, file)
            for tree, (number, sentence) in zip(trees, sentences, strict=True)
        ]


def _is_json_lines(path: StrPath) -> bool:
    if os.fspath(path) == STANDARD_STREAM or Path(path).is_fifo():
        # It can be read only once, so it is taken for Penn trees.
        return False
    with open_text(path) as stream:
        return re.match(r"\s*\{", stream.read()) is not None


def _tree(
    given: Given | None, sentence: Sequence[str], number: int, pair: Pair, file: str
) -> Tree | None:
    """Read the tree of a sentence, of which there may be none left."""
    where = f"pair {pair.id!r}, sentence {number} of the document"
    if given is None:
        raise BadData(f"the trees end before {where}", file)
    try:
        return read_tree(given.text, sentence)
    except BadData as error:
        raise BadData(f"{where}: {error.problem}", file, given.line) from error


def _json_lines(path: StrPath, pairs: Sequence[Pair]) -> Iterator[list[Given]]:
    rows: dict[str, tuple[int, dict[str, Any]]] = {}
    for line, fields in numbered_json_lines(path):
        with in_line(line, path):
            id = record_id(fields, f"line-{line}")
            if id in rows:
                raise BadData(f"the id {id!r} is that of line {rows[id][0]} too")
            rows[id] = (line, fields)
    for pair in pairs:
        if pair.id not in rows:
            where = "" if pair.source is None else f" ({pair.source})"
            problem = f"no row has the id {pair.id!r}{where}, so its trees are missing"
            raise BadData(problem, shown_name(path))
        line, fields = rows[pair.id]
        with in_line(line, path):
            trees = _tree_field(fields, pair)
        yield [Given(tree, line) for tree in trees]


def _tree_field(fields: dict[str, Any], pair: Pair) -> list[str]:
    trees = fields.get(FIELD)
    sentences = len(pair.document.boundaries) - 1
    if FIELD not in fields:
        problem = "it is missing"
    elif not isinstance(trees, list) or not all(isinstance(tree, str) for tree in trees):
        problem = "found something else"
    elif len(trees) != sentences:
        problem = f"found {len(trees)}"
    else:
        return trees
    raise BadData(
        f"pair {pair.id!r}: the field {FIELD!r} must be a list of bracketed strings, "
        f"one for each of the {sentences} sentences of the document; {problem}"
    )


def _penn_trees(path: StrPath, pairs: Sequence[Pair]) -> Iterator[Iterable[Given | None]]:
    trees = _split(path)
    for pair in pairs:
        # Lazily: a tree that is not closed is reported before the trees that it swallowed.
        sentences = pair.document.sentences()
        yield (next(trees, None) if sentence else Given("", 0) for sentence in sentences)
    superfluous = next(trees, None)
    if superfluous is not None:
        problem = "here the trees go on, but the documents have no more sentences"
        raise BadData(problem, shown_name(path), superfluous.line)


def _split(path: StrPath) -> Iterator[Given]:
    """Yield the stretches of lines in which the brackets balance."""
    pending: list[str] = []
    depth = first = 0
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            depth += line.count("(") - line.count(")")
            if not pending:
                first = number
            if pending or not line.isspace():
                pending.append(line)
            if pending and depth <= 0:
                yield Given("".join(pending), first)
                pending = []
                depth = 0
    if pending:
        yield Given("".join(pending), first)
