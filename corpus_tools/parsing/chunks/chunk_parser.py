"""Defines the parser ``chunks``: regular expressions over HanTa's tags, without any download."""

from __future__ import annotations

import functools
import string
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from corpus_tools.errors import needing
from corpus_tools.parsing.chunks.chunk_cascade import Leaf, chunk, label_of
from corpus_tools.parsing.chunks.chunk_classes import QUOTE, classify
from corpus_tools.parsing.penn import unescape
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser, installed_version
from corpus_tools.texts.brackets import ROOT, Bracket, Tree
from corpus_tools.texts.nltk_package import load_nltk

if TYPE_CHECKING:
    import nltk
    from HanTa.HanoverTagger import HanoverTagger

MODEL = "morphmodel_en.pgz"
"""HanTa's model for English."""

CLAUSES = frozenset(("S", "Sf", "Sx", "Sq"))
"""Labels of the grammar that may stand as a whole sentence."""


LONGEST = 300
"""The most tokens of a sentence that is parsed. Set by hand: those of the corpora have up to 230.

Some patterns take the cube of the number of tokens: 8 s for the number 1, 600 times.
"""

Piece: TypeAlias = "nltk.Tree | Leaf"
"""A piece of a chunked sentence: a constituent, or the index and the class of a token."""


@dataclass(frozen=True)
class Chunks(SentenceParser):
    """Gives Penn-like trees with the tags of the C5 set."""

    name: ClassVar[str] = "chunks"
    package: ClassVar[str] = "HanTa"

    @property
    def version(self) -> str:
        """The version of HanTa, and a checksum of the sources of this parser."""
        # First, because its error says how to get HanTa.
        load_tagger()
        return f"HanTa {installed_version(self.package)}, grammar {_checksum():08x}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        return [_parse(sentence) for sentence in sentences]


@functools.cache
def load_tagger() -> HanoverTagger:
    """Load HanTa (Wartena 2019) with its English model, once. Raises ``BadUsage`` without it."""
    load_nltk()
    with needing("the parser 'chunks'", "chunks"):
        from HanTa.HanoverTagger import HanoverTagger
    return HanoverTagger(MODEL)


def tag(tokens: Sequence[str]) -> list[str]:
    """Return the tag of each token of a sentence, of the BNC's C5 set."""
    tags: list[str] = load_tagger().tag_sent(list(map(unescape, tokens)), taglevel=0)
    return tags


@functools.cache
def _checksum() -> int:
    sources = sorted(Path(__file__).parent.glob("chunk*.py"))
    return zlib.crc32(b"".join(source.read_bytes() for source in sources))


def _parse(sentence: Sentence) -> Tree | None:
    if len(sentence) > LONGEST:
        return None
    tags = tag(sentence)
    classes = classify(sentence, tags)
    visible = [(index, name) for index, name in enumerate(classes) if name != QUOTE]
    pieces = list(chunk(visible)) if visible else []
    return _tree(_sentence(pieces), tags)


def _sentence(pieces: list[Piece]) -> list[Piece]:
    """Return the children of the root: one clause, if there is any, with what is beside it."""
    from nltk.tree import Tree as Constituent

    labels = [label_of(piece) for piece in pieces]
    if not CLAUSES.intersection(labels) and "VPf" not in labels:
        return pieces
    clauses = [index for index, label in enumerate(labels) if label in CLAUSES]
    if len(clauses) == 1:
        (clause,) = clauses
        pieces[clause : clause + 1] = _children(pieces[clause])
    return [Constituent("S", pieces)]


def _children(piece: nltk.Tree) -> list[Piece]:
    children = list(piece)
    if piece.label().endswith("x"):
        # The label Sx takes its last clause apart.
        categories = [_category(label_of(child)) for child in children]
        last = max(index for index, category in enumerate(categories) if category == "S")
        children[last : last + 1] = _children(children[last])
    return children


@functools.cache
def _category(label: str) -> str:
    """Return the capitals with which a label of the grammar begins."""
    return label[: len(label) - len(label.lstrip(string.ascii_uppercase))]


def _tree(pieces: list[Piece], tags: Sequence[str]) -> Tree:
    tree = [Bracket(ROOT, 0, len(tags))]
    for piece in pieces:
        _append(piece, tags, tree)
    if len(pieces) == 1 and not isinstance(pieces[0], tuple):
        # Quotes around a sentence are part of it.
        tree[1] = Bracket(tree[1].label, 0, len(tags))
    tree += (Bracket(name, index, index + 1) for index, name in enumerate(tags) if name == QUOTE)
    # The sort is stable: brackets over the same tokens stay in order.
    return sorted(tree, key=lambda bracket: (bracket.start, -bracket.end))


def _append(piece: Piece, tags: Sequence[str], tree: Tree) -> None:
    """Append the brackets of a piece in pre-order."""
    if isinstance(piece, tuple):
        token, _ = piece
        tree.append(Bracket(tags[token], token, token + 1))
        return
    index = len(tree)
    label = _category(piece.label())
    # Its span is known when its children are.
    tree.append(Bracket(label, 0, 0))
    for child in _children(piece):
        _append(child, tags, tree)
    tree[index] = Bracket(label, tree[index + 1].start, tree[-1].end)
