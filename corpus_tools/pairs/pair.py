"""Defines a pair: a document with its abstract, and the hand alignment if there is one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus_tools.base.errors import BadData, BadPair
from corpus_tools.languages.language import ENGLISH, commonest
from corpus_tools.texts.text import Text

if TYPE_CHECKING:
    from corpus_tools.texts.trees import Tree


class Extract(NamedTuple):
    """The document sentences that were chosen for an abstract sentence.

    ``sentences``  their numbers, ascending.
    ``ranks``      the rank of each, 0 for the best; ``None`` if the method does not rank sentences.
                   If all sentences of a document are chosen, only a few have ranks of their own;
                   all others share the last rank.
    """

    sentences: tuple[int, ...]
    ranks: tuple[int, ...] | None = None


class ExtractChoice(NamedTuple):
    """How extracts are chosen; by default as in training.

    ``sentences``  the number of document sentences for each abstract sentence; 0: all.
    ``method``     one of ``corpus_tools.pairs.extract_methods.EXTRACT_METHODS``.
    """

    sentences: int = 4
    method: str = "cover"

    def __str__(self) -> str:
        return f"extracts {self.method} {self.sentences}" if self.sentences else "whole documents"


class ChosenExtracts(NamedTuple):
    """The extracts of all abstract sentences, and how they were chosen."""

    choice: ExtractChoice
    extracts: tuple[Extract, ...]


WordLink = tuple[int, int]
"""The positions of a document token and of an abstract token, counted over the whole text."""


class Source(NamedTuple):
    """The place of a pair in a file or in Python, for error messages.

    ``file``  the file, for some formats with a row, as in ``pairs.parquet, row 3``; for a record in
              Python its name, as in ``pairs[3]``.
    ``line``  the line, counted from 1, or ``None``.
    ``path``  the path of the file; ``None`` for a record in Python.
    """

    file: str
    line: int | None
    path: str | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}, line {self.line}"


class RawRecord(NamedTuple):
    """A record of a file before it is checked.

    ``fields``  its values by name.
    ``source``  its place in the file.
    ``name``    the id of its pair if no field has one, such as ``line-3``.
    """

    fields: Mapping[str, Any]
    source: Source
    name: str


def place_of(source: Source | None) -> tuple[str | None, int | None]:
    """Return the file and the line for an error; ``None`` if they are not known."""
    return (None, None) if source is None else (source.file, source.line)


@dataclass(frozen=True, slots=True)
class Pair:
    """A document and its abstract, with the hand alignment if there is one.

    ``sure``, ``possible``  word links ``(d, a)``; no possible link is sure. ``None``: no hand
                            alignment.
    ``tokenizer``           the name of the tokenizer of raw strings; if both sides have different
                            ones, both names, joined by ``tokenizer_names``.
    ``language``            the code of the language of both texts (``corpus_tools.languages``).
    ``trees``               the trees of the document's sentences, ``None`` for a sentence that
                            could not be parsed (``corpus_tools.parsing.with_trees``).
    ``source``              the place from which it was read, for error messages.
    ``extracts``            the extracts of the abstract's sentences, if they are chosen already
                            (``corpus_tools.pairs.extract_methods.choose_extracts``).
    ``system``              the system that wrote the abstract, or another group to which the pair
                            belongs; empty for none.
    ``passages``            the names of the passages of the document, which are its strings; empty
                            if it has none.
    """

    id: str
    document: Text
    abstract: Text
    sure: frozenset[WordLink] | None = None
    possible: frozenset[WordLink] | None = None
    tokenizer: str = "whitespace"
    language: str = ENGLISH
    trees: tuple[Tree | None, ...] | None = None
    # Equal pairs may come from two files.
    source: Source | None = field(default=None, compare=False, repr=False)
    extracts: ChosenExtracts | None = field(default=None, compare=False, repr=False)
    system: str = ""
    passages: tuple[str, ...] = ()

    def error(self, problem: str) -> BadPair:
        """Return the error that names the pair, and the file and the line if they are known."""
        return self.located(BadPair(f"pair {self.id!r}: {problem}"))

    def located(self, error: BadPair) -> BadPair:
        """Return the error with the file and the line of this pair."""
        return BadPair(error.problem, *place_of(self.source), id=self.id)

    def sure_links(self) -> frozenset[WordLink]:
        """Return the sure word links. Raises ``BadData`` for a pair without hand alignment."""
        if self.sure is None:
            problem = "has no hand alignment: it needs 'sure' (and 'possible') links"
            raise BadData(f"pair {self.id!r} {problem}", *place_of(self.source))
        return self.sure

    def gold_links(self) -> frozenset[WordLink]:
        """Return the sure and the possible word links. Raises ``BadData`` as ``sure_links``."""
        return self.sure_links() | (self.possible or frozenset())


def main_language(pairs: Iterable[Pair]) -> str:
    """Return the code of the language of most pairs."""
    return commonest(pair.language for pair in pairs)


def can_be_aligned(pair: Pair) -> bool:
    """Tell whether both sides have words."""
    return bool(len(pair.document) and len(pair.abstract))


def tokenizer_names(names: Iterable[str]) -> str:
    """Return the names of tokenizers as one, as in ``treebank+whitespace``.

    ``names``  names or joined names; empty ones are left out. If none is left, ``whitespace``.
    """
    # Sorted without repeats, so that the result does not depend on the order of the pairs.
    distinct = {name for joined in names for name in joined.split("+") if name}
    return "+".join(sorted(distinct)) or "whitespace"
