"""Alignments as values: phrase links, word links, the hand alignment, digests, JSON lines.

Daumé III and Marcu (2005), sections 2.1 and 5.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NamedTuple, TypeGuard

from corpus_tools.base.errors import BadData, HandAlignments
from corpus_tools.base.files import StrPath, write_json_lines
from corpus_tools.pairs.fields import checked_id, is_list_of
from corpus_tools.pairs.pair import Pair, WordLink

GOLD_SYSTEM = "gold"
"""The name of the hand alignments in lists of systems and annotators."""


class TextDigest(NamedTuple):
    """The number of tokens of a text and a hash of the tokens, which identify the text.

    ``tokens``  the number of tokens.
    ``hash``    the hexadecimal BLAKE2b hash, of 8 bytes, of the tokens as they are in the text, in
                UTF-8, with a byte 0 after each.
    """

    tokens: int
    hash: str


class PairDigests(NamedTuple):
    """The digests of the two sides of a pair."""

    document: TextDigest
    abstract: TextDigest


class PhraseLink(NamedTuple):
    """A phrase of the abstract that is aligned to a phrase of the document.

    ``abstract``, ``document``  token spans ``[start, end)``.
    ``probability``             the posterior of the link.
    """

    abstract: tuple[int, int]
    document: tuple[int, int]
    probability: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """The alignment of one pair.

    ``phrases``  the phrase links, sorted by abstract span.
    ``null``     the unaligned abstract tokens.
    ``digests``  the digests of the aligned texts; ``None`` if unknown, as in files of other
                 programs. Alignments with the same links are equal, whatever their digests.
    ``by``       the model that made the alignment, and its resources; empty if unknown.
    """

    id: str
    phrases: tuple[PhraseLink, ...] = ()
    null: tuple[int, ...] = ()
    digests: PairDigests | None = field(default=None, compare=False)
    by: str = field(default="", compare=False)

    def made_from(self, pair: Pair) -> Alignment:
        """Return the alignment with the digests of a pair, from which it was made."""
        return replace(self, digests=pair_digests(pair))


Alignments = Mapping[str, Alignment] | Iterable[Alignment]
"""Alignments by id, or one after another."""


def word_links(
    alignment: Alignment, document: Sequence[str], abstract: Sequence[str]
) -> set[WordLink]:
    """Return the word links ``(d, a)`` of an alignment, as soft precision counts them (section 5).

    A phrase link whose two sides are the same tokens, except for case, links them one by one. Any
    other phrase link links all its abstract words with all its document words. In plain Python:
    ``semihmm.reference.soft_links``.
    """
    links: set[WordLink] = set()
    for phrase in alignment.phrases:
        links.update(phrase_word_links(phrase, document, abstract))
    return links


def phrase_word_links(
    link: PhraseLink, document: Sequence[str], abstract: Sequence[str]
) -> list[WordLink]:
    """Return the word links of one phrase link as ``word_links`` does."""
    return linked_words(range(*link.document), range(*link.abstract), document, abstract)


def linked_words(
    from_document: Sequence[int],
    from_abstract: Sequence[int],
    document: Sequence[str],
    abstract: Sequence[str],
) -> list[WordLink]:
    """Return the word links of two phrases as ``word_links`` does; words need not be consecutive.

    ``from_document``, ``from_abstract``  the positions of the words, ascending.
    """
    document_words = [document[d].lower() for d in from_document]
    if document_words == [abstract[a].lower() for a in from_abstract]:
        return list(zip(from_document, from_abstract, strict=True))
    return [(d, a) for d in from_document for a in from_abstract]


LinkedTo = frozenset[tuple[int, bool]]
"""The document words to which an abstract word is linked, and for each whether the link is sure."""


def links_by_word(
    length: int, sure: AbstractSet[WordLink], possible: AbstractSet[WordLink]
) -> list[LinkedTo]:
    """Return the links of each of the ``length`` words of an abstract.

    Sure links may also be in ``possible``.
    """
    by_word: list[set[tuple[int, bool]]] = [set() for _ in range(length)]
    for d, a in sure | possible:
        by_word[a].add((d, (d, a) in sure))
    return list(map(frozenset, by_word))


def from_word_links(
    id: str, links: Mapping[WordLink, float] | Iterable[WordLink], abstract_length: int
) -> Alignment:
    """Make an alignment of one-word phrases. All other abstract words are null.

    ``links``  the links, with or without probabilities; without, all are 1.0.
    """
    probabilities = links if isinstance(links, Mapping) else dict.fromkeys(links, 1.0)
    phrases = sorted(PhraseLink((a, a + 1), (d, d + 1), p) for (d, a), p in probabilities.items())
    return Alignment(id, tuple(phrases), unaligned_tokens(phrases, abstract_length))


def unaligned_tokens(phrases: Iterable[PhraseLink], abstract_length: int) -> tuple[int, ...]:
    """Return the abstract tokens that are in no phrase link, ascending."""
    aligned = {a for phrase in phrases for a in range(*phrase.abstract)}
    return tuple(a for a in range(abstract_length) if a not in aligned)


# The hand alignment


def gold_alignment(pair: Pair) -> Alignment:
    """Return the hand alignment, sure and possible, as minimal phrases.

    Words that links connect, directly or through other words, are one phrase pair if they are
    contiguous on both sides. Otherwise two contiguous pieces are a phrase pair if a link connects
    them. A pair without a hand alignment has no phrases.
    """
    links = frozenset() if pair.sure is None else pair.gold_links()
    phrases = set()
    for component in connected(links):
        documents = _spans({d for d, _ in component})
        abstracts = _spans({a for _, a in component})
        phrases |= {PhraseLink(abstracts[a], documents[d], 1.0) for d, a in component}
    null = unaligned_tokens(phrases, len(pair.abstract))
    return Alignment(pair.id, tuple(sorted(phrases)), null)


def connected(links: Iterable[WordLink]) -> Iterable[list[WordLink]]:
    """Group the links so that two share a word only if they are in the same group."""
    # Union-find over the words of both sides.
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    for d, a in links:
        parent[root(d)] = root(~a)  # abstract words are the negative numbers
    groups = defaultdict(list)
    for d, a in links:
        groups[root(d)].append((d, a))
    return groups.values()


def _spans(positions: AbstractSet[int]) -> dict[int, tuple[int, int]]:
    """Return for each position the longest span ``[start, end)`` of positions around it."""
    return {number: (run[0], run[-1] + 1) for run in runs(positions) for number in run}


def runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Yield the runs of consecutive numbers, ascending."""
    # In a run, number - index is constant.
    for _, run in groupby(enumerate(sorted(numbers)), lambda item: item[1] - item[0]):
        yield [number for _, number in run]


# Digests: they tell whether the offsets of an alignment are those of a pair


def text_digest(tokens: Sequence[str]) -> TextDigest:
    """Return the digest of the tokens of a text, which ignores sentences and characters.

    The probability that any two of a million texts have the same hash is 3e-8.
    """
    # Strings from Python may have surrogates, which UTF-8 lacks.
    content = "\0".join([*tokens, ""]).encode("utf-8", "surrogatepass")
    return TextDigest(len(tokens), hashlib.blake2b(content, digest_size=8).hexdigest())


def pair_digests(pair: Pair) -> PairDigests:
    """Return the digests of both sides of a pair."""
    return PairDigests(text_digest(pair.document.tokens), text_digest(pair.abstract.tokens))


# Objects of JSON lines


def alignment_row(alignment: Alignment) -> dict[str, Any]:
    """Return an alignment as an object of our JSON lines, with probabilities of six digits."""
    row: dict[str, Any] = {
        "id": alignment.id,
        "phrases": [
            {"abstract": list(a), "document": list(d), "probability": float(f"{p:.6g}")}
            for a, d, p in alignment.phrases
        ],
        "null": list(alignment.null),
    }
    if alignment.digests is not None:
        sides = alignment.digests._asdict()
        row["digests"] = {side: digest._asdict() for side, digest in sides.items()}
    if alignment.by:
        row["by"] = alignment.by
    return row


def write_alignments(alignments: Iterable[Alignment], path: StrPath) -> None:
    """Write alignments as our JSON lines. Raises ``BadData`` if the file cannot be written."""
    write_json_lines(map(alignment_row, alignments), path)


def alignment_of_row(row: Mapping[str, Any]) -> Alignment:
    """Return the alignment of an object of our JSON lines. Raises ``BadData`` if it is malformed.

    Abstract spans may overlap, as in other systems. Optional keys are ``probability`` (default
    1.0), ``null``, ``digests`` and ``by``; further keys are ignored.
    """
    for key in ("id", "phrases"):
        if key not in row:
            if "sure" in row:
                raise HandAlignments("these are hand alignments: expected alignments of a model")
            raise BadData(f"an alignment without {key!r}")
    id, phrases = checked_id(row["id"]), row["phrases"]
    null, by = row.get("null", []), row.get("by", "")
    if not is_list_of(phrases, dict):
        raise BadData("'phrases' is not a list of objects {'abstract', 'document', 'probability'}")
    if not _are_positions(null):
        raise BadData(f"'null' is {null!r}, expected a list of token positions")
    digests = _digests(row["digests"]) if "digests" in row else None
    if not isinstance(by, str):
        raise BadData(f"'by' is {by!r}, expected a string that says what made the alignment")
    links = sorted(map(_phrase_link, phrases))
    return Alignment(id, tuple(links), tuple(sorted(null)), digests, by)


def _digests(row: Any) -> PairDigests:
    try:
        sides = [TextDigest(row[side]["tokens"], row[side]["hash"]) for side in PairDigests._fields]
    except (KeyError, TypeError):
        expected = "expected 'tokens' and 'hash' of 'document' and 'abstract'"
        raise BadData(f"'digests' is {row!r}, {expected}") from None
    return PairDigests(*sides)


def _phrase_link(phrase: Mapping[str, Any]) -> PhraseLink:
    probability = phrase.get("probability", 1.0)
    if type(probability) not in {int, float} or not 0 <= probability <= 1:
        raise BadData(f"'probability' is {probability!r}, expected a number from 0 to 1")
    return PhraseLink(_span(phrase, "abstract"), _span(phrase, "document"), float(probability))


def _span(phrase: Mapping[str, Any], side: str) -> tuple[int, int]:
    span: Any = phrase.get(side)
    if _are_positions(span) and len(span) == 2 and span[0] < span[1]:
        return span[0], span[1]
    raise BadData(f"{side!r} of a phrase is {span!r}, expected [start, end] of tokens, start < end")


def _are_positions(values: object) -> TypeGuard[list[int]]:
    # Types are compared: in Python True and False are integers.
    return is_list_of(values, int) and all(type(n) is int and n >= 0 for n in values)
