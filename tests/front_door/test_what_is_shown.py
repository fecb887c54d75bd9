"""What views and pages hold of a few small pairs, beside what was looked at."""

import json
import os
import re
from dataclasses import replace
from io import StringIO
from unittest.mock import patch

from werkzeug.test import Client

from corpus_tools.pages.pair_view import (
    CoveredWord,
    CoveredWords,
    LinkedWords,
    PairView,
    against_gold,
    against_other,
    alone,
)
from corpus_tools.pages.terminal import print_views
from corpus_tools.pairs.pair import Pair
from semihmm.applications.annotate.adjudication import NO_ADJUDICATION, Adjudication
from semihmm.applications.annotate.annotation_app import AnnotationApp, Work
from semihmm.applications.annotate.session import open_session
from semihmm.applications.measure.coverage_page import write_coverage_page
from semihmm.applications.view.link_page import write_page
from tests.semihmm.applications.annotate.tiny_work import PAIRS, UNDO, decision, link, null, steps
from tests.semihmm.program_runs import Terminal
from tests.tiny_corpora import OWN, PAIR, alignment, text

# Views: of a model, against two references, of a long document and of odd texts

OTHER = alignment(((0, 2), (4, 6), 0.8), ((3, 4), (3, 4), 0.7), ((5, 6), (12, 13), 0.123456))
FIRST, *REST = alone(PAIR, OWN).links
MODEL = replace(
    alone(PAIR, OWN),
    links=(FIRST._replace(component="stem", share=0.87654), *REST),
    posteriors=(LinkedWords(0, 4, 0.9, 0.45), LinkedWords(2, 12, 0.1234, 0.1234)),
    null=(0.104, 0.0, 0.396, 0.5, 0.555, 1.0),
)

# Its sentences have numbers of two digits.
LONG = Pair("long", text("a", "b c", *["x y"] * 9, "d"), text("d c", "a"), system="ours")
BACK = alignment(((0, 1), (21, 22), 0.5), ((1, 2), (2, 3), 0.25), ((2, 3), (0, 1), 1.0))

# Marks of the terminal, a character of two code units, and an empty sentence.
MARKED = Pair("marked", text("a [b] c²", "\U0001f469 d"), text("[b] c²", "", "\U0001f469"))
BY_HAND = alignment(((0, 2), (1, 3), 0.5), ((2, 3), (3, 4), 0.5))

# A number in the place of another one.
PAID = Pair("paid", text("sie zahlt 5 Euro"), text("sie zahlt 7 Euro"), language="de")
IN_ITS_PLACE = alignment(((0, 2), (0, 2), 0.99), ((2, 3), (2, 3), 0.9), ((3, 4), (3, 4), 0.98))

VIEWS = [
    MODEL,
    against_gold(PAIR, OWN),
    against_other(PAIR, OWN, OTHER),
    alone(LONG, BACK),
    alone(MARKED, BY_HAND, has_probabilities=False),
    alone(PAID, IN_ITS_PLACE),
]

TERMINALS = [(StringIO, 20, "1"), (Terminal, 72, ""), (Terminal, 50, "1"), (Terminal, 49, "1")]
"""A pipe, which has no width, and terminals with their columns, and with NO_COLOR or without."""


def on_terminals():
    for kind, columns, color in TERMINALS:
        stream = kind()
        named = {"COLUMNS": str(columns), "NO_COLOR": color, "TERM": "xterm-256color"}
        with patch.dict(os.environ, named):
            print_views(VIEWS, stream)
        shown = stream.getvalue().replace("\x1b", "^").replace("\N{NO-BREAK SPACE}", "~")
        yield f"{kind.__name__}, {columns} columns, NO_COLOR={color}", shown.splitlines()


# Pages


def data_of(page):
    """Yield the title of a page and the data for its scripts: each object in a list on a line."""
    yield from re.findall("<title>.*</title>", page)
    for lines in re.findall(
        r'<script type="application/json" id="\w+">(.*?)</script>', page, re.DOTALL
    ):
        for line in lines.splitlines():
            yield from rows(json.loads(line))


def rows(data):
    for name, value in data.items():
        nested = isinstance(value, list) and any(isinstance(one, list | dict) for one in value)
        for one in value if nested else [value]:
            yield f"{name}: {json.dumps(one, ensure_ascii=False)}"


COVERED = CoveredWords(
    (CoveredWord(0.5, ((1, 0.4567), (0, 0.04))), None, CoveredWord(0.49, ()), CoveredWord(0.9, ())),
    (CoveredWord(0.99, ((0, 0.986),)), CoveredWord(0.0, ()), None),
)


def on_pages(folder):
    path = folder / "page.html"
    one, two = (replace(PAIR, system=name) for name in ("one", "two"))
    of_systems = alone(one, OWN), alone(LONG, BACK), alone(two, OTHER), alone(PAIR, alignment())
    scored = replace(against_gold(PAIR, OWN), soft_f=0.6789)
    for title, views, more in (
        ("no pairs", [], {}),
        ("systems", of_systems, {}),
        ("hand alignment", [scored], {"reference": "the hand alignment"}),
        ("model", [MODEL, *VIEWS[4:]], {"components": ("identity", "stem")}),
    ):
        write_page(views, path, title, **more)
        yield f"page of {title}", data_of(path.read_text("utf-8"))
    measured = PairView(Pair("x", text("old hat ."), text("old , cat ran")), (), covered=COVERED)
    nothing = CoveredWords((None,), (CoveredWord(0.5, ()),))
    views = [measured, PairView(Pair("y", text("a"), text(".")), (), covered=nothing)]
    write_coverage_page(views, path, "covered words")
    yield "page of covered words", data_of(path.read_text("utf-8"))


ANNA = replace(decision(4, "1-2=4-5"), note="so")
BEN = decision(4, "1-2=4-5", "2-3=7-8?")
HOST = "http://localhost"


def to_annotators(folder):
    """Yield what the page of an annotator gets after some steps, and that of an adjudicator."""
    people = {
        name: {"one": one, "two": decision(1)} for name, one in (("anna", ANNA), ("ben", BEN))
    }
    suggested = {"one": replace(alignment(((0, 2), (4, 6), 0.75)), id="one")}
    long_note = {"do": "note", "text": "n" * 101}
    made = [], [link((0, 2), (3, 5), sure=False), long_note], [null(3), UNDO], [{"do": "return"}]
    for title, suggestions, adjudication in (
        ("annotator", suggested, NO_ADJUDICATION),
        ("adjudicator", {}, Adjudication.from_annotations(PAIRS, people)),
    ):
        with open_session(PAIRS, folder / title, adjudication=adjudication) as session:
            app = AnnotationApp([Work(session, "gold.jsonl", "token")], suggestions)
            client = Client(app)
            for number, some in enumerate(made):
                steps(session, 0, *some)
                session.step(0, {"do": "work"}, 0, 1.26)
                paths = "/token/pairs/0", "/token/pairs/1"
                answers = [client.get(path, base_url=HOST).get_json() for path in paths]
                got = [row for answer in answers for row in rows(answer)]
                yield f"{title}, stage {number}", got
            page = client.get("/token/", base_url=HOST).get_data(as_text=True)
            elements = re.findall("<(?:button|textarea) .*?>", page)
            yield f"page of the {title}", [*data_of(page), *elements]


def test_what_is_shown_is_what_was_looked_at(tmp_path, looked_at):
    """Long lines that were there before are left out."""
    seen = set()
    lines = []
    for part in (on_terminals(), on_pages(tmp_path), to_annotators(tmp_path)):
        for title, content in part:
            new = [line for line in content if len(line) < 80 or line not in seen]
            seen.update(new)
            lines += [f"# {title}", *new, ""]
    made = "\n".join(lines)
    assert made == looked_at("../golden/pages.txt", made)
