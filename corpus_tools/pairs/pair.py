"""A document with its abstract, and the hand alignment where there is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus_tools.texts.text import Text

if TYPE_CHECKING:
    from corpus_tools.texts.brackets import Tree


WordLink = tuple[int, int]
"""A document token and an abstract token, both offsets over the whole side."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A document and its abstract, with the hand alignment where there is one.

    ``sure``, ``possible``  word links ``(d, a)``, ``possible`` those beyond ``sure``; ``None`` without gold.
    ``tokenizer``           the name of the tokenizer that made the tokens of raw strings.
    ``trees``               of the document's sentences, ``None`` for one that could not be parsed; see
                            ``corpus_tools.parsing.with_trees``.
    """

    id: str
    document: Text
    abstract: Text
    sure: frozenset[WordLink] | None = None
    possible: frozenset[WordLink] | None = None
    tokenizer: str = "whitespace"
    trees: tuple[Tree | None, ...] | None = None
