"""Writes alignments as objects of JSON lines, and reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from corpus_tools.alignments.alignment import Alignment, PairDigests, PhraseLink, TextDigest
from corpus_tools.base.errors import BadData, HandAlignments
from corpus_tools.base.files import StrPath, write_json_lines
from corpus_tools.pairs.fields import checked_id
from corpus_tools.pairs.sides import is_list_of


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
    if not is_list_of(phrases, lambda phrase: isinstance(phrase, dict)):
        raise BadData("'phrases' is not a list of objects {'abstract', 'document', 'probability'}")
    if not is_list_of(null, _is_position):
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
        expected = "'tokens' and 'hash' of 'document' and 'abstract'"
        raise BadData(f"'digests' is {row!r}, expected {expected}") from None
    return PairDigests(*sides)


def _phrase_link(phrase: Mapping[str, Any]) -> PhraseLink:
    probability = phrase.get("probability", 1.0)
    if type(probability) not in {int, float} or not 0 <= probability <= 1:
        raise BadData(f"'probability' is {probability!r}, expected a number from 0 to 1")
    return PhraseLink(_span(phrase, "abstract"), _span(phrase, "document"), float(probability))


def _span(phrase: Mapping[str, Any], side: str) -> tuple[int, int]:
    span: Any = phrase.get(side)
    if is_list_of(span, _is_position) and len(span) == 2 and span[0] < span[1]:
        return span[0], span[1]
    raise BadData(f"{side!r} of a phrase is {span!r}, expected [start, end] of tokens, start < end")


def _is_position(value: object) -> bool:
    # Not isinstance: in Python True and False are integers.
    return type(value) is int and value >= 0
