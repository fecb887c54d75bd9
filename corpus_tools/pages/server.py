"""Serves pages on this machine, to its browsers alone.

Any web page can make a browser send requests to this server. So a request is answered only if it
uses the name of the server (not another name that resolves to this machine), if no other page has
sent it, and if it has a token of the server's addresses.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from secrets import compare_digest
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from waitress.server import create_server
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException
from werkzeug.sansio.utils import host_is_trusted
from werkzeug.wrappers import Request, Response

from corpus_tools.base.errors import BadUsage
from corpus_tools.pages.web_page import inert_json, whole_page

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LOCAL_HOSTS = ("127.0.0.1", "localhost")
"""The names of this machine. The port may differ, for instance with a tunnel."""

OWN_SITES = ("same-origin", "none")
"""The values of ``Sec-Fetch-Site`` for requests of the page itself and for typed addresses."""

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


class PageApp(ABC):
    """A WSGI application for the holders of some tokens.

    ``threads``       the requests of a token that are answered at a time: it may have two windows.
    ``largest_body``  the most bytes of a request: an annotator's longest note and the links of a
                      pair take far less.
    """

    threads: ClassVar[int] = 2
    largest_body: ClassVar[int] = 2**20

    @abstractmethod
    def tokens(self) -> Sequence[str]:
        """Return the secret first parts of the paths of all addresses."""

    @abstractmethod
    def answer(self, request: Request, place: int) -> Response:
        """Answer a request that is allowed; ``place`` is that of its token.

        Raises ``HTTPException``, whose description the sender gets.
        """

    def addresses(self, port: int) -> list[str]:
        """Return the address of each token.

        ``port``  the port on which the server listens.
        """
        return [f"http://{LOCAL_HOSTS[0]}:{port}/{token}/" for token in self.tokens()]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        request = Request(environ)
        try:
            response = self.answer(request, self._place_of_token(request))
        except HTTPException as error:
            response = Response(f"{error.description}\n", error.code)
        response.headers.update(RESPONSE_HEADERS)
        response.headers.setdefault(POLICY_HEADER, f"default-src 'none'; {PAGE_POLICY}")
        return response(environ, start_response)

    def _place_of_token(self, request: Request) -> int:
        """Return the place of a request's token. Raises ``Forbidden`` for other pages' requests."""
        headers = request.headers
        origin = f"{request.scheme}://{headers.get('Host', '')}"
        if not host_is_trusted(headers.get("Host", ""), LOCAL_HOSTS):
            raise Forbidden(f"this server answers to {' and '.join(LOCAL_HOSTS)} only")
        # A link, as in a mail, may be followed: the page with the link cannot read the answer.
        kind = (headers.get(f"Sec-Fetch-{what}") for what in ("Mode", "Dest"))
        follows_link = request.method == "GET" and tuple(kind) == ("navigate", "document")
        is_own_page = headers.get("Sec-Fetch-Site", "none") in OWN_SITES or follows_link
        if not is_own_page or headers.get("Origin", origin) != origin:
            raise Forbidden("the request comes from another page")
        # The comparison takes constant time, so that its time does not help to guess a token.
        sent_token = request.path.removeprefix("/").partition("/")[0].encode()
        for place, token in enumerate(self.tokens()):
            if compare_digest(sent_token, token.encode()):
                return place
        raise Forbidden(
            "the address has no token, or that of another session: go on at the address that was "
            "printed when the server was started last"
        )


def page_response(
    template: str, title: str, styles: Iterable[str], scripts: Iterable[str], **content: Any
) -> Response:
    """Return a page that may ask this server, and no other (``whole_page``)."""
    page, policy = whole_page(template, title, styles, scripts, **content)
    return Response(page, mimetype="text/html", headers={POLICY_HEADER: f"{policy}; {PAGE_POLICY}"})


def json_response(value: object, status: int = 200) -> Response:
    """Return a value as JSON."""
    return Response(inert_json(value), status, mimetype="application/json")


def json_body(request: Request) -> Any:
    """Return the JSON of a request. Raises ``BadRequest``."""
    try:
        return request.get_json()
    except (RecursionError, ValueError):  # too many brackets or digits
        raise BadRequest("the body is no JSON that can be read") from None


SERVER_SETTINGS = {
    "channel_timeout": 5,
    "cleanup_interval": 1,
    "connection_limit": 500,
    "ident": None,
}
"""The settings of waitress. A connection may idle at most five seconds."""


def serve(app: PageApp, port: int, announce: Callable[[int], None]) -> NoReturn:
    """Serve the page until an interrupt, which is raised again after all current steps are done.

    ``port``      the port to listen on; 0: a free one.
    ``announce``  receives the port as soon as the server listens.

    Raises ``BadUsage`` for a port that is not available.
    """
    # Requests are not logged; the page shows errors.
    logging.getLogger("waitress").setLevel(logging.CRITICAL)
    try:
        threads = app.threads * len(app.tokens())
        settings = {"threads": threads, "max_request_body_size": app.largest_body}
        server = create_server(app, host=LOCAL_HOSTS[0], port=port, **settings, **SERVER_SETTINGS)
    except OSError as error:
        raise BadUsage(f"cannot serve on port {port}: {error.strerror or error}") from error
    try:
        announce(server.effective_port)
        server.run()
    finally:
        server.close()
    # ``run`` returns only after an interrupt, which it suppresses.
    raise KeyboardInterrupt
