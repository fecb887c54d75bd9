"""What an annotator may do to a pair: each action makes an annotation of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from corpus_tools.annotation.annotation import Annotation
from corpus_tools.annotation.rows import (
    read_links,
    read_note,
    read_phrases,
    read_truth,
    read_words,
)
from corpus_tools.errors import BadData, choose, number_of
from corpus_tools.pairs.pair import Pair

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


def applied(action: Row, annotation: Annotation, pair: Pair) -> Annotation:
    """Return the annotation after an action, given as a JSON object with its name in ``do``.

    Raises ``BadData`` for anything malformed, and for what cannot be done.
    """
    name = action.get("do")
    if not isinstance(name, str):
        raise BadData("an action has no name in 'do'")
    choose("action", name, ACTIONS)
    return ACTIONS[name](annotation, action, pair)
