"""``annotate`` as a program: what it serves, saves and refuses, and to whom."""

import re
import signal
import socket
import urllib.error
import urllib.request
from contextlib import ExitStack

import psutil
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.applications.annotate.session import open_session
from tests.semihmm.applications.annotate.tiny_work import annotating
from tests.semihmm.program_runs import RAW, SAMPLE, fails, rows, run, texts, write


@pytest.fixture
def pairs(tmp_path):
    """Return the file of three pairs of the sample, without its hand alignments."""
    return write(tmp_path / "pairs.jsonl", *texts(SAMPLE)[:3])


@pytest.fixture
def gold(tmp_path):
    (tmp_path / "work").mkdir()
    return tmp_path / "work" / "gold.jsonl"


# Annotating


def test_gold_of_raw_text_has_the_tokens_of_its_alignments(gold, tmp_path, capsys):
    """The texts of the file are tokens, so that its links count the words of the raw text."""
    pairs = write(tmp_path / "raw.jsonl", *rows(RAW)[:1])
    with annotating(pairs, "--output", gold) as server:
        running = server.get("pairs/0")["abstract"]["text"]
        words = len(server.get("pairs/0")["abstract"]["steps"]) // 2
        server.step(0, do="link", links=[{"abstract": [0, 1], "document": [0, 2], "sure": True}])
        server.step(0, do="null", words=list(range(1, words)))
        server.step(0, do="decide", decided=True)
        status, err = server.end()
    assert status == 130
    assert f"1 of 1 pairs are decided in {gold}" in err
    # The page shows the text as it was given.
    assert running in rows(RAW)[0].values()
    run("align", pairs, "--output", tmp_path / "aligned.jsonl")
    run("score", gold, tmp_path / "aligned.jsonl")
    assert "SoftF" in capsys.readouterr().out
    assert read_pairs(gold)[0].sure == {(0, 0), (1, 0)}


def test_a_killed_server_loses_nothing_and_one_that_ends_leaves_only_the_file(pairs, gold):
    """The time of a pair is the median."""
    with annotating(pairs, "--output", gold, "--start", "model") as server:
        assert server.get("pairs/0")["suggestions"][0]["abstract"] == [0, 2]
        server.step(0, do="null", words=[0, 1])
        server.step(0, do="note", text="a note")
        server.step(0, do="undo")
        assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
    read = read_pairs(pairs)
    with open_session(read, gold) as session:
        annotation = session.histories[0].current
        assert (annotation.null, annotation.note) == ({0, 1}, "")
        for n, seconds in enumerate((10, 80, 3_000)):
            null = {"do": "null", "words": [*range(len(read[n].abstract))]}
            session.step(n, null, 0, seconds)
            session.step(n, {"do": "decide", "decided": True}, 1, 0)
    with annotating(pairs, "--output", gold) as server:
        status, err = server.end(signal.SIGTERM)
    assert status == 143 and "Traceback" not in err
    assert err.count(f"3 of 3 pairs are decided in {gold}, median time a pair 1:20 min") == 2
    assert [path.name for path in gold.parent.iterdir()] == ["gold.jsonl"]


def test_users_have_files_of_their_own_that_the_same_command_continues(tmp_path):
    sample = texts(SAMPLE)[:7]
    given = write(tmp_path / "pairs.jsonl", *sample)
    team = (tmp_path / "team", "--users", "anna,ben", "--overlap", "3")
    files = [tmp_path / "team" / f"{name}.jsonl" for name in ("anna", "ben")]
    with annotating(given, "--output", *team) as server:
        assert re.findall(r"(\w+): annotate at ", server.said) == ["anna", "ben"]
        for address in server.addresses:
            server.address = address
            server.step(0, do="null", words=[0])
        assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
    before = [file.read_bytes() for file in files]
    # In another order, the pairs are shared in the same way.
    write(tmp_path / "pairs.jsonl", *reversed(sample))
    with annotating(given, "--output", *team) as server:
        assert server.end()[1].count("continuing: 0 of 5 pairs") == 2
    assert [file.read_bytes() for file in files] == before
    own = [{row["id"]: row for row in rows(file)} for file in files]
    assert own[0].keys() | own[1].keys() == {row["id"] for row in sample}
    assert len(own[0].keys() & own[1].keys()) == 3
    assert [sum("annotation" in row for row in each.values()) for each in own] == [1, 1]


# What is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "-"], "only a file can be saved after every step"),
        (["--output", "g", "--model", "x"], "nothing uses --model x: it needs --start model"),
        (["--output", "g", "--overlap", "2"], "nothing uses --overlap 2: it needs --users"),
        (["--output", "g", "--users", "anna,../x"], "letters and digits, not '../x'"),
        (["--output", "g", "--users", "anna,Anna"], "expected each name once"),
        (["--output", "g/"], "the output g/ is a directory"),
    ],
)
def test_bad_usage(pairs, capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert message in fails(capsys, 2, "annotate", pairs, *arguments, "--no-browser")
    assert sorted(tmp_path.iterdir()) == before


# Strangers (tests/semihmm/applications/annotate/test_web_app.py has them all)


def status_of(address, **headers):
    """Return the status of an answer, with headers as a stranger would send them."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, None, headers)) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_only_this_machine_with_the_token_is_answered_and_nobody_is_kept_out(pairs, gold):
    """Connections that idle or send too much keep nobody out."""
    with annotating(pairs, "--output", gold) as server:
        connections = psutil.Process(server.process.pid).net_connections()
        listening = {one.laddr.ip for one in connections if one.status == psutil.CONN_LISTEN}
        assert listening == {"127.0.0.1"}
        host, port, token = re.findall(r"http://([\d.]+):(\d+)/(.{43})/", server.address)[0]
        assert status_of(f"http://{host}:{port}/{token[:-1]}/") == 403
        with ExitStack() as stack:
            for _ in range(150):
                stack.enter_context(socket.create_connection((host, int(port))))
            assert status_of(server.address) == 200
        with socket.create_connection((host, int(port))) as connection:
            head = f"POST /{token}/pairs/0/steps HTTP/1.1\r\nHost: {host}\r\n"
            connection.sendall(f"{head}Content-Length: 9999999\r\n\r\n".encode())
            assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")
        _, err = server.end()
    assert all(line.startswith(("semihmm: ", "\n")) for line in err.splitlines(keepends=True))
