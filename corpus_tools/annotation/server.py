"""Serves the page of the annotator on this machine, to nobody else."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from threading import Thread

from waitress.server import create_server

from corpus_tools.annotation.page_data import Work
from corpus_tools.annotation.web_app import LARGEST_BODY, AnnotationApp
from corpus_tools.errors import BadUsage

LOOPBACK = "127.0.0.1"

TOKEN_BYTES = 32
"""Random bytes of the token: as many as cannot be guessed."""


@contextmanager
def serving(work: Work, port: int = 0) -> Iterator[str]:
    """Serve the page while inside, and give its address.

    ``port``  0 takes a free one.

    Raises ``BadUsage`` for a port that cannot be had.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with _listening(port) as listener:
        server = create_server(
            AnnotationApp(work, token),
            sockets=[listener],
            # Steps are made one after another in any case.
            threads=1,
            max_request_body_size=LARGEST_BODY,
            ident=None,
        )
        # The main thread stays free for signals, which the server would swallow.
        Thread(target=server.run, name="annotation server", daemon=True).start()
        try:
            yield f"http://{LOOPBACK}:{listener.getsockname()[1]}/{token}/"
        finally:
            work.session.close()
            server.close()


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
