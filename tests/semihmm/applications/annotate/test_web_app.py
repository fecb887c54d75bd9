"""Tests of what the server answers, and to whom it answers at all."""

import json
from contextlib import ExitStack

import pytest
from werkzeug.test import Client

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.base.errors import BadData
from semihmm.applications.annotate.annotation_app import AnnotationApp, Work, read_guidelines
from semihmm.applications.annotate.session import open_session
from semihmm.applications.view.paste_app import PasteApp
from tests.semihmm.applications.annotate.tiny_work import DECIDED, PAIRS, null

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


def post(client, body, kind="application/json", **headers):
    path = f"/{TOKEN}/pairs/0/steps"
    return client.post(path, data=body, content_type=kind, headers={**OWN, **headers})


# What the page gets


@pytest.mark.parametrize(
    ("body", "kind", "status", "problem"),
    [
        ({"action": DECIDED, "steps": 0}, "application/json", 400, "4 words are neither linked"),
        ({"action": null(0), "steps": 7}, "application/json", 409, "was changed elsewhere"),
        ({"action": {"do": "undo"}}, "application/json", 400, "a step has an 'action'"),
        ({}, "text/plain", 415, ""),
        ("{", "application/json", 400, "Failed to decode JSON"),
        ("[" * 100_000, "application/json", 400, "the body is no JSON that can be read"),
        ({"action": null(0), "steps": 0, "seconds": -1}, "application/json", 400, "'seconds' is"),
        ({"action": null(0), "steps": 0, "seconds": 10**400}, "application/json", 400, "too large"),
    ],
)
def test_a_step_that_is_not_made_is_answered(client, session, body, kind, status, problem):
    answer = post(client, body if isinstance(body, str) else json.dumps(body), kind)
    assert answer.status_code == status and problem in answer.get_data(as_text=True)
    assert session.histories[0].steps == 0
    if answer.is_json:
        assert answer.get_json()["state"]["steps"] == 0


@pytest.mark.parametrize(
    ("path", "status"),
    [(f"/{TOKEN}/", 200), (f"/{TOKEN}/pairs/0", 200), (f"/{TOKEN}/pairs/2", 404), ("/x/", 403)],
)
def test_no_answer_can_be_kept_framed_or_read_by_other_pages(client, path, status):
    answer = client.get(path, headers=OWN)
    assert answer.status_code == status
    headers = answer.headers
    policy = headers.pop("Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith(
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    own = {"Content-Type", "Content-Length"}
    assert {name: value for name, value in headers.items() if name not in own} == {
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }


def test_users_reach_their_own_pairs_only(tmp_path):
    with ExitStack() as stack:
        sessions = {
            name: stack.enter_context(open_session([pair], tmp_path / name))
            for name, pair in zip(("anna", "ben"), PAIRS, strict=True)
        }
    app = AnnotationApp([Work(one, name, name) for name, one in sessions.items()], {})
    assert app.addresses(80) == ["http://127.0.0.1:80/anna/", "http://127.0.0.1:80/ben/"]
    client = Client(app)
    for token, own, other in (("anna", "one", "two"), ("ben", "two", "one")):
        page = client.get(f"/{token}/", headers=OWN).get_data(as_text=True)
        assert f'"id":"{own}"' in page and f'"id":"{other}"' not in page


def test_guidelines_are_text_with_headings_tables_and_links_to_other_sites(tmp_path):
    path = tmp_path / "guidelines.md"
    path.write_text(
        "# One\n\n##### Five\n\n<b>bold</b> ![p](p.png) [a](HTTPS://a.example) [b](#b) "
        "[c](javascript:x)\n\n| x |\n|:-:|\n| y |\n"
    )
    link = '<a href="HTTPS://a.example" target="_blank" rel="noopener noreferrer">a</a>'
    assert read_guidelines(path).splitlines() == [
        "<h4>One</h4>",
        "<h6>Five</h6>",
        f"<p>&lt;b&gt;bold&lt;/b&gt; ![p](p.png) {link} [b](#b) [c](javascript:x)</p>",
        *("<table>", "<thead>", "<tr>", "<th>x</th>", "</tr>", "</thead>"),
        *("<tbody>", "<tr>", "<td>y</td>", "</tr>", "</tbody>", "</table>"),
    ]


# Who is refused


@pytest.mark.parametrize(
    "path", ["/", "/favicon.ico", "/x/", f"/{TOKEN}x/", "/é/", "/secret/pairs/0"]
)
def test_without_the_token_nothing_is_answered(client, path):
    answer = client.get(path, headers=OWN)
    assert answer.status_code == 403
    assert TOKEN not in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:8001"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_other_hosts_and_other_pages_are_refused(client, session, headers):
    answer = client.get(f"/{TOKEN}/pairs/0", headers={**OWN, **headers})
    own = "answers to 127.0.0.1 and localhost only" if "Host" in headers else "from another page"
    assert answer.status_code == 403 and own in answer.get_data(as_text=True)
    body = json.dumps({"action": null(0), "steps": 0})
    assert post(client, body, **headers).status_code == 403
    assert session.histories[0].steps == 0


# Links


@pytest.mark.parametrize(("kind", "status"), [("document", 200), ("iframe", 403), ("empty", 403)])
def test_a_link_may_be_followed_and_only_that(client, kind, status):
    fetched = {"Site": "cross-site", "Mode": "navigate", "Dest": kind}
    headers = {"Host": HOST, **{f"Sec-Fetch-{name}": value for name, value in fetched.items()}}
    assert client.get(f"/{TOKEN}/", headers=headers).status_code == status
    assert client.post(f"/{TOKEN}/pairs/0/steps", json={}, headers=headers).status_code == 403


# The page on which somebody pastes


def looked(texts, model):
    """Answer as the program would; a text "wrong" is refused."""
    if texts["abstract"] == "wrong":
        raise BadData("it is wrong")
    return {"json": {"pair": texts}, "pair": {"id": "<b>"}, "model": model}


@pytest.fixture
def pasting():
    app = PasteApp(looked, ["of the language", "own"], [("A cat.", "Cat.")], "a meaning", TOKEN)
    app.prepare()
    return Client(app)


@pytest.mark.parametrize(
    ("body", "status", "answer"),
    [
        (["A cat.", "Cat.", "own"], 200, '"model":"own"'),
        (["A cat.", "wrong", "own"], 400, '"error":"it is wrong"'),
        (["A cat.", "Cat.", "/etc"], 400, "there is no such model"),
        (["A cat.", 7, "own"], 400, "a pair has a"),
    ],
)
def test_a_pasted_pair_is_answered_by_a_model_of_the_list(pasting, body, status, answer):
    given = dict(zip(("document", "abstract", "model"), body, strict=True))
    got = pasting.post(f"/{TOKEN}/pairs", json=given, headers=OWN)
    assert got.status_code == status and answer in got.get_data(as_text=True)
    # The page to save has what is shown, as data, and asks nobody.
    saved = pasting.post(f"/{TOKEN}/page", json=given, headers=OWN).get_data(as_text=True)
    if status == 200:
        assert "\\u003cb\\u003e" in saved and "connect-src" not in saved
    else:
        assert answer in saved


def test_the_page_says_when_the_program_is_ready(pasting):
    assert pasting.get(f"/{TOKEN}/ready", headers=OWN).get_json() == {}
    assert '"ready":true' in pasting.get(f"/{TOKEN}/", headers=OWN).get_data(as_text=True)
    assert pasting.get("/x/ready", headers=OWN).status_code == 403
