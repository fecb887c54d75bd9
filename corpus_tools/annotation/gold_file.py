"""The file of the hand alignments: pairs in the program's gold format, with their annotations.

A pair that is decided has ``sure`` and ``possible``. One that is not has neither: whoever reads
hand alignments refuses it, and it cannot be taken for a pair of which nothing is aligned. The field
``annotation`` holds what these links do not say. Readers of pairs pass over it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from corpus_tools.alignments.digests import check_digests, pair_digests
from corpus_tools.annotation.annotation import (
    Annotation,
    Phrases,
    Span,
    SureOrPossible,
    abstract_words_of,
    hand_links,
)
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import json_type
from corpus_tools.storage.files import (
    StrPath,
    in_line,
    numbered_lines,
    numbered_objects,
    replacing,
    shown_name,
)
from corpus_tools.texts.text import Text
from corpus_tools.views.pair_view import exact_phrases

LONGEST_NOTE = 10_000
"""The most characters of a note, chosen by hand: some pages."""


def annotation_row(annotation: Annotation) -> dict[str, Any]:
    """Return an annotation as a JSON object."""
    return {
        "decided": annotation.decided,
        "links": [{**_phrases_row(link.phrases), "sure": link.sure} for link in annotation.links],
        "null": sorted(annotation.null),
        "dismissed": [_phrases_row(phrases) for phrases in sorted(annotation.dismissed)],
        "note": annotation.note,
    }


def read_annotation(row: object, pair: Pair) -> Annotation:
    """Return the annotation of a JSON object.

    Raises ``BadData`` for anything malformed, and for one that cannot be of the pair.
    """
    if not isinstance(row, dict):
        raise BadData(f"'annotation' is {json_type(row)}, expected an object")
    links = read_links(row, "links", pair)
    annotation = Annotation(
        len(pair.abstract),
        tuple(sorted(links)),
        frozenset(read_words(row, "null", pair)),
        frozenset(read_phrases(row, "dismissed", pair)),
        read_note(row, "note"),
        read_truth(row, "decided"),
    )
    if len({link.phrases for link in links}) < len(links):
        raise BadData("two 'links' are of the same phrases")
    if not annotation.null.isdisjoint(abstract_words_of(link.phrases for link in links)):
        raise BadData("a word stands both in 'null' and in 'links'")
    if annotation.decided and annotation.open_words():
        raise BadData(f"it is decided, but abstract word {annotation.open_words()[0]} is open")
    return annotation


def read_links(row: Mapping[str, Any], key: str, pair: Pair) -> list[SureOrPossible]:
    """Return the links of a field. Raises ``BadData`` for what is none, or none of the pair."""
    objects = _objects(row, key)
    return [SureOrPossible(_phrases(one, pair), read_truth(one, "sure")) for one in objects]


def read_phrases(row: Mapping[str, Any], key: str, pair: Pair) -> list[Phrases]:
    """Return the phrases of a field. Raises ``BadData`` for what is none, or none of the pair."""
    return [_phrases(one, pair) for one in _objects(row, key)]


def read_words(row: Mapping[str, Any], key: str, pair: Pair) -> list[int]:
    """Return the abstract words of a field. Raises ``BadData`` for what is none of the pair."""
    words = row.get(key)
    if isinstance(words, list) and all(map(_is_count, words)):
        if all(word < len(pair.abstract) for word in words):
            return words
        raise BadData(f"{key!r} has words beyond the {len(pair.abstract)} of the abstract")
    raise BadData(f"{key!r} is not a list of word positions")


def read_note(row: Mapping[str, Any], key: str) -> str:
    """Return a note. Raises ``BadData`` for what is no text, or too long."""
    note = row.get(key)
    if not isinstance(note, str):
        raise BadData(f"{key!r} is {json_type(note)}, expected a string")
    if len(note) > LONGEST_NOTE:
        raise BadData(f"the note has more than {LONGEST_NOTE:,} characters")
    if any("\ud800" <= letter <= "\udfff" for letter in note):
        raise BadData("the note has half a surrogate pair, which is no character")
    return note


def read_truth(row: Mapping[str, Any], key: str) -> bool:
    """Return a truth value. Raises ``BadData`` for anything else."""
    value = row.get(key)
    if not isinstance(value, bool):
        raise BadData(f"{key!r} is {json_type(value)}, expected true or false")
    return value


def _phrases_row(phrases: Phrases) -> dict[str, list[int]]:
    return {"abstract": list(phrases.abstract), "document": list(phrases.document)}


def _objects(row: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    objects = row.get(key)
    if isinstance(objects, list) and all(isinstance(one, dict) for one in objects):
        return objects
    raise BadData(f"{key!r} is not a list of objects {{'abstract', 'document'}}")


def _phrases(row: Mapping[str, Any], pair: Pair) -> Phrases:
    return Phrases(
        _span(row, "abstract", len(pair.abstract)), _span(row, "document", len(pair.document))
    )


def _span(row: Mapping[str, Any], side: str, length: int) -> Span:
    span = row.get(side)
    if isinstance(span, list) and len(span) == 2:
        start, end = span
        if _is_count(start) and _is_count(end) and start < end <= length:
            return start, end
    raise BadData(
        f"{side!r} of a link is {span!r}, expected [start, end] with 0 <= start < end <= {length}"
    )


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


FIELD = "annotation"
LINKS = ("sure", "possible")

Records = dict[str, dict[str, Any]]
"""The records of pairs by id, without what annotations say."""


class GoldFile:
    """The file of the hand alignments of some pairs, in their order.

    It is replaced in one step by each annotation. Texts are lists of tokens: so the links count the
    same words whatever tokenizer the file is read with.

    ``digest``  of the lines that the file has, ``None`` if there is no file.
    """

    def __init__(
        self, path: StrPath, pairs: Sequence[Pair], records: Records, digest: str | None
    ) -> None:
        self.path = path
        self.digest = digest
        self._pairs = pairs
        self._records = records
        self._lines: list[str] = []
        self._seen = _state_of(path)

    def set_all(self, annotations: Iterable[Annotation]) -> list[str]:
        """Take all annotations without writing them; return their lines."""
        self._lines = list(map(self._line, self._pairs, annotations))
        return self._lines

    def lines_with(self, index: int, annotation: Annotation) -> list[str]:
        """Return the lines of the file with another annotation of a pair."""
        line = self._line(self._pairs[index], annotation)
        return [*self._lines[:index], line, *self._lines[index + 1 :]]

    def write(self, lines: list[str], digest: str) -> None:
        """Write all lines, of which ``digest`` is given.

        Raises ``BadData`` if that fails; then the old file stays.
        """
        now = _state_of(self.path)
        if now is not None and now != self._seen:
            problem = "another program has changed it: start again to go on from what it has now"
            raise BadData(problem, self.path)
        with replacing(self.path) as stream:
            stream.writelines(lines)
        self._seen = _state_of(self.path)
        self._lines = lines
        self.digest = digest

    def _line(self, pair: Pair, annotation: Annotation) -> str:
        record = self._records.get(pair.id) or _record(pair)
        row = {**record, **_fields(pair, annotation)}
        return json.dumps(row, ensure_ascii=False) + "\n"


def read_gold(
    path: StrPath, pairs: Sequence[Pair], tokenizer: str | None
) -> tuple[GoldFile, list[Annotation]]:
    """Read the hand alignments of some pairs; without a file all are blank.

    A pair that has links but no annotation, as another program's, is decided: its words without a
    link are null. Further fields stay as they are.

    ``tokenizer``  of texts that are no lists of tokens.

    Raises ``BadData`` with file and line for pairs that are not among ``pairs``, or whose texts
    differ, and for links that are not those of the annotation.
    """
    records: Records = {}
    annotations: dict[str, Annotation] = {}
    digest = None
    if os.path.exists(path):
        known = {pair.id: pair for pair in pairs}
        lines = list(numbered_lines(path))
        digest = digest_of(line for _, line in lines)
        rows = numbered_objects(iter(lines), path)
        for old, (line, row) in zip(read_pairs(path, tokenizer), rows, strict=True):
            with in_line(line, path):
                annotations[old.id] = _annotation(row, old, _same_pair(old, known))
            records[old.id] = {key: row[key] for key in row if key not in (FIELD, *LINKS)}
    gold = GoldFile(path, pairs, records, digest)
    return gold, [annotations.get(pair.id) or Annotation(len(pair.abstract)) for pair in pairs]


def _same_pair(old: Pair, known: Mapping[str, Pair]) -> Pair:
    """Return the pair of which the file has a hand alignment. Raises ``BadData``."""
    if old.id not in known:
        raise BadData(
            f"pair {old.id!r} is not among the pairs to annotate: the file is continued with the "
            "pairs that it was made of, or more"
        )
    check_digests(old.id, pair_digests(old), known[old.id])
    return known[old.id]


def _annotation(row: Mapping[str, Any], old: Pair, pair: Pair) -> Annotation:
    """Return the annotation of a record. Raises ``BadData`` if its links contradict it."""
    if FIELD not in row:
        return Annotation(len(pair.abstract)) if old.sure is None else _imported(old)
    annotation = read_annotation(row[FIELD], pair)
    links = hand_links(annotation, pair) if annotation.decided else (None, None)
    if tuple(links) != (old.sure, old.possible):
        raise BadData(
            f"pair {pair.id!r}: 'sure' and 'possible' are not the links of {FIELD!r}: "
            f"remove the one or the other"
        )
    return annotation


def _imported(pair: Pair) -> Annotation:
    """Return the annotation of a hand alignment that has word links only."""
    possible = pair.gold_links() - pair.sure_links()
    links = (*_phrase_links(pair, pair.sure_links(), True), *_phrase_links(pair, possible, False))
    linked = abstract_words_of(link.phrases for link in links)
    null = frozenset(range(len(pair.abstract))) - linked
    return Annotation(len(pair.abstract), tuple(sorted(links)), null, decided=True)


def _phrase_links(pair: Pair, links: Iterable[WordLink], sure: bool) -> list[SureOrPossible]:
    phrases = exact_phrases(pair, links, 1.0)
    return [SureOrPossible(Phrases(link.abstract, link.document), sure) for link in phrases]


def _record(pair: Pair) -> dict[str, Any]:
    """Return a pair without a hand alignment as a record."""
    sides = {"document": _sentences(pair.document), "abstract": _sentences(pair.abstract)}
    return {"id": pair.id, **sides}


def _sentences(text: Text) -> list[list[str]]:
    return [list(sentence) for sentence in text.sentences()]


def _fields(pair: Pair, annotation: Annotation) -> dict[str, Any]:
    """Return the fields of a record that an annotation makes."""
    if annotation.is_blank():
        return {}
    fields: dict[str, Any] = {}
    if annotation.decided:
        links = hand_links(annotation, pair)
        fields = {"sure": sorted(links.sure), "possible": sorted(links.possible)}
    return {**fields, FIELD: annotation_row(annotation)}


def digest_of(lines: Iterable[str]) -> str:
    """Hash the lines of a file."""
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _state_of(path: StrPath) -> tuple[int, int, int] | None:
    """Return what tells whether a file was changed, ``None`` for a file that is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def described_gold(path: StrPath, annotations: Sequence[Annotation]) -> str:
    """Say how much of a file is done."""
    decided = sum(annotation.decided for annotation in annotations)
    return f"{decided} of {len(annotations)} pairs are decided in {shown_name(path)}"
