"""Writes the view of one pair as HTML for notebooks: without scripts, and beside other outputs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import groupby, pairwise
from typing import NamedTuple

from corpus_tools.errors import number_of
from corpus_tools.texts.text import Text
from corpus_tools.views.pair_view import PairView
from corpus_tools.views.running_text import running_text

PAGE = "page"
"""The folder of the template and the styles."""

SCOPE = "SCOPE"
"""What stands in the styles for the class of the output. Each rule begins with it."""

HASH_BYTES = 6
"""Chosen by hand: outputs of one notebook differ, and the same output has the same bytes."""

NO_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs, which notebooks cannot keep."""

LIT = "{ color: #fff; background: var(--c); }"
"""The style of a phrase while its partner is pointed to."""


class _Run(NamedTuple):
    """Successive tokens that have the same links.

    ``before``  the characters before it in its sentence.
    ``links``   the numbers of the links, counted from 1.
    ``title``   what is shown when the phrase is pointed to.
    """

    before: str
    text: str
    links: tuple[int, ...]
    title: str


class _Sentence(NamedTuple):
    """A sentence with the characters before it."""

    before: str
    runs: tuple[_Run, ...]
    is_unused: bool


def pair_html(view: PairView) -> str:
    """Return the view as an element that needs nothing else and changes nothing else on a page.

    Texts are escaped. Pointing to a phrase lights up its partners by styles alone; the numbers
    behind phrases tell them where styles are removed. The same view gives the same bytes.
    """
    from jinja2 import Environment

    pair = view.pair
    counts = ", ".join(
        number_of(len(text), f"{side} word")
        for side, text in (("abstract", pair.abstract), ("document", pair.document))
    )
    content = {
        "title": _plain(f"{pair.id}: {counts}"),
        "sides": [
            ("Abstract", list(_sentences(view, "abstract"))),
            ("Document", list(_sentences(view, "document"))),
        ],
    }
    digest = hashlib.blake2b(repr(content).encode(), digest_size=HASH_BYTES).hexdigest()
    scope = f"semihmm-{digest}"
    template = Environment(autoescape=True).from_string(_read("pair.html"))
    return template.render(content, scope=scope, style=_style(scope, len(view.links)))


def _style(scope: str, links: int) -> str:
    """Return the rules of an output, with those that light up the partners of a phrase."""
    phrases = (f'[data-l~="{number}"]' for number in range(1, links + 1))
    lit = ",\n".join(f".{SCOPE}:has({phrase}:hover) {phrase}" for phrase in phrases)
    rules = _read("pair.css") + (f"{lit} {LIT}\n" if lit else "")
    return rules.replace(SCOPE, scope)


def _sentences(view: PairView, name: str) -> Iterator[_Sentence]:
    """Yield the sentences of one side that have tokens."""
    text: Text = getattr(view.pair, name)
    string, spans = running_text(text)
    links: list[list[int]] = [[] for _ in spans]
    for number, link in enumerate(view.links, start=1):
        for token in range(*getattr(link, name)):
            links[token].append(number)
    used = view.used_sentences() if name == "document" else set(range(len(text.boundaries)))
    end = 0
    for sentence, (first, last) in enumerate(pairwise(text.boundaries)):
        if first == last:
            continue
        before = string[end : spans[first][0]]
        end = spans[first][0]
        runs = []
        for own, tokens in groupby(range(first, last), key=links.__getitem__):
            positions = list(tokens)
            start, stop = spans[positions[0]][0], spans[positions[-1]][1]
            gap, words = _plain(string[end:start]), _plain(string[start:stop])
            runs.append(_Run(gap, words, tuple(own), _title(view, own)))
            end = stop
        yield _Sentence(_plain(before), tuple(runs), sentence not in used)


def _title(view: PairView, links: Sequence[int]) -> str:
    """Return both phrases of each link, with its probability."""
    described = []
    for number in links:
        link = view.links[number - 1]
        abstract = view.pair.abstract.passage(*link.abstract).text
        document = view.pair.document.passage(*link.document).text
        chance = "" if link.probability is None else f" ({link.probability:.2f})"
        described.append(f"{abstract} \N{LEFTWARDS ARROW} {document}{chance}")
    return _plain("\n".join(described))


def _plain(text: str) -> str:
    return NO_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)


def _read(name: str) -> str:
    return (files(__package__) / PAGE / name).read_text(encoding="utf-8")
