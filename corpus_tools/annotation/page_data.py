"""Turns the work on pairs into the page of the annotator and its data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.annotation.annotation import History
from corpus_tools.annotation.gold_file import LONGEST_NOTE, annotation_row
from corpus_tools.annotation.session import Session
from corpus_tools.pairs.pair import Pair
from corpus_tools.views.web_page import inert_json, side_row, whole_page

STYLES = ("views/page/page.css", "annotation/page/annotate.css")
SCRIPTS = (
    *("views/page/shared.js", "views/page/strip.js"),
    *("annotation/page/words.js", "annotation/page/steps.js", "annotation/page/annotate.js"),
)
"""In the order in which they need each other."""


@dataclass(frozen=True)
class Work:
    """What the page of the annotator shows.

    ``title``        the name of the file of the hand alignments.
    ``order``        the indices of the pairs, in the order in which they are shown.
    ``suggestions``  alignments by id, whose links are shown to be accepted.
    """

    session: Session
    title: str
    order: Sequence[int]
    suggestions: Mapping[str, Alignment]


def page_of(work: Work) -> tuple[str, str]:
    """Return the page as HTML, without the texts of the pairs, and its content security policy."""
    return whole_page(
        "annotation/page/annotate.html",
        work.title,
        STYLES,
        SCRIPTS,
        suggests=bool(work.suggestions),
        longest_note=LONGEST_NOTE,
        overview=inert_json({"pairs": _summaries(work)}),
    )


def _summaries(work: Work) -> list[dict[str, Any]]:
    """Return what the list of the pairs shows, in its order."""
    pairs = work.session.pairs
    return [
        {"index": index, "id": pairs[index].id, **_summary(work.session.history(index))}
        for index in work.order
    ]


def _summary(history: History) -> dict[str, bool]:
    current = history.current
    return {"decided": current.decided, "begun": not current.is_blank()}


def pair_row(work: Work, index: int) -> dict[str, Any]:
    """Return a pair for JSON: its texts, what is suggested, and how far it is."""
    pair = work.session.pairs[index]
    return {
        "id": pair.id,
        "abstract": side_row(pair.abstract),
        "document": side_row(pair.document),
        "suggestions": _suggestions(pair, work.suggestions),
        "state": state_row(work.session.history(index)),
    }


def state_row(history: History) -> dict[str, Any]:
    """Return for JSON how far a pair is."""
    return {
        "steps": history.steps,
        "undo": history.can_undo,
        "redo": history.can_redo,
        "annotation": annotation_row(history.current),
        **_summary(history),
    }


def _suggestions(pair: Pair, alignments: Mapping[str, Alignment]) -> list[dict[str, Any]]:
    if pair.id not in alignments:
        return []
    return [
        {"abstract": link.abstract, "document": link.document, "probability": link.probability}
        for link in alignments[pair.id].phrases
    ]
