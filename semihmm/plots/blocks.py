"""Puts the texts of a pair into words as a figure shows them: links, numbers, what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from corpus_tools.errors import number_of, printable
from corpus_tools.views.pair_view import PairView, Run


class Word(NamedTuple):
    """A word, or what stands of it in one phrase.

    ``blank``   whether a blank stands before it: only there may a line end.
    ``begins``  whether a phrase begins with it.
    ``number``  the numbers of the links, behind the last word of a phrase; otherwise empty.
    """

    text: str
    blank: bool
    is_linked: bool
    begins: bool = False
    number: str = ""


class Row(NamedTuple):
    """A sentence with its number, or without one what is said of sentences that are left out."""

    number: str
    words: Sequence[Word]


class Block(NamedTuple):
    """A side of the pair.

    ``share``  of the width of the figure, where the sides stand beside each other.
    """

    title: str
    rows: Sequence[Row]
    share: float


def blocks_of(view: PairView) -> tuple[Block, Block]:
    """Return the abstract, and those sentences of the document that links go to."""
    abstract = list(_sentences(view, "abstract", view.pair.abstract.boundaries))
    used = view.used_sentences()
    sentences = _sentences(view, "document", view.pair.document.boundaries)
    document: list[Row] = []
    for is_used, group in groupby(enumerate(sentences), key=lambda sentence: sentence[0] in used):
        own = [row for _, row in group]
        document += own if is_used else [_left_out(len(own))]
    return Block("Abstract", abstract, 0.38), Block("Document", document, 0.58)


def _left_out(sentences: int) -> Row:
    said = f"\N{HORIZONTAL ELLIPSIS} {number_of(sentences, 'sentence')}"
    return Row("", [Word(word, blank=True, is_linked=False) for word in said.split()])


def _sentences(view: PairView, side: str, boundaries: Sequence[int]) -> Iterator[Row]:
    """Yield the sentences of a side, with numbers if there are several."""
    for number, runs in enumerate(view.runs(side, pairwise(boundaries)), start=1):
        words = [word for run in runs for word in _words(run)]
        yield Row(str(number) if len(boundaries) > 2 else "", words)


def _words(run: Run) -> Iterator[Word]:
    texts = printable(run.text).split()
    numbers = ",".join(map(str, run.links))
    for place, text in enumerate(texts):
        yield Word(
            text,
            blank=place > 0 or bool(run.before),
            is_linked=bool(run.links),
            begins=bool(run.links) and place == 0,
            number=numbers if place == len(texts) - 1 else "",
        )
