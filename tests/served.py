"""Runs a command that serves a page in a process of its own."""

import json
import re
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import Popen
from typing import Any, TypeVar

from tests.semihmm.program_runs import program


class Served:
    """A running server, with what it has said so far."""

    def __init__(self, process: Popen[str]) -> None:
        self.process = process
        self.said = ""
        assert process.stderr is not None
        for line in process.stderr:
            self.said += line
            if "Ctrl-C ends it" in line:
                break
        self.addresses = re.findall(r"https?://\S+/", self.said)
        self.address = self.addresses[0]

    def get(self, path: str) -> Any:
        """Return the JSON of an address."""
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """End the server; return the status and all that it said."""
        self.process.send_signal(number)
        out, err = self.process.communicate()
        assert out == ""
        return self.process.returncode, self.said + err


Server = TypeVar("Server", bound=Served)


@contextmanager
def serving(server: type[Server], *arguments: object, **more: Any) -> Iterator[Server]:
    """Run a command that serves a page while inside.

    ``server``  the class of what is yielded.
    ``more``    what the process gets.
    """
    process = program(*arguments, "--no-browser", **more)
    try:
        yield server(process)
    finally:
        process.kill()
        process.communicate()
