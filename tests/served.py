"""Visits pages, of a command in a process of its own too."""

import json
import re
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import Popen
from typing import Any

from tests.semihmm.program_runs import program


class Visitor:
    """Somebody who visits the addresses that a server has said."""

    def __init__(self, said: str) -> None:
        self.said = said
        self.addresses = re.findall(r"https?://\S+/", said)
        self.address = self.addresses[0]

    def get(self, path: str) -> Any:
        """Return the JSON of an address."""
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)


class Served(Visitor):
    """A visitor of a server that runs in a process of its own."""

    def __init__(self, process: Popen[str]) -> None:
        self.process = process
        said = ""
        assert process.stderr is not None
        for line in process.stderr:
            said += line
            if "Ctrl-C ends it" in line:
                break
        super().__init__(said)

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """End the server; return the status and all that it said."""
        self.process.send_signal(number)
        out, err = self.process.communicate()
        assert out == ""
        return self.process.returncode, self.said + err


@contextmanager
def serving(*arguments: object, **more: Any) -> Iterator[Served]:
    """Run a command that serves a page while inside.

    ``more``  what the process gets.
    """
    process = program(*arguments, "--no-browser", **more)
    try:
        yield Served(process)
    finally:
        process.kill()
        process.communicate()
