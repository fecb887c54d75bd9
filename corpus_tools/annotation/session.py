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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any

from corpus_tools.alignments.digests import pair_digests
from corpus_tools.annotation.annotation import Annotation, History
from corpus_tools.annotation.gold_file import (
    GoldFile,
    annotation_row,
    digest_of,
    read_annotation,
    read_gold,
    read_links,
    read_note,
    read_phrases,
    read_truth,
    read_words,
)
from corpus_tools.errors import (
    BadData,
    BadUsage,
    NotSaved,
    OtherRun,
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

Row = Mapping[str, Any]
Action = Callable[[Annotation, Row, Pair], Annotation]


def _link(annotation: Annotation, row: Row, pair: Pair) -> Annotation:
    return annotation.with_links(read_links(row, "links", pair))


def _remove(annotation: Annotation, row: Row, pair: Pair) -> Annotation:
    return annotation.without(read_phrases(row, "links", pair), read_words(row, "words", pair))


def _dismiss(annotation: Annotation, row: Row, pair: Pair) -> Annotation:
    return annotation.with_dismissed(read_phrases(row, "links", pair))


def _null(annotation: Annotation, row: Row, pair: Pair) -> Annotation:
    return annotation.with_null(read_words(row, "words", pair))


def _note(annotation: Annotation, row: Row, pair: Pair) -> Annotation:
    return replace(annotation, note=read_note(row, "text"))


def _decide(annotation: Annotation, row: Row, pair: Pair) -> Annotation:
    decided = read_truth(row, "decided")
    if decided and (words := annotation.open_words()):
        shown = ", ".join(pair.abstract.tokens[word] for word in words[:5])
        more = ", ..." if len(words) > 5 else ""
        neither = number_of(len(words), "word is neither", "words are neither")
        raise BadData(f"{neither} linked nor null: {shown}{more}")
    return replace(annotation, decided=decided)


ACTIONS: dict[str, Action] = {
    "link": _link,
    "remove": _remove,
    "dismiss": _dismiss,
    "null": _null,
    "note": _note,
    "decide": _decide,
}
"""The actions by name.

``link``     adds ``links``, or changes whether they are sure.
``remove``   removes ``links``, and the null marks of ``words``.
``dismiss``  stops showing the suggestions ``links``.
``null``     aligns ``words`` to nothing, on purpose; links that hold any of them go.
``note``     replaces the note by ``text``.
``decide``   says that the annotator is done, or not, by ``decided``.
"""


def _applied(action: Row, annotation: Annotation, pair: Pair) -> Annotation:
    """Return the annotation after an action, given as a JSON object with its name in ``do``.

    Raises ``BadData`` for anything malformed, and for what cannot be done.
    """
    name = action.get("do")
    if not isinstance(name, str):
        raise BadData("an action has no name in 'do'")
    choose("action", name, ACTIONS)
    return ACTIONS[name](annotation, action, pair)


class Session:
    """The pairs with their histories. Several threads may use it.

    ``pairs``      in the order of the file.
    ``recovered``  the number of steps that were taken from the journal.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        gold: GoldFile,
        journal: Journal,
        histories: dict[str, History],
        recovered: int = 0,
    ) -> None:
        self.pairs = pairs
        self.recovered = recovered
        self._gold = gold
        self._journal = journal
        self._histories = histories
        self._lock = Lock()
        self._closed = False

    def history(self, index: int) -> History:
        """Return the history of a pair."""
        return self._histories[self.pairs[index].id]

    def annotations(self) -> list[Annotation]:
        """Return the annotations of all pairs."""
        return [self.history(index).current for index in range(len(self.pairs))]

    def step(self, index: int, action: Mapping[str, Any], steps: int) -> History:
        """Make a step: save it, and return the history of the pair.

        ``action``  the JSON object of an action (``ACTIONS``), or with
                    ``undo`` or ``redo`` in ``do``. What changes nothing is no step.
        ``steps``   those of the history that the annotator sees.

        Raises ``OutOfDate`` if that has changed, ``BadData`` or ``BadUsage`` for what cannot be
        done, ``NotSaved`` if it cannot be saved. Then nothing has changed.
        """
        with self._lock:
            before = self.history(index)
            if steps != before.steps:
                raise OutOfDate("the pair was changed elsewhere: this is how it is now")
            after, name = self._after(index, action)
            if after is not before:
                self._save(index, after, name)
            return after

    def _after(self, index: int, action: Mapping[str, Any]) -> tuple[History, str]:
        """Return the history after a step, and the name of its row in the journal."""
        before = self.history(index)
        if action.get("do") == UNDO:
            return before.undone(), UNDO
        if action.get("do") == REDO:
            return before.redone(), REDO
        annotation = _applied(action, before.current, self.pairs[index])
        return (before if annotation == before.current else before.done(annotation)), DO

    def _save(self, index: int, after: History, name: str) -> None:
        before = self.history(index)
        pair = self.pairs[index]
        lines = self._gold.lines_with(index, after.current)
        digest = digest_of(lines)
        rows = [] if before.steps else [_journal_row(pair, BEGIN, before.current)]
        annotation = after.current if name == DO else None
        rows.append(_journal_row(pair, name, annotation, gold=[self._gold.digest, digest]))
        if self._closed:
            raise NotSaved("the program has ended")
        try:
            self._journal.add(*rows)
        except BadData as error:
            raise NotSaved(error.problem) from error
        try:
            self._gold.write(lines, digest)
        except BaseException as error:
            self._journal.take_back(len(rows))
            if isinstance(error, BadData):
                raise NotSaved(error.problem) from error
            raise
        self._histories[pair.id] = after

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
        rows = _resumed(journal)
        histories = {pair.id: History((one,)) for pair, one in zip(pairs, annotations, strict=True)}
        recovered = _replay(journal, rows, gold, {pair.id: pair for pair in pairs}, histories)
        lines = gold.set_all(histories[pair.id].current for pair in pairs)
        if recovered or gold.digest is None:
            gold.write(lines, digest_of(lines))
        session = Session(pairs, gold, journal, histories, recovered)
        try:
            yield session
        finally:
            session.close()
            remove_file(journal.path)


def _resumed(journal: Journal) -> list[str]:
    """Return the rows of a session that was killed. Raises ``BadData`` if it had other pairs."""
    try:
        return journal.resume()
    except OtherRun:
        raise BadData(
            "holds steps of a session with other pairs, which was killed: open these pairs once to "
            "save them, or remove the file",
            journal.path,
        ) from None


def _replay(
    journal: Journal,
    rows: Iterable[str],
    gold: GoldFile,
    pairs: Mapping[str, Pair],
    histories: dict[str, History],
) -> int:
    """Take the steps of the journal into the histories; return how many there are.

    Raises ``BadData`` if the file is not as the last step left it, or found it.
    """
    steps = 0
    states: Sequence[str] = ()
    for text in rows:
        row = json.loads(text)
        pair = pairs[row["pair"]]
        history = histories[pair.id]
        if row["step"] == BEGIN:
            history = History((read_annotation(row["annotation"], pair),))
        elif row["step"] == DO:
            history = history.done(read_annotation(row["annotation"], pair))
        else:
            history = history.undone() if row["step"] == UNDO else history.redone()
        steps += row["step"] != BEGIN
        # A journal of an earlier version does not say.
        states = row.get("gold", ())
        histories[pair.id] = history
    if states and gold.digest is not None and gold.digest not in states:
        raise BadData(
            "was changed after a session of it was killed, whose steps are in "
            f"{journal.path}: move that file away to go on from this one as it is; or move this "
            "one away to take those steps into a new one",
            gold.path,
        )
    return steps


def _journal_row(pair: Pair, step: str, annotation: Annotation | None, **more: Any) -> str:
    row: dict[str, Any] = {"pair": pair.id, "step": step, **more}
    if annotation is not None:
        row["annotation"] = annotation_row(annotation)
    return json.dumps(row, ensure_ascii=False)


def _identity(pairs: Sequence[Pair]) -> str:
    """Hash the pairs, whatever their order."""
    known = sorted((pair.id, pair_digests(pair)) for pair in pairs)
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()
