"""Makes summaries and references from what Python programs have: lists, records, data frames."""

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corpus_tools.base.errors import BadData, BadUsage, number_of
from corpus_tools.pairs.fields import is_tokenized, shape_of
from semihmm.applications.measure.summaries import Compressions, SystemSummary, to_sentences

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


def as_summaries(
    summaries: Any, references: Any
) -> tuple[tuple[SystemSummary, ...], Mapping[str, Sequence[GivenText] | Compressions]]:
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
    listed_summaries = [*summaries]
    if isinstance(references, Mapping):
        named = [
            _named(item, f"summaries[{number}]") for number, item in enumerate(listed_summaries)
        ]
        return tuple(named), references
    if isinstance(references, str) or not isinstance(references, Iterable):
        raise BadUsage(f"the references are of type {type(references).__name__}: {EXPECTED}")
    listed = [*references]
    if len(listed) != len(listed_summaries):
        counts = f"{number_of(len(listed_summaries), 'summary', 'summaries')}, but "
        raise BadUsage(f"{counts}{number_of(len(listed), 'reference')}: {EXPECTED}")
    texts = [
        SystemSummary(str(n), ONE_SYSTEM, _sentences(item, f"summaries[{n - 1}]"))
        for n, item in enumerate(listed_summaries, start=1)
    ]
    by_id = {
        str(n): [_sentences(text, f"references[{n - 1}]") for text in _several(item)]
        for n, item in enumerate(listed, start=1)
    }
    return tuple(texts), by_id


def _several(references: Any) -> list[Any]:
    """Return the references of a summary: one string, or a list of strings."""
    return [references] if isinstance(references, str) or references is None else [*references]


def _named(item: Any, place: str) -> SystemSummary:
    """Return a summary with its id and system. Raises ``BadUsage`` for another object."""
    if isinstance(item, SystemSummary):
        return item
    if isinstance(item, Mapping):
        item = (item.get("id"), item.get("system", ONE_SYSTEM), item.get("summary"))
    if not isinstance(item, tuple) or len(item) != 3:
        raise BadUsage(f"{place} is {reprlib.repr(item)}, and references are by id: {EXPECTED}")
    return SystemSummary(str(item[0]), str(item[1]), _sentences(item[2], place))


def _sentences(text: Any, place: str) -> tuple[str, ...]:
    """Return the sentences of a text. Raises ``BadData`` for an object that is none."""
    if isinstance(text, tuple):
        text = [*text]
    shape = shape_of(text)
    if shape is None:
        raise BadData(f"{place} is {reprlib.repr(text)}, expected a text or its sentences")
    side = shape.side
    return to_sentences([" ".join(tokens) for tokens in side] if is_tokenized(side) else side)
