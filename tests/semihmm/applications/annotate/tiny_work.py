"""Small pairs, sessions of work on them, and ``semihmm annotate`` in a process of its own."""

import json
import shutil
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from corpus_tools.pairs.pair import Pair
from semihmm.applications.annotate.annotation import Annotation, Span, Spans
from semihmm.applications.annotate.session import Session, open_session
from tests.served import Served, serving
from tests.tiny_corpora import text

PAIRS = [
    Pair("one", text("a dog saw the cat .", "It ran ."), text("a cat ran .")),
    Pair("two", text("old news", "no news"), text("news")),
]
"""The first has 9 document and 4 abstract words, the second 4 and 1."""


def link(abstract: Span | Spans, document: Span | Spans, sure: bool = True) -> dict[str, Any]:
    """Return the action of one link. A side is a span, or several."""
    links = [{"abstract": list(abstract), "document": list(document), "sure": sure}]
    return {"do": "link", "links": links}


def null(*words: int) -> dict[str, Any]:
    """Return the action that nulls words."""
    return {"do": "null", "words": list(words)}


DECIDED = {"do": "decide", "decided": True}

UNDO, REDO = {"do": "undo"}, {"do": "redo"}


def steps(session: Session, index: int, *some: dict[str, Any]) -> None:
    """Make steps as somebody does who sees the current annotation."""
    for action in some:
        session.step(index, action, session.histories[index].steps)


def current(session: Session) -> list[Annotation]:
    """Return what holds of all pairs."""
    return [history.current for history in session.histories]


def work(output: Path, *some: tuple[int, dict[str, Any]]) -> None:
    """Open the pairs, make steps, and end in order."""
    with open_session(PAIRS, output) as session:
        for index, action in some:
            steps(session, index, action)


def left_by_kill(output: Path, folder: Path) -> Path:
    """Copy what a kill at this moment would leave into a new folder; return the output there."""
    shutil.copytree(output.parent, folder)
    return folder / output.name


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
