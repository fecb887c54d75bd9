"""Constituents of a sentence as plain values."""

from __future__ import annotations

from typing import NamedTuple

ROOT = "ROOT"
UNKNOWN = "X"
RANK_MARK = "#"
"""Stands in a root's label before the rank of the sentence, as in ``ROOT#1``."""


def without_rank(label: str) -> str:
    """Return a label as it is without the rank of its sentence."""
    return label.partition(RANK_MARK)[0] if RANK_MARK in label[1:] else label


class Bracket(NamedTuple):
    """A constituent over the tokens ``[start, end)`` of its sentence."""

    label: str
    start: int
    end: int


Tree = list[Bracket]
"""The brackets of one sentence in pre-order: parents first, even where both cover the same tokens.

The first is ``ROOT`` over all n tokens. Each token has one bracket without children: its tag
(preterminal).
"""


def flat(length: int) -> Tree:
    """Return a tree without structure for n tokens: every token is a child of the root."""
    return [
        Bracket(ROOT, 0, length),
        *(Bracket(UNKNOWN, token, token + 1) for token in range(length)),
    ]
