"""Serves the page of the annotator on this machine, to nobody else."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from typing import NoReturn

from waitress.server import create_server

from corpus_tools.annotation.page_data import Work
from corpus_tools.annotation.web_app import LARGEST_BODY, AnnotationApp
from corpus_tools.errors import BadUsage

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
