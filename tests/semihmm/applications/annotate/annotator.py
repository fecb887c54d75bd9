"""Runs ``semihmm annotate``, or ``semihmm view`` without a file, in a process of its own."""

import json
import re
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from subprocess import Popen
from typing import Any

from tests.semihmm.program_runs import program


class Annotator:
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

    def annotation(self, index: int) -> Any:
        """Return what was saved of a pair."""
        return self.get(f"pairs/{index}")["state"]["annotation"]

    def step(self, index: int, **action: object) -> Any:
        """Make a step on a pair, as the page does."""
        steps = self.get(f"pairs/{index}")["state"]["steps"]
        body = json.dumps({"action": action, "steps": steps}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}pairs/{index}/steps", body, headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["state"]

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """End the server; return the status and all that it said."""
        self.process.send_signal(number)
        out, err = self.process.communicate()
        assert out == ""
        return self.process.returncode, self.said + err


def annotating(*arguments: object) -> AbstractContextManager[Annotator]:
    """Run the command while inside."""
    return serving("annotate", *arguments)


@contextmanager
def serving(*arguments: object, **more: Any) -> Iterator[Annotator]:
    """Run a command that serves a page while inside; ``more`` is what its process gets."""
    process = program(*arguments, "--no-browser", **more)
    try:
        yield Annotator(process)
    finally:
        process.kill()
        process.communicate()
