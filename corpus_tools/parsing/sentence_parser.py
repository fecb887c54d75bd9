"""What parses sentence by sentence: in several processes, and no sentence twice."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from os import PathLike
from typing import ClassVar

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing.penn import read_tree, write_tree
from corpus_tools.parsing.tree_cache import TreeCache
from corpus_tools.texts.brackets import Tree, flat

Sentence = tuple[str, ...]

BATCH_SENTENCES = 50


@dataclass(frozen=True)
class SentenceParser(ABC):
    """A parser to which every sentence is new.

    It only describes itself, so that it can be sent to other processes: each loads the model at its first batch.
    """

    name: ClassVar[str]

    @property
    @abstractmethod
    def version(self) -> str:
        """Whatever makes trees differ: the package's version, the model. Raises ``BadUsage`` without package."""

    @abstractmethod
    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        """The tree of each sentence (none of them empty), ``None`` for one that cannot be parsed.

        Raises ``BadUsage`` where the model is missing.
        """

    def documents(
        self, pairs: Iterable[Pair], processes: int = 1, cache: str | PathLike | None = None
    ) -> Iterator[list[Tree | None]]:
        """As ``Provider.documents``."""
        documents = [pair.document.sentences() for pair in pairs]
        with TreeCache(cache, self.name, self.version) as known:
            wanted = dict.fromkeys(
                sentence for document in documents for sentence in document if sentence
            )
            self._parse_all(
                [sentence for sentence in wanted if sentence not in known], processes, known
            )
            for document in documents:
                yield [
                    _tree(known[sentence], sentence) if sentence else flat(0)
                    for sentence in document
                ]

    def _parse_all(self, sentences: list[Sentence], processes: int, known: TreeCache) -> None:
        if not sentences:
            return
        batches = [
            sentences[start : start + BATCH_SENTENCES]
            for start in range(0, len(sentences), BATCH_SENTENCES)
        ]
        with _bar(self.name, sentences) as bar, _mapping(processes) as run:
            for batch, trees in zip(batches, run(_parse_batch, repeat(self), batches), strict=True):
                known.add(batch, trees)
                bar.update(sum(map(len, batch)))


def tree_or_none(text: str, sentence: Sentence) -> Tree | None:
    """The tree in a bracketed string by another program, ``None`` where its leaves are not the sentence."""
    try:
        return read_tree(text, sentence)
    except BadData:
        return None


def _bar(name: str, sentences: list[Sentence]):
    from tqdm import tqdm

    tokens = sum(map(len, sentences))
    return tqdm(
        total=tokens,
        desc=name,
        unit=" tokens",
        unit_scale=True,
        file=sys.stderr,
        disable=None,
        leave=False,
    )


@contextmanager
def _mapping(processes: int):
    """``map``, or one that does its work in other processes."""
    if processes == 1:
        yield map
        return
    import multiprocessing
    import signal
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # Never a fork: numba and torch keep threads, which a fork does not copy.
    context = multiprocessing.get_context("spawn")
    # An interrupt is for the main process, which ends the others.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    executor = ProcessPoolExecutor(processes, context, initializer=signal.signal, initargs=ignore)
    try:
        yield executor.map
    except BrokenProcessPool as error:
        raise BadUsage(
            f"a parsing process died, for want of memory? Use fewer than {processes}"
        ) from error
    finally:
        executor.shutdown(cancel_futures=True)


def _parse_batch(parser: SentenceParser, batch: list[Sentence]) -> list[str | None]:
    # As strings, the trees take a tenth of the memory, on the way between processes as in the cache.
    return [
        None if tree is None else write_tree(tree, sentence)
        for tree, sentence in zip(parser.parse(batch), batch, strict=True)
    ]


def _tree(text: str | None, sentence: Sentence) -> Tree | None:
    return None if text is None else read_tree(text, sentence)
