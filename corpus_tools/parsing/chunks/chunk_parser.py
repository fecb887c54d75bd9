"""Defines the parser ``chunks``: regular expressions over HanTa's tags, without any download."""

from __future__ import annotations

import functools
import re
import string
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from corpus_tools.errors import needing
from corpus_tools.parsing.chunks.chunk_classes import QUOTE, classify
from corpus_tools.parsing.chunks.chunk_grammar import BASE, GUARDS, LOOP, MACROS, TOP
from corpus_tools.parsing.penn import unescape
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser, installed_version
from corpus_tools.texts.brackets import ROOT, Bracket, Tree
from corpus_tools.texts.nltk_package import load_nltk

if TYPE_CHECKING:
    import nltk
    from HanTa.HanoverTagger import HanoverTagger

Leaf = tuple[int, str]
"""The index of a token and its class."""


class Stage(NamedTuple):
    """One label of the grammar.

    ``finds`` matches where ``parser`` may have something to do. It takes two microseconds for a
    sentence of news text, the parser a hundred.
    """

    finds: re.Pattern[str]
    parser: nltk.RegexpParser


class Grammar(NamedTuple):
    """The stages of the cascade: for words, for clauses (strict and relaxed), for the sentence."""

    base: list[Stage]
    strict: list[Stage]
    relaxed: list[Stage]
    top: list[Stage]


class Chunked(NamedTuple):
    """An ``nltk.Tree`` and the labels of its children, as a chunk string: ``<NP><VPf><Stop>``."""

    tree: nltk.Tree
    labels: str


def label_of(piece: nltk.Tree | Leaf) -> str:
    """Return the label of a constituent, or the class of a token."""
    return piece[1] if isinstance(piece, tuple) else str(piece.label())


def chunk(classes: Sequence[Leaf]) -> nltk.Tree:
    """Chunk a sentence, given as the index and the class of each token, which become the leaves."""
    from nltk.tree import Tree

    grammar = _grammar()
    sentence = _run_all(grammar.base, _chunked(Tree("S", list(classes))))
    before = None
    while sentence is not before:
        before = _until_nothing_changes(grammar.strict, sentence)
        sentence = _first_change(grammar.relaxed, before)
    return _run_all(grammar.top, sentence).tree


def _until_nothing_changes(stages: Iterable[Stage], sentence: Chunked) -> Chunked:
    before = None
    while sentence is not before:
        before, sentence = sentence, _run_all(stages, sentence)
    return sentence


def _run_all(stages: Iterable[Stage], sentence: Chunked) -> Chunked:
    for stage in stages:
        sentence = _run(stage, sentence)
    return sentence


def _first_change(stages: Iterable[Stage], sentence: Chunked) -> Chunked:
    return next(
        (changed for stage in stages if (changed := _run(stage, sentence)) is not sentence),
        sentence,
    )


def _run(stage: Stage, sentence: Chunked) -> Chunked:
    """Run one stage. The sentence itself is returned where nothing changed."""
    if not stage.finds.search(sentence.labels):
        return sentence
    chunked = _chunked(stage.parser.parse(sentence.tree))
    return sentence if chunked.labels == sentence.labels else chunked


def _chunked(tree: nltk.Tree) -> Chunked:
    return Chunked(tree, "<" + "><".join(map(label_of, tree)) + ">")


@functools.cache
def _grammar() -> Grammar:
    relaxed = dict.fromkeys(GUARDS, "")
    texts = (BASE, _expand(LOOP, GUARDS), _expand(LOOP, relaxed), TOP)
    return Grammar(*(list(_stages(_expand(text, MACROS))) for text in texts))


def _expand(text: str, macros: dict[str, str]) -> str:
    for name, meaning in macros.items():
        text = text.replace(name, meaning)
    return text


def _stages(text: str) -> Iterator[Stage]:
    from nltk.chunk import RegexpParser
    from nltk.chunk.regexp import tag_pattern2re_pattern

    for stage in re.findall(r"^\w+:.*(?:\n +.*)*", text, re.MULTILINE):
        label, rules = stage.split(":", 1)
        patterns = [tag_pattern2re_pattern(re.sub("[{}]", "", rule)) for rule in rules.split("\n")]
        yield Stage(re.compile("|".join(patterns)), RegexpParser(f"{label}:{rules}"))


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
