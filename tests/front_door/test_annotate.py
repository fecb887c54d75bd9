"""Tests of ``semihmm annotate`` as a program: what it serves, saves and refuses."""

from __future__ import annotations

import json
import re
import signal
import socket
import sys
import urllib.error
import urllib.request
import webbrowser
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.cli.web_browser import open_in_browser
from tests.browser import open_browser
from tests.corpus_tools.views.test_page_in_browser import keys, wait_for
from tests.semihmm.program_runs import RAW, SAMPLE, fails, program, rows, run, write




class Served:
    """A running server, with what it has said so far."""

    def __init__(self, process):
        self.process = process
        self.said = ""
        for line in process.stderr:
            self.said += line
            if "annotate at " in line:
                break
        (self.address,) = re.findall(r"http://\S+/", self.said)

    def get(self, path):
        """Return the JSON of an address."""
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def step(self, index, **action):
        """Make a step on a pair, as the page does."""
        steps = self.get(f"pairs/{index}")["state"]["steps"]
        body = json.dumps({"action": action, "steps": steps}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}pairs/{index}/steps", body, headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["state"]

    def end(self, number=signal.SIGINT):
        """End the server; return the status and all that it said."""
        self.process.send_signal(number)
        out, err = self.process.communicate()
        assert out == ""
        return self.process.returncode, self.said + err


@contextmanager
def served(*arguments):
    process = program("annotate", *arguments, "--no-browser")
    try:
        yield Served(process)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def pairs(tmp_path):
    """Return the file of two pairs of the sample, without its hand alignments."""
    sides = ("id", "document", "abstract")
    return write(
        tmp_path / "pairs.jsonl", *({side: row[side] for side in sides} for row in rows(SAMPLE)[:2])
    )


@pytest.fixture
def gold(tmp_path):
    (tmp_path / "work").mkdir()
    return tmp_path / "work" / "gold.jsonl"


def as_gold(server, index, row):
    """Make the hand alignment of a row, and decide."""
    sure = [[word, "sure"] for word in row["sure"]] + [[word, ""] for word in row["possible"]]
    links = [
        {"abstract": [a, a + 1], "document": [d, d + 1], "sure": bool(kind)}
        for (d, a), kind in sure
    ]
    state = server.step(index, do="link", links=links)
    linked = {a for (_, a), _ in sure}
    words = [word for word in range(len(" ".join(row["abstract"]).split())) if word not in linked]
    server.step(index, do="null", words=words)
    return server.step(index, do="decide", decided=True) or state


# Annotating


def test_two_annotators_are_scored_and_compared(pairs, tmp_path, capsys):
    files = [tmp_path / "anna.jsonl", tmp_path / "ben.jsonl"]
    for number, file in enumerate(files):
        with served(pairs, "--output", file) as server:
            for index, row in enumerate(rows(SAMPLE)[:2]):
                changed = {**row, "sure": row["sure"][number:]}
                as_gold(server, index, changed)
            status, err = server.end()
        assert status == 130
        assert f"2 of 2 pairs are decided in {file}" in err and "what was saved stays" in err
    expected = [(set(map(tuple, row["sure"])), row["id"]) for row in rows(SAMPLE)[:2]]
    assert [(set(pair.sure), pair.id) for pair in read_pairs(files[0])] == expected
    run("align", files[0], "--output", tmp_path / "aligned.jsonl")
    run("score", files[0], tmp_path / "aligned.jsonl")
    assert "SoftF" in capsys.readouterr().out
    run("compare", files[0], "--systems", "greedy", "--annotators", *files)
    assert re.search(r"anna.*ben", capsys.readouterr().out, re.DOTALL)


def test_gold_of_raw_text_has_the_tokens_of_its_alignments(gold, tmp_path, capsys):
    """The texts of the file are tokens, so that its links count the words of the raw text."""
    pairs = write(tmp_path / "raw.jsonl", *rows(RAW)[:1])
    with served(pairs, "--output", gold) as server:
        running = server.get("pairs/0")["abstract"]["text"]
        words = len(server.get("pairs/0")["abstract"]["steps"]) // 2
        server.step(0, do="link", links=[{"abstract": [0, 1], "document": [0, 2], "sure": True}])
        server.step(0, do="null", words=list(range(1, words)))
        server.step(0, do="decide", decided=True)
        server.end()
    # The page shows the text as it was given.
    assert running in rows(RAW)[0].values()
    run("align", pairs, "--output", tmp_path / "aligned.jsonl")
    run("score", gold, tmp_path / "aligned.jsonl")
    assert "SoftF" in capsys.readouterr().out
    assert read_pairs(gold)[0].sure == {(0, 0), (1, 0)}


def test_a_pair_that_is_not_decided_is_no_gold(pairs, gold, capsys):
    with served(pairs, "--output", gold) as server:
        server.step(0, do="null", words=[0])
        server.end()
    run("align", gold, "--output", gold.with_name("aligned.jsonl"))
    err = fails(capsys, 1, "score", gold, gold.with_name("aligned.jsonl"))
    assert "'sample-01' has no hand alignment" in err


def test_a_killed_server_loses_nothing(pairs, gold):
    with served(pairs, "--output", gold) as server:
        server.step(0, do="null", words=[0, 1])
        server.step(0, do="note", text="a note")
        server.step(0, do="undo")
        status, _ = server.end(signal.SIGKILL)
        assert status == -signal.SIGKILL
    with served(pairs, "--output", gold) as server:
        assert "its 3 last steps are back and can be undone" in server.said
        state = server.get("pairs/0")["state"]
        assert (state["annotation"]["null"], state["annotation"]["note"]) == ([0, 1], "")
        assert (state["undo"], state["redo"]) == (True, True)
        assert server.step(0, do="undo")["annotation"]["null"] == []
        server.end()
    assert [path.name for path in gold.parent.iterdir()] == ["gold.jsonl"]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signals(pairs, gold, number, status):
    with served(pairs, "--output", gold) as server:
        server.step(1, do="null", words=[0])
        ended, err = server.end(number)
    assert ended == status
    assert "0 of 2 pairs are decided" in err and "Traceback" not in err
    assert [path.name for path in gold.parent.iterdir()] == ["gold.jsonl"]


def test_it_listens_on_the_loopback_only(pairs, gold):
    with served(pairs, "--output", gold) as server:
        connections = psutil.Process(server.process.pid).net_connections()
        listening = [one.laddr.ip for one in connections if one.status == psutil.CONN_LISTEN]
        assert listening == ["127.0.0.1"]
        assert len(server.address.rstrip("/").rpartition("/")[2]) == 43


def test_addresses_are_never_the_same(pairs, tmp_path):
    with (
        served(pairs, "--output", tmp_path / "one.jsonl") as one,
        served(pairs, "--output", tmp_path / "other.jsonl") as other,
    ):
        assert one.address.rpartition("/")[0][-43:] != other.address.rpartition("/")[0][-43:]


def test_a_second_server_is_refused(pairs, gold, capsys):
    with served(pairs, "--output", gold) as server:
        err = fails(capsys, 1, "annotate", pairs, "--output", gold, "--no-browser")
        assert f"gold.jsonl is in use by process {server.process.pid}" in err


# Suggestions and order


def test_alignments_of_a_file_are_suggested(pairs, gold, aligned, tmp_path):
    start = write(tmp_path / "two.jsonl", *rows(aligned)[:2])
    with served(pairs, "--output", gold, "--start", start) as server:
        suggested = server.get("pairs/1")["suggestions"]
    assert suggested == rows(aligned)[1]["phrases"]


def test_the_model_suggests_and_orders(pairs, gold, model_directory):
    model = ["--model", model_directory]
    options = ["--start", "model", "--order", "uncertain", *model]
    with served(pairs, "--output", gold, *options) as server:
        assert server.get("pairs/0")["suggestions"]
        with urllib.request.urlopen(server.address) as answer:
            page = answer.read().decode()
    (overview,) = re.findall(r'id="overview">(.*?)</script>', page)
    assert sorted(row["index"] for row in json.loads(overview)["pairs"]) == [0, 1]


def test_the_general_model_suggests(pairs, gold, monkeypatch, tmp_path, model_directory):
    monkeypatch.chdir(tmp_path)
    with served(pairs, "--output", gold, "--start", "model") as server:
        assert "general model is taken; --model model takes the one in the directory" in server.said
        probabilities = [one["probability"] for one in server.get("pairs/0")["suggestions"]]
    assert len(probabilities) > 10


# What is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: --output"),
        (["--output", "-"], "only a file can be saved after every step"),
        (["--output", "g", "--order", "random"], "unknown order 'random'. Known: file, uncertain"),
        (["--output", "g", "--model", "x"], "nothing uses --model x: it is for --start model"),
        (["--output", "g", "--format", "a3"], "nothing uses --format a3: no ALIGNMENTS are read"),
        (["--output", "g", "--start", "model", "--format", "a3"], "nothing uses --format a3"),
        (["--output", "g", "--start", "."], "say --start model --model ."),
        (["--output", "g", "--trees", "x"], "nothing asks for the trees in x"),
        (["--output", "g", "--port", "65536"], "65,535 or less"),
    ],
)
def test_bad_usage(pairs, capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert message in fails(capsys, 2, "annotate", pairs, *arguments, "--no-browser")
    assert sorted(tmp_path.iterdir()) == before


def test_a_port_that_is_taken(pairs, gold, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        options = ["--output", gold, "--port", port, "--no-browser"]
        err = fails(capsys, 2, "annotate", pairs, *options)
    assert f"cannot serve on port {port}: Address already in use" in err


def test_gold_of_other_pairs_is_refused_and_stays(pairs, gold, capsys):
    row = {"id": "other", "document": "a", "abstract": "b", "sure": []}
    before = Path(write(gold, row)).read_bytes()
    err = fails(capsys, 1, "annotate", pairs, "--output", gold, "--no-browser")
    assert f"{gold}, line 1: pair 'other' is not among the pairs to annotate" in err
    assert gold.read_bytes() == before


def test_suggestions_of_other_pairs_are_refused(pairs, gold, aligned, capsys):
    options = ["--start", aligned, "--no-browser"]
    err = fails(capsys, 1, "annotate", pairs, "--output", gold, *options)
    assert f"{aligned} do not match" in err


# Strangers (tests/corpus_tools/annotation/test_web_app.py has them all)


def status_of(address, body=None, **headers):
    """Return the status of an answer, with headers as a stranger would send them."""
    request = urllib.request.Request(address, body, headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_strangers_are_refused(pairs, gold):
    with served(pairs, "--output", gold) as server:
        origin, _, token = server.address.rstrip("/").rpartition("/")
        steps = f"{server.address}pairs/0/steps"
        body = json.dumps({"action": {"do": "null", "words": [0]}, "steps": 0}).encode()
        kind = {"Content-Type": "application/json"}
        assert status_of(server.address) == 200
        assert status_of(f"{origin}/") == 403
        assert status_of(f"{origin}/{token[:-1]}/") == 403
        assert status_of(server.address, Host="evil.example") == 403
        assert status_of(steps, body, Origin="http://evil.example", **kind) == 403
        assert status_of(steps, body, **{"Sec-Fetch-Site": "cross-site"}, **kind) == 403
        assert status_of(steps, body) == 415
        assert server.get("pairs/0")["state"]["steps"] == 0
        assert status_of(steps, body, Origin=origin, **kind) == 200


def test_a_body_that_is_too_large_is_not_read(pairs, gold):
    with served(pairs, "--output", gold) as server:
        host, port = re.findall(r"http://([\d.]+):(\d+)", server.address)[0]
        path = server.address.partition(port)[2]
        with socket.create_connection((host, int(port))) as connection:
            head = f"POST {path}pairs/0/steps HTTP/1.1\r\nHost: {host}\r\n"
            connection.sendall(f"{head}Content-Length: 9999999\r\n\r\n".encode())
            assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")
        assert server.get("pairs/0")["state"]["steps"] == 0


def test_another_page_in_the_same_browser_can_do_nothing(browser, pairs, gold):
    send = """
        const [address, done] = arguments;
        const body = JSON.stringify({ action: { do: "null", words: [0] }, steps: 0 });
        const kinds = [{ mode: "no-cors" }, { headers: { "Content-Type": "application/json" } }];
        Promise.allSettled(kinds.map((kind) => fetch(address, { method: "POST", body, ...kind })))
          .then((answers) => done(answers.map((each) => each.value?.status ?? "failed")));
    """
    with served(pairs, "--output", gold) as server:
        browser.get("about:blank")
        answers = browser.execute_async_script(send, f"{server.address}pairs/0/steps")
        # Of a refusal a page may see that there was one (0), but nothing of it.
        assert set(answers) <= {0, "failed"}
        assert server.get("pairs/0")["state"]["steps"] == 0
    browser.get_log("browser")


# In a browser


@pytest.mark.parametrize(
    ("variable", "opens", "told"), [("DISPLAY", True, False), ("BROWSER", False, True), ("", 1, 1)]
)
def test_a_browser_is_opened_where_it_has_a_window(monkeypatch, capsys, variable, opens, told):
    asked = []
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, "something")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or opens)
    open_in_browser("http://127.0.0.1:1/token/")
    assert asked == ["http://127.0.0.1:1/token/"] * bool(variable)
    assert ("no browser was opened" in capsys.readouterr().err) == bool(told)


def settle(browser):
    browser.execute_async_script("waiting.then(arguments[0])")


def test_from_start_to_scored_gold_by_keyboard_though_the_server_is_killed(
    browser, pairs, gold, capsys
):
    def saved():
        return browser.find_element("id", "saved").text

    with served(pairs, "--output", gold, "--start", "model") as server:
        browser.get(server.address)
        wait_for(browser, lambda: browser.title == "sample-01 · annotation")
        keys(browser, "1", "1", "2")
        settle(browser)
        assert saved() == "saved"
        before = server.get("pairs/0")["state"]["annotation"]
        assert [link["sure"] for link in before["links"]] == [True, True, False]
        server.end(signal.SIGKILL)
        keys(browser, "1")
        settle(browser)
        assert saved().startswith("NOT SAVED: the server does not answer")
    browser.get_log("browser")
    with served(pairs, "--output", gold, "--start", "model") as server:
        browser.get(server.address)
        wait_for(browser, lambda: browser.title == "sample-01 · annotation")
        assert server.get("pairs/0")["state"]["annotation"] == before
        keys(browser, "a", "r", "d")
        wait_for(browser, lambda: browser.title == "sample-02 · annotation")
        keys(browser, "a", "r", "d")
        settle(browser)
        assert browser.find_element("id", "status").text == "All pairs are decided."
        server.end()
    run("align", pairs, "--output", gold.with_name("aligned.jsonl"))
    run("score", gold, gold.with_name("aligned.jsonl"))
    out = capsys.readouterr().out
    assert "SoftF" in out
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
