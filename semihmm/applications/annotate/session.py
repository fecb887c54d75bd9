"""The work on hand alignments: the steps of annotators on each pair, and the file of annotations.

The file has the pairs in the program's gold format, with their annotations. Each step of an
annotator replaces the file as a whole. If that fails, the step has no effect.

A decided pair has the fields ``sure`` and ``possible``. An undecided pair has neither, so that it
cannot be mistaken for a pair without links: readers of hand alignments refuse it. The field
``annotation`` holds everything else; readers of pairs ignore it.
"""

from __future__ import annotations

import math
import os
import reprlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from corpus_tools.alignments.alignment import pair_digests
from corpus_tools.base import files, folders
from corpus_tools.base.errors import BadData, BadUsage, NotSaved, OtherPairs, OutOfDate
from corpus_tools.base.reading import in_line, numbered_json_lines
from corpus_tools.pages.pair_view import exact_phrases
from corpus_tools.pairs.fields import SIDE_KEYS
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import row_of
from semihmm.applications.annotate.adjudication import NO_ADJUDICATION, Adjudication
from semihmm.applications.annotate.annotation import (
    ANNOTATION_FIELD,
    Annotation,
    Phrases,
    Row,
    after_action,
    read_annotation,
)

SECONDS_FIELD = "seconds"
LINK_FIELDS = ("sure", "possible")


class GoldRow(NamedTuple):
    """What a file of hand alignments has of a pair.

    ``record``   the fields of the pair, without those of annotations.
    ``seconds``  the time of work on the pair.
    """

    record: dict[str, Any]
    annotation: Annotation
    seconds: float = 0.0


def read_gold(
    path: files.StrPath, pairs: Sequence[Pair], tokenizer: str | None, language: str | None = None
) -> dict[str, GoldRow]:
    """Read the hand alignments of some pairs, by id. The file may lack some of them.

    ``tokenizer``, ``language``  for texts that are no lists of tokens.

    A pair with links but without the field ``annotation``, as from another program, is decided, and
    its words without a link are null.

    Raises ``BadData`` with file and line for pairs that are not among ``pairs``, for pairs whose
    texts have changed, and for links that contradict the annotation.
    """
    gold = {}
    pairs_by_id = {pair.id: pair for pair in pairs}
    annotated_pairs = read_pairs(path, tokenizer, language=language)
    for old, (line, row) in zip(annotated_pairs, numbered_json_lines(path), strict=True):
        with in_line(line, path):
            if old.id not in pairs_by_id:
                raise OtherPairs(
                    f"pair {old.id!r} is not among the pairs to annotate: to continue the "
                    "file, give all its pairs"
                )
            _refuse_other_texts(old, pairs_by_id[old.id])
            record = {key: row[key] for key in row if key not in (ANNOTATION_FIELD, *LINK_FIELDS)}
            annotation = _annotation(row, old)
            seconds = read_seconds(row.get(ANNOTATION_FIELD, {}))
            gold[old.id] = GoldRow(record, annotation, seconds)
    return gold


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
            f"pair {pair.id!r}: this file has other words of the {' and the '.join(changed)}: give "
            "the texts and the tokenizer that the pair was annotated with, or remove this line to "
            "annotate it anew"
        )


def _annotation(row: Row, pair: Pair) -> Annotation:
    """Return the annotation of a record. Raises ``BadData`` if its links contradict it."""
    if ANNOTATION_FIELD not in row:
        return Annotation(len(pair.abstract)) if pair.sure is None else _imported(pair)
    annotation = read_annotation(row, pair)
    links = annotation.hand_links(pair) if annotation.decided else dict.fromkeys(LINK_FIELDS)
    if links != {"sure": pair.sure, "possible": pair.possible}:
        raise BadData(
            f"pair {pair.id!r}: 'sure' and 'possible' are not the links of {ANNOTATION_FIELD!r}: "
            "remove the one or the other"
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


@dataclass(frozen=True)
class History:
    """The annotations of a pair, one after another.

    ``annotations``  the annotations; the first one is from the start of the session, and cannot be
                     undone.
    ``index``        the index of the current annotation. Later ones were undone.
    ``steps``        the number of steps, including undoing. An annotator who knows it has seen the
                     current annotation.
    ``seconds``      the time of work on the pair, including earlier sessions.
    """

    annotations: tuple[Annotation, ...]
    index: int = 0
    steps: int = 0
    seconds: float = 0.0

    @property
    def current(self) -> Annotation:
        """Return the current annotation."""
        return self.annotations[self.index]

    def with_step(self, annotation: Annotation) -> History:
        """Return the history with a new annotation, if it is one, and without undone ones."""
        if annotation == self.current:
            return self
        before = self.annotations[: self.index + 1]
        steps = self.steps + 1
        return replace(self, annotations=(*before, annotation), index=len(before), steps=steps)

    def moved(self, action: str) -> History:
        """Return the history after ``undo`` or ``redo``. Raises ``BadUsage`` at the ends."""
        index = self.index + {"undo": -1, "redo": 1}[action]
        if not 0 <= index < len(self.annotations):
            raise BadUsage(f"there is nothing to {action}")
        return replace(self, index=index, steps=self.steps + 1)


class Session:
    """The pairs with their histories, and the file of the annotations. Several threads may use it.

    ``pairs``         the pairs in the order of the file.
    ``histories``     their histories in the same order.
    ``continues``     whether the file had annotations before this session.
    ``adjudication``  the annotations of the people between whom this session decides.
    ``lock``          the lock that a thread holds while it makes a step.
    """

    def __init__(
        self, path: Path, pairs: Sequence[Pair], adjudication: Adjudication, *reading: str | None
    ) -> None:
        """Read the file, or make it. Raises the errors of ``read_gold``, and ``NotSaved``.

        ``adjudication``  as in ``open_session``.
        ``reading``       the last arguments of ``read_gold``: tokenizer and language.
        """
        self._path = path
        self._seen = _state_of(path)
        gold = read_gold(path, pairs, *reading) if self._seen else {}
        texts = (replace(pair, sure=None, possible=None) for pair in pairs)
        rows = [
            gold.get(pair.id) or GoldRow(row_of(pair), Annotation(len(pair.abstract)))
            for pair in texts
        ]
        self._records = [row.record for row in rows]
        self.continues = not all(row.annotation.is_blank() for row in rows)
        self.adjudication = adjudication
        self.pairs = pairs
        self.histories = [
            History((adjudication.begun(pair, row.annotation),), seconds=row.seconds)
            for pair, row in zip(pairs, rows, strict=True)
        ]
        self.lock = Lock()
        self._lines = list(map(self._line, pairs, self._records, self.histories))
        if self._seen is None:
            self._save(self._lines)

    def step(self, index: int, action: Row, steps: int, seconds: float) -> History:
        """Make a step: save it, and return the history of the pair.

        ``action``   the JSON object of an action (``after_action``); or one with
                     ``undo``, ``redo`` or ``work`` in ``do``. ``work`` only adds time. An action
                     that changes nothing is no step.
        ``steps``    the number of steps of the history that the annotator has seen. For a ``note``
                     it is enough that the field ``before`` has the note that it replaces.
        ``seconds``  the time of work on the pair since the last step.

        Raises ``OutOfDate`` if the history has changed since, ``BadData`` or ``BadUsage`` for an
        impossible action, ``NotSaved`` if the step cannot be saved. After an error nothing has
        changed.
        """
        with self.lock:
            before = after = self.histories[index]
            does, pair = action.get("do"), self.pairs[index]
            knows_note = does == "note" and action.get("before") == before.current.note
            if steps != before.steps and does != "work" and not knows_note:
                raise OutOfDate("the pair was changed elsewhere: this is how it is now")
            if does in ("undo", "redo"):
                after = before.moved(does)
            elif does != "work":
                after = before.with_step(after_action(action, before.current, pair))
            after = replace(after, seconds=before.seconds + seconds)
            if after != before:
                line = self._line(pair, self._records[index], after)
                self._save([*self._lines[:index], line, *self._lines[index + 1 :]])
                self.histories[index] = after
            return after

    def _save(self, lines: list[str]) -> None:
        """Replace the file. Raises ``NotSaved`` if that fails; the old file is then unchanged."""
        if _state_of(self._path) not in (None, self._seen):
            problem = "another program has changed it: start again to continue with its new content"
            raise NotSaved(problem)
        try:
            with files.replacing(self._path) as stream:
                stream.writelines(lines)
        except BadData as error:
            raise NotSaved(error.problem) from error
        # The content is on the disk already, but perhaps not its name.
        folders.sync_folder(Path(os.path.realpath(self._path)).parent)
        self._seen = _state_of(self._path)
        self._lines = lines

    def _line(self, pair: Pair, record: dict[str, Any], history: History) -> str:
        """Return the line of a pair, with its texts as lists of tokens.

        So links count the same words with any tokenizer.
        """
        row, annotation = record, history.current
        if annotation.decided:
            row = row | {name: sorted(links) for name, links in annotation.hand_links(pair).items()}
        if history.seconds or not annotation.is_blank():
            seconds = {SECONDS_FIELD: round(history.seconds, 1)}
            row = row | {ANNOTATION_FIELD: annotation.row() | seconds}
        return files.json_line(row)


@contextmanager
def open_session(
    pairs: Sequence[Pair],
    output: files.StrPath,
    tokenizer: str | None = None,
    adjudication: Adjudication = NO_ADJUDICATION,
    language: str | None = None,
) -> Iterator[Session]:
    """Open a session on some pairs, and lock its file against other processes.

    ``output``        the file of the hand alignments. If it exists, the session continues it.
    ``adjudication``  the annotations of several people: the session begins with their agreement.
    ``tokenizer``, ``language``  as in ``read_gold``.

    Raises ``InUse`` if another process has it open, ``BadData`` as ``read_gold`` and if the file
    cannot be written, ``BadUsage`` for an output that is no file.
    """
    if not files.can_be_resumed(output):
        raise BadUsage("only a file can be saved after every step: name one with --output")
    # The real name, since other processes may use another link to the file.
    real = Path(os.path.realpath(output))
    with folders.locked(files.beside(real, ".{}.lock"), f"the output {output}"):
        session = Session(Path(output), pairs, adjudication, tokenizer, language)
        try:
            yield session
        finally:
            # This waits for the current step. The lock is never released, so it is the last one.
            session.lock.acquire()


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """Return inode, time and size of a file, which show changes; ``None`` for a missing file."""
    if not path.exists():
        return None
    status = path.stat()
    return status.st_ino, status.st_mtime_ns, status.st_size
