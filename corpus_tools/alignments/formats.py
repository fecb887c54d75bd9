"""Reads and writes alignments in the formats of the field.

Those that are read in the order of the pairs are in ``word_link_formats``.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, NamedTuple, TextIO

from corpus_tools.alignments import word_link_formats as word_links
from corpus_tools.alignments.alignment import (
    Alignment,
    Alignments,
    PhraseLink,
    alignment_of_row,
    alignment_row,
    check,
    check_consistency,
    match,
    phrase_word_links,
)
from corpus_tools.alignments.word_link_formats import Matched, Numbered
from corpus_tools.errors import BadData, BadUsage, PlainTextAlignments
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import PairLike, PairsLike, as_pairs
from corpus_tools.plugins.registry import Registry
from corpus_tools.progress import counted
from corpus_tools.storage.files import StrPath, in_line, numbered_json_lines, replacing
from corpus_tools.texts.lexicons import content_tokens, read_ignore_list
from corpus_tools.texts.tokenizers import one_word

# Our JSON lines, with the characters of every phrase of raw text


def write_json_lines(matched: Matched, stream: TextIO) -> None:
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


def read_json_lines(path: StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read our JSON lines; they carry ids, so the pairs are not needed."""
    for line, row in numbered_json_lines(path, PlainTextAlignments):
        with in_line(line, path):
            alignment = alignment_of_row(row)
        yield line, alignment


# Labels for extractive summarizers


class SelectionLabels(NamedTuple):
    """What the abstract used of a document of n tokens in S sentences.

    ``tokens``     n times 1 for a token that is linked, and 0 for another.
    ``sentences``  S times 1 for a sentence of which a token outside the ignore list is linked, and
                   0 for another: a link of "the" or of a full stop alone does not count.
    """

    tokens: list[int]
    sentences: list[int]


def selection_labels(
    pair: Pair, alignment: Alignment, ignored: AbstractSet[str]
) -> SelectionLabels:
    """Return the labels of a pair. ``ignored`` is an ignore list (``read_ignore_list``)."""
    document = pair.document
    # Word links, not phrases, would say the same: a phrase links all its document words.
    used = {d for link in alignment.phrases for d in range(*link.document)}
    content = used & content_tokens(document.tokens, ignored)
    sentences = [any(d in content for d in range(*span)) for span in pairwise(document.boundaries)]
    return SelectionLabels(
        [int(d in used) for d in range(len(document))], list(map(int, sentences))
    )


def write_labels(matched: Matched, stream: TextIO) -> None:
    """Write one JSON object a pair: its id, and 0 or 1 for each document token and sentence.

    The fields are ``id``, ``document_tokens`` and ``document_sentences``: the labels of
    ``selection_labels`` with the default ignore list.
    """
    ignored = read_ignore_list()
    for pair, alignment in matched:
        tokens, sentences = selection_labels(pair, alignment, ignored)
        row = {"id": pair.id, "document_tokens": tokens, "document_sentences": sentences}
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")


# The phrase table of Moses (phrase-based translation)


def write_phrase_table(matched: Matched, stream: TextIO) -> None:
    """Write one line for each two phrases that were aligned somewhere in the corpus.

    document phrase ||| abstract phrase ||| p(a|d) p(d|a) ||| points d-a ||| count(a) count(d)
    count(both)

    Each phrase link counts 1. Abstract words that are aligned to nothing are in no count. Tokens
    keep their case.
    """
    both = Counter(
        (pair.document.tokens[slice(*link.document)], pair.abstract.tokens[slice(*link.abstract)])
        for pair, alignment in matched
        for link in alignment.phrases
    )
    of_document = Counter(document for document, _ in both.elements())
    of_abstract = Counter(abstract for _, abstract in both.elements())
    for (document, abstract), count in sorted(both.items()):
        d, a = of_document[document], of_abstract[abstract]
        whole = PhraseLink((0, len(abstract)), (0, len(document)), 1.0)
        points = (f"{i}-{j}" for i, j in phrase_word_links(whole, document, abstract))
        stream.write(
            f"{_phrase(document)} ||| {_phrase(abstract)} ||| {count / d:.6g} {count / a:.6g} ||| "
            f"{' '.join(points)} ||| {a} {d} {count}\n"
        )


def _phrase(words: Sequence[str]) -> str:
    # The escape that Moses uses: a token of bars would end the field.
    return " ".join(one_word(word).replace("|", "&#124;") for word in words)


# All formats

Writer = Callable[[Matched, TextIO], None]
Reader = Callable[[StrPath, Sequence[Pair]], Iterator[Numbered]]

WITHOUT_IDS = frozenset({"pharaoh", "naacl", "a3"})
"""Formats whose n-th entry belongs to the n-th pair: none may be left out."""

JOINABLE = frozenset({"jsonl", "pharaoh", "labels"})
"""Formats of which two files, one after the other, are the file of the pairs of both."""


def _registry(what: str, own: Mapping[str, Any]) -> Registry[Any]:
    """List the functions ``what`` of our formats and of those of other packages.

    The entry points of other packages are modules with ``write`` or ``read``, or both. Their
    formats have ids, and their files are not joined.
    """

    def function_of(module: Any) -> Any:
        if not (hasattr(module, "write") or hasattr(module, "read")):
            raise TypeError("it has neither write nor read")
        return getattr(module, what, None)

    return Registry(f"format to {what}", own, "semihmm.formats", function_of)


WRITERS: Registry[Writer] = _registry(
    "write",
    {
        "jsonl": write_json_lines,
        "pharaoh": word_links.write_pharaoh,
        "naacl": word_links.write_naacl,
        "a3": word_links.write_a3,
        "phrase-table": write_phrase_table,
        "labels": write_labels,
    },
)
READERS: Registry[Reader] = _registry(
    "read",
    {
        "jsonl": read_json_lines,
        "pharaoh": word_links.read_pharaoh,
        "naacl": word_links.read_naacl,
        "a3": word_links.read_a3,
    },
)


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
