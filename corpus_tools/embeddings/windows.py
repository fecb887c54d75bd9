"""Cuts texts into the pieces of an encoder, and what is too long for it into windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus_tools.parsing.penn import plain

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

OVERLAP = 4
"""A window shares one of so many parts with the one before.

Chosen by hand: a word at the edge of one window stands well inside another, and the pieces to
encode are a third more.
"""

QUOTES = {"``": '"', "''": '"'}

Tokens = tuple[str, ...]


class Window(NamedTuple):
    """Word pieces that go through the encoder together.

    ``text``    the index of their text.
    ``pieces``  the encoder's number of each piece.
    ``words``   the word of each piece in its text, -1 for none.
    """

    text: int
    pieces: list[int]
    words: list[int]


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


def _readable(token: str) -> str:
    """Write the token as running text has it: encoders do not know -LRB-."""
    return QUOTES.get(token) or plain(token)
