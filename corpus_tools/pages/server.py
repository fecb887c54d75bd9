"""Serves the page of annotators on this machine, or to others behind a proxy with HTTPS.

Any web page can make a browser send requests to this server. So a request is answered only if it
uses the name of the server (not another name that resolves to this machine), if no other page has
sent it, and if it has the token of an annotator's address.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import compare_digest
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from waitress.channel import HTTPChannel
from waitress.server import create_server
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, NotFound
from werkzeug.routing import Map, Rule
from werkzeug.sansio.utils import host_is_trusted
from werkzeug.wrappers import Request, Response

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import BadData, BadUsage, NotSaved, OutOfDate
from corpus_tools.base.files import StrPath
from corpus_tools.base.reading import read_text
from corpus_tools.pages.adjudication import opinions_row
from corpus_tools.pages.annotation import LONGEST_NOTE
from corpus_tools.pages.session import Session, read_seconds
from corpus_tools.pages.web_page import inert_json, side_row, whole_page

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

ANNOTATE_STYLES = (
    "pages/view/page.css",
    "pages/annotate/annotate.css",
    "pages/annotate/adjudicate.css",
)
ANNOTATE_SCRIPTS = (
    *("pages/view/shared.js", "pages/view/strip.js"),
    *("pages/annotate/words.js", "pages/annotate/selection.js", "pages/annotate/find.js"),
    *("pages/annotate/clock.js", "pages/annotate/steps.js", "pages/annotate/note.js"),
    *("pages/annotate/list.js", "pages/annotate/adjudicate.js", "pages/annotate/annotate.js"),
)
"""The scripts of the page. A script may use the ones before it."""

LOCAL_HOSTS = ("127.0.0.1", "localhost")
"""The names of this machine. The port may differ, for instance with a tunnel."""

OWN_SITES = ("same-origin", "none")
"""The values of ``Sec-Fetch-Site`` for requests of the page itself and for typed addresses."""

LARGEST_BODY = 2**20
"""The most bytes of a request: the longest note and the links of a pair take far less."""

RESPONSE_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
POLICY_HEADER = "Content-Security-Policy"
PAGE_POLICY = (
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The policy of the page, apart from its scripts and styles."""

ROUTES = Map(
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
    ``order``    the indices of the pairs, in the order in which they are shown.
    ``token``    the secret first part of the path of every address.
    """

    session: Session
    title: str
    order: Sequence[int]
    token: str = field(default_factory=secrets.token_urlsafe)


@dataclass(frozen=True)
class AnnotationApp:
    """The WSGI application for one or several annotators, who do not see each other's work.

    ``works``        the work of each annotator.
    ``suggestions``  alignments by id; the page shows their links, which annotators can accept.
    ``guidelines``   HTML for the help; empty: the paper's guidelines.
    ``url``          the address of the server behind a proxy with HTTPS; empty: this machine.
    """

    works: Sequence[Work]
    suggestions: Mapping[str, Alignment]
    guidelines: str = ""
    url: str = ""

    def addresses(self, port: int) -> list[str]:
        """Return the address of each work.

        ``port``  the port on which the server listens, for addresses without a proxy.
        """
        base = self.url.rstrip("/") or f"http://{LOCAL_HOSTS[0]}:{port}"
        return [f"{base}/{work.token}/" for work in self.works]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        request = Request(environ)
        try:
            response = self._answer(request, self._work_of(request))
        except HTTPException as error:
            response = Response(f"{error.description}\n", error.code)
        response.headers.update(RESPONSE_HEADERS)
        response.headers.setdefault(POLICY_HEADER, f"default-src 'none'; {PAGE_POLICY}")
        return response(environ, start_response)

    def _work_of(self, request: Request) -> Work:
        """Return the work of a request's token. Raises ``Forbidden`` for other pages' requests."""
        headers = request.headers
        origin = f"{request.scheme}://{headers.get('Host', '')}"
        scheme, host, *_ = urlsplit(self.url)
        is_own_host = origin == f"{scheme}://{host}"
        if not (is_own_host if self.url else host_is_trusted(headers.get("Host", ""), LOCAL_HOSTS)):
            known = self.url or " and ".join(LOCAL_HOSTS)
            raise Forbidden(f"this server answers to {known} only")
        # A link, as in a mail, may be followed: the page with the link cannot read the answer.
        kind = (headers.get(f"Sec-Fetch-{what}") for what in ("Mode", "Dest"))
        follows_link = request.method == "GET" and tuple(kind) == ("navigate", "document")
        is_own_page = headers.get("Sec-Fetch-Site", "none") in OWN_SITES or follows_link
        if not is_own_page or headers.get("Origin", origin) != origin:
            raise Forbidden("the request comes from another page")
        # The comparison takes constant time, so that its time does not help to guess a token.
        given = request.path.removeprefix("/").partition("/")[0].encode()
        for work in self.works:
            if compare_digest(given, work.token.encode()):
                return work
        raise Forbidden(
            "the address has no token, or that of another session: go on at the address that was "
            "printed when the server was started last"
        )

    def _answer(self, request: Request, work: Work) -> Response:
        endpoint, arguments = ROUTES.bind_to_environ(request.environ).match()
        if endpoint == "page":
            return self._page(work)
        index = arguments["index"]
        if index >= len(work.session.pairs):
            raise NotFound("there is no such pair")
        if endpoint == "pair":
            return _json(self._pair_row(work.session, index))
        return _step(request, work.session, index)

    def _page(self, work: Work) -> Response:
        """Return the page, without the texts of the pairs."""
        session = work.session
        rows = [
            {"index": index, "id": session.pairs[index].id, **_summary(session, index)}
            for index in work.order
        ]
        people = session.adjudication.people
        content = {
            "suggests": bool(self.suggestions),
            "guidelines": self.guidelines,
            "people": people,
            "longest_note": LONGEST_NOTE,
            "overview": inert_json({"pairs": rows, "people": people}),
        }
        page, policy = whole_page(
            "pages/annotate/annotate.html", work.title, ANNOTATE_STYLES, ANNOTATE_SCRIPTS, **content
        )
        return Response(
            page, mimetype="text/html", headers={POLICY_HEADER: f"{policy}; {PAGE_POLICY}"}
        )

    def _pair_row(self, session: Session, index: int) -> dict[str, Any]:
        """Return a pair for JSON: texts, suggestions and state."""
        pair = session.pairs[index]
        suggested = self.suggestions.get(pair.id)
        opinions = session.adjudication.opinions
        return {
            "id": pair.id,
            "abstract": side_row(pair.abstract),
            "document": side_row(pair.document),
            "suggestions": [link._asdict() for link in suggested.phrases] if suggested else [],
            **(opinions_row(opinions[pair.id]) if opinions else {}),
            "state": _state_row(session, index),
        }


def _step(request: Request, session: Session, index: int) -> Response:
    """Make a step; return the state of the pair, and the error if the step was refused."""
    try:
        body = request.get_json()
    except (RecursionError, ValueError):  # too many brackets or digits
        raise BadRequest("the body is no JSON of a step") from None
    match body:
        case {"action": dict(action), "steps": int(steps)}:
            pass
        case _:
            raise BadRequest("a step has an 'action' and the number of 'steps' before it")
    try:
        session.step(index, action, steps, read_seconds(body))
        return _json({"state": _state_row(session, index)})
    except (RecursionError, OverflowError):
        raise BadRequest("numbers or lists of the action are too large") from None
    except (BadData, BadUsage) as error:
        answer = {"error": str(error), "state": _state_row(session, index)}
        # In HTTP, 507 is insufficient storage, 409 is a conflict.
        status = {NotSaved: 507, OutOfDate: 409}.get(type(error), 400)
        return _json(answer, status)


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


def _json(value: object, status: int = 200) -> Response:
    return Response(inert_json(value), status, mimetype="application/json")


BEHIND_PROXY = {"trusted_proxy": "*", "trusted_proxy_headers": {"x-forwarded-proto"}}
"""The server trusts any proxy that says it uses HTTPS; ``AnnotationApp`` refuses other requests."""

SERVER_SETTINGS = {
    "channel_timeout": 5,
    "cleanup_interval": 1,
    "connection_limit": 500,
    "max_request_body_size": LARGEST_BODY,
    "ident": None,
}
"""The settings of waitress. A connection may idle, or take for a request, at most five seconds."""


class TimedChannel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection whose requests must be complete within ``channel_timeout``.

    A client that sends a request in tiny pieces could otherwise keep a connection for ever.
    """

    _begun = 0.0
    last_activity: float

    def received(self, data: bytes) -> bool:
        """Take a piece of a request. Only the first piece resets the timeout.

        waitress closes a connection some time after ``last_activity``, which it sets to now when a
        piece comes.
        """
        if self.request is None:
            self._begun = self.last_activity
        self.last_activity = self._begun
        return bool(super().received(data))


def serve(app: AnnotationApp, host: str, port: int, announce: Callable[[int], None]) -> NoReturn:
    """Serve the page until an interrupt, which is raised again after all current steps are done.

    ``host``      the IP address to listen on.
    ``port``      the port to listen on; 0: a free one.
    ``announce``  receives the port as soon as the server listens.

    Raises ``BadUsage`` for an address or a port that is not available.
    """
    # Requests are not logged; the page shows errors.
    logging.getLogger("waitress").setLevel(logging.CRITICAL)
    try:
        # An annotator may have two windows open.
        threads = 2 * len(app.works)
        proxy = BEHIND_PROXY if app.url else {}
        server = create_server(
            app, host=host, port=port, threads=threads, **SERVER_SETTINGS, **proxy
        )
        server.channel_class = TimedChannel
    except OSError as error:
        raise BadUsage(f"cannot serve on {host}, port {port}: {error.strerror or error}") from error
    try:
        announce(server.effective_port)
        server.run()
    finally:
        server.close()
    # ``run`` returns only after an interrupt, which it suppresses.
    raise KeyboardInterrupt


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
