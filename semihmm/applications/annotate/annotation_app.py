"""Answers the page of annotators: the pairs, and each step of an annotator."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from werkzeug.exceptions import BadRequest, NotFound
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Request, Response

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import BadData, BadUsage, NotSaved, OutOfDate
from corpus_tools.base.files import StrPath
from corpus_tools.base.reading import read_text
from corpus_tools.pages.server import PageApp, json_body, json_response, page_response
from corpus_tools.pages.web_page import inert_json, side_row
from semihmm.applications.annotate.annotation import LONGEST_NOTE
from semihmm.applications.annotate.session import Session, read_seconds

PAGES_FOLDER = "applications/annotate/pages"
ANNOTATE_STYLES = (
    "pages/view/page.css",
    *(f"{PAGES_FOLDER}/{name}.css" for name in ("annotate", "adjudicate")),
)
SCRIPT_NAMES = (
    *("words", "selection", "find", "clock", "steps"),
    *("note", "list", "adjudicate", "annotate"),
)
ANNOTATE_SCRIPTS = (
    *("pages/view/shared.js", "pages/view/strip.js"),
    *(f"{PAGES_FOLDER}/{name}.js" for name in SCRIPT_NAMES),
)
"""The scripts of the page. A script may use the ones before it."""

ANNOTATE_ROUTES = Map(
    [
        Rule("/<token>/", endpoint="page", methods=["GET"]),
        Rule("/<token>/pairs/<int:index>", endpoint="pair", methods=["GET"]),
        Rule("/<token>/pairs/<int:index>/steps", endpoint="step", methods=["POST"]),
    ]
)

SHOWN_NOTE_CHARACTERS = 100
"""The number of characters of a note in the list of pairs: a line."""


@dataclass(frozen=True)
class Work:
    """The work of one annotator.

    ``session``  the pairs with their annotations.
    ``title``    the name of the file of the hand alignments.
    ``token``    the secret first part of the path of every address.
    """

    session: Session
    title: str
    token: str = field(default_factory=secrets.token_urlsafe)


@dataclass(frozen=True)
class AnnotationApp(PageApp):
    """The WSGI application for one or several annotators, who do not see each other's work.

    ``works``        the work of each annotator.
    ``suggestions``  alignments by id; the page shows their links, which annotators can accept.
    ``guidelines``   HTML for the help; empty: the paper's guidelines.
    """

    works: Sequence[Work]
    suggestions: Mapping[str, Alignment]
    guidelines: str = ""

    def tokens(self) -> Sequence[str]:
        """Return the token of each annotator."""
        return [work.token for work in self.works]

    def answer(self, request: Request, place: int) -> Response:
        """Answer with the page, with a pair, or with its state after a step."""
        work = self.works[place]
        endpoint, arguments = ANNOTATE_ROUTES.bind_to_environ(request.environ).match()
        if endpoint == "page":
            return self._page(work)
        index = arguments["index"]
        if index >= len(work.session.pairs):
            raise NotFound("there is no such pair")
        if endpoint == "pair":
            return json_response(self._pair_row(work.session, index))
        return _step(request, work.session, index)

    def _page(self, work: Work) -> Response:
        """Return the page, without the texts of the pairs."""
        session = work.session
        rows = [
            {"index": index, "id": pair.id, **_summary(session, index)}
            for index, pair in enumerate(session.pairs)
        ]
        people = session.adjudication.people
        content = {
            "suggests": bool(self.suggestions),
            "guidelines": self.guidelines,
            "people": people,
            "longest_note": LONGEST_NOTE,
            "overview": inert_json({"pairs": rows, "people": people}),
        }
        page = f"{PAGES_FOLDER}/annotate.html"
        return page_response(page, work.title, ANNOTATE_STYLES, ANNOTATE_SCRIPTS, **content)

    def _pair_row(self, session: Session, index: int) -> dict[str, Any]:
        """Return a pair for JSON: texts, suggestions and state."""
        pair = session.pairs[index]
        suggested = self.suggestions.get(pair.id)
        row: dict[str, Any] = {
            "id": pair.id,
            "abstract": side_row(pair.abstract),
            "document": side_row(pair.document),
            "suggestions": [link._asdict() for link in suggested.phrases] if suggested else [],
        }
        if opinions := session.adjudication.opinions.get(pair.id):
            people = ((name, own.row()) for name, own in opinions.people.items())
            row["people"] = [
                {"name": name, "links": own["links"], "null": own["null"]} for name, own in people
            ]
            row["differences"] = opinions.differences
        return row | {"state": _state_row(session, index)}


def _step(request: Request, session: Session, index: int) -> Response:
    """Make a step; return the state of the pair, and the error if the step was refused."""
    match json_body(request):
        case {"action": dict(action), "steps": int(steps)} as body:
            pass
        case _:
            raise BadRequest("a step has an 'action' and the number of 'steps' before it")
    try:
        session.step(index, action, steps, read_seconds(body))
        return json_response({"state": _state_row(session, index)})
    except (RecursionError, OverflowError):
        raise BadRequest("numbers or lists of the action are too large") from None
    except (BadData, BadUsage) as error:
        answer = {"error": str(error), "state": _state_row(session, index)}
        # In HTTP, 507 is insufficient storage, 409 is a conflict.
        status = {NotSaved: 507, OutOfDate: 409}.get(type(error), 400)
        return json_response(answer, status)


def _state_row(session: Session, index: int) -> dict[str, Any]:
    """Return the state of a pair for JSON."""
    history = session.histories[index]
    return {
        "steps": history.steps,
        "undo": history.index > 0,
        "redo": history.index + 1 < len(history.annotations),
        "annotation": history.current.row(),
        "row": _summary(session, index),
    }


def _summary(session: Session, index: int) -> dict[str, Any]:
    """Return the row of a pair in the list of pairs."""
    history = session.histories[index]
    current = history.current
    opinions = session.adjudication.opinions.get(session.pairs[index].id)
    progress = "open" if current.is_blank() else "begun"
    undecided = "sent back" if current.sent_back else progress
    return {
        "is": "decided" if current.decided else undecided,
        "words": current.abstract_words,
        "unaligned": len(current.null),
        "note": current.note[:SHOWN_NOTE_CHARACTERS],
        "seconds": round(history.seconds),
        "differences": opinions.open_differences(current) if opinions else 0,
    }


# Guidelines of a lab

LINK_TARGET = re.compile("(https?://|mailto:)", re.IGNORECASE)
"""The allowed targets of links. The page would take the target ``#name`` for the id of a pair."""

HEADINGS_ABOVE = 3
"""The level of the heading above the guidelines."""


def read_guidelines(path: StrPath) -> str:
    """Return a Markdown file as HTML. HTML and pictures in the file are shown as text.

    Links open in a new window. Raises ``BadData`` for a file that cannot be read.
    """
    # The import is here since few users have their own guidelines.
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    markdown.validateLink = lambda url: bool(LINK_TARGET.match(url))  # type: ignore[method-assign]
    tokens = markdown.parse(read_text(path))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + HEADINGS_ABOVE, 6)}"
        for part in token.children or ():
            if part.type == "link_open":
                part.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
        # The content security policy forbids styles of elements, which would align cells.
        token.attrs.pop("style", None)
    return str(markdown.renderer.render(tokens, markdown.options, {}))
