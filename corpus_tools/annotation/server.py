"""Serves the page of the annotator on this machine, to nobody else.

Whoever runs a browser on this machine may be made by any web page to send requests to the server. A
request is answered only if it names this machine as its host (a name of somebody else's that leads
here is refused), if no other page has sent it, and if it knows the token of the address.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from typing import TYPE_CHECKING, Any, NoReturn

from waitress.server import create_server
from werkzeug.exceptions import (
    BadRequest,
    Forbidden,
    HTTPException,
    NotFound,
    UnsupportedMediaType,
)
from werkzeug.routing import Map, Rule
from werkzeug.sansio.utils import host_is_trusted
from werkzeug.wrappers import Request, Response

from corpus_tools.annotation.page_data import Work, page_of, pair_row, state_row
from corpus_tools.errors import BadData, BadUsage, NotSaved, OutOfDate, SemiHmmError
from corpus_tools.storage.file_formats import json_object
from corpus_tools.views.web_page import inert_json

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

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

STATUS = {NotSaved: 507, OutOfDate: 409}
"""The status of answers to steps that were not made. Of others it is 400."""


class LimitedRequest(Request):
    """A request of which no more is read than a step needs."""

    max_content_length = LARGEST_BODY


class AnnotationApp:
    """The WSGI application of an annotator's work.

    ``token``  the beginning of the path of every address.
    """

    def __init__(self, work: Work, token: str) -> None:
        self._work = work
        self._token = token

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        return self._response(LimitedRequest(environ))(environ, start_response)

    def _response(self, request: Request) -> Response:
        try:
            self._refuse_strangers(request)
            response = self._answer(request)
        except HTTPException as error:
            response = Response(f"{error.description}\n", error.code)
        for name, value in HEADERS.items():
            response.headers[name] = value
        response.headers.setdefault(
            "Content-Security-Policy", f"default-src 'none'; {NOTHING_ELSE}"
        )
        return response

    def _refuse_strangers(self, request: Request) -> None:
        """Raise ``Forbidden`` for a request that the page of this server has not sent."""
        host = request.headers.get("Host", "")
        if not host_is_trusted(host, HOSTS):
            raise Forbidden("this server answers to 127.0.0.1 and localhost only")
        if request.headers.get("Origin", f"http://{host}") != f"http://{host}":
            raise Forbidden("the request comes from another page")
        if request.headers.get("Sec-Fetch-Site", "none") not in OWN_SITES:
            raise Forbidden("the request comes from another page")
        given = request.path.removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            raise Forbidden("the address has no token, or that of another session")

    def _answer(self, request: Request) -> Response:
        endpoint, arguments = ROUTES.bind_to_environ(request.environ).match()
        if endpoint == "page":
            page, policy = page_of(self._work)
            headers = {POLICY: f"{policy}; {NOTHING_ELSE}"}
            return Response(page, mimetype="text/html", headers=headers)
        index = arguments["index"]
        if index >= len(self._work.session.pairs):
            raise NotFound("there is no such pair")
        if endpoint == "pair":
            return _json(pair_row(self._work, index))
        return self._step(request, index)

    def _step(self, request: Request, index: int) -> Response:
        """Make a step, and answer with the state of the pair, whether it was made or not."""
        if request.mimetype != "application/json":
            raise UnsupportedMediaType("a step is JSON")
        session = self._work.session
        try:
            row = _row(request)
            history = session.step(index, row["action"], row["steps"])
            return _json({"state": state_row(history)})
        except (BadData, BadUsage) as error:
            answer = {"error": str(error), "state": state_row(session.history(index))}
            return _json(answer, _status(error))


def _status(error: SemiHmmError) -> int:
    return STATUS.get(type(error), 400)


def _row(request: Request) -> dict[str, Any]:
    """Return the object of a request. Raises ``BadData`` and ``BadRequest``."""
    try:
        text = request.get_data().decode("utf-8")
    except UnicodeDecodeError:
        raise BadRequest("a step is in UTF-8") from None
    row = json_object(text, "the request", 1)
    if not isinstance(row.get("action"), dict) or type(row.get("steps")) is not int:
        raise BadRequest("a step has an 'action' and the number of 'steps' before it")
    return row


def _json(value: object, status: int = 200) -> Response:
    return Response(inert_json(value), status, mimetype="application/json")


LOOPBACK = "127.0.0.1"

TOKEN_BYTES = 32
"""Random bytes of the token: as many as cannot be guessed."""

IDLE = 5
"""Seconds for which a connection may idle, chosen by hand: a hundred would keep others out."""


def serve(work: Work, port: int, announce: Callable[[str], None]) -> NoReturn:
    """Serve the page until an interrupt, which is raised again after the step that is being made.

    ``port``      0 takes a free one.
    ``announce``  is called with the address as soon as there is one.

    Raises ``BadUsage`` for a port that cannot be had.
    """
    # What clients do is no news, and the page shows what fails.
    logging.getLogger("waitress").setLevel(logging.CRITICAL)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with _listening(port) as listener:
        server = create_server(
            AnnotationApp(work, token),
            sockets=[listener],
            # Steps are made one after another in any case.
            threads=1,
            channel_timeout=IDLE,
            cleanup_interval=1,
            expose_tracebacks=True,
            max_request_body_size=LARGEST_BODY,
            ident=None,
        )
        try:
            announce(f"http://{LOOPBACK}:{listener.getsockname()[1]}/{token}/")
            server.run()
        finally:
            server.close()
    # The server returns at an interrupt only, and keeps it to itself.
    raise KeyboardInterrupt


def _listening(port: int) -> socket:
    """Return a socket of this machine alone. Raises ``BadUsage``."""
    listener = socket(AF_INET, SOCK_STREAM)
    try:
        # A port of a server that has just ended can be taken at once.
        listener.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
    except OSError as error:
        listener.close()
        raise BadUsage(f"cannot serve on port {port}: {error.strerror or error}") from error
    return listener
