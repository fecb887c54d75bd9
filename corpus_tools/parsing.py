"""Parses document sentences into constituents (Daumé III and Marcu 2005, section 4.1.3).

A new parser is one class and one line in ``PARSERS``. The parser ``chunks`` needs no download. A
parser of sentences works in several processes, and parses no sentence twice. Users can provide the
trees of any other parser (``read_trees``).
"""

import functools
import itertools
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from corpus_tools.base import files, reading
from corpus_tools.base.errors import BadData, BadUsage, SemiHmmWarning, warn_caller
from corpus_tools.base.parallel import in_processes
from corpus_tools.base.progress import bar
from corpus_tools.pairs.fields import TREES
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import row_of
from corpus_tools.plugins import Plugin, Registry
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Tree, chunked, flat, read_tree, write_tree

Sentence = tuple[str, ...]

BATCH_SENTENCES = 50
"""The number of sentences that a process parses at a time: half a second of work."""


@dataclass(frozen=True)
class Parser(Plugin, ABC):
    """Makes the trees of documents.

    ``takes_source``  whether the parser takes a ``source``.
    ``source``        the place of its model or its trees.

    Subclasses are frozen dataclasses, and have no model as a field.
    """

    takes_source: ClassVar[bool] = False

    source: str | None = None

    @abstractmethod
    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1
    ) -> Iterator[list[Tree | None]]:
        """Yield the trees of each pair's document; ``None`` for a sentence that was not parsed.

        ``processes``  the number of processes; parsers with little work ignore it.

        A parser may read all pairs before it yields the first document.
        """


@dataclass(frozen=True)
class Flat(Parser):
    """Makes trees in which every token is a child of the root."""

    name: ClassVar[str] = "none"

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1
    ) -> Iterator[list[Tree | None]]:
        for pair in pairs:
            yield [flat(len(sentence)) for sentence in pair.document.sentences()]


@dataclass(frozen=True)
class SentenceParser(Parser):
    """Parses each sentence by itself.

    It can be sent to other processes: each loads the model for its first batch.
    """

    @abstractmethod
    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        """Return the tree of each sentence, ``None`` for one that cannot be parsed.

        No sentence is empty. Raises ``BadUsage`` where the model is missing.
        """

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1
    ) -> Iterator[list[Tree | None]]:
        documents = [pair.document.sentences() for pair in pairs]
        # A dict rather than a set: it keeps the order.
        sentences = list(dict.fromkeys(filter(None, itertools.chain.from_iterable(documents))))
        tree_of = dict(zip(sentences, self._parsed(sentences, processes), strict=True))
        for document in documents:
            yield [read_tree(tree_of.get(sentence, ""), sentence) for sentence in document]

    def _parsed(self, sentences: list[Sentence], processes: int) -> Iterator[str]:
        """Parse sentences batch by batch; yield their trees as bracketed strings."""
        starts = range(0, len(sentences), BATCH_SENTENCES)
        batches = [sentences[start : start + BATCH_SENTENCES] for start in starts]
        parse_batch = functools.partial(_parse_batch, self)
        processes = min(processes, len(batches)) or 1
        parsed = in_processes(parse_batch, batches, processes, "parses sentences")
        tokens = sum(map(len, sentences))
        with bar(f"parsing ({self.name})", tokens, "tokens", unit_scale=True) as tokens_bar:
            for batch, trees in zip(batches, parsed, strict=True):
                yield from trees
                tokens_bar.update(sum(map(len, batch)))


def _parse_batch(parser: SentenceParser, batch: Sequence[Sentence]) -> list[str]:
    """Return the trees as bracketed strings; an empty one for a sentence that cannot be parsed.

    Strings take a tenth of the memory of trees, also on their way between processes.
    """
    parsed = zip(parser.parse(batch), batch, strict=True)
    return [write_tree(tree or [], sentence) for tree, sentence in parsed]


# Trees that users provide


@dataclass(frozen=True)
class GivenTrees(Parser):
    """Takes the trees from a file or from the pairs.

    ``source``  the file of the trees (``read_trees``); ``None``: the pairs have them.
    """

    name: ClassVar[str] = "trees"
    takes_source: ClassVar[bool] = True

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1
    ) -> Iterator[list[Tree | None]]:
        if self.source is not None:
            yield from read_trees(self.source, list(pairs))
            return
        for pair in pairs:
            if pair.trees is None:
                raise BadUsage(
                    f"pair {pair.id!r} has no trees, which the parser 'trees' needs: semihmm parse "
                    f"writes them into the field {TREES!r}, also from a file of Penn trees "
                    "(--source)"
                )
            yield list(pair.trees)


def with_trees(pairs: Sequence[Pair], path: files.StrPath) -> list[Pair]:
    """Return the pairs with the trees of their documents, read from a file by ``read_trees``."""
    documents = zip(pairs, read_trees(path, pairs), strict=True)
    return [replace(pair, trees=tuple(trees)) for pair, trees in documents]


def read_trees(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[list[Tree | None]]:
    """Yield the trees of each pair's document, from a file of Penn trees.

    The file has a tree for each sentence with tokens, in the order of the documents, and each tree
    begins on a new line. A tree without leaves, ``(())``, which parsers write when they fail, gives
    ``None``. Raises ``BadData`` with file, line, id and sentence number (from 1) for a tree that is
    missing, malformed or of another sentence.
    """
    file = reading.shown_name(path)
    numbered_trees = _split(path)
    for pair in pairs:
        trees = []
        for number, sentence in enumerate(pair.document.sentences(), start=1):
            where = f"pair {pair.id!r}, sentence {number} of the document"
            line, text = next(numbered_trees, (0, None)) if sentence else (0, "")
            if text is None:
                raise BadData(f"the trees end before {where}", file)
            try:
                trees.append(read_tree(text, sentence))
            except BadData as error:
                raise BadData(f"{where}: {error.problem}", file, line) from error
        yield trees
    line, superfluous = next(numbered_trees, (0, None))
    if superfluous is not None:
        problem = "there are more trees than sentences of the documents"
        raise BadData(problem, file, line)


def _split(path: files.StrPath) -> Iterator[tuple[int, str]]:
    """Yield the texts of the trees, each with the number of its first line.

    A tree ends at the end of a line up to which its brackets balance.
    """
    tree = ""
    depth = first = 0
    for number, line in reading.numbered_lines(path):
        if line.isspace():
            continue
        first = first if tree else number
        tree += line
        depth += line.count("(") - line.count(")")
        if depth <= 0:
            yield first, tree
            tree, depth = "", 0
    if tree:
        yield first, tree


@dataclass(frozen=True)
class Chunks(SentenceParser):
    """Makes Penn-like trees with C5 tags."""

    name: ClassVar[str] = "chunks"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        return [chunked(sentence) for sentence in sentences]


# All parsers

PARSERS: Registry[type[Parser]] = Registry.of_classes(
    "parser", Parser, (Chunks, GivenTrees, Flat), "semihmm.parsers"
)


def make_parser(name: str, source: files.StrPath | None = None) -> Parser:
    """Make a parser.

    ``name``    one of ``PARSERS``.
    ``source``  the file of the trees for the parser ``trees``, or the model for a parser of another
                package; ``None``: the default of the parser.

    Raises ``BadUsage`` for an unknown name, and for the source of a parser that takes none.
    """
    parser = PARSERS.choose(name)
    if source is None:
        return parser()
    if not parser.takes_source:
        raise BadUsage(f"the parser {name!r} has no models to choose from, found {source!r}")
    return parser(os.fspath(source))


def parse_documents(
    pairs: Iterable[Pair], parser: Parser, processes: int = 1
) -> Iterator[list[Tree]]:
    """Yield the trees of each pair's document, one for each sentence; abstracts are not parsed.

    ``parser``     a parser from ``make_parser``. Parsers of sentences show a bar on stderr and
                   parse all documents before the first is yielded.
    ``processes``  the number of processes that parse.

    A sentence that cannot be parsed gets a flat tree; at the end a ``SemiHmmWarning`` says how many
    there were. Raises ``BadUsage`` for a missing package or model, ``BadData`` for unusable trees.
    """
    sentences = failures = 0
    pairs = [*pairs]
    for pair, trees in zip(pairs, parser.document_trees(pairs, processes), strict=True):
        sentences += len(trees)
        failures += trees.count(None)
        yield [
            flat(len(sentence)) if tree is None else tree
            for tree, sentence in zip(trees, pair.document.sentences(), strict=True)
        ]
    if failures:
        failed = f"{failures} of {sentences} sentences could not be parsed by {parser.name!r}"
        warn_caller(SemiHmmWarning(f"{failed} and are flat"))


def parse_pairs(
    pairs: Sequence[Pair], parser: Parser, processes: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield the pairs as rows of JSON lines, with the trees of their documents.

    The field ``trees`` is a list of Penn bracketed strings, one for each sentence of the document;
    ``read_pairs`` reads it. A side that was one string becomes the list of its sentences, so that
    ``read_pairs`` finds the same sentences. Arguments, warnings and errors are those of
    ``parse_documents``.
    """
    documents = parse_documents(pairs, parser, processes)
    for pair, trees in zip(pairs, documents, strict=True):
        sentences = pair.document.sentences()
        written = [write_tree(*parsed) for parsed in zip(trees, sentences, strict=True)]
        sides = {"document": _side(pair.document), "abstract": _side(pair.abstract)}
        yield row_of(pair) | sides | {TREES: written}


def _side(text: Text) -> list[str] | list[list[str]]:
    if text.characters is None:
        return [list(sentence) for sentence in text.sentences()]
    if len(text.strings) == len(text.boundaries) - 1:
        return list(text.strings)
    # The sentences within a string: each is the passage from its first to its last token.
    return [text.passage(*ends).text for ends in itertools.pairwise(text.boundaries)]
