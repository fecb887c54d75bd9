"""Reads and writes alignments in the formats of the field, each in a module of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TextIO

from corpus_tools.alignments.alignment import Alignment, Numbered
from corpus_tools.alignments.formats import a3, json_lines, labels, naacl, pharaoh, phrase_table
from corpus_tools.alignments.matching import Alignments, check, check_consistency, match
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.as_pairs import PairLike, PairsLike, as_pairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.registry import Registry
from corpus_tools.progress import counted
from corpus_tools.storage.files import StrPath, in_line, replacing

Matched = Iterable[tuple[Pair, Alignment]]
"""Pairs with their alignments, as ``match`` gives them."""

FORMATS = {
    "jsonl": json_lines,
    "pharaoh": pharaoh,
    "naacl": naacl,
    "a3": a3,
    "phrase-table": phrase_table,
    "labels": labels,
}
"""Modules with ``write`` or ``read``, or both."""

WITHOUT_IDS = frozenset({"pharaoh", "naacl", "a3"})
"""Formats whose n-th entry belongs to the n-th pair: none may be left out."""

JOINABLE = frozenset({"jsonl", "pharaoh", "labels"})
"""Formats of which two files, one after the other, are the file of the pairs of both."""


def _registry(what: str) -> Registry[Any]:
    """List the formats that have the function ``what``.

    The entry points of other packages are such modules too. Their formats have ids, and their files
    are not joined.
    """

    def function_of(module: Any) -> Any:
        if not (hasattr(module, "write") or hasattr(module, "read")):
            raise TypeError("it has neither write nor read")
        return getattr(module, what, None)

    own = {name: getattr(module, what) for name, module in FORMATS.items() if hasattr(module, what)}
    return Registry(f"format to {what}", own, "semihmm.formats", function_of)


WRITERS: Registry[Callable[[Matched, TextIO], None]] = _registry("write")
READERS: Registry[Callable[[StrPath, Sequence[Pair]], Iterator[Numbered]]] = _registry("read")


def write(name: str, pairs: PairLike | PairsLike, alignments: Alignments, path: StrPath) -> None:
    """Write the alignments of ``pairs``, in their order.

    ``name``  the format, one of ``WRITERS``.

    Raises ``BadUsage`` for an unknown name and for a path in place of the pairs, ``BadData`` where
    ids or positions do not match: then nothing is written.
    """
    # Whoever takes the arguments of ``read`` is told the order.
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
    pairs_by_id = {pair.id: pair for pair in known}
    alignments: dict[str, Alignment] = {}
    for line, alignment in reader(path, known):
        id = alignment.id
        with in_line(line, path):
            if id in pairs_by_id:
                check(alignment, pairs_by_id[id])
            check_consistency(alignment)
            if id in alignments:
                raise BadData(f"the id {id!r} was used on an earlier line: every id must be unique")
        alignments[id] = alignment
    return alignments
