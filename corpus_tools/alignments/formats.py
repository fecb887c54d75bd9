"""Matches alignments with their pairs; reads and writes alignments in the formats of the field.

A new format is a function that writes it, or one that reads it, or both, with its name in
``OWN_WRITERS`` and ``READERS``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TextIO

from corpus_tools.alignments.alignment import (
    Alignment,
    Alignments,
    PairDigests,
    alignment_of_row,
    alignment_row,
    from_word_links,
    pair_digests,
    word_links,
)
from corpus_tools.alignments.link_findings import write_labels, write_sentences
from corpus_tools.base import files, reading
from corpus_tools.base.errors import BadData, PlainTextAlignments, first_of, number_of
from corpus_tools.base.progress import counted
from corpus_tools.pairs.given_pairs import PairLike, PairsLike, as_pairs
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.plugins import Registry

# Alignments and their pairs belong together


MOST_WORD_LINKS = 1_000_000
"""The most word links of a phrase link. They take 100 MB; whole texts would have 100 times more."""


def check(alignment: Alignment, pair: Pair) -> None:
    """Raise ``BadData`` if ``alignment`` cannot be an alignment of ``pair``.

    The digests, if it has any, must be those of the pair. All positions must be in the texts. A
    phrase link may have at most ``MOST_WORD_LINKS`` word links.
    """
    if alignment.digests is not None:
        both = zip(PairDigests._fields, alignment.digests, pair_digests(pair), strict=True)
        for side, before, now in both:
            if before != now:
                raise BadData(
                    f"alignment {alignment.id!r} was made from another {side}: that one had "
                    f"{number_of(before.tokens, 'token')}, the {side} of the pair has "
                    f"{now.tokens} other ones; did the text or the tokenizer change?"
                )
    documents = [link.document[1] for link in alignment.phrases]
    abstracts = [link.abstract[1] for link in alignment.phrases]
    abstracts += [token + 1 for token in alignment.null]
    for side, ends in (("document", documents), ("abstract", abstracts)):
        end, length = max(ends, default=0), len(getattr(pair, side))
        if end > length:
            raise BadData(
                f"alignment {alignment.id!r} refers to {side} token {end - 1}, "
                f"but the {side} has {number_of(length, 'token')}, numbered from 0; "
                "was it made from the same text with the same tokenizer?"
            )
    for (a, a_end), (d, d_end), _ in alignment.phrases:
        if (a_end - a) * (d_end - d) > MOST_WORD_LINKS:
            raise BadData(
                f"alignment {alignment.id!r} links {a_end - a:,} abstract words with "
                f"{d_end - d:,} document words: no phrase is so long"
            )


def check_consistency(alignment: Alignment) -> None:
    """Raise ``BadData`` for repeated phrases, repeated null tokens, and null tokens in a phrase."""
    phrases = [(link.abstract, link.document) for link in alignment.phrases]
    entries = {"phrase (abstract, document)": phrases, "'null': abstract token": alignment.null}
    for name, values in entries.items():
        for entry, count in Counter(values).items():
            if count > 1:
                raise BadData(f"{name} {entry} occurs twice")
    # A wrong file may have spans of any length: a set of their tokens could fill the memory.
    null = sorted(alignment.null)
    for (start, end), _, _ in alignment.phrases:
        first = bisect_left(null, start)
        if first < len(null) and null[first] < end:
            raise BadData(f"abstract token {null[first]} is both in 'null' and in a phrase")


def match(pairs: PairLike | PairsLike, alignments: Alignments) -> list[tuple[Pair, Alignment]]:
    """Return each pair with the alignment of its id, in the order of the pairs.

    Raises ``BadData`` if an id is on one side only, if two alignments have the same id, or if an
    alignment does not fit its pair (``check``).
    """
    all_pairs = as_pairs(pairs)
    if not isinstance(alignments, Mapping):
        alignments = list(alignments)
        if twice := [id for id, count in Counter(a.id for a in alignments).items() if count > 1]:
            raise BadData(f"two alignments have the id {twice[0]!r}")
        alignments = {alignment.id: alignment for alignment in alignments}
    ids = {pair.id for pair in all_pairs}
    require_same_ids("the pairs", ids, "the alignments", alignments.keys())
    matched = [(pair, alignments[pair.id]) for pair in all_pairs]
    for pair, alignment in matched:
        check(alignment, pair)
    return matched


def require_same_ids(
    name: str, ids: AbstractSet[str], other_name: str, other_ids: AbstractSet[str]
) -> None:
    """Raise ``BadData`` unless both sides have the same ids.

    ``name``, ``other_name``  the names of the sides. The error says how many ids only one side has,
                              and names a few.
    """
    if ids != other_ids:
        raise BadData(
            f"the ids of {name} and {other_name} do not match: {_only_in(name, ids - other_ids)}, "
            f"{_only_in(other_name, other_ids - ids)}; both must cover the same texts"
        )


def _only_in(name: str, ids: AbstractSet[str]) -> str:
    return f"{len(ids)} only in {name}" + (f" ({first_of(sorted(ids))})" if ids else "")


MatchedAlignments = Iterable[tuple[Pair, Alignment]]
"""Pairs with their alignments, as from ``match``."""

NumberedAlignment = tuple[int | None, Alignment]
"""An alignment with its line in a file; ``None`` if its format uses several lines for one."""


# Our JSON lines, with the characters of every phrase of raw text


def write_alignment_lines(matched: MatchedAlignments, stream: TextIO) -> None:
    """Write one object for each pair, as ``alignment_row`` makes it.

    If a side was given as strings, each phrase has two more fields for that side:
    ``SIDE_characters`` is a list of ``[string, start, end]`` (half-open), one for each original
    string that has a part of the phrase; ``SIDE_text`` joins these parts by blanks.
    """
    for pair, alignment in matched:
        row = alignment_row(alignment.made_from(pair))
        for side, text in (("abstract", pair.abstract), ("document", pair.document)):
            if text.characters is not None:
                for phrase in row["phrases"]:
                    passage = text.passage(*phrase[side])
                    phrase[f"{side}_characters"] = passage.characters
                    phrase[f"{side}_text"] = passage.text
        stream.write(files.json_line(row))


def read_alignment_lines(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[NumberedAlignment]:
    """Read our JSON lines. They have ids, so the pairs are not needed."""
    for line, row in reading.numbered_json_lines(path, PlainTextAlignments):
        with reading.in_line(line, path):
            alignment = alignment_of_row(row)
        yield line, alignment


# Pharaoh, the format of word aligners: a line a pair, in the order of the pairs


def write_pharaoh(matched: MatchedAlignments, stream: TextIO) -> None:
    """Write one line for each pair: ``d-a`` for each word link, document token first, from 0 on."""
    for pair, alignment in matched:
        links = sorted(word_links(alignment, pair.document.tokens, pair.abstract.tokens))
        stream.write(" ".join(f"{d}-{a}" for d, a in links) + "\n")


def read_pharaoh(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[NumberedAlignment]:
    """Read one line for each pair, empty if nothing is linked. All probabilities are 1.0."""
    lines = list(reading.numbered_lines(path))
    if len(lines) != len(pairs):
        counts = f"{number_of(len(lines), 'line')} for {number_of(len(pairs), 'pair')}"
        raise BadData(f"{counts}: expected one for each, in order", reading.shown_name(path))
    links: list[list[WordLink]] = []
    for number, line in lines:
        with reading.in_line(number, path):
            links.append([*map(link_of, line.split())])
    if are_swapped(links, pairs):
        problem = "most links join equal words only if the abstract's token comes first"
        raise BadData(f"{problem}; expected document-abstract", reading.shown_name(path))
    for (number, _), pair_links, pair in zip(lines, links, pairs, strict=True):
        yield number, from_word_links(pair.id, pair_links, len(pair.abstract))


MOST_EQUAL_STRAIGHT, LEAST_EQUAL_SWAPPED = 0.1, 0.5
"""The sides of links are swapped if at most the first share of the links joins equal words as
written, and at least the second share does when the sides are exchanged.

Half of the links of any aligner of summaries join equal words. Set by hand.
"""


def are_swapped(links: Sequence[Sequence[WordLink]], pairs: Sequence[Pair]) -> bool:
    """Tell whether the sides of links are swapped: the abstract's token comes first by mistake."""
    straight = swapped = total = 0
    for pair_links, pair in zip(links, pairs, strict=True):
        document, abstract = (side.tokens for side in (pair.document, pair.abstract))
        for d, a in pair_links:
            total += 1
            straight += d < len(document) and a < len(abstract) and document[d] == abstract[a]
            swapped += a < len(document) and d < len(abstract) and document[a] == abstract[d]
    return straight < MOST_EQUAL_STRAIGHT * total and swapped > LEAST_EQUAL_SWAPPED * total


def link_of(item: str) -> WordLink:
    """Return the link that a text ``i-j`` stands for. Raises ``BadData`` for another text."""
    link = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", item)
    if not link:
        raise BadData(f"{item!r} is no link i-j of a document and an abstract token")
    return int(link[1]), int(link[2])


# All formats

Writer = Callable[[MatchedAlignments, TextIO], None]

Reader = Callable[[files.StrPath, Sequence[Pair]], Iterator[NumberedAlignment]]

WITHOUT_IDS = frozenset({"pharaoh"})
"""Formats without ids: the n-th line belongs to the n-th pair, and no pair may be left out."""


def _registry(verb: str, functions: dict[str, Any]) -> Registry[Any]:
    """Return the registry of the functions that write, or read, a format.

    ``verb``       ``write`` or ``read``: the name of the function in other packages' modules.
    ``functions``  our own functions by format.

    Formats of other packages must have ids. Their files are not concatenated.
    """

    def function_of(module: Any) -> Any:
        if not (hasattr(module, "write") or hasattr(module, "read")):
            raise TypeError("it has neither write nor read")
        return getattr(module, verb, None)

    return Registry(f"format to {verb}", functions, "semihmm.formats", function_of)


OWN_WRITERS = {"jsonl": write_alignment_lines, "pharaoh": write_pharaoh, "labels": write_labels}
"""The formats of which parts can be written one after the other."""

WRITERS: Registry[Writer] = _registry("write", {**OWN_WRITERS, "sentences": write_sentences})

READERS: Registry[Reader] = _registry(
    "read", {"jsonl": read_alignment_lines, "pharaoh": read_pharaoh}
)


def write(
    name: str, pairs: PairLike | PairsLike, alignments: Alignments, path: files.StrPath
) -> None:
    """Write the alignments of pairs, in the order of the pairs.

    ``name``  the format, one of ``WRITERS``.

    Raises ``BadUsage`` for an unknown name, and ``BadData`` if ids or positions do not match; then
    nothing is written.
    """
    writer = WRITERS.choose(name)
    matched = match(pairs, alignments)
    with files.replacing(path) as stream:
        writer(counted(matched, "writing"), stream)


def read(name: str, path: files.StrPath, pairs: PairLike | PairsLike) -> dict[str, Alignment]:
    """Read the alignments of pairs, and return them by id.

    ``name``  the format of the file, one of ``READERS``.

    Files of the formats ``WITHOUT_IDS`` are in the order of the pairs. Raises ``BadUsage`` for an
    unknown name, and ``BadData`` with file and line for a malformed line (``check_consistency``) or
    an alignment that does not fit the pair of its id (``check``).
    """
    reader = READERS.choose(name)
    all_pairs = as_pairs(pairs)
    pairs_by_id = {pair.id: pair for pair in all_pairs}
    alignments: dict[str, Alignment] = {}
    for line, alignment in reader(path, all_pairs):
        id = alignment.id
        with reading.in_line(line, path):
            if id in pairs_by_id:
                check(alignment, pairs_by_id[id])
            check_consistency(alignment)
            if id in alignments:
                raise BadData(f"the id {id!r} was used on an earlier line: every id must be unique")
        alignments[id] = alignment
    return alignments
