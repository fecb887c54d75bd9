"""Turns views of pairs into the data of the web page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corpus_tools.texts.text import Text
from corpus_tools.views.pair_view import PairView, ShownLink
from corpus_tools.views.running_text import running_text

LAST_OF_PLANE_0 = 0xFFFF
"""Characters beyond have two code units in the strings of JavaScript."""


def pair_row(view: PairView, components: Sequence[str]) -> dict[str, Any]:
    """Return a pair for JSON.

    ``components``  the names that links refer to by number.
    """
    row: dict[str, Any] = {
        "id": view.pair.id,
        "abstract": side_row(view.pair.abstract),
        "document": side_row(view.pair.document),
        "links": [_link_row(link, components) for link in view.links],
    }
    if view.posteriors is not None:
        row["posteriors"] = [(a, d, round(p, 2)) for a, d, p in view.posteriors]
    if view.covered is not None:
        row["covered"] = {
            side: [round(posterior, 2) for posterior in posteriors]
            for side, posteriors in view.covered._asdict().items()
        }
    return row


def side_row(text: Text) -> dict[str, Any]:
    """Return one side of a pair for JSON.

    ``text``       the running text.
    ``steps``      for each token the code units of UTF-16 between the end of the token before and
                   its start, then its length: small numbers, since there are many.
    ``sentences``  the boundaries of the sentences, in tokens.
    """
    string, spans = running_text(text)
    offsets = _utf16_offsets(string)
    steps = []
    before = 0
    for span in spans:
        start, end = span if offsets is None else (offsets[span[0]], offsets[span[1]])
        steps += [start - before, end - start]
        before = end
    return {"text": string, "steps": steps, "sentences": text.boundaries}


def summary_row(view: PairView) -> list[Any]:
    """Return what the list and the filters of the page need to know of a pair.

    These are id, errors, lowest probability, longest jump, abstract words, document words.
    """
    pair = view.pair
    return [
        pair.id,
        view.errors(),
        _rounded(view.lowest_probability()),
        view.longest_jump(),
        len(pair.abstract),
        len(pair.document),
    ]


def _link_row(link: ShownLink, components: Sequence[str]) -> list[Any]:
    row = [*link.abstract, *link.document, _rounded(link.probability), link.status]
    if link.source is not None:
        row += [components.index(link.source.component), _rounded(link.source.share)]
    return row


def _rounded(probability: float | None) -> float | None:
    return None if probability is None else round(probability, 3)


def _utf16_offsets(string: str) -> list[int] | None:
    """Return the code unit at which each character begins, and the end.

    ``None`` where they are the characters.
    """
    if not string or ord(max(string)) <= LAST_OF_PLANE_0:
        return None
    offsets = [0]
    for character in string:
        offsets.append(offsets[-1] + 1 + (ord(character) > LAST_OF_PLANE_0))
    return offsets
