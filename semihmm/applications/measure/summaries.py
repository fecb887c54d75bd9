"""Defines and reads summaries, references and compressions.

A file is JSON lines if its first line that is not blank begins with a brace. In other files each
line is a text, even a blank one.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from corpus_tools.base.errors import BadData, BadUsage, number_of
from corpus_tools.pairs.fields import (
    SIDE_KEYS,
    checked_id,
    first_key,
    is_tokenized,
    record_id,
    shape_of,
)
from corpus_tools.pairs.pair import Source, place_of
from corpus_tools.texts.marks import sentences_at_marks, with_line_breaks

UNKNOWN_POSITION = -1
"""The position of a summary word that the source lacks, or has in another order."""

Sentences = tuple[str, ...]
"""A text, sentence by sentence."""


@dataclass(frozen=True)
class SystemSummary:
    """A summary that is measured.

    ``id``         the id of what is summarized; its references have the same.
    ``system``     the name of the system that wrote it.
    ``positions``  the positions of its words in the source, counted from 0, if it is given by
                   these instead of sentences; its references are compressions of the same source.
    ``source``     its file and line, for errors; ``None`` if it was read from no file.
    ``given``      the text before it was split into sentences.
    """

    id: str
    system: str
    sentences: Sentences
    positions: tuple[int, ...] | None = None
    source: Source | None = field(default=None, compare=False, repr=False)
    given: str | list[str] | None = field(default=None, compare=False, repr=False)

    def error(self, problem: str) -> BadData:
        """Return the error of a problem, with the summary's id, system, file and line."""
        summary = f"the summary {self.id!r} of {self.system!r}"
        return BadData(f"{summary} {problem}", *place_of(self.source))


def to_sentences(text: str | Sequence[str]) -> Sentences:
    """Return the sentences of a text: the lines of a string that are not blank, or a list's items.

    ROUGE-1.5.5 reads plain text in the same way (format SPL). Marks such as ``<q>`` also end a
    sentence (``corpus_tools.texts.marks``).
    """
    if isinstance(text, str):
        return tuple(line for line in with_line_breaks(text).split("\n") if line.strip())
    return tuple(sentences_at_marks(text))


def sentences_of(text: object, name: str) -> Sentences:
    """Return the sentences of a text in any form that a side of a pair has. Raises ``BadData``.

    ``name``  the name of the text in the message.
    """
    shape = shape_of([*text] if isinstance(text, tuple) else text)
    if shape is None:
        raise BadData(f"{name} is {reprlib.repr(text)}, expected a text or its sentences")
    side = shape.side
    return to_sentences([" ".join(tokens) for tokens in side] if is_tokenized(side) else side)


def require_distinct(summaries: Iterable[SystemSummary]) -> None:
    """Raise ``BadData``, with its place, for the second summary of an id by one system."""
    first: dict[tuple[str, str], SystemSummary] = {}
    for number, summary in enumerate(summaries):
        earlier = first.setdefault((summary.system, summary.id), summary)
        if len(first) <= number:
            where = f": the other is {earlier.source}" if earlier.source else ""
            raise summary.error(f"is given twice{where}")


@dataclass(frozen=True)
class Compressions:
    """A source and its compressions by several people (Hori et al. 2003, section 3.4).

    ``words``         the words of the source, in order.
    ``compressions``  for each subject the positions of the chosen words, counted from 0, at least
                      one, increasing.
    """

    id: str
    words: tuple[str, ...]
    compressions: tuple[tuple[int, ...], ...]

    def chosen(self, positions: tuple[int, ...]) -> Choice:
        """Return the choice of the words at some positions."""
        return Choice(self, positions, tuple(self.words[position] for position in positions))


class Choice(NamedTuple):
    """Words of a source, chosen by a subject or by a system.

    ``positions``  in the source, or ``UNKNOWN_POSITION`` for a word that the source lacks.
    ``words``      the word of each position.
    """

    source: Compressions
    positions: tuple[int, ...]
    words: tuple[str, ...]

    @property
    def sentences(self) -> Sentences:
        """The words as a text of one sentence, for measures of texts."""
        return (" ".join(self.words),)


ReferencesOfId = Sequence[Sentences] | Compressions
"""The references of an id: one or more."""

References = Mapping[str, ReferencesOfId]
"""The references of each id."""


def problem_of_positions(positions: object, size: float = math.inf) -> str:
    """Return why a value is no list of increasing positions; an empty text if it is one.

    ``size``  the number of the source's words; infinite if it is not known yet.
    """
    if not isinstance(positions, list) or any(type(position) is not int for position in positions):
        return "expected a list of positions, whole numbers"
    for before, position in pairwise([-1, *positions]):
        if not before < position < size:
            limit = f" and below {size}, the number of words" if size < math.inf else ""
            return f"position {position} follows {before}: expected larger ones, from 0 on{limit}"
    return ""


# Records of files

Record = Mapping[str, Any]
"""The fields of a summary or of references before they are checked."""


def summary_of(record: Record, source: Source, system: str) -> SystemSummary:
    """Return the summary of a record. Raises ``BadData`` for wrong fields."""
    identity = record_id(record, f"line-{source.line}")
    if "system" in record:
        system = checked_id(record["system"], "system")
    if "positions" not in record:
        text = record.get("summary")
        sentences = sentences_of(text, "'summary'")
        return SystemSummary(identity, system, sentences, source=source, given=text)
    if "summary" in record:
        raise BadData("found both 'summary' and 'positions', expected one of them")
    if problem := problem_of_positions(record["positions"]):
        raise BadData(f"'positions': {problem}")
    return SystemSummary(identity, system, (), tuple(record["positions"]), source)


def references_of(record: Record, identity: str) -> ReferencesOfId:
    """Return the references or the compressions of a record, or a pair's abstract.

    Raises ``BadData`` for wrong fields.
    """
    if "compressions" in record:
        return _compressions(record, identity)
    if "references" not in record:
        return [_abstract(record)]
    texts = enumerate(_filled_list(record, "references"), start=1)
    return [_reference(text, f"reference {number}") for number, text in texts]


def _abstract(record: Record) -> Sentences:
    """Return the abstract of a pair as a reference. Raises ``BadData`` if there is none."""
    keys = SIDE_KEYS["abstract"]
    key = first_key(keys, record)
    if key is None:
        keys_found = ", ".join(map(repr, record)) or "none"
        expected = "'references', 'compressions' or the abstract of a pair"
        raise BadData(f"found the keys {keys_found}; expected {expected} ({', '.join(keys)})")
    return _reference(record[key], repr(key))


def _reference(text: object, name: str) -> Sentences:
    """Return the sentences of a reference. Raises ``BadData`` if it has no text."""
    reference = sentences_of(text, name)
    if not any(map(str.strip, reference)):
        raise BadData(f"{name} is empty, expected a text")
    return reference


def _compressions(record: Record, identity: str) -> Compressions:
    """Return the compressions of a record. Raises ``BadData`` for wrong fields."""
    words = _filled_list(record, "words")
    if not all(isinstance(word, str) and word.strip() for word in words):
        raise BadData("'words' must be a list of strings, none empty")
    subjects = _filled_list(record, "compressions")
    for number, positions in enumerate(subjects, start=1):
        problem = problem_of_positions(positions, len(words))
        if problem or not positions:
            raise BadData(f"compression {number}: {problem or 'it is empty'}")
    return Compressions(identity, tuple(words), tuple(map(tuple, subjects)))


def _filled_list(record: Record, key: str) -> list[Any]:
    """Return the list in a field. Raises ``BadData`` if it is empty or no list."""
    value = record.get(key)
    if not isinstance(value, list) or not value:
        raise BadData(f"{key!r} is {reprlib.repr(value)}, expected a list of one or more")
    return value


# Objects of Python

ONE_SYSTEM = "system"
"""The system of summaries that name none."""

GivenText = str | Sequence[str]
"""A text of several lines, each a sentence; or its sentences."""

GivenSummaries = Iterable[
    SystemSummary | tuple[str, str, GivenText] | Mapping[str, Any] | GivenText
]
"""Summaries with id, system and text, or records with these; or texts alone."""

GivenReferences = (
    Mapping[str, Sequence[GivenText] | Compressions] | Sequence[str | Sequence[GivenText]]
)
"""One or more references by id; or those of each summary, in the order of the summaries."""

EXPECTED = (
    "expected (id, system, text) and references by id, or a list of texts and a list with the "
    "reference, or the references, of each"
)


def as_summaries(summaries: Any, references: Any) -> tuple[tuple[SystemSummary, ...], References]:
    """Return summaries and their references by id.

    ``summaries``   ``GivenSummaries``, or one text, or a data frame with the columns ``id``,
                    ``system`` (may be missing) and ``summary``.
    ``references``  ``GivenReferences``. In a list, a string is the only reference of its summary,
                    and a list has several, as ``evaluate`` takes them.

    Texts alone have the ids "1", "2", ... Raises ``BadUsage`` for lists of different lengths and
    for references that do not fit the form of the summaries, ``BadData`` for what is no text.
    """
    if isinstance(summaries, str):
        summaries, references = [summaries], [references]
    if hasattr(summaries, "to_dict") and hasattr(summaries, "columns"):
        summaries = summaries.to_dict("records")
    if hasattr(references, "tolist"):
        references = references.tolist()
    given = [(f"summaries[{number}]", item) for number, item in enumerate(summaries)]
    if isinstance(references, Mapping):
        by_id = {id: _references_of_id(of_id) for id, of_id in references.items()}
        return tuple(_named(item, place) for place, item in given), by_id
    if isinstance(references, str) or not isinstance(references, Iterable):
        raise BadUsage(f"the references are of type {type(references).__name__}: {EXPECTED}")
    # A string is the only reference of its summary.
    texts = [[item] if isinstance(item, str) or item is None else [*item] for item in references]
    if len(texts) != len(given):
        counts = f"{number_of(len(given), 'summary', 'summaries')}, but "
        raise BadUsage(f"{counts}{number_of(len(texts), 'reference')}: {EXPECTED}")
    made = [
        SystemSummary(str(number), ONE_SYSTEM, sentences_of(item, place))
        for number, (place, item) in enumerate(given, start=1)
    ]
    by_id = {
        summary.id: [sentences_of(text, f"references[{number}]") for text in several]
        for number, (summary, several) in enumerate(zip(made, texts, strict=True))
    }
    return tuple(made), by_id


def _references_of_id(references: Sequence[GivenText] | Compressions) -> ReferencesOfId:
    if isinstance(references, str):
        raise BadUsage("the references of an id must be a list of texts, not one text")
    if isinstance(references, Compressions):
        return references
    return [to_sentences(text) for text in references]


def _named(item: Any, place: str) -> SystemSummary:
    """Return a summary with its id and system. Raises ``BadUsage`` for another object."""
    if isinstance(item, SystemSummary):
        return item
    if isinstance(item, Mapping):
        item = (item.get("id"), item.get("system", ONE_SYSTEM), item.get("summary"))
    if not isinstance(item, tuple) or len(item) != 3:
        raise BadUsage(f"{place} is {reprlib.repr(item)}, and references are by id: {EXPECTED}")
    return SystemSummary(str(item[0]), str(item[1]), sentences_of(item[2], place))
