"""Serves the page of the annotator on this machine, to nobody else.

Whoever runs a browser on this machine may be made by any web page to send requests to the server. A
request is answered only if it names this machine as its host (a name of somebody else's that leads
here is refused), if no other page has sent it, and if it knows the token of the address.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from waitress.server import create_server
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, NotFound
from werkzeug.routing import Map, Rule
from werkzeug.sansio.utils import host_is_trusted
from werkzeug.wrappers import Request, Response

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.annotation.annotation import LONGEST_NOTE, annotation_row
from corpus_tools.annotation.session import History, Session
from corpus_tools.errors import BadData, BadUsage, NotSaved, OutOfDate
from corpus_tools.views.web_page import inert_json, side_row, whole_page

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

STYLES = ("views/page/page.css", "annotation/page/annotate.css")
SCRIPTS = (
    *("views/page/shared.js", "views/page/strip.js"),
    *("annotation/page/words.js", "annotation/page/selection.js", "annotation/page/find.js"),
    *("annotation/page/steps.js", "annotation/page/annotate.js"),
)
"""In the order in which they need each other."""

HOSTS = ("127.0.0.1", "localhost")
"""The names of this machine. The port may be another one, as behind a tunnel."""

OWN_SITES = ("same-origin", "none")
"""What browsers say of requests of the page itself, and of addresses that the user typed."""

LARGEST_BODY = 2**20
"""Bytes of a request, chosen by hand: the longest note and the links of a pair take far less."""

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
POLICY = "Content-Security-Policy"
NOTHING_ELSE = (
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the policy of the page says beside its script and its style."""

ROUTES = Map(
    [
        Rule("/<token>/", endpoint="page", methods=["GET"]),
        Rule("/<token>/pairs/<int:index>", endpoint="pair", methods=["GET"]),
        Rule("/<token>/pairs/<int:index>/steps", endpoint="step", methods=["POST"]),
    ]
)


@dataclass(frozen=True)
class AnnotationApp:
    """The WSGI application of an annotator's work.

    ``title``        the name of the file of the hand alignments.
    ``order``        the indices of the pairs, in the order in which they are shown.
    ``suggestions``  alignments by id, whose links are shown to be accepted.
    ``token``        the beginning of the path of every address, by which strangers are refused.
    """

    session: Session
    title: str
    order: Sequence[int]
    suggestions: Mapping[str, Alignment]
    token: str = field(default_factory=secrets.token_urlsafe)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        return self._response(Request(environ))(environ, start_response)

    def _response(self, request: Request) -> Response:
        try:
            self._refuse_strangers(request)
            response = self._answer(request)
        except HTTPException as error:
            response = Response(f"{error.description}\n", error.code)
        response.headers.update(HEADERS)
        response.headers.setdefault(POLICY, f"default-src 'none'; {NOTHING_ELSE}")
        return response

    def _refuse_strangers(self, request: Request) -> None:
        """Raise ``Forbidden`` for a request that the page of this server has not sent."""
        host = request.headers.get("Host", "")
        if not host_is_trusted(host, HOSTS):
            raise Forbidden("this server answers to 127.0.0.1 and localhost only")
        is_own = request.headers.get("Sec-Fetch-Site", "none") in OWN_SITES
        if not is_own or request.headers.get("Origin", f"http://{host}") != f"http://{host}":
            raise Forbidden("the request comes from another page")
        # Compared in constant time, so that answers do not tell how much of it is right.
        given = request.path.removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            raise Forbidden("the address has no token, or that of another session")

    def _answer(self, request: Request) -> Response:
        endpoint, arguments = ROUTES.bind_to_environ(request.environ).match()
        if endpoint == "page":
            return self._page()
        index = arguments["index"]
        if index >= len(self.session.pairs):
            raise NotFound("there is no such pair")
        if endpoint == "pair":
            return _json(self._pair_row(index))
        return self._step(request, index)

    def _page(self) -> Response:
        """Answer with the page, without the texts of the pairs."""
        pairs, histories = self.session.pairs, self.session.histories
        rows = [
            {"index": index, "id": pairs[index].id, **_summary(histories[index])}
            for index in self.order
        ]
        page, policy = whole_page(
            "annotation/page/annotate.html",
            self.title,
            STYLES,
            SCRIPTS,
            suggests=bool(self.suggestions),
            longest_note=LONGEST_NOTE,
            overview=inert_json({"pairs": rows}),
        )
        headers = {POLICY: f"{policy}; {NOTHING_ELSE}"}
        return Response(page, mimetype="text/html", headers=headers)

    def _pair_row(self, index: int) -> dict[str, Any]:
        """Return a pair for JSON: its texts, what is suggested, and how far it is."""
        pair = self.session.pairs[index]
        suggested = self.suggestions.get(pair.id)
        return {
            "id": pair.id,
            "abstract": side_row(pair.abstract),
            "document": side_row(pair.document),
            "suggestions": [link._asdict() for link in suggested.phrases] if suggested else [],
            "state": _state_row(self.session.histories[index]),
        }

    def _step(self, request: Request, index: int) -> Response:
        """Make a step, and answer with the state of the pair, whether it was made or not."""
        match request.get_json():
            case {"action": dict(action), "steps": int(steps)}:
                pass
            case _:
                raise BadRequest("a step has an 'action' and the number of 'steps' before it")
        try:
            return _json({"state": _state_row(self.session.step(index, action, steps))})
        except (BadData, BadUsage) as error:
            answer = {"error": str(error), "state": _state_row(self.session.histories[index])}
            # 507 and 409 are what HTTP calls a full disk and a conflict.
            status = {NotSaved: 507, OutOfDate: 409}.get(type(error), 400)
            return _json(answer, status)


def _state_row(history: History) -> dict[str, Any]:
    """Return for JSON how far a pair is."""
    return {
        "steps": history.steps,
        "undo": history.can_undo,
        "redo": history.can_redo,
        "annotation": annotation_row(history.current),
        **_summary(history),
    }


def _summary(history: History) -> dict[str, bool]:
    """Return what the list of the pairs shows of one."""
    current = history.current
    return {"decided": current.decided, "begun": not current.is_blank()}


def _json(value: object, status: int = 200) -> Response:
    return Response(inert_json(value), status, mimetype="application/json")


IDLE = 5
"""Seconds for which a connection may idle, chosen by hand: a hundred would keep others out."""


def serve(app: AnnotationApp, port: int, announce: Callable[[str], None]) -> NoReturn:
    """Serve the page until an interrupt, which is raised again after the step that is being made.

    ``port``      0 takes a free one.
    ``announce``  is called with the address as soon as there is one.

    Raises ``BadUsage`` for a port that cannot be had.
    """
    # What clients do is no news, and the page shows what fails.
    logging.getLogger("waitress").setLevel(logging.CRITICAL)
    try:
        server = create_server(
            app,
            host=HOSTS[0],
            port=port,
            # Steps are made one after another in any case.
            threads=1,
            channel_timeout=IDLE,
            cleanup_interval=1,
            expose_tracebacks=True,
            max_request_body_size=LARGEST_BODY,
            ident=None,
        )
    except OSError as error:
        raise BadUsage(f"cannot serve on port {port}: {error.strerror or error}") from error
    try:
        announce(f"http://{HOSTS[0]}:{server.effective_port}/{app.token}/")
        server.run()
    finally:
        server.close()
    # The server returns at an interrupt only, and keeps it to itself.
    raise KeyboardInterrupt
