"""The provider ``chunks``: HanTa's tags and a cascade of regular expressions over them. Nothing to download."""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from corpus_tools.parsing.chunks.chunk_cascade import chunk
from corpus_tools.parsing.chunks.chunk_classes import QUOTE, classify
from corpus_tools.parsing.chunks.hanta import load_tagger, tag
from corpus_tools.parsing.extras import installed_version
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser
from corpus_tools.texts.brackets import ROOT, Bracket, Tree

# What may stand as a whole sentence.
CLAUSES = frozenset(("S", "Sf", "Sx", "Sq"))


@dataclass(frozen=True)
class Chunks(SentenceParser):
    """Penn-like trees with the tags of the C5 set."""

    name: ClassVar[str] = "chunks"

    @property
    def version(self) -> str:
        """HanTa's, and a checksum of the grammar and of what leads to it."""
        # First, because its error says how to get HanTa.
        load_tagger()
        return f"HanTa {installed_version('HanTa')}, grammar {_checksum():08x}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        return [_parse(sentence) for sentence in sentences]


@functools.cache
def _checksum() -> int:
    sources = sorted(Path(__file__).parent.glob("chunk*.py"))
    return zlib.crc32(b"".join(source.read_bytes() for source in sources))


def _parse(sentence: Sentence) -> Tree | None:
    tags = tag(sentence)
    classes = classify(sentence, tags)
    visible = [(place, name) for place, name in enumerate(classes) if name != QUOTE]
    try:
        pieces = list(chunk(visible)) if visible else []
        return _tree(_sentence(pieces), tags)
    except (TimeoutError, RecursionError):
        # nltk 3.10 gives a regular expression five seconds.
        return None


def _sentence(pieces: list) -> list:
    """The children of the root: one clause, if there is any, that takes in what was left beside it."""
    from nltk.tree import Tree as Constituent

    labels = [_label(piece) for piece in pieces]
    if not CLAUSES.intersection(labels) and "VPf" not in labels:
        return pieces
    clauses = [place for place, label in enumerate(labels) if label in CLAUSES]
    if len(clauses) == 1:
        pieces[clauses[0] : clauses[0] + 1] = _children(pieces[clauses[0]])
    return [Constituent("S", pieces)]


def _children(piece) -> list:
    children = list(piece)
    if piece.label().endswith("x"):
        last = max(place for place, child in enumerate(children) if _category(_label(child)) == "S")
        children[last : last + 1] = _children(children[last])
    return children


def _label(piece) -> str:
    return piece[1] if isinstance(piece, tuple) else piece.label()


@functools.cache
def _category(label: str) -> str:
    return re.match("[A-Z]*", label).group()


def _tree(pieces: list, tags: Sequence[str]) -> Tree:
    tree = [Bracket(ROOT, 0, len(tags))]
    for piece in pieces:
        _append(piece, tags, tree)
    if len(pieces) == 1 and not isinstance(pieces[0], tuple):
        # Quotes around a sentence are part of it.
        tree[1] = Bracket(tree[1].label, 0, len(tags))
    tree += (Bracket(name, place, place + 1) for place, name in enumerate(tags) if name == QUOTE)
    # Stable: what covers the same tokens stays in its order.
    return sorted(tree, key=lambda bracket: (bracket.start, -bracket.end))


def _append(piece, tags: Sequence[str], tree: Tree) -> None:
    """Append the brackets of a piece in pre-order."""
    place = len(tree)
    if isinstance(piece, tuple):
        tree.append(Bracket(tags[piece[0]], piece[0], piece[0] + 1))
        return
    tree.append(Bracket(_category(piece.label()), 0, 0))
    for child in _children(piece):
        _append(child, tags, tree)
    tree[place] = Bracket(tree[place].label, tree[place + 1].start, tree[-1].end)
