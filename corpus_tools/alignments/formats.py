"""Reads and writes alignments in the formats of the field.

A new format is a function that writes it or one that reads it, or both, and a line in ``FORMATS``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, NamedTuple, TextIO

from corpus_tools.alignments.alignment import (
    Alignment,
    Alignments,
    PhraseLink,
    alignment_of_row,
    alignment_row,
    check,
    check_consistency,
    from_word_links,
    match,
    phrase_word_links,
    word_links,
)
from corpus_tools.errors import BadData, PlainTextAlignments, number_of
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.pairs.records import PairLike, PairsLike, as_pairs
from corpus_tools.plugins.registry import Registry
from corpus_tools.progress import counted
from corpus_tools.storage import files
from corpus_tools.texts.forms import one_word
from corpus_tools.texts.lexicons import content_tokens, read_ignore_list

Matched = Iterable[tuple[Pair, Alignment]]
"""Pairs with their alignments, as ``match`` gives them."""

Numbered = tuple[int | None, Alignment]
"""An alignment with its line in a file, ``None`` if its lines may stand apart."""

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


def read_json_lines(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read our JSON lines; they carry ids, so the pairs are not needed."""
    for line, row in files.numbered_json_lines(path, PlainTextAlignments):
        with files.in_line(line, path):
            alignment = alignment_of_row(row)
        yield line, alignment


# Labels for extractive summarizers


LEAST_WORDS = 3
"""So many content words of a sentence must be linked, or all that it has: then it is used.

Of propositions that people linked (SPARK), sentences are found with F1 .702 so; one linked word
gives .664, four give .690 (docs/uses.md has what ``semihmm support`` finds).
"""


class SelectionLabels(NamedTuple):
    """What the abstract used of a document of n tokens in S sentences.

    ``tokens``     n times 1 for a token that is linked, and 0 for another.
    ``sentences``  S times 1 for a sentence of which ``LEAST_WORDS`` tokens outside the ignore list
                   are linked, or all that it has, and 0 for another.
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
    content = content_tokens(document.tokens, ignored)
    sentences = []
    for span in pairwise(document.boundaries):
        own = content.intersection(range(*span))
        needed = min(LEAST_WORDS, len(own))
        sentences.append(int(0 < needed <= len(own & used)))
    return SelectionLabels([int(d in used) for d in range(len(document))], sentences)


def write_labels(matched: Matched, stream: TextIO) -> None:
    """Write one JSON object a pair: its id, and 0 or 1 for each document token and sentence.

    The fields are ``id``, ``document_tokens`` and ``document_sentences``: the labels of
    ``selection_labels`` with the default ignore list.
    """
    for pair, alignment in matched:
        ignored = read_ignore_list(code=pair.language)
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


# Formats of word aligners: word links, in the order of the pairs


def _lines_of(path: files.StrPath, pairs: Sequence[Pair], each: int) -> list[str]:
    """Read a file without ids. Raises ``BadData`` unless it has so many lines for each pair."""
    lines = [line.strip() for _, line in files.numbered_lines(path)]
    if len(lines) != each * len(pairs):
        found = f"{number_of(len(lines), 'line')} for {number_of(len(pairs), 'pair')}"
        raise BadData(f"{found}: expected {each} for each, in order", files.shown_name(path))
    return lines


# Pharaoh: a line a pair


def write_pharaoh(matched: Matched, stream: TextIO) -> None:
    """Write one line a pair: ``d-a`` for each word link, document token first, counted from 0."""
    for pair, alignment in matched:
        links = sorted(word_links(alignment, pair.document.tokens, pair.abstract.tokens))
        stream.write(" ".join(f"{d}-{a}" for d, a in links) + "\n")


def read_pharaoh(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read one line a pair, an empty one where nothing is linked.

    All probabilities are 1.0.
    """
    lines = _lines_of(path, pairs, each=1)
    for number, (line, pair) in enumerate(zip(lines, pairs, strict=True), 1):
        with files.in_line(number, path):
            links = map(link_of, line.split())
            yield number, from_word_links(pair.id, links, len(pair.abstract))


def link_of(item: str) -> WordLink:
    """Return the link ``i-j``. Raises ``BadData`` for anything else."""
    link = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", item)
    if not link:
        raise BadData(f"{item!r} is no link i-j of a document and an abstract token")
    return int(link[1]), int(link[2])


# NAACL: a line a word link, ``sentence document_token abstract_token [S|P] [confidence]``,
# everything counted from 1

NAACL_LINE = re.compile(
    r"(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})(?:\s+[SP])?(?:\s+(\d*\.?\d+(?:[eE][+-]?\d+)?))?", re.ASCII
)

Links = dict[WordLink, float]
"""The word links of a pair with their probabilities."""


def write_naacl(matched: Matched, stream: TextIO) -> None:
    """Write the word links: all of them sure, with their probabilities.

    A word link of several phrase links has the highest of their probabilities.
    """
    for number, (pair, alignment) in enumerate(matched, 1):
        links: Links = {}
        for phrase in alignment.phrases:
            for link in phrase_word_links(phrase, pair.document.tokens, pair.abstract.tokens):
                links[link] = max(links.get(link, 0.0), phrase.probability)
        stream.writelines(
            f"{number} {d + 1} {a + 1} S {probability:.6g}\n"
            for (d, a), probability in sorted(links.items())
        )


def read_naacl(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read word links; sentence n is the n-th pair.

    S and P links alike are links, with the confidence as probability, or 1.0 without confidence.
    Token 0 stands for the null word: such a line links nothing. A pair without lines has no links.
    """
    links: list[Links] = [{} for _ in pairs]
    number = 0
    for number, line in files.numbered_lines(path):
        with files.in_line(number, path):
            _add_naacl(line.strip(), links, pairs)
    if number == 0:
        raise BadData("the file is empty, expected one word link a line", files.shown_name(path))
    for pair, own in zip(pairs, links, strict=True):
        yield None, from_word_links(pair.id, own, len(pair.abstract))


def _add_naacl(line: str, links: Sequence[Links], pairs: Sequence[Pair]) -> None:
    """Add the link of a line to those of its pair."""
    parts = NAACL_LINE.fullmatch(line)
    confidence = float(parts[4] or 1.0) if parts else 1.0
    if not parts or confidence > 1:
        raise BadData(
            f"{line!r}: expected 'sentence document_token abstract_token [S|P] [confidence]', "
            "the numbers counted from 1, the confidence from 0 to 1"
        )
    sentence, document, abstract = (int(parts[group]) for group in (1, 2, 3))
    if not 1 <= sentence <= len(pairs):
        raise BadData(f"sentence {sentence}, but there are only {number_of(len(pairs), 'pair')}")
    if document and abstract:
        pair, own = pairs[sentence - 1], links[sentence - 1]
        link = document - 1, abstract - 1
        # Here the line is known; that of the whole alignment is not.
        check(from_word_links(pair.id, [link], 0), pair)
        own[link] = max(own.get(link, 0.0), confidence)


# A3: three lines a pair, the document as source, the abstract as target
#
#    # Sentence pair (1) source length 3 target length 2 alignment score : 1
#    Apple sells
#    NULL ({ }) Apple ({ 1 }) sold ({ 2 }) Macs ({ })
#
# The second line is the abstract; the third the document, each word with the abstract tokens
# (counted from 1) that it is linked to. GIZA++ itself writes every abstract token once. Here it may
# stand with several document words, so that the links of phrases can be written too.

A3_WORD = re.compile(r"(\S+)\s+\(\{((?:\s+[1-9]\d{0,8})*)\s+\}\)(?:\s+|$)", re.ASCII)
"""A word and its numbers. The word may itself look like a bracket."""


def _a3_head(number: int, pair: Pair) -> str:
    """Return the first line of a pair up to the score, as GIZA++ writes it."""
    lengths = f"source length {len(pair.document)} target length {len(pair.abstract)}"
    return f"# Sentence pair ({number}) {lengths} alignment score :"


def write_a3(matched: Matched, stream: TextIO) -> None:
    """Write three lines a pair. The alignment score is 1: alignments have no such number here."""
    for number, (pair, alignment) in enumerate(matched, 1):
        document, abstract = pair.document.tokens, pair.abstract.tokens
        links = word_links(alignment, document, abstract)
        unlinked = set(range(len(abstract))) - {a for _, a in links}
        # The abstract tokens of NULL, then those of each document word.
        linked: list[list[int]] = [sorted(unlinked), *([] for _ in document)]
        for d, a in sorted(links):
            linked[d + 1].append(a)
        words = [
            f"{one_word(word)} ({{ {''.join(f'{a + 1} ' for a in own)}}})"
            for word, own in zip(("NULL", *document), linked, strict=True)
        ]
        target = map(one_word, abstract)
        lines = [f"{_a3_head(number, pair)} 1", " ".join(target), " ".join(words)]
        stream.writelines(f"{line}\n" for line in lines)


def read_a3(path: files.StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read three lines a pair, in the order of the pairs.

    The numbers of words are checked, their spellings are not.
    """
    lines = _lines_of(path, pairs, each=3)
    for n, pair in enumerate(pairs):
        # The second line is the abstract, whose length the head has: its spelling does not matter.
        head, _, words = lines[3 * n : 3 * n + 3]
        with files.in_line(3 * n + 1, path):
            if not head.startswith(_a3_head(n + 1, pair)):
                raise BadData(f"{head!r}: expected {_a3_head(n + 1, pair)!r} for pair {pair.id!r}")
        with files.in_line(3 * n + 3, path):
            links = _a3_links(words, pair)
        yield 3 * n + 3, from_word_links(pair.id, links, len(pair.abstract))


def _a3_links(line: str, pair: Pair) -> list[WordLink]:
    """Return the links of a third line. Raises ``BadData`` for a line that is not of the pair."""
    words = A3_WORD.findall(line)
    rest = A3_WORD.sub("", line)
    if rest or not words or words[0][0] != "NULL":
        found = (rest or line)[:40]
        raise BadData(f"found {found!r}, expected 'NULL ({{ numbers }}) word ({{ numbers }}) ...'")
    null, *linked = [[int(number) for number in numbers.split()] for _, numbers in words]
    if len(linked) != len(pair.document):
        raise BadData(
            f"{number_of(len(linked), 'word')} behind NULL, but the document of pair {pair.id!r} "
            f"has {number_of(len(pair.document), 'token')}"
        )
    if twice := set(null).intersection(a for numbers in linked for a in numbers):
        raise BadData(f"abstract token {min(twice)} stands both with NULL and with another word")
    return [(d, a - 1) for d, numbers in enumerate(linked) for a in numbers]


# All formats

Writer = Callable[[Matched, TextIO], None]
Reader = Callable[[files.StrPath, Sequence[Pair]], Iterator[Numbered]]


class Format(NamedTuple):
    """A format of our own. Those of other packages are modules with ``write`` or ``read``."""

    write: Writer
    read: Reader | None = None


FORMATS = {
    "jsonl": Format(write_json_lines, read_json_lines),
    "pharaoh": Format(write_pharaoh, read_pharaoh),
    "naacl": Format(write_naacl, read_naacl),
    "a3": Format(write_a3, read_a3),
    "phrase-table": Format(write_phrase_table),
    "labels": Format(write_labels),
}

WITHOUT_IDS = frozenset({"pharaoh", "naacl", "a3"})
"""Formats whose n-th entry belongs to the n-th pair: none may be left out."""

JOINABLE = frozenset({"jsonl", "pharaoh", "labels"})
"""Formats of which two files, one after the other, are the file of the pairs of both."""


def _registry(what: str) -> Registry[Any]:
    """List the formats that have the function ``what``.

    Formats of other packages have ids, and their files are not joined.
    """

    def function_of(module: Any) -> Any:
        if not (hasattr(module, "write") or hasattr(module, "read")):
            raise TypeError("it has neither write nor read")
        return getattr(module, what, None)

    functions = {name: getattr(format, what) for name, format in FORMATS.items()}
    own = {name: function for name, function in functions.items() if function}
    return Registry(f"format to {what}", own, "semihmm.formats", function_of)


WRITERS: Registry[Writer] = _registry("write")
READERS: Registry[Reader] = _registry("read")


def write(
    name: str, pairs: PairLike | PairsLike, alignments: Alignments, path: files.StrPath
) -> None:
    """Write the alignments of ``pairs``, in their order.

    ``name``  the format, one of ``WRITERS``.

    Raises ``BadUsage`` for an unknown name, ``BadData`` where ids or positions do not match: then
    nothing is written.
    """
    writer = WRITERS.choose(name)
    matched = match(pairs, alignments)
    with files.replacing(path) as stream:
        writer(counted(matched, "writing"), stream)


def read(name: str, path: files.StrPath, pairs: PairLike | PairsLike) -> dict[str, Alignment]:
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
        with files.in_line(line, path):
            if id in pairs_by_id:
                check(alignment, pairs_by_id[id])
            check_consistency(alignment)
            if id in alignments:
                raise BadData(f"the id {id!r} was used on an earlier line: every id must be unique")
        alignments[id] = alignment
    return alignments
