"""The work of an annotator: steps are saved before they count.

A step is written to the journal beside the file of the hand alignments, and is on the disk; then
the file is replaced; then the step holds. If either fails, it does not. A process that is killed
leaves the journal, from which the next session takes all steps, so that they can be undone there
too. Each row knows the file before and after it: steps on one that was changed since are refused. A
session that ends in order removes the journal: the file has everything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from corpus_tools.alignments.alignment import pair_digests
from corpus_tools.annotation.annotation import (
    Annotation,
    annotation_row,
    read_annotation,
    read_links,
    read_note,
    read_phrases,
    read_truth,
    read_words,
)
from corpus_tools.annotation.gold_file import GoldFile, digest_of, read_gold
from corpus_tools.errors import (
    BadData,
    BadUsage,
    NotSaved,
    OutOfDate,
    choose,
    number_of,
)
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import StrPath, can_be_resumed
from corpus_tools.storage.folders import remove_file
from corpus_tools.storage.journal import Journal, open_journal

BEGIN, DO = "begin", "do"
UNDO, REDO = "undo", "redo"
"""The rows of the journal: what a pair begins with, a new annotation, and steps back and forth."""

ACTIONS = ("link", "remove", "dismiss", "null", "note", "decide")
"""The actions by name.

``link``     adds ``links``, or changes whether they are sure.
``remove``   removes ``links``, and the null marks of ``words``.
``dismiss``  stops showing the suggestions ``links``.
``null``     aligns ``words`` to nothing, on purpose; links that hold any of them go.
``note``     replaces the note by ``text``.
``decide``   says that the annotator is done, or not, by ``decided``.
"""


def _applied(action: Mapping[str, Any], annotation: Annotation, pair: Pair) -> Annotation:
    """Return the annotation after an action, given as a JSON object with its name in ``do``.

    Raises ``BadData`` for anything malformed, and for what cannot be done.
    """
    name = action.get("do")
    if not isinstance(name, str):
        raise BadData("an action has no name in 'do'")
    match choose("action", name, ACTIONS):
        case "link":
            return annotation.with_links(read_links(action, "links", pair))
        case "remove":
            phrases = read_phrases(action, "links", pair)
            return annotation.without(phrases, read_words(action, "words", pair))
        case "dismiss":
            return annotation.with_dismissed(read_phrases(action, "links", pair))
        case "null":
            return annotation.with_null(read_words(action, "words", pair))
        case "note":
            return replace(annotation, note=read_note(action, "text"))
    decided = read_truth(action, "decided")
    if decided and (words := annotation.open_words()):
        shown = ", ".join(pair.abstract.tokens[word] for word in words[:5])
        more = ", ..." if len(words) > 5 else ""
        neither = number_of(len(words), "word is neither", "words are neither")
        raise BadData(f"{neither} linked nor null: {shown}{more}")
    return replace(annotation, decided=decided)


@dataclass(frozen=True)
class History:
    """The annotations of a pair, one after another.

    ``annotations``  the first one is that of the beginning, which cannot be undone.
    ``index``        that of the current one. Those behind it were undone.
    ``steps``        how many steps were made, undoing included: it tells whether somebody has seen
                     the current annotation.
    """

    annotations: tuple[Annotation, ...]
    index: int = 0
    steps: int = 0

    @property
    def current(self) -> Annotation:
        """Return the annotation that holds."""
        return self.annotations[self.index]

    @property
    def can_undo(self) -> bool:
        """Tell whether there is an earlier annotation."""
        return self.index > 0

    @property
    def can_redo(self) -> bool:
        """Tell whether an annotation was undone."""
        return self.index + 1 < len(self.annotations)

    def done(self, annotation: Annotation) -> History:
        """Return the history with a new annotation. What was undone is gone."""
        kept = self.annotations[: self.index + 1]
        return History((*kept, annotation), self.index + 1, self.steps + 1)

    def undone(self) -> History:
        """Return the history one step back. Raises ``BadUsage`` at the beginning."""
        if not self.can_undo:
            raise BadUsage("there is nothing to undo")
        return replace(self, index=self.index - 1, steps=self.steps + 1)

    def redone(self) -> History:
        """Return the history with what was undone last. Raises ``BadUsage`` if nothing was."""
        if not self.can_redo:
            raise BadUsage("there is nothing to redo")
        return replace(self, index=self.index + 1, steps=self.steps + 1)


class Session:
    """The pairs with their histories. Several threads may use it.

    ``pairs``      in the order of the file.
    ``histories``  in the same order.
    ``recovered``  the number of steps that were taken from the journal.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        gold: GoldFile,
        journal: Journal,
        histories: list[History],
        recovered: int,
    ) -> None:
        self.pairs = pairs
        self.histories = histories
        self.recovered = recovered
        self._gold = gold
        self._journal = journal
        self._lock = Lock()
        self._closed = False

    def annotations(self) -> list[Annotation]:
        """Return the annotations of all pairs."""
        return [history.current for history in self.histories]

    def step(self, index: int, action: Mapping[str, Any], steps: int) -> History:
        """Make a step: save it, and return the history of the pair.

        ``action``  the JSON object of an action (``ACTIONS``), or with
                    ``undo`` or ``redo`` in ``do``. What changes nothing is no step.
        ``steps``   those of the history that the annotator sees.

        Raises ``OutOfDate`` if that has changed, ``BadData`` or ``BadUsage`` for what cannot be
        done, ``NotSaved`` if it cannot be saved. Then nothing has changed.
        """
        with self._lock:
            before = self.histories[index]
            if steps != before.steps:
                raise OutOfDate("the pair was changed elsewhere: this is how it is now")
            name = action.get("do")
            if name == UNDO:
                after = before.undone()
            elif name == REDO:
                after = before.redone()
            else:
                name = DO
                annotation = _applied(action, before.current, self.pairs[index])
                if annotation == before.current:
                    return before
                after = before.done(annotation)
            self._save(index, name, after)
            return after

    def _save(self, index: int, name: str, after: History) -> None:
        """Save a step, whose rows in the journal are those of ``name``, and make it."""
        before = self.histories[index]
        lines = self._gold.lines_with(index, after.current)
        digest = digest_of(lines)
        id = self.pairs[index].id
        row: dict[str, Any] = {"pair": id, "step": name, "gold": [self._gold.digest, digest]}
        if name == DO:
            row["annotation"] = annotation_row(after.current)
        rows = [row]
        if not before.steps:
            begun = annotation_row(before.current)
            rows.insert(0, {"pair": id, "step": BEGIN, "annotation": begun})
        if self._closed:
            raise NotSaved("the program has ended")
        try:
            self._journal.add(*(json.dumps(row, ensure_ascii=False) for row in rows))
            try:
                self._gold.write(lines, digest)
            except BaseException:
                self._journal.take_back(len(rows))
                raise
        except BadData as error:
            raise NotSaved(error.problem) from error
        self.histories[index] = after

    def close(self) -> None:
        """Wait for the step that is being made, and refuse others."""
        with self._lock:
            self._closed = True


@contextmanager
def open_session(
    pairs: Sequence[Pair], output: StrPath, tokenizer: str | None = None
) -> Iterator[Session]:
    """Open the work on some pairs, and keep other processes from it.

    ``output``     the file of the hand alignments. If it exists, work goes on from there.
    ``tokenizer``  as for ``read_gold``.

    Raises ``InUse`` if another process has it open, ``BadData`` as ``read_gold`` and if the journal
    is of other pairs or another state of the file, ``BadUsage`` for an output that is no file.
    """
    if not can_be_resumed(output):
        raise BadUsage("only a file can be saved after every step: name one with --output")
    with open_journal(output, _identity(pairs)) as journal:
        gold, annotations = read_gold(output, pairs, tokenizer)
        histories = [History((annotation,)) for annotation in annotations]
        recovered = _replay(journal, gold, pairs, histories)
        lines = gold.set_all(history.current for history in histories)
        if recovered or gold.digest is None:
            gold.write(lines, digest_of(lines))
        session = Session(pairs, gold, journal, histories, recovered)
        try:
            yield session
        finally:
            session.close()
            remove_file(journal.path)


def _replay(
    journal: Journal, gold: GoldFile, pairs: Sequence[Pair], histories: list[History]
) -> int:
    """Take the steps of the journal into the histories; return how many there are.

    Raises ``BadData`` if the journal is of other pairs, and if the file is not as the last step
    left it, or found it.
    """
    indices = {pair.id: index for index, pair in enumerate(pairs)}
    steps = 0
    states: Sequence[str] = ()
    for row in map(json.loads, journal.resume()):
        index = indices[row["pair"]]
        history = histories[index]
        if row["step"] == BEGIN:
            history = History((read_annotation(row["annotation"], pairs[index]),))
        elif row["step"] == DO:
            history = history.done(read_annotation(row["annotation"], pairs[index]))
        else:
            history = history.undone() if row["step"] == UNDO else history.redone()
        histories[index] = history
        steps += row["step"] != BEGIN
        # A journal of an earlier version does not say.
        states = row.get("gold", ())
    if states and gold.digest is not None and gold.digest not in states:
        raise BadData(
            "was changed after a session of it was killed, whose steps are in "
            f"{journal.path}: move that file away to go on from this one as it is; or move this "
            "one away to take those steps into a new one",
            gold.path,
        )
    return steps


def _identity(pairs: Sequence[Pair]) -> str:
    """Hash the pairs, whatever their order."""
    known = sorted((pair.id, pair_digests(pair)) for pair in pairs)
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()
