"""Reads the file of hand alignments that a session continues."""

from __future__ import annotations

import math
import os
import reprlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corpus_tools.alignments.alignment import pair_digests
from corpus_tools.base import files, reading
from corpus_tools.base.errors import BadData, OtherPairs
from corpus_tools.base.reading import numbered_json_lines
from corpus_tools.pages.pair_view import exact_phrases
from corpus_tools.pairs.fields import SIDE_KEYS
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.applications.annotate.annotation import Annotation, Row, read_annotation
from semihmm.applications.annotate.phrases import Phrases

ANNOTATION_FIELD = "annotation"


LINK_FIELDS = ("sure", "possible")


SECONDS_FIELD = "seconds"


def read_annotations(
    path: files.StrPath, pairs: Sequence[Pair], tokenizer: str | None, language: str | None = None
) -> list[Annotation]:
    """Return the annotations of all pairs in a file.

    Raises the errors of ``read_gold``, and ``BadData`` if there is no file.
    """
    if not os.path.exists(path):
        raise BadData("cannot read: there is no such file", path)
    return read_gold(path, pairs, tokenizer, language)[1]


def read_gold(
    path: files.StrPath, pairs: Sequence[Pair], tokenizer: str | None, language: str | None = None
) -> tuple[dict[str, dict[str, Any]], list[Annotation], dict[str, float]]:
    """Read the hand alignments of some pairs; without a file all annotations are blank.

    ``tokenizer``, ``language``  for texts that are no lists of tokens.

    Returns the records by id, without the fields of annotations; the annotations of all pairs; and
    the seconds of work by id. A pair with links but without the field ``annotation``, as from
    another program, is decided, and its words without a link are null.

    Raises ``BadData`` with file and line for pairs that are not among ``pairs``, for pairs whose
    texts have changed, and for links that contradict the annotation.
    """
    records: dict[str, dict[str, Any]] = {}
    seconds: dict[str, float] = {}
    annotations = {pair.id: Annotation(len(pair.abstract)) for pair in pairs}
    if os.path.exists(path):
        pairs_by_id = {pair.id: pair for pair in pairs}
        annotated_pairs = read_pairs(path, tokenizer, language=language)
        lines = numbered_json_lines(path)
        for old, (line, row) in zip(annotated_pairs, lines, strict=True):
            with reading.in_line(line, path):
                if old.id not in pairs_by_id:
                    raise OtherPairs(
                        f"pair {old.id!r} is not among the pairs to annotate: to continue the "
                        "file, give all its pairs"
                    )
                record = {
                    key: row[key] for key in row if key not in (ANNOTATION_FIELD, *LINK_FIELDS)
                }
                _refuse_other_texts(old, pairs_by_id[old.id])
                annotation = _annotation(row, old)
                seconds[old.id] = read_seconds(row.get(ANNOTATION_FIELD, {}))
            annotations[old.id], records[old.id] = annotation, record
    return records, list(annotations.values()), seconds


def read_seconds(row: Row) -> float:
    """Return the seconds of work in a JSON object; 0 without. Raises ``BadData`` for no number."""
    seconds: float = row.get(SECONDS_FIELD, 0)
    if type(seconds) not in (int, float) or not 0 <= seconds < math.inf:
        raise BadData(f"{SECONDS_FIELD!r} is {reprlib.repr(seconds)}, expected a number from 0")
    return seconds


def _refuse_other_texts(annotated: Pair, pair: Pair) -> None:
    """Raise ``BadData`` if a pair has other texts than its annotation."""
    digests = zip(SIDE_KEYS, pair_digests(annotated), pair_digests(pair), strict=True)
    changed = [side for side, before, now in digests if before != now]
    if changed:
        raise BadData(
            f"pair {pair.id!r}: the {' and the '.join(changed)} to annotate has other words than "
            "in this file: give the texts and the tokenizer that the pair was annotated with, or "
            "remove this line to annotate it anew"
        )


def _annotation(row: Row, pair: Pair) -> Annotation:
    """Return the annotation of a record. Raises ``BadData`` if its links contradict it."""
    if ANNOTATION_FIELD not in row:
        return Annotation(len(pair.abstract)) if pair.sure is None else _imported(pair)
    annotation = read_annotation(row[ANNOTATION_FIELD], pair)
    links = annotation.hand_links(pair) if annotation.decided else dict.fromkeys(LINK_FIELDS)
    if links != {"sure": pair.sure, "possible": pair.possible}:
        raise BadData(
            f"pair {pair.id!r}: 'sure' and 'possible' are not the links of {ANNOTATION_FIELD!r}: "
            f"remove the one or the other"
        )
    return annotation


def _imported(pair: Pair) -> Annotation:
    """Return the annotation of a hand alignment that has only word links."""
    sure = pair.sure_links()
    links = {
        Phrases((link.abstract,), (link.document,)): words is sure
        for words in (sure, pair.gold_links() - sure)
        for link in exact_phrases(pair, words, 1.0)
    }
    annotation = Annotation(len(pair.abstract), links)
    return replace(annotation, null=frozenset(annotation.open_words()), decided=True)
