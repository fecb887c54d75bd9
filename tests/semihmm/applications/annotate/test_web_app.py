"""To whom servers answer, what they say to others, and the guidelines of a lab.

``requests.txt`` has requests to the pages of ``annotate`` and of pasted texts: the method, the
address, headers in the place of those of the page itself, and the body; below each is the answer.
``--anew`` writes it.
"""

import json
import re

from werkzeug.test import Client

from corpus_tools.base.errors import BadData
from semihmm.applications.annotate.annotation_app import AnnotationApp, Work, read_guidelines
from semihmm.applications.annotate.session import open_session
from semihmm.applications.view.paste_app import PasteApp
from tests.semihmm.applications.annotate.tiny_work import PAIRS

HOST = "127.0.0.1:8000"
OWN = {"Host": HOST, "Origin": f"http://{HOST}", "Sec-Fetch-Site": "same-origin"}
ANSWERED = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
REST = "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
POLICY = f"connect-src 'self'; {REST}"


WRONG = {
    "wrong": BadData("it is wrong"),
    "huge": MemoryError(),
    "deep": RecursionError("maximum depth"),
}
"""What becomes of an abstract that is one of these words."""


def looked(texts, model):
    """Answer as the program would."""
    if error := WRONG.get(texts["abstract"]):
        raise error
    return {"json": {"pair": texts}, "model": model}


def test_requests_are_answered_as_was_looked_at(tmp_path, worked_out):
    """No answer is kept or framed, and the page asks its own server alone."""
    pasted = PasteApp(looked, ["of the language", "own"], [("A cat.", "Cat.")], "meaning", "token")
    pasted.prepare()

    def answers(line):
        page, method, address, changed, body = json.loads(line)
        headers = {name: value for name, value in (OWN | changed).items() if value is not None}
        sent = {"data" if isinstance(body, str) else "json": body}
        answer = clients[page].open(address, method=method, headers=headers, **sent)
        assert ANSWERED.items() <= dict(answer.headers).items()
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; ") and policy.endswith(POLICY)
        # Of a page, the data of its scripts.
        told = "".join(re.findall(r'id="overview">(.*?)</script>', answer.text, re.DOTALL))
        return [f"{answer.status_code} {(told or answer.text).strip()}"]

    with open_session(PAIRS, tmp_path / "gold.jsonl") as session:
        works = [Work(session, "gold.jsonl", "token")]
        clients = {"annotate": Client(AnnotationApp(works, {})), "paste": Client(pasted)}
        worked_out("requests.txt", answers)


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
