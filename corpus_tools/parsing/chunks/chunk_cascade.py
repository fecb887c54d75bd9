"""Runs the stages of the chunk grammar over the classes of a sentence."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus_tools.parsing.chunks.chunk_grammar import BASE, GUARDS, LOOP, MACROS, TOP

if TYPE_CHECKING:
    import nltk

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
