"""Gives the constituents of document sentences (Daumé III and Marcu 2005, section 4.1.3).

A new parser is one class and one line in ``PARSERS``. Trees that the user brings are read here too.
"""

from __future__ import annotations

import itertools
import os
import reprlib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from corpus_tools.errors import BadData, BadUsage, SemiHmmWarning
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import is_list_of, record_id, row_of
from corpus_tools.parsing.parser import Chunks, Flat, Parser
from corpus_tools.plugins.registry import Registry
from corpus_tools.storage import files
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Tree, flat, read_tree, write_tree

FIELD = "trees"
"""The field of a JSON row that holds the trees of its document."""


@dataclass(frozen=True)
class GivenTrees(Parser):
    """Gives trees that were made before.

    ``source`` is their file, see ``read_trees``; ``None``: the pairs have them.
    """

    name: ClassVar[str] = "trees"
    takes_source: ClassVar[bool] = True

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1, cache: files.StrPath | None = None
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


PARSERS: Registry[type[Parser]] = Registry.of_classes(
    "parser", Parser, (Chunks, GivenTrees, Flat), "semihmm.parsers"
)


def make_parser(name: str, source: files.StrPath | None = None) -> Parser:
    """Make the parser called ``name``, one of ``PARSERS``.

    ``source`` is the file of the trees (parser ``trees``), or what another package's parser takes;
    ``None`` is the default of that parser. Raises ``BadUsage`` for an unknown name, and for a
    source where there can be none.
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
    cache: files.StrPath | None = None,
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
    cache: files.StrPath | None = None,
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
    return [text.passage(*ends).text for ends in itertools.pairwise(text.boundaries)]


# Trees that the user brings


class Given(NamedTuple):
    """A bracketed string and the line on which it begins, counted from 1."""

    text: str
    line: int


def with_trees(pairs: Sequence[Pair], path: files.StrPath) -> list[Pair]:
    """Return the pairs with the trees of their documents, read from a file by ``read_trees``."""
    documents = zip(pairs, read_trees(path, pairs), strict=True)
    return [replace(pair, trees=tuple(trees)) for pair, trees in documents]


def read_trees(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[list[Tree | None]]:
    """Yield the trees of each pair's document, from a file of either format.

    JSON lines (as ``parse_pairs`` writes them): the rows with the ids of the pairs have the field
    ``trees``, a list of bracketed strings, one for each sentence of the document. Penn trees: one
    for each sentence that has tokens, over the documents in their order, each beginning on a line
    of its own. ``None`` stands for a tree without leaves, ``(())``, which parsers leave where they
    fail. Raises ``BadData`` with file, line, id and sentence number (from 1) for a tree that is
    missing, malformed or of another sentence.
    """
    file = files.shown_name(path)
    documents = _json_lines(path, pairs) if _is_json_lines(path) else _penn_trees(path, pairs)
    for pair, trees in zip(pairs, documents, strict=True):
        sentences = enumerate(pair.document.sentences(), start=1)
        yield [
            _tree(tree, sentence, number, pair, file)
            for tree, (number, sentence) in zip(trees, sentences, strict=True)
        ]


def _is_json_lines(path: files.StrPath) -> bool:
    # What is no file can be read only once, so it is taken for Penn trees.
    lines = files.numbered_lines(path) if os.path.isfile(path) else ()
    return next((line.lstrip()[:1] == "{" for _, line in lines if not line.isspace()), False)


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


def _json_lines(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[list[Given]]:
    rows: dict[str, tuple[int, dict[str, Any]]] = {}
    for line, fields in files.numbered_json_lines(path):
        with files.in_line(line, path):
            id = record_id(fields, f"line-{line}")
            if id in rows:
                raise BadData(f"the id {id!r} is that of line {rows[id][0]} too")
            rows[id] = (line, fields)
    for pair in pairs:
        if pair.id not in rows:
            where = "" if pair.source is None else f" ({pair.source})"
            problem = f"no row has the id {pair.id!r}{where}, so its trees are missing"
            raise BadData(problem, files.shown_name(path))
        line, fields = rows[pair.id]
        trees = fields.get(FIELD)
        sentences = len(pair.document.boundaries) - 1
        if not is_list_of(trees, lambda tree: isinstance(tree, str)) or len(trees) != sentences:
            problem = (
                f"pair {pair.id!r}: the field {FIELD!r} is {reprlib.repr(trees)}, expected a list "
                f"of bracketed strings, one for each of the {sentences} sentences of the document"
            )
            raise BadData(problem, files.shown_name(path), line)
        yield [Given(tree, line) for tree in trees]


def _penn_trees(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[Iterable[Given | None]]:
    trees = _split(path)
    for pair in pairs:
        # Lazily: a tree that is not closed is reported before the trees that it swallowed.
        sentences = pair.document.sentences()
        yield (next(trees, None) if sentence else Given("", 0) for sentence in sentences)
    superfluous = next(trees, None)
    if superfluous is not None:
        problem = "here the trees go on, but the documents have no more sentences"
        raise BadData(problem, files.shown_name(path), superfluous.line)


def _split(path: files.StrPath) -> Iterator[Given]:
    """Yield the stretches of lines in which the brackets balance."""
    pending: list[str] = []
    depth = first = 0
    for number, line in files.numbered_lines(path):
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
