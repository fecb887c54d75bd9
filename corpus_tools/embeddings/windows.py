"""Cuts texts into the pieces of an encoder, and what is too long for it into windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.penn import plain

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

OVERLAP = 4
"""A window shares one of so many parts with the one before.

Chosen by hand: a word at the edge of one window stands well inside another, and the pieces to
encode are a third more.
"""
ABSTRACT_SHARE = 2
"""Beside a document that does not fit too, an abstract has one of so many parts of a window.

Chosen by hand: one half, so that neither side is cut into windows of a few pieces. Hardly any
abstract sentence is as long.
"""

QUOTES = {"``": '"', "''": '"'}

Tokens = tuple[str, ...]


class Sides(NamedTuple):
    """The tokens of an abstract and of its document, which are one input."""

    abstract: Tokens
    document: Tokens


class Window(NamedTuple):
    """Word pieces that go through the encoder together.

    ``text``      the index of their input: a text, or an abstract with its document.
    ``pieces``    the encoder's number of each piece.
    ``words``     the word of each piece in its input, -1 for none. The words of a document follow
                  those of the abstract.
    ``segments``  for each piece whether its text is the first or the second of the window, 0 or 1,
                  which some encoders tell apart; empty for a window of one text.
    """

    text: int
    pieces: list[int]
    words: list[int]
    segments: Sequence[int] = ()


def text_windows(
    tokenizer: PreTrainedTokenizerFast, texts: Sequence[Tokens], longest: int
) -> list[Window]:
    """Cut each text into windows of at most ``longest`` pieces, which overlap."""
    encoding = tokenizer(
        [list(map(_readable, tokens)) for tokens in texts],
        is_split_into_words=True,
        truncation=True,
        max_length=longest,
        stride=longest // OVERLAP,
        return_overflowing_tokens=True,
    )
    windows = []
    for row, text in enumerate(encoding["overflow_to_sample_mapping"]):
        words = [-1 if word is None else word for word in encoding.word_ids(row)]
        windows.append(Window(text, encoding["input_ids"][row], words))
    return windows


def joint_windows(
    tokenizer: PreTrainedTokenizerFast,
    pairs: Sequence[Sides],
    longest: int,
) -> list[Window]:
    """Put each abstract and its document into one input, once in each order.

    Where both have more than ``longest`` pieces, each window of the document stands beside the
    abstract; an abstract of more than half as many goes through in windows too. Raises ``BadUsage``
    for an encoder that does not take two texts.
    """
    frame = _frame(tokenizer)
    room = longest - len(frame.before) - len(frame.between) - len(frame.after)
    windows = []
    for number, (abstract, document) in enumerate(pairs):
        of_abstract = _pieces(tokenizer, abstract, 0)
        of_document = _pieces(tokenizer, document, len(abstract))
        room_of_abstract = max(room // ABSTRACT_SHARE, room - len(of_document), 1)
        parts = list(_parts(of_abstract, room_of_abstract))
        for beside in _parts(of_document, max(room - len(parts[0]), 1)):
            for part in parts:
                windows.append(frame.filled(number, part, beside))
                windows.append(frame.filled(number, beside, part))
    return windows


class _Piece(NamedTuple):
    """The encoder's number of a piece, its segment, and its word, -1 for none."""

    number: int
    segment: int
    word: int = -1


class _Frame(NamedTuple):
    """What an encoder puts before, between and after two texts; ``segments`` are those of both."""

    before: list[_Piece]
    between: list[_Piece]
    after: list[_Piece]
    segments: tuple[int, int]

    def filled(self, text: int, first: Sequence[_Piece], second: Sequence[_Piece]) -> Window:
        """Return the window of two texts in this order."""
        one, other = (
            [piece._replace(segment=segment) for piece in pieces]
            for pieces, segment in zip((first, second), self.segments, strict=True)
        )
        pieces = [*self.before, *one, *self.between, *other, *self.after]
        numbers, segments, words = map(list, zip(*pieces, strict=True))
        return Window(text, numbers, words, segments)


def _frame(tokenizer: PreTrainedTokenizerFast) -> _Frame:
    encoding = tokenizer(
        [["a"]], [["a"]], is_split_into_words=True, return_token_type_ids=True, verbose=False
    )
    sides = encoding.sequence_ids(0)
    pieces = list(map(_Piece, encoding["input_ids"][0], encoding["token_type_ids"][0]))
    first, second = sides.index(0), sides.index(1)
    first_end, second_end = (len(sides) - sides[::-1].index(side) for side in (0, 1))
    if first_end == second:
        raise BadUsage(
            "the encoder puts nothing between two texts, so it cannot read them together: "
            "choose another, or encode the texts apart"
        )
    return _Frame(
        pieces[:first],
        pieces[first_end:second],
        pieces[second_end:],
        (pieces[first].segment, pieces[second].segment),
    )


def _pieces(tokenizer: PreTrainedTokenizerFast, tokens: Sequence[str], begin: int) -> list[_Piece]:
    """Return the pieces of a text whose words are numbered from ``begin`` on."""
    if not tokens:
        return []
    encoding = tokenizer(
        list(map(_readable, tokens)),
        is_split_into_words=True,
        add_special_tokens=False,
        verbose=False,
    )
    words = (begin + word for word in encoding.word_ids(0))
    return [
        _Piece(piece, 0, word) for piece, word in zip(encoding["input_ids"], words, strict=True)
    ]


def _parts(pieces: Sequence[_Piece], size: int) -> Iterator[Sequence[_Piece]]:
    """Yield windows of at most ``size`` pieces, which overlap; one for no pieces."""
    step = size - size // OVERLAP
    for begin in range(0, max(len(pieces) - size, 0) + step, step):
        yield pieces[begin : begin + size]


def _readable(token: str) -> str:
    """Write the token as running text has it: encoders do not know -LRB-."""
    return QUOTES.get(token) or plain(token)
