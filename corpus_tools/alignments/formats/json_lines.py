"""Our JSON lines, with the characters of every phrase where the pairs were raw text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from os import PathLike
from typing import Any, TextIO

from corpus_tools.alignments.alignment import Alignment, alignment_row, read_alignments
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text


def write(matched: Sequence[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """One object a pair, as ``alignment_row`` makes it.

    Where a side was given as strings, each phrase also gets, for that side, ``SIDE_characters``
    (``[string, start, end]`` for each original string that it touches, half-open) and ``SIDE_text`` (those
    stretches of the strings, joined by a space).
    """
    for pair, alignment in matched:
        row = alignment_row(alignment)
        for phrase in row["phrases"]:
            phrase |= _characters("abstract", pair.abstract, phrase)
            phrase |= _characters("document", pair.document, phrase)
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def _characters(side: str, text: Text, phrase: dict[str, Any]) -> dict[str, Any]:
    if text.characters is None:
        return {}
    start, end = phrase[side]
    stretches = []
    for string, tokens in groupby(text.characters[start:end], key=lambda token: token.string):
        places = list(tokens)
        stretches.append([string, places[0].start, places[-1].end])
    words = " ".join(text.strings[string][start:end] for string, start, end in stretches)
    return {f"{side}_characters": stretches, f"{side}_text": words}


def read(path: str | PathLike, pairs: Sequence[Pair]) -> dict[str, Alignment]:
    """Read our JSON lines; they carry ids, so the pairs are not needed."""
    return read_alignments(path)
