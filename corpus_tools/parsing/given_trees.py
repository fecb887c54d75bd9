"""The provider ``trees``: Penn trees that the user brings, in a file of their own or a field of the pairs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, ClassVar, NamedTuple

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import ID_KEYS
from corpus_tools.parsing.penn import read_tree
from corpus_tools.storage.files import STANDARD_STREAM, numbered_json_lines, open_text, shown_name
from corpus_tools.texts.brackets import Tree

FIELD = "trees"


class Given(NamedTuple):
    """A bracketed string and the line on which it begins."""

    text: str
    line: int


@dataclass(frozen=True)
class GivenTrees:
    """The trees in the file ``source``, see ``read_trees``; without a file, those that the pairs already have."""

    source: str | PathLike | None = None
    name: ClassVar[str] = "trees"

    def documents(
        self, pairs: Iterable[Pair], processes: int = 1, cache: str | PathLike | None = None
    ) -> Iterator[list[Tree | None]]:
        """As ``Provider.documents``; there is nothing to do for several processes or to cache."""
        return (
            map(_own_trees, pairs) if self.source is None else read_trees(self.source, list(pairs))
        )


def _own_trees(pair: Pair) -> list[Tree | None]:
    if pair.trees is None:
        raise BadUsage(
            f"pair {pair.id!r} has no trees, which the parser 'trees' needs: take them with corpus_tools.parsing.with_trees "
            f"from JSON lines with the field {FIELD!r}, or from a file of Penn trees, one a sentence"
        )
    return list(pair.trees)


def with_trees(pairs: Sequence[Pair], path: str | PathLike) -> list[Pair]:
    """The pairs with the trees of their documents from a file; what it may be and what it raises: see ``read_trees``."""
    return [
        replace(pair, trees=tuple(trees))
        for pair, trees in zip(pairs, read_trees(path, pairs), strict=True)
    ]


def read_trees(path: str | PathLike, pairs: Sequence[Pair]) -> Iterator[list[Tree | None]]:
    """The trees of each pair's document, from a file of either kind:

    JSON lines (as ``parse_pairs`` writes them), whose rows with the ids of the pairs have the field ``trees``, a
    list of bracketed strings, one for each sentence of the document; or Penn trees, one for each sentence
    that has tokens, over the documents in their order, each beginning on a line of its own.
    ``None`` stands for a tree without leaves, ``(())``, which parsers leave where they fail.
    Raises ``BadData`` with file, line, id and sentence number (from 1) for a tree that is missing, malformed
    or of another sentence.
    """
    given = _rows(path, pairs) if _is_json_lines(path) else _penn_file(path, pairs)
    for pair, trees in zip(pairs, given, strict=True):
        yield [
            _tree(tree, sentence, number, pair, shown_name(path))
            for number, (tree, sentence) in enumerate(
                zip(trees, pair.document.sentences(), strict=True), start=1
            )
        ]


def _is_json_lines(path: str | PathLike) -> bool:
    if os.fspath(path) == STANDARD_STREAM:
        # It cannot be looked into first, so it is taken for Penn trees.
        return False
    with open_text(path) as stream:
        return re.match(r"\s*\{", stream.read()) is not None


def _tree(given: Given, sentence: Sequence[str], number: int, pair: Pair, file: str) -> Tree | None:
    try:
        return read_tree(given.text, sentence)
    except BadData as error:
        problem = f"pair {pair.id!r}, sentence {number} of the document: {error.problem}"
        raise BadData(problem, file, given.line) from error


def _rows(path: str | PathLike, pairs: Sequence[Pair]) -> Iterator[Iterable[Given]]:
    rows = {_identity(fields, line): (line, fields) for line, fields in numbered_json_lines(path)}
    for pair in pairs:
        if pair.id not in rows:
            raise BadData(
                f"no row has the id {pair.id!r}, so its trees are missing", shown_name(path)
            )
        line, fields = rows[pair.id]
        yield [Given(tree, line) for tree in _field(fields, pair, shown_name(path), line)]


def _field(fields: dict[str, Any], pair: Pair, file: str, line: int) -> list[str]:
    trees = fields.get(FIELD)
    is_strings = isinstance(trees, list) and all(isinstance(tree, str) for tree in trees)
    expected = len(pair.document.boundaries) - 1
    if not is_strings or len(trees) != expected:
        found = (
            f"found {len(trees)}"
            if is_strings
            else "found something else"
            if FIELD in fields
            else "it is missing"
        )
        problem = (
            f"pair {pair.id!r}: the field {FIELD!r} must be a list of bracketed strings, one for each of the "
            f"{expected} sentences of the document; {found}"
        )
        raise BadData(problem, file, line)
    return trees


def _identity(fields: dict[str, Any], line: int) -> str:
    """The id that ``read_pairs`` gives to the row."""
    return next((str(fields[key]) for key in ID_KEYS if key in fields), f"line-{line}")


def _penn_file(path: str | PathLike, pairs: Sequence[Pair]) -> Iterator[Iterable[Given]]:
    trees, file = _split(path), shown_name(path)
    for pair in pairs:
        # Taken one by one, so that a tree that does not end is told before those that it has swallowed.
        yield (
            _next(trees, pair, number, file) if sentence else Given("", 0)
            for number, sentence in enumerate(pair.document.sentences(), start=1)
        )
    superfluous = next(trees, None)
    if superfluous is not None:
        raise BadData(
            "here the trees go on, but the documents have no more sentences", file, superfluous.line
        )


def _next(trees: Iterator[Given], pair: Pair, number: int, file: str) -> Given:
    tree = next(trees, None)
    if tree is None:
        raise BadData(
            f"the trees end before pair {pair.id!r}, sentence {number} of the document", file
        )
    return tree


def _split(path: str | PathLike) -> Iterator[Given]:
    """The stretches of lines in which the brackets balance."""
    pending: list[str] = []
    depth = number = 0
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            depth += line.count("(") - line.count(")")
            if pending or not line.isspace():
                pending.append(line)
            if pending and depth <= 0:
                yield Given("".join(pending), number - len(pending) + 1)
                pending, depth = [], 0
    if pending:
        yield Given("".join(pending), number - len(pending) + 1)
