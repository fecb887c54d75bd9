"""Small pairs, sessions of work on them, and ``semihmm annotate`` with somebody who annotates."""

import gc
import io
import json
import re
import signal
import threading
import urllib.request
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr
from dataclasses import replace
from pathlib import Path
from typing import Any

from semihmm.applications.annotate.annotation import Annotation, Phrases, Span, Spans
from semihmm.applications.annotate.session import Session, open_session
from semihmm.cli.main import main
from tests.served import Visitor
from tests.tiny_corpora import story

PAIRS = [
    story("one", ["a dog saw the cat .", "It ran ."], ["a cat ran ."]),
    story("two", ["old news", "no news"], ["news"]),
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
UNDO = {"do": "undo"}


def _spans(side: str) -> Spans:
    return tuple((int(a), int(b)) for a, b in re.findall(r"(\d+)-(\d+)", side))


def decision(words: int, *links: str) -> Annotation:
    """Return what somebody decided about an abstract of so many words: all others are null.

    A link is as in ``0-1,2-3=0-1,7-8``, the words of the abstract first; behind it, ``?`` means
    that it is possible.
    """
    made = {Phrases(*map(_spans, one.split("="))): not one.endswith("?") for one in links}
    annotation = Annotation(words, made, decided=True)
    return replace(annotation, null=frozenset(annotation.open_words()))


def steps(session: Session, index: int, *some: dict[str, Any]) -> None:
    """Make steps as somebody does who sees the current annotation."""
    for action in some:
        session.step(index, action, session.histories[index].steps, 0.0)


def current(session: Session) -> list[Annotation]:
    """Return what holds of all pairs."""
    return [history.current for history in session.histories]


def work(output: Path, *some: tuple[int, dict[str, Any]]) -> None:
    """Open the pairs, make steps, and end in order."""
    with open_session(PAIRS, output) as session:
        for index, action in some:
            steps(session, index, action)


class Annotator(Visitor):
    """Somebody who annotates."""

    def step(self, index: int, **action: object) -> None:
        """Make a step on a pair, as the page does."""
        steps = self.get(f"pairs/{index}")["state"]["steps"]
        body = json.dumps({"action": action, "steps": steps}).encode()
        headers = {"Content-Type": "application/json"}
        step = urllib.request.Request(f"{self.address}pairs/{index}/steps", body, headers)
        urllib.request.urlopen(step).close()


def annotate(visit: Callable[[Annotator], object], *arguments: object) -> str:
    """Run the command; ``visit`` meets its server in a thread, and Ctrl-C ends it.

    Return what it said.
    """
    visits = []

    def meet() -> None:
        try:
            visit(Annotator(said.getvalue()))
        finally:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    class Messages(io.StringIO):
        def write(self, text: str) -> int:
            written = super().write(text)
            if "Ctrl-C ends it" in text:
                visits.append(threads.submit(meet))
            return written

    # The program's end closes the connections that are left.
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        with ThreadPoolExecutor(1) as threads, redirect_stderr(Messages()) as said:
            status = main(["annotate", *map(str, arguments), "--no-browser"])
        gc.collect()
    for visited in visits:
        visited.result()
    assert status == 128 + signal.SIGINT, said.getvalue()
    return said.getvalue()
