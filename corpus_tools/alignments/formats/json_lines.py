"""Reads and writes our JSON lines, with the characters of every phrase of raw text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, Numbered, alignment_of_row, alignment_row
from corpus_tools.errors import PlainTextAlignments
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import StrPath, in_line, numbered_json_lines


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write one object a pair, as ``alignment_row`` makes it.

    Where a side was given as strings, each phrase also has two more fields for that side:
    ``SIDE_characters`` is ``[string, start, end]`` (half-open) for each original string that it
    touches, and ``SIDE_text`` is those parts of the strings, joined by a blank.
    """
    for pair, alignment in matched:
        row = alignment_row(alignment.made_from(pair))
        for side, text in (("abstract", pair.abstract), ("document", pair.document)):
            if text.characters is not None:
                for phrase in row["phrases"]:
                    passage = text.passage(*phrase[side])
                    phrase[f"{side}_characters"] = passage.characters
                    phrase[f"{side}_text"] = passage.text
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def read(path: StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read our JSON lines; they carry ids, so the pairs are not needed."""
    for line, row in numbered_json_lines(path, PlainTextAlignments):
        with in_line(line, path):
            alignment = alignment_of_row(row)
        yield line, alignment
