"""Runs ``semihmm annotate`` in a process of its own."""

import json
import urllib.request
from contextlib import AbstractContextManager
from typing import Any

from tests.served import Served, serving


class Annotator(Served):
    """A running server of annotations, with what it has said so far."""

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


def annotating(*arguments: object) -> AbstractContextManager[Annotator]:
    """Run the command while inside."""
    return serving(Annotator, "annotate", *arguments)
