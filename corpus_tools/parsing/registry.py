"""The providers of trees by name. A new one is one file and one line here."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Protocol

from corpus_tools.errors import BadUsage, choose
from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing.benepar_parser import Benepar
from corpus_tools.parsing.bllip_parser import Bllip
from corpus_tools.parsing.chunks.chunk_parser import Chunks
from corpus_tools.parsing.flat_sentences import Flat
from corpus_tools.parsing.given_trees import GivenTrees
from corpus_tools.parsing.stanza_parser import Stanza
from corpus_tools.texts.brackets import Tree


class Provider(Protocol):
    """Where the trees of documents come from."""

    name: str

    def documents(
        self, pairs: Iterable[Pair], processes: int = 1, cache: str | PathLike | None = None
    ) -> Iterator[list[Tree | None]]:
        """The trees of each pair's document, one a sentence; ``None`` for one that could not be parsed.

        ``cache`` is a file that keeps the trees for the next time. Parsers read all pairs before they give the first
        document; ``none`` takes one pair at a time.
        """


PROVIDERS = {
    provider.name: provider for provider in (Chunks, GivenTrees, Stanza, Benepar, Bllip, Flat)
}


def make_provider(name: str = Chunks.name, source: str | PathLike | None = None) -> Provider:
    """The provider called ``name``, of ``PROVIDERS``.

    ``source`` is the file of the trees (``trees``), or the name or directory of the model (``stanza``,
    ``benepar``, ``bllip``; ``None`` is the usual one). Raises ``BadUsage`` for an unknown name, and for a source where
    there can be none.
    """
    provider = PROVIDERS[choose("parser", name, PROVIDERS)]
    if source is None:
        return provider()
    if not dataclasses.fields(provider):
        raise BadUsage(f"the parser {name!r} has no models to choose from, found {source!r}")
    return provider(source)
