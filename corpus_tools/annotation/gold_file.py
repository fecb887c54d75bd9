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
from typing import Any

from corpus_tools.alignments.alignment import PhraseLink, pair_digests, phrase_word_links
from corpus_tools.alignments.matching import check_digests
from corpus_tools.annotation.annotation import (
    Annotation,
    Phrases,
    SureOrPossible,
    abstract_words_of,
    annotation_row,
    read_annotation,
)
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.storage.files import (
    StrPath,
    in_line,
    numbered_lines,
    numbered_objects,
    replacing,
)
from corpus_tools.views.pair_view import exact_phrases

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
        row = self._records.get(pair.id)
        if row is None:
            sides = {"document": pair.document.sentences(), "abstract": pair.abstract.sentences()}
            row = {"id": pair.id, **sides}
        if annotation.decided:
            links = _hand_links(annotation, pair)
            row = row | {name: sorted(links[name]) for name in LINKS}
        if not annotation.is_blank():
            row = row | {FIELD: annotation_row(annotation)}
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
    links = _hand_links(annotation, pair) if annotation.decided else dict.fromkeys(LINKS)
    if links != {"sure": old.sure, "possible": old.possible}:
        raise BadData(
            f"pair {pair.id!r}: 'sure' and 'possible' are not the links of {FIELD!r}: "
            f"remove the one or the other"
        )
    return annotation


def _imported(pair: Pair) -> Annotation:
    """Return the annotation of a hand alignment that has word links only."""
    sure = pair.sure_links()
    links = sorted(
        SureOrPossible(Phrases(link.abstract, link.document), words is sure)
        for words in (sure, pair.gold_links() - sure)
        for link in exact_phrases(pair, words, 1.0)
    )
    linked = abstract_words_of(link.phrases for link in links)
    null = frozenset(range(len(pair.abstract))) - linked
    return Annotation(len(pair.abstract), tuple(links), null, decided=True)


def _hand_links(annotation: Annotation, pair: Pair) -> dict[str, frozenset[WordLink]]:
    """Return the word links of an annotation; ``possible`` are those beyond ``sure``.

    They are those that the program makes of all phrase links: the same tokens on both sides are
    linked one by one, others all with all (``corpus_tools.alignments.alignment.word_links``).
    """
    sure: set[WordLink] = set()
    possible: set[WordLink] = set()
    for link in annotation.links:
        phrase = PhraseLink(*link.phrases, probability=1.0)
        words = phrase_word_links(phrase, pair.document.tokens, pair.abstract.tokens)
        (sure if link.sure else possible).update(words)
    return {"sure": frozenset(sure), "possible": frozenset(possible - sure)}


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
