"""Reads and writes alignments in the formats of the field, each in a module of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TextIO

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.checks import Numbered, by_id
from corpus_tools.alignments.formats import a3, json_lines, labels, naacl, pharaoh, phrase_table
from corpus_tools.alignments.matching import Alignments, check, match
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.as_pairs import PairLike, PairsLike, as_pairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.registry import Registry
from corpus_tools.progress import counted
from corpus_tools.storage.files import StrPath, in_line, replacing

Matched = Iterable[tuple[Pair, Alignment]]
"""Pairs with their alignments, as ``match`` gives them."""

GROUP = "semihmm.formats"
"""The entry points of other packages: modules with ``write`` or ``read``, or both.

Their formats have ids, and their files are not joined.
"""


def _having(name: str) -> Callable[[Any], Any]:
    """Make the function that returns what a module has under a name."""

    def fitting(module: Any) -> Any:
        if not (hasattr(module, "write") or hasattr(module, "read")):
            raise TypeError("it has neither write nor read")
        return getattr(module, name, None)

    return fitting


WRITERS: Registry[Callable[[Matched, TextIO], None]] = Registry(
    "format to write",
    {
        "jsonl": json_lines.write,
        "pharaoh": pharaoh.write,
        "naacl": naacl.write,
        "a3": a3.write,
        "phrase-table": phrase_table.write,
        "labels": labels.write,
    },
    GROUP,
    _having("write"),
)

WITHOUT_IDS = frozenset({"pharaoh", "naacl", "a3"})
"""Formats whose n-th entry belongs to the n-th pair: none may be left out."""

JOINABLE = frozenset({"jsonl", "pharaoh", "labels"})
"""Formats of which two files, one after the other, are the file of the pairs of both."""

READERS: Registry[Callable[[StrPath, Sequence[Pair]], Iterator[Numbered]]] = Registry(
    "format to read",
    {"jsonl": json_lines.read, "pharaoh": pharaoh.read, "naacl": naacl.read, "a3": a3.read},
    GROUP,
    _having("read"),
)


def write(name: str, pairs: PairLike | PairsLike, alignments: Alignments, path: StrPath) -> None:
    """Write the alignments of ``pairs``, in their order.

    ``name``  the format, one of ``WRITERS``.

    Raises ``BadUsage`` for an unknown name and for a path in place of the pairs, ``BadData`` where
    ids or positions do not match: then nothing is written.
    """
    if isinstance(pairs, str | os.PathLike):
        raise BadUsage(
            "a path stands where the pairs belong: write takes the format, the pairs, their "
            "alignments and then the path"
        )
    writer = WRITERS.choose(name)
    matched = match(pairs, alignments)
    with replacing(path) as stream:
        writer(counted(matched, "writing"), stream)


def read(name: str, path: StrPath, pairs: PairLike | PairsLike) -> dict[str, Alignment]:
    """Read alignments of ``pairs``. Returns them by id.

    ``name``  the format of the file, one of ``READERS``.

    Formats ``WITHOUT_IDS`` are read in the order of the pairs. Raises
    ``BadUsage`` for an unknown name, ``BadData`` with file and line for anything malformed, for an
    alignment that contradicts itself, and for one that cannot be of the pair with its id.
    """
    reader = READERS.choose(name)
    known = as_pairs(pairs)
    return by_id(_of_the_pairs(reader(path, known), known, path), path)


def _of_the_pairs(
    alignments: Iterable[Numbered], pairs: Sequence[Pair], path: StrPath
) -> Iterator[Numbered]:
    """Yield the alignments. Raises ``BadData`` for one that cannot be of the pair with its id."""
    pairs_by_id = {pair.id: pair for pair in pairs}
    for line, alignment in alignments:
        pair = pairs_by_id.get(alignment.id)
        if pair is not None:
            with in_line(line, path):
                check(alignment, pair)
        yield line, alignment
