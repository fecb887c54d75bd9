"""Tests of what the server answers, and to whom it answers at all."""

import json

import pytest
from werkzeug.test import Client

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.base.errors import BadData
from semihmm.applications.annotate.annotation import Annotation
from semihmm.applications.annotate.annotation_app import AnnotationApp, Work, read_guidelines
from semihmm.applications.annotate.session import History, open_session
from semihmm.applications.view.paste_app import PasteApp
from tests.semihmm.applications.annotate.tiny_work import DECIDED, PAIRS, UNDO, link, null

TOKEN = "secret-of-this-test"
HOST = "127.0.0.1:8000"
OWN = {"Host": HOST, "Origin": f"http://{HOST}", "Sec-Fetch-Site": "same-origin"}

SUGGESTED = {"one": Alignment("one", (PhraseLink((0, 2), (4, 6), 0.75),))}


@pytest.fixture
def session(tmp_path):
    with open_session(PAIRS, tmp_path / "gold.jsonl") as opened:
        yield opened


@pytest.fixture
def client(session):
    return Client(AnnotationApp([Work(session, "gold.jsonl", TOKEN)], SUGGESTED))


def post(client, body, **headers):
    given = {"content_type": "application/json", "headers": {**OWN, **headers}}
    return client.post(f"/{TOKEN}/pairs/0/steps", data=body, **given)


# What the page gets


def made(action, steps=0, **more):
    """Return the body of a step on the first pair."""
    return json.dumps({"action": action, "steps": steps, **more})


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        (made(DECIDED), 400, "4 words are neither linked nor unaligned: a, cat, ran, ."),
        (made(UNDO), 400, "there is nothing to undo"),
        (made({"do": "return"}), 400, "sending a pair back needs a note with the reason"),
        (made({"do": "nul"}), 400, "unknown action 'nul'"),
        (made(null(4)), 400, "'words' has other values than 0 to 3"),
        (made(link((0, 5), (0, 1))), 400, "with 0 <= start < end, and end at most 4 and 9"),
        (made(link(((0, 1), (1, 2)), (0, 1))), 400, "sorted, with words between them"),
        (made({"do": "note", "text": "\ud800"}), 400, "half a surrogate pair"),
        (made({"do": "note", "text": "n" * 10_001}), 400, "more than 10,000 characters"),
        (made(null(0), 7), 409, "was changed elsewhere"),
        (made(null(0), "7"), 400, "a step has an 'action'"),
        (made(null(0), seconds=-1), 400, "'seconds' is"),
        (made(null(0), seconds=10**400), 400, "too large"),
        ("{", 400, "Failed to decode JSON"),
        ("[" * 100_000, 400, "the body is no JSON that can be read"),
    ],
)
def test_a_step_that_is_not_made_is_answered(client, session, body, status, problem):
    answer = post(client, body)
    text = answer.get_json()["error"] if answer.is_json else answer.get_data(as_text=True)
    assert answer.status_code == status and problem in text
    assert session.histories == [History((Annotation(len(pair.abstract)),)) for pair in PAIRS]
    if answer.is_json:
        assert answer.get_json()["state"]["steps"] == 0


def test_nobody_without_the_token_is_answered_and_no_other_page_reads_it(client):
    """Nor is an answer kept or framed."""
    known = {"": 200, "pairs/0": 200, "pairs/2": 404}
    strange = ("/", "/favicon.ico", f"/{TOKEN}x/", "/é/", "/secret/pairs/0")
    statuses = {f"/{TOKEN}/{path}": status for path, status in known.items()}
    for path, status in (statuses | dict.fromkeys(strange, 403)).items():
        answer = client.get(path, headers=OWN)
        assert answer.status_code == status
        assert status == 200 or TOKEN not in answer.get_data(as_text=True)
        headers = {name: value for name, value in answer.headers if not name.startswith("Content-")}
        assert headers == {
            "Cache-Control": "no-store",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        }
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; ")
        rest = "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        assert policy.endswith(f"connect-src 'self'; {rest}")


def test_guidelines_are_text_with_headings_tables_and_links_to_other_sites(tmp_path):
    path = tmp_path / "guidelines.md"
    path.write_text(
        "# One\n\n##### Five\n\n<b>bold</b> ![p](p.png) [a](HTTPS://a.example) [b](#b) "
        "[c](javascript:x)\n\n| x |\n|:-:|\n| y |\n"
    )
    link = '<a href="HTTPS://a.example" target="_blank" rel="noopener noreferrer">a</a>'
    text, _, table = read_guidelines(path).partition("\n<table>")
    assert text.splitlines() == [
        "<h4>One</h4>",
        "<h6>Five</h6>",
        f"<p>&lt;b&gt;bold&lt;/b&gt; ![p](p.png) {link} [b](#b) [c](javascript:x)</p>",
    ]
    assert "<th>x</th>" in table and "<td>y</td>" in table


# Who is refused


def test_other_hosts_and_other_pages_are_refused(client, session):
    machine, page = "answers to 127.0.0.1 and localhost only", "from another page"
    for name, value, problem in (
        ("Host", "evil.example", machine),
        ("Host", "", machine),
        ("Origin", "http://evil.example", page),
        ("Origin", "http://127.0.0.1:8001", page),
        ("Sec-Fetch-Site", "cross-site", page),
    ):
        answer = client.get(f"/{TOKEN}/pairs/0", headers={**OWN, name: value})
        assert answer.status_code == 403 and problem in answer.get_data(as_text=True)
        assert post(client, made(null(0)), **{name: value}).status_code == 403
    assert session.histories[0].steps == 0


# Links


@pytest.mark.parametrize(("kind", "status"), [("document", 200), ("iframe", 403), ("empty", 403)])
def test_a_link_may_be_followed_and_only_that(client, kind, status):
    fetched = {"Site": "cross-site", "Mode": "navigate", "Dest": kind}
    headers = {"Host": HOST, **{f"Sec-Fetch-{name}": value for name, value in fetched.items()}}
    assert client.get(f"/{TOKEN}/", headers=headers).status_code == status
    steps = f"/{TOKEN}/pairs/0/steps"
    assert client.post(steps, json={}, headers=headers).status_code == 403
    # A form of another page may be sent without asking, but not JSON.
    assert client.post(steps, data=made(null(0)), headers=OWN).status_code == 415


# The page on which somebody pastes


def looked(texts, model):
    """Answer as the program would; a text "wrong" is refused."""
    if texts["abstract"] == "wrong":
        raise BadData("it is wrong")
    return {"json": {"pair": texts}, "model": model}


def test_a_pasted_pair_is_answered_by_a_model_of_the_list_and_only_for_those_with_the_token():
    app = PasteApp(looked, ["of the language", "own"], [("A cat.", "Cat.")], "a meaning", TOKEN)
    app.prepare()
    client = Client(app)
    for document, abstract, model, status, answer in (
        ("A cat.", "Cat.", "own", 200, '"model":"own"'),
        ("A cat.", "wrong", "own", 400, '"error":"it is wrong"'),
        ("A cat.", "Cat.", "/etc", 400, "there is no such model"),
        ("A cat.", 7, "own", 400, "a pair has a"),
    ):
        given = {"document": document, "abstract": abstract, "model": model}
        got = client.post(f"/{TOKEN}/pairs", json=given, headers=OWN)
        assert got.status_code == status and answer in got.get_data(as_text=True)
    # The page asks whether the program is ready.
    assert client.get(f"/{TOKEN}/ready", headers=OWN).get_json() == {}
    assert '"ready":true' in client.get(f"/{TOKEN}/", headers=OWN).get_data(as_text=True)
    assert client.get("/x/ready", headers=OWN).status_code == 403
