"""The work on hand alignments: the steps of annotators on each pair, and the file of annotations.

The file has the pairs in the program's gold format, with their annotations. Each step of an
annotator replaces the file as a whole. If that fails, the step has no effect.

A decided pair has the fields ``sure`` and ``possible``. An undecided pair has neither, so that it
cannot be mistaken for a pair without links: readers of hand alignments refuse it. The field
``annotation`` holds everything else; readers of pairs ignore it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from corpus_tools.base import files, folders
from corpus_tools.base.errors import BadData, BadUsage, NotSaved, OutOfDate
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import row_of
from semihmm.applications.annotate.adjudication import NO_ADJUDICATION, Adjudication
from semihmm.applications.annotate.annotation import Annotation, Row, after_action
from semihmm.applications.annotate.gold_file import ANNOTATION_FIELD, SECONDS_FIELD, read_gold


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
        """Return the history with a new annotation, and without undone annotations."""
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
        self._records, annotations, seconds = read_gold(path, pairs, *reading)
        self.continues = not all(annotation.is_blank() for annotation in annotations)
        annotations = list(map(adjudication.begun, pairs, annotations))
        self.adjudication = adjudication
        self.pairs = pairs
        self.histories = [
            History((annotation,), seconds=seconds.get(pair.id, 0.0))
            for pair, annotation in zip(pairs, annotations, strict=True)
        ]
        self.lock = Lock()
        self._lines = list(map(self._line, pairs, self.histories))
        if self._seen is None:
            self._save(self._lines)

    def step(self, index: int, action: Row, steps: int, seconds: float = 0.0) -> History:
        """Make a step: save it, and return the history of the pair.

        ``action``   the JSON object of an action (``pages.annotation.after_action``); or one with
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
                annotation = after_action(action, before.current, pair)
                after = before if annotation == before.current else before.with_step(annotation)
            after = replace(after, seconds=before.seconds + seconds)
            if after != before:
                line = self._line(pair, after)
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

    def _line(self, pair: Pair, history: History) -> str:
        """Return the line of a pair, with its texts as lists of tokens.

        So links count the same words with any tokenizer.
        """
        row = self._records.get(pair.id) or row_of(replace(pair, sure=None, possible=None))
        annotation = history.current
        if annotation.decided:
            row = row | {name: sorted(links) for name, links in annotation.hand_links(pair).items()}
        if history.seconds or not annotation.is_blank():
            row = row | {
                ANNOTATION_FIELD: annotation.row() | {SECONDS_FIELD: round(history.seconds, 1)}
            }
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
    ``tokenizer``     as in ``read_gold``.
    ``adjudication``  the annotations of several people: the session begins with their agreement.
    ``language``      as in ``read_gold``.

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
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


# The division of pairs among several people


def shares_of_people(ids: Sequence[str], people: int, overlap: int) -> list[set[str]]:
    """Return for each person the ids of the pairs to annotate.

    ``overlap``  the number of pairs that everybody annotates.

    Pairs are sorted by a hash of their ids, so their order and their texts do not matter. The first
    ``overlap`` pairs are for everybody. The others are dealt out evenly, one to each person in
    turn. If ``overlap`` grows, everybody keeps their pairs.
    """
    drawn = sorted(ids, key=lambda id: hashlib.sha256(id.encode("utf-8", "surrogatepass")).digest())
    common = set(drawn[:overlap])
    return [common | set(drawn[person::people]) for person in range(people)]
