"""Reads and writes alignments in the formats of the field.

A new format is a function that writes it, or one that reads it, or both, with its name in
``OWN_WRITERS`` and ``READERS``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, NamedTuple, TextIO

from corpus_tools.alignments.alignment import (
    Alignment,
    Alignments,
    alignment_of_row,
    alignment_row,
    check,
    check_consistency,
    from_word_links,
    match,
    word_links,
)
from corpus_tools.base import files, reading
from corpus_tools.base.errors import BadData, PlainTextAlignments, number_of
from corpus_tools.base.progress import counted
from corpus_tools.pairs.given_pairs import PairLike, PairsLike, as_pairs
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.plugins.registry import Registry
from corpus_tools.texts.lexicons import content_tokens, read_ignore_list

MatchedAlignments = Iterable[tuple[Pair, Alignment]]
"""Pairs with their alignments, as from ``match``."""

NumberedAlignment = tuple[int | None, Alignment]
"""An alignment with its line in a file; ``None`` if it may have several lines."""

# Our JSON lines, with the characters of every phrase of raw text


def write_alignment_lines(matched: MatchedAlignments, stream: TextIO) -> None:
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
        stream.write(files.json_line(row))


def read_alignment_lines(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[NumberedAlignment]:
    """Read our JSON lines. They have ids, so the pairs are not needed."""
    for line, row in reading.numbered_json_lines(path, PlainTextAlignments):
        with reading.in_line(line, path):
            alignment = alignment_of_row(row)
        yield line, alignment


# Labels for extractive summarizers


LEAST_CHECKED_WORDS = 3
"""A sentence is used if so many of its content words are linked, or all that it has.

On propositions that people linked (SPARK), this finds sentences with F1 .702; one linked word gives
.664, four give .690 (docs/uses.md has the figures of ``semihmm support``).
"""


class SelectionLabels(NamedTuple):
    """The tokens and sentences of a document that its abstract uses: 1, and 0 for all others.

    ``tokens``     for each token, whether it is linked.
    ``sentences``  for each sentence, whether ``LEAST_CHECKED_WORDS`` of its tokens outside the
                   ignore list are linked, or all of them if it has fewer.
    """

    tokens: list[int]
    sentences: list[int]


def selection_labels(
    pair: Pair, alignment: Alignment, ignored: AbstractSet[str]
) -> SelectionLabels:
    """Return the labels of a pair. ``ignored`` is an ignore list (``read_ignore_list``)."""
    document = pair.document
    # A phrase links all its document words, so word links would give the same.
    used = {d for link in alignment.phrases for d in range(*link.document)}
    content = content_tokens(document.tokens, ignored)
    sentences = []
    for span in pairwise(document.boundaries):
        own = content.intersection(range(*span))
        needed = min(LEAST_CHECKED_WORDS, len(own))
        sentences.append(int(0 < needed <= len(own & used)))
    return SelectionLabels([int(d in used) for d in range(len(document))], sentences)


def write_labels(matched: MatchedAlignments, stream: TextIO) -> None:
    """Write one JSON object a pair: its id, and 0 or 1 for each document token and sentence.

    The fields are ``id``, ``document_tokens`` and ``document_sentences``: the labels of
    ``selection_labels`` with the default ignore list.
    """
    for pair, alignment in matched:
        labels = selection_labels(pair, alignment, read_ignore_list(code=pair.language))
        row = {f"document_{unit}": values for unit, values in labels._asdict().items()}
        stream.write(files.json_line({"id": pair.id} | row))


# Pharaoh, the format of word aligners: a line a pair, in the order of the pairs


def write_pharaoh(matched: MatchedAlignments, stream: TextIO) -> None:
    """Write one line a pair: ``d-a`` for each word link, document token first, counted from 0."""
    for pair, alignment in matched:
        links = sorted(word_links(alignment, pair.document.tokens, pair.abstract.tokens))
        stream.write(" ".join(f"{d}-{a}" for d, a in links) + "\n")


def read_pharaoh(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[NumberedAlignment]:
    """Read one line a pair, which is empty if nothing is linked. All probabilities are 1.0."""
    lines = list(reading.numbered_lines(path))
    if len(lines) != len(pairs):
        found = f"{number_of(len(lines), 'line')} for {number_of(len(pairs), 'pair')}"
        raise BadData(f"{found}: expected one for each, in order", reading.shown_name(path))
    links: list[list[WordLink]] = []
    for number, line in lines:
        with reading.in_line(number, path):
            links.append([*map(link_of, line.split())])
    if are_turned(links, pairs):
        problem = "most links join equal words only if the abstract's token comes first"
        raise BadData(f"{problem}; expected document-abstract", reading.shown_name(path))
    for (number, _), own, pair in zip(lines, links, pairs, strict=True):
        yield number, from_word_links(pair.id, own, len(pair.abstract))


MOST_TURNED, LEAST_TURNED = 0.1, 0.5
"""Links are turned if a smaller share than the first joins equal words, and a larger share than the
second joins equal words when the sides are swapped.

Half of the links of any aligner of summaries join equal words. Set by hand.
"""


def are_turned(links: Sequence[Sequence[WordLink]], pairs: Sequence[Pair]) -> bool:
    """Tell whether links ``(d, a)`` have the abstract's token first, by mistake."""
    straight = turned = total = 0
    for own, pair in zip(links, pairs, strict=True):
        document, abstract = (side.tokens for side in (pair.document, pair.abstract))
        for d, a in own:
            total += 1
            straight += d < len(document) and a < len(abstract) and document[d] == abstract[a]
            turned += a < len(document) and d < len(abstract) and document[a] == abstract[d]
    return straight < MOST_TURNED * total and turned > LEAST_TURNED * total


def link_of(item: str) -> WordLink:
    """Return the link ``i-j``. Raises ``BadData`` for anything else."""
    link = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", item)
    if not link:
        raise BadData(f"{item!r} is no link i-j of a document and an abstract token")
    return int(link[1]), int(link[2])


# All formats

Writer = Callable[[MatchedAlignments, TextIO], None]
Reader = Callable[[files.StrPath, Sequence[Pair]], Iterator[NumberedAlignment]]


WITHOUT_IDS = frozenset({"pharaoh"})
"""Formats whose n-th line belongs to the n-th pair, so that no pair may be left out."""


def _registry(what: str, own: dict[str, Any]) -> Registry[Any]:
    """List our own functions by format, and the functions ``what`` of other packages' modules.

    Formats of other packages have ids. Their files are not concatenated.
    """

    def function_of(module: Any) -> Any:
        if not (hasattr(module, "write") or hasattr(module, "read")):
            raise TypeError("it has neither write nor read")
        return getattr(module, what, None)

    return Registry(f"format to {what}", own, "semihmm.formats", function_of)


OWN_WRITERS = {"jsonl": write_alignment_lines, "pharaoh": write_pharaoh, "labels": write_labels}
WRITERS: Registry[Writer] = _registry("write", OWN_WRITERS)
READERS: Registry[Reader] = _registry(
    "read", {"jsonl": read_alignment_lines, "pharaoh": read_pharaoh}
)


def write(
    name: str, pairs: PairLike | PairsLike, alignments: Alignments, path: files.StrPath
) -> None:
    """Write the alignments of ``pairs``, in their order.

    ``name``  the format, one of ``WRITERS``.

    Raises ``BadUsage`` for an unknown name, and ``BadData`` if ids or positions do not match; then
    nothing is written.
    """
    writer = WRITERS.choose(name)
    matched = match(pairs, alignments)
    with files.replacing(path) as stream:
        writer(counted(matched, "writing"), stream)


def read(name: str, path: files.StrPath, pairs: PairLike | PairsLike) -> dict[str, Alignment]:
    """Read alignments of ``pairs``. Returns them by id.

    ``name``  the format of the file, one of ``READERS``.

    Files of the formats ``WITHOUT_IDS`` are in the order of the pairs. Raises ``BadUsage`` for an
    unknown name, and ``BadData`` with file and line for a malformed line (``check_consistency``) or
    an alignment that does not fit the pair of its id (``check``).
    """
    reader = READERS.choose(name)
    known = as_pairs(pairs)
    pairs_by_id = {pair.id: pair for pair in known}
    alignments: dict[str, Alignment] = {}
    for line, alignment in reader(path, known):
        id = alignment.id
        with reading.in_line(line, path):
            if id in pairs_by_id:
                check(alignment, pairs_by_id[id])
            check_consistency(alignment)
            if id in alignments:
                raise BadData(f"the id {id!r} was used on an earlier line: every id must be unique")
        alignments[id] = alignment
    return alignments
