"""Hand alignments: what an annotator says of a pair, the steps of the work, and the file.

Daumé III and Marcu (2005), section 2.1: annotators align words and phrases, and classify each
alignment as sure or possible. Every word of the abstract is aligned to something, if that can be.

The file has the pairs in the program's gold format, with their annotations. It is replaced in one
step; then the step of the annotator holds. If that fails, it does not.

A pair that is decided has ``sure`` and ``possible``. One that is not has neither: whoever reads
hand alignments refuses it, and it cannot be taken for a pair of which nothing is aligned. The field
``annotation`` holds what these links do not say. Readers of pairs pass over it.
"""

from __future__ import annotations

import json
import os
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from corpus_tools.alignments.alignment import check_digests, linked_words, pair_digests
from corpus_tools.errors import BadData, BadUsage, NotSaved, OutOfDate, number_of
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.storage import files
from corpus_tools.views.pair_view import exact_phrases

# Annotations as values

LONGEST_NOTE = 10_000
"""The most characters of a note, chosen by hand: some pages."""

Row = Mapping[str, Any]
"""A JSON object."""

Span = tuple[int, int]
"""The tokens ``[start, end)`` of a side."""

Spans = tuple[Span, ...]
"""The words of a phrase, which need not stand together: sorted, with other words between."""


class Phrases(NamedTuple):
    """A phrase of the abstract and one of the document."""

    abstract: Spans
    document: Spans


def words_of(spans: Spans) -> list[int]:
    """Return the words of some spans, ascending."""
    return [word for span in spans for word in range(*span)]


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator said of a pair.

    ``abstract_words``  how many words there are to align.
    ``links``           for each two phrases that are linked, whether the link is sure; the others
                        are only possible.
    ``null``            abstract words that are aligned to nothing on purpose; none is linked.
    ``dismissed``       suggestions that are not shown any more.
    ``decided``         whether the annotator is done. Then every abstract word is linked or null.
    """

    abstract_words: int
    links: Mapping[Phrases, bool] = field(default_factory=dict)
    null: frozenset[int] = frozenset()
    dismissed: frozenset[Phrases] = frozenset()
    note: str = ""
    decided: bool = False

    def open_words(self) -> list[int]:
        """Return the abstract words that are neither linked nor null."""
        known = self.null | abstract_words_of(self.links)
        return [word for word in range(self.abstract_words) if word not in known]

    def is_blank(self) -> bool:
        """Tell whether nothing was said yet."""
        return self == Annotation(self.abstract_words)


def abstract_words_of(phrases: Iterable[Phrases]) -> set[int]:
    """Return the abstract words of some phrases."""
    return {word for one in phrases for word in words_of(one.abstract)}


# What annotators do


def applied(action: Row, annotation: Annotation, pair: Pair) -> Annotation:
    """Return the annotation after an action, a JSON object with its name in ``do``.

    ``link``     adds ``links``, or changes whether they are sure.
    ``remove``   removes ``links``, and the null marks of ``words``.
    ``dismiss``  stops showing the suggestions ``links``.
    ``null``     aligns ``words`` to nothing, on purpose; links that hold any of them go.
    ``note``     replaces the note by ``text``.
    ``decide``   says that the annotator is done, or not, by ``decided``.

    Raises ``BadData`` for anything malformed, and for what cannot be done.
    """
    links, null = dict(annotation.links), annotation.null
    dismissed = annotation.dismissed
    match action.get("do"):
        case "link":
            more = _read_links(action, pair)
            links |= more
            null -= abstract_words_of(more)
            # A suggestion that is accepted after all can be shown again when its link goes.
            dismissed = dismissed.difference(more)
        case "remove":
            gone = _read_phrases(action, "links", pair)
            links = {phrases: sure for phrases, sure in links.items() if phrases not in gone}
            null -= _read_words(action, "words", pair)
        case "dismiss":
            dismissed |= _read_phrases(action, "links", pair)
        case "null":
            words = _read_words(action, "words", pair)
            null |= words
            kept = (one for one in links if words.isdisjoint(words_of(one.abstract)))
            links = {one: links[one] for one in kept}
        case "note":
            return replace(annotation, note=_read_note(action, "text"))
        case "decide":
            return _decided(annotation, _read_truth(action, "decided"), pair)
        case name:
            raise BadData(f"unknown action {name!r}")
    changed = replace(annotation, links=links, null=null, dismissed=dismissed)
    # A pair with open words is decided no more.
    return replace(changed, decided=changed.decided and not changed.open_words())


def _decided(annotation: Annotation, decided: bool, pair: Pair) -> Annotation:
    if decided and (words := annotation.open_words()):
        shown = ", ".join(pair.abstract.tokens[word] for word in words[:5])
        more = ", ..." if len(words) > 5 else ""
        neither = number_of(len(words), "word is neither", "words are neither")
        raise BadData(f"{neither} linked nor unaligned: {shown}{more}")
    return replace(annotation, decided=decided)


# JSON


def annotation_row(annotation: Annotation) -> dict[str, Any]:
    """Return an annotation as a JSON object."""
    links = sorted(annotation.links.items())
    return {
        "decided": annotation.decided,
        "links": [{**_phrases_row(phrases), "sure": sure} for phrases, sure in links],
        "null": sorted(annotation.null),
        "dismissed": [_phrases_row(phrases) for phrases in sorted(annotation.dismissed)],
        "note": annotation.note,
    }


def _phrases_row(phrases: Phrases) -> dict[str, Span | Spans]:
    """Return phrases as a JSON object: ``[start, end]``, or a list of these for several spans."""
    sides = phrases._asdict().items()
    return {side: spans if len(spans) > 1 else spans[0] for side, spans in sides}


def read_annotation(row: object, pair: Pair) -> Annotation:
    """Return the annotation of a JSON object.

    Raises ``BadData`` for anything malformed, and for one that cannot be of the pair.
    """
    if not isinstance(row, dict):
        raise BadData(f"'annotation' is {reprlib.repr(row)}, expected an object")
    annotation = Annotation(
        len(pair.abstract),
        _read_links(row, pair),
        _read_words(row, "null", pair),
        _read_phrases(row, "dismissed", pair),
        _read_note(row, "note"),
        _read_truth(row, "decided"),
    )
    if len(annotation.links) < len(row["links"]):
        raise BadData("two 'links' are of the same phrases")
    if not annotation.null.isdisjoint(abstract_words_of(annotation.links)):
        raise BadData("a word stands both in 'null' and in 'links'")
    # Readers of gold would count an open word as one that is aligned to nothing.
    if annotation.decided and annotation.open_words():
        raise BadData(f"it is decided, but abstract word {annotation.open_words()[0]} is open")
    return annotation


def _read_links(row: Row, pair: Pair) -> dict[Phrases, bool]:
    return {_phrases(one, pair): _read_truth(one, "sure") for one in _list(row, "links")}


def _read_phrases(row: Row, key: str, pair: Pair) -> frozenset[Phrases]:
    return frozenset(_phrases(one, pair) for one in _list(row, key))


def _list(row: Row, key: str) -> list[Any]:
    value = row.get(key)
    if not isinstance(value, list):
        raise BadData(f"{key!r} is {reprlib.repr(value)}, expected a list")
    return value


def _phrases(row: object, pair: Pair) -> Phrases:
    ends = len(pair.abstract), len(pair.document)
    match row:
        case {"abstract": abstract, "document": document}:
            phrases = Phrases(_spans(abstract, ends[0]), _spans(document, ends[1]))
            if all(phrases):
                return phrases
    raise BadData(
        f"{reprlib.repr(row)} is no link: 'abstract' and 'document' must be [start, end] with "
        f"0 <= start < end, and end at most {ends[0]} and {ends[1]}; or a list of these, sorted, "
        "with words between them"
    )


def _spans(side: object, length: int) -> Spans:
    """Return the spans of a side of a link; none if it is malformed."""
    match side:
        case [int(), int()]:
            side = [side]
        case list():
            pass
        case _:
            return ()
    spans: list[Span] = []
    for span in side:
        least = spans[-1][1] + 1 if spans else 0
        match span:
            case [int(start), int(end)] if least <= start < end <= length:
                spans.append((start, end))
            case _:
                return ()
    return tuple(spans)


def _read_words(row: Row, key: str, pair: Pair) -> frozenset[int]:
    words, known = _list(row, key), range(len(pair.abstract))
    if not all(isinstance(one, int) and one in known for one in words):
        raise BadData(f"{key!r} has other values than 0 to {len(known) - 1}, the abstract's words")
    return frozenset(words)


def _read_note(row: Row, key: str) -> str:
    note = row.get(key)
    if not isinstance(note, str) or len(note) > LONGEST_NOTE:
        raise BadData(f"{key!r} is not a string of {LONGEST_NOTE:,} characters at most")
    # The page may send one, which could not be written to the file in UTF-8.
    if any("\ud800" <= letter <= "\udfff" for letter in note):
        raise BadData("the note has half a surrogate pair, which is no character")
    return note


def _read_truth(row: Row, key: str) -> bool:
    value = row.get(key)
    if not isinstance(value, bool):
        raise BadData(f"{key!r} is {reprlib.repr(value)}, expected true or false")
    return value


# The work on a file

FIELD = "annotation"
LINKS = ("sure", "possible")


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

    def moved(self, action: str) -> History:
        """Return the history after ``undo`` or ``redo``. Raises ``BadUsage`` at the ends."""
        if not (self.can_undo if action == "undo" else self.can_redo):
            raise BadUsage(f"there is nothing to {action}")
        index = self.index + (-1 if action == "undo" else 1)
        return replace(self, index=index, steps=self.steps + 1)


class Session:
    """The pairs with their histories, and the file of the annotations. Several threads may use it.

    ``pairs``      in the order of the file.
    ``histories``  in the same order.
    ``lock``       whoever holds it makes a step, or keeps others from making one.
    """

    def __init__(self, path: Path, pairs: Sequence[Pair], tokenizer: str | None) -> None:
        """Take what the file has, or make it; errors are those of ``read_gold`` and ``NotSaved``.

        ``tokenizer``  of texts that are no lists of tokens.
        """
        self._path = path
        self._seen = _state_of(path)
        self._records, annotations = read_gold(path, pairs, tokenizer)
        self.pairs = pairs
        self.histories = [History((annotation,)) for annotation in annotations]
        self.lock = Lock()
        self._lines = list(map(self._line, pairs, annotations))
        if self._seen is None:
            self._save(self._lines)

    def annotations(self) -> list[Annotation]:
        """Return the annotations of all pairs."""
        return [history.current for history in self.histories]

    def step(self, index: int, action: Row, steps: int) -> History:
        """Make a step: save it, and return the history of the pair.

        ``action``  the JSON object of an action (``annotation.applied``), or with ``undo`` or
                    ``redo`` in ``do``. What changes nothing is no step.
        ``steps``   those of the history that the annotator sees.

        Raises ``OutOfDate`` if that has changed, ``BadData`` or ``BadUsage`` for what cannot be
        done, ``NotSaved`` if it cannot be saved. Then nothing has changed.
        """
        with self.lock:
            before = self.histories[index]
            if steps != before.steps:
                raise OutOfDate("the pair was changed elsewhere: this is how it is now")
            if action.get("do") in ("undo", "redo"):
                after = before.moved(action["do"])
            else:
                annotation = applied(action, before.current, self.pairs[index])
                if annotation == before.current:
                    return before
                after = before.done(annotation)
            line = self._line(self.pairs[index], after.current)
            self._save([*self._lines[:index], line, *self._lines[index + 1 :]])
            self.histories[index] = after
            return after

    def _save(self, lines: list[str]) -> None:
        """Replace the file. Raises ``NotSaved`` if that fails; then the old file stays."""
        now = _state_of(self._path)
        if now is not None and now != self._seen:
            problem = "another program has changed it: start again to go on from what it has now"
            raise NotSaved(problem)
        try:
            with files.replacing(self._path) as stream:
                stream.writelines(lines)
        except BadData as error:
            raise NotSaved(error.problem) from error
        # The content is on the disk already, its name may not be.
        files.sync_folder(Path(os.path.realpath(self._path)).parent)
        self._seen = _state_of(self._path)
        self._lines = lines

    def _line(self, pair: Pair, annotation: Annotation) -> str:
        """Return the line of a pair, whose texts are lists of tokens.

        So the links count the same words whatever tokenizer the file is read with.
        """
        row = self._records.get(pair.id)
        if row is None:
            sides = {"document": pair.document.sentences(), "abstract": pair.abstract.sentences()}
            row = {"id": pair.id, **sides}
        if annotation.decided:
            row = row | {name: sorted(links) for name, links in _hand_links(annotation, pair)}
        if not annotation.is_blank():
            row = row | {FIELD: annotation_row(annotation)}
        return json.dumps(row, ensure_ascii=False) + "\n"


@contextmanager
def open_session(
    pairs: Sequence[Pair], output: files.StrPath, tokenizer: str | None = None
) -> Iterator[Session]:
    """Open the work on some pairs, and keep other processes from it.

    ``output``     the file of the hand alignments. If it exists, work goes on from there.
    ``tokenizer``  as for ``read_gold``.

    Raises ``InUse`` if another process has it open, ``BadData`` as ``read_gold`` and where it
    cannot be written, ``BadUsage`` for an output that is no file.
    """
    if not files.can_be_resumed(output):
        raise BadUsage("only a file can be saved after every step: name one with --output")
    # The name behind links: other processes may know the file by another one.
    real = Path(os.path.realpath(output))
    with files.locked(real.with_name(f".{real.name}.lock"), f"the output {output}"):
        session = Session(Path(output), pairs, tokenizer)
        try:
            yield session
        finally:
            # Wait for the step that is being made. It is the last one: nobody releases the lock.
            session.lock.acquire()


def read_gold(
    path: files.StrPath, pairs: Sequence[Pair], tokenizer: str | None
) -> tuple[dict[str, dict[str, Any]], list[Annotation]]:
    """Read the hand alignments of some pairs; without a file all are blank.

    Returns the records by id without what annotations say, and the annotations of all pairs. A pair
    that has links but no annotation, as another program's, is decided: its words without a link are
    null. Further fields stay as they are.

    ``tokenizer``  of texts that are no lists of tokens.

    Raises ``BadData`` with file and line for pairs that are not among ``pairs``, or whose texts
    differ, and for links that are not those of the annotation.
    """
    records: dict[str, dict[str, Any]] = {}
    annotations = {pair.id: Annotation(len(pair.abstract)) for pair in pairs}
    if os.path.exists(path):
        known = {pair.id: pair for pair in pairs}
        lines = files.numbered_json_lines(path)
        for old, (line, row) in zip(read_pairs(path, tokenizer), lines, strict=True):
            with files.in_line(line, path):
                annotations[old.id] = _annotation(row, old, known)
            records[old.id] = {key: row[key] for key in row if key not in (FIELD, *LINKS)}
    return records, list(annotations.values())


def _annotation(row: Row, old: Pair, known: Mapping[str, Pair]) -> Annotation:
    """Return the annotation of a record. Raises ``BadData`` if its links contradict it."""
    if old.id not in known:
        raise BadData(
            f"pair {old.id!r} is not among the pairs to annotate: the file is continued with the "
            "pairs that it was made of, or more"
        )
    pair = known[old.id]
    check_digests(old.id, pair_digests(old), pair)
    if FIELD not in row:
        return Annotation(len(pair.abstract)) if old.sure is None else _imported(old)
    annotation = read_annotation(row[FIELD], pair)
    links = dict(_hand_links(annotation, pair)) if annotation.decided else dict.fromkeys(LINKS)
    if links != {"sure": old.sure, "possible": old.possible}:
        raise BadData(
            f"pair {pair.id!r}: 'sure' and 'possible' are not the links of {FIELD!r}: "
            f"remove the one or the other"
        )
    return annotation


def _imported(pair: Pair) -> Annotation:
    """Return the annotation of a hand alignment that has word links only."""
    sure = pair.sure_links()
    links = {
        Phrases((link.abstract,), (link.document,)): words is sure
        for words in (sure, pair.gold_links() - sure)
        for link in exact_phrases(pair, words, 1.0)
    }
    null = frozenset(range(len(pair.abstract))) - abstract_words_of(links)
    return Annotation(len(pair.abstract), links, null, decided=True)


def _hand_links(annotation: Annotation, pair: Pair) -> Iterator[tuple[str, frozenset[WordLink]]]:
    """Yield the word links of an annotation; ``possible`` are those beyond ``sure``.

    They are those that the program makes of all phrase links: the same tokens on both sides are
    linked one by one, others all with all (``corpus_tools.alignments.alignment.word_links``).
    """
    sides = pair.document.tokens, pair.abstract.tokens
    links: dict[bool, set[WordLink]] = {True: set(), False: set()}
    for phrases, sure in annotation.links.items():
        words = words_of(phrases.document), words_of(phrases.abstract)
        links[sure].update(linked_words(*words, *sides))
    yield "sure", frozenset(links[True])
    yield "possible", frozenset(links[False] - links[True])


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """Return what tells whether a file was changed, ``None`` for a file that is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
