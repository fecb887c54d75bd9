"""Defines what a parser is: sentence by sentence, in several processes, and no sentence twice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import ClassVar

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.registry import Plugin
from corpus_tools.processes import process_pool
from corpus_tools.progress import bar, load_bars
from corpus_tools.storage.files import StrPath
from corpus_tools.storage.token_cache import TokenCache
from corpus_tools.texts.trees import Tree, flat, read_tree, write_tree

Sentence = tuple[str, ...]

BATCH_SENTENCES = 50
"""How many sentences a process parses before their trees are kept.

Measured with ``chunks`` on 2,024 sentences of cnn-articles and a cache file: 42 s with batches of
1, for each is a transaction of 20 ms; 5 to 12 s with 10, 6 to 8 s with 50, 200 or 1,000. The
smallest of the fast ones loses the least work to an interrupt, and spreads it best over processes.
"""


@dataclass(frozen=True)
class Parser(Plugin, ABC):
    """Gives the trees of documents.

    Subclasses are frozen dataclasses. They hold no models: ``source`` is where the model or the
    trees are, for parsers that take one. ``package`` is what a parser needs beside the core
    dependencies, by the name that pip and ``import`` share. The extra that is called like the
    parser installs it.
    """

    package: ClassVar[str | None] = None
    takes_source: ClassVar[bool] = False

    source: str | None = None

    @abstractmethod
    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1, cache: StrPath | None = None
    ) -> Iterator[list[Tree | None]]:
        """Yield the trees of each pair's document, one a sentence; ``None`` where parsing failed.

        ``processes`` share the work. The file ``cache`` keeps the trees for the next time. Parsers
        that have no work to share or to keep ignore them. A parser may read all pairs before it
        yields the first document.
        """


@dataclass(frozen=True)
class Flat(Parser):
    """Gives each token as a child of the root."""

    name: ClassVar[str] = "none"

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1, cache: StrPath | None = None
    ) -> Iterator[list[Tree | None]]:
        for pair in pairs:
            yield [flat(len(sentence)) for sentence in pair.document.sentences()]


class TreeCache(TokenCache):
    """Maps sentences to bracketed trees by one version of one parser; ``None`` where it failed."""

    table = "trees"
    content, remedy = "trees", "name another file, or remove this one"


@dataclass(frozen=True)
class SentenceParser(Parser):
    """Parses each sentence without regard to the others.

    It can be sent to other processes: each loads the model at its first batch.
    """

    @property
    @abstractmethod
    def version(self) -> str:
        """Whatever makes trees differ: the package's version, the model.

        Raises ``BadUsage`` where the package is not installed.
        """

    @abstractmethod
    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        """Return the tree of each sentence, ``None`` for one that cannot be parsed.

        No sentence is empty. Raises ``BadUsage`` where the model is missing.
        """

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1, cache: StrPath | None = None
    ) -> Iterator[list[Tree | None]]:
        load_bars()
        documents = [pair.document.sentences() for pair in pairs]
        # A dict rather than a set: it keeps the order.
        sentences = dict.fromkeys(filter(None, chain.from_iterable(documents)))
        with TreeCache(cache, self.name, self.version) as known:
            unknown = [sentence for sentence in sentences if sentence not in known]
            if unknown:
                self._parse_all(unknown, processes, known)
            for document in documents:
                yield [
                    _read_or_none(known[sentence], sentence) if sentence else flat(0)
                    for sentence in document
                ]

    def _parse_all(self, sentences: list[Sentence], processes: int, known: TreeCache) -> None:
        """Parse sentences and keep their trees, batch by batch."""
        batches = [
            sentences[start : start + BATCH_SENTENCES]
            for start in range(0, len(sentences), BATCH_SENTENCES)
        ]
        processes = min(processes, len(batches))
        tokens = sum(map(len, sentences))
        parse_batch = partial(_parse_batch, self)
        try:
            with (
                bar(f"parsing ({self.name})", tokens, "tokens", scaled=True) as shown,
                process_pool(processes) if processes > 1 else nullcontext() as pool,
            ):
                parsed = pool.map(parse_batch, batches) if pool else map(parse_batch, batches)
                for batch, trees in zip(batches, parsed, strict=True):
                    known.add(batch, trees)
                    shown.update(sum(map(len, batch)))
        except BrokenProcessPool as error:
            raise BadUsage(
                "a parsing process died, perhaps because memory was short; "
                f"use fewer than {processes} processes"
            ) from error


def _parse_batch(parser: SentenceParser, batch: Sequence[Sentence]) -> list[str | None]:
    """Return the trees as bracketed strings, ``None`` for what cannot be parsed.

    As strings, the trees take a tenth of the memory, between processes as in the cache.
    """
    return [
        None if tree is None else write_tree(tree, sentence)
        for tree, sentence in zip(parser.parse(batch), batch, strict=True)
    ]


def _read_or_none(text: str | None, sentence: Sentence) -> Tree | None:
    return None if text is None else read_tree(text, sentence)
