"""Alignments: phrase links with their probabilities, the word links they stand for, and their JSON lines.

Daumé III and Marcu (2005), sections 2.1 and 5.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import WordLink
from corpus_tools.storage.files import in_line, numbered_json_lines, replacing

if TYPE_CHECKING:
    from os import PathLike


class PhraseLink(NamedTuple):
    """Abstract tokens ``[start, end)`` aligned to document tokens ``[start, end)``, with its posterior."""

    abstract: tuple[int, int]
    document: tuple[int, int]
    probability: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """The phrase links of one pair, sorted by abstract span, and the abstract tokens aligned to nothing."""

    id: str
    phrases: tuple[PhraseLink, ...] = ()
    null: tuple[int, ...] = ()


def word_links(
    alignment: Alignment, document: Sequence[str], abstract: Sequence[str]
) -> set[WordLink]:
    """The word links ``(d, a)`` of an alignment, as soft precision counts them (section 5).

    A phrase link of identical token sequences (case aside) stands for its words on the diagonal, any other
    for all pairs.
    """
    return {x for link in alignment.phrases for x in phrase_word_links(link, document, abstract)}


def phrase_word_links(
    link: PhraseLink, document: Sequence[str], abstract: Sequence[str]
) -> list[WordLink]:
    """The word links of one phrase link; see ``word_links``."""
    (a, a_end), (d, d_end), _ = link
    if [w.lower() for w in document[d:d_end]] == [w.lower() for w in abstract[a:a_end]]:
        return list(zip(range(d, d_end), range(a, a_end), strict=True))
    return [(x, y) for x in range(d, d_end) for y in range(a, a_end)]


def from_word_links(id: str, links: Mapping[WordLink, float], abstract_length: int) -> Alignment:
    """An alignment of one-word phrases, from the probability of each word link; all other words are null."""
    phrases = sorted(PhraseLink((a, a + 1), (d, d + 1), p) for (d, a), p in links.items())
    return Alignment(id, tuple(phrases), unaligned_tokens(phrases, abstract_length))


def unaligned_tokens(phrases: Iterable[PhraseLink], abstract_length: int) -> tuple[int, ...]:
    """Return the abstract tokens that no phrase link holds, ascending."""
    aligned = {a for phrase in phrases for a in range(*phrase.abstract)}
    return tuple(a for a in range(abstract_length) if a not in aligned)


def alignment_row(alignment: Alignment) -> dict[str, Any]:
    """An alignment as a row of our JSON lines; probabilities keep six significant digits."""
    return {
        "id": alignment.id,
        "phrases": [
            {"abstract": list(a), "document": list(d), "probability": float(f"{p:.6g}")}
            for a, d, p in alignment.phrases
        ],
        "null": list(alignment.null),
    }


def write_alignments(alignments: Iterable[Alignment], path: str | PathLike) -> None:
    """Write alignments as our JSON lines."""
    with replacing(path) as lines:
        lines.writelines(
            json.dumps(alignment_row(a), ensure_ascii=False) + "\n" for a in alignments
        )


def read_alignments(path: str | PathLike) -> dict[str, Alignment]:
    """Read our JSON lines: alignments by id, in the order of the file.

    Abstract spans may overlap (other systems' phrases do); ``probability`` (1.0) and ``null`` (none) may be
    left out; further keys are ignored.
    Raises ``BadData`` with file and line for anything malformed and for a repeated id.
    """
    alignments: dict[str, Alignment] = {}
    for line, row in numbered_json_lines(path):
        with in_line(line, path):
            alignment = _alignment(row)
            if alignment.id in alignments:
                raise BadData(
                    f"the id {alignment.id!r} was used on an earlier line: every id must be unique"
                )
        alignments[alignment.id] = alignment
    return alignments


def _alignment(row: Mapping[str, Any]) -> Alignment:
    for key in ("id", "phrases"):
        if key not in row:
            raise BadData(
                f"no {key!r} in an alignment; its keys are {', '.join(map(repr, row)) or 'none'}"
            )
    id, phrases, null = row["id"], row["phrases"], row.get("null", [])
    if isinstance(id, bool) or not isinstance(id, str | int | float):
        raise BadData(f"'id' is {id!r}, expected a string or a number")
    if not isinstance(phrases, list) or not all(isinstance(phrase, dict) for phrase in phrases):
        raise BadData("'phrases' is not a list of objects {'abstract', 'document', 'probability'}")
    if not isinstance(null, list) or not all(_is_offset(token) for token in null):
        raise BadData(f"'null' is {null!r}, expected a list of token offsets")
    return Alignment(str(id), tuple(sorted(map(_phrase_link, phrases))), tuple(null))


def _phrase_link(phrase: Mapping[str, Any]) -> PhraseLink:
    probability = phrase.get("probability", 1.0)
    if (
        isinstance(probability, bool)
        or not isinstance(probability, int | float)
        or not 0 <= probability <= 1
    ):
        raise BadData(f"'probability' is {probability!r}, expected a number from 0 to 1")
    return PhraseLink(_span(phrase, "abstract"), _span(phrase, "document"), float(probability))


def _span(phrase: Mapping[str, Any], side: str) -> tuple[int, int]:
    span = phrase.get(side)
    if not (
        isinstance(span, list)
        and len(span) == 2
        and all(map(_is_offset, span))
        and span[0] < span[1]
    ):
        raise BadData(
            f"{side!r} of a phrase is {span!r}, expected [start, end] with 0 <= start < end (token offsets)"
        )
    return span[0], span[1]


def _is_offset(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
