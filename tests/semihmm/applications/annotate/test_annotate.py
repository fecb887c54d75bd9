"""``annotate`` as a command: what it serves, saves, says and refuses, and to whom."""

import re
import socket
import urllib.request
from contextlib import ExitStack
from itertools import combinations

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.applications.annotate.command import people_names, shares_of_people
from semihmm.applications.annotate.session import open_session
from tests.examples import fuzz
from tests.semihmm.applications.annotate.tiny_work import DECIDED, annotate, link, null
from tests.semihmm.program_runs import RAW, SAMPLE, rows, run, texts, write


@pytest.fixture
def pairs(tmp_path):
    """Return the file of three pairs of the sample, without its hand alignments."""
    return write(tmp_path / "pairs.jsonl", *texts(SAMPLE)[:3])


@pytest.fixture
def gold(tmp_path):
    (tmp_path / "work").mkdir()
    return tmp_path / "work" / "gold.jsonl"


@pytest.fixture
def raw(tmp_path):
    """Return a file of raw texts whose tokens depend on both the tokenizer and the language."""
    return write(tmp_path / "raw.jsonl", *rows(RAW)[2:], *rows(RAW)[:2])


READ = {"tokenizer": "treebank", "language": "fr"}
AS_READ = [word for name, value in READ.items() for word in (f"--{name}", value)]


def decided(pairs, path, *sure):
    """Write hand alignments of the first pairs, as another program does; return the file's name."""
    return write(path, *(row | {"sure": own} for row, own in zip(rows(pairs), sure, strict=False)))


# Annotating


def test_gold_of_raw_text_has_the_tokens_of_its_alignments(gold, tmp_path, capsys, monkeypatch):
    """The texts of the file are tokens, so that its links count the words of the raw text."""
    monkeypatch.chdir(tmp_path)
    pairs = write(tmp_path / "raw.jsonl", *rows(RAW)[:1])
    (tmp_path / "guidelines.md").write_text("Ours alone")
    run("align", pairs, "--output", "aligned.jsonl")
    aligned = [one["document"] for one in rows("aligned.jsonl")[0]["phrases"]]

    def visit(server):
        with urllib.request.urlopen(server.address) as page:
            content = page.read()
        assert b"Ours alone" in content and b"<title>gold.jsonl " in content
        row = server.get("pairs/0")
        assert [one["document"] for one in row["suggestions"]] == aligned != []
        # The page shows the text as it was given.
        assert row["abstract"]["text"] in rows(RAW)[0].values()
        server.step(0, **link((0, 1), (0, 2)))
        server.step(0, **null(*range(1, len(row["abstract"]["steps"]) // 2)))
        server.step(0, **DECIDED)

    for start in ("model", "aligned.jsonl"):
        gold.unlink(missing_ok=True)
        flags = ("--start", start, "--guidelines", "guidelines.md")
        said = annotate(visit, pairs, "--output", gold, *flags)
        assert f"1 of 1 pairs are decided in {gold}" in said
        assert read_pairs(gold)[0].sure == {(0, 0), (1, 0)}
    run("score", gold, "aligned.jsonl")
    assert "SoftF" in capsys.readouterr().out


def test_work_is_continued_and_its_time_is_the_median(raw, gold):
    decided(raw, gold, *[[]] * 3)
    with open_session(read_pairs(raw, **READ), gold, **READ) as session:
        # The third pair is as another program left it, and has no time; the last is undecided.
        for n, seconds in ((0, 50), (1, 80), (3, 999)):
            session.step(n, {"do": "work"}, 0, seconds)
    said = annotate(lambda server: None, raw, "--output", gold, *AS_READ)
    state = f"3 of 4 pairs are decided in {gold}, median time a pair 1:05 min"
    assert said.count(state) == 2 and f"continuing: {state}" in said
    assert [path.name for path in gold.parent.iterdir()] == ["gold.jsonl"]


def test_users_have_files_of_their_own_that_the_same_command_continues(tmp_path):
    sample = rows(SAMPLE)[:7]
    given = write(tmp_path / "pairs.jsonl", *sample)
    team = (given, "--output", tmp_path / "team", "--users", "anna,b.e@n+-", "--overlap", "3")

    def visit(server):
        for address in server.addresses:
            server.address = address
            server.step(0, do="null", words=[0])

    said = annotate(visit, *team)
    assert re.findall(r"(\S+): annotate at ", said) == ["anna", "b.e@n+-"]
    assert "continuing" not in said
    # In another order, the pairs are shared in the same way.
    write(tmp_path / "pairs.jsonl", *reversed(sample))
    assert annotate(lambda server: None, *team).count("continuing: 0 of 5 pairs") == 2
    files = [rows(tmp_path / "team" / f"{name}.jsonl") for name in ("anna", "b.e@n+-")]
    own = [{row["id"] for row in file} for file in files]
    assert own[0] | own[1] == {row["id"] for row in sample} and len(own[0] & own[1]) == 3
    assert [sum("annotation" in row for row in file) for file in files] == [1, 1]
    # Links of PAIRS are not taken for those of the annotator.
    assert not any("sure" in row for file in files for row in file)


def test_people_have_the_names_of_their_files_without_endings_if_these_differ():
    assert people_names(["a/anna.jsonl", "b/ben.txt"]) == ["anna", "ben"]
    for taken in ("ben.txt", "agreed.jsonl", "adjudicator.jsonl"):
        assert people_names(["ben.jsonl", taken]) == ["ben.jsonl", taken]


IDS = st.lists(st.text(max_size=3), unique=True, max_size=20)


@fuzz(50)
@given(IDS, st.integers(1, 4), st.integers(0, 9))
def test_pairs_are_shared_evenly_whatever_their_order(ids, people, overlap):
    own = shares_of_people(ids, people, overlap)
    common = set.intersection(*own)
    assert set.union(*own) == set(ids)
    assert people == 1 or len(common) == min(overlap, len(ids))
    assert all(one & other == common for one, other in combinations(own, 2))
    assert max(map(len, own)) - min(map(len, own)) <= 1
    assert own == shares_of_people(sorted(ids), people, overlap)
    # Nobody loses a pair where more are given to all.
    more = shares_of_people(ids, people, overlap + 1)
    assert all(before <= after for before, after in zip(own, more, strict=True))


def test_two_people_are_decided_between(raw, gold, tmp_path):
    anna = decided(raw, tmp_path / "anna.jsonl", [[3, 0]], [], [])
    ben = decided(raw, tmp_path / "ben.jsonl", [], [])

    def visit(server):
        server.step(0, **link((0, 1), (3, 4)))
        server.step(0, **DECIDED)

    command = (raw, "--output", gold, *AS_READ, "--adjudicate", anna, ben)
    said = annotate(visit, *command)
    assert "2 pairs left out: fewer than two annotators decided them" in said
    assert "1 difference in 1 of 2 pairs" in said
    assert rows(gold)[0]["annotation"]["links"][0]["from"] == "anna"
    assert f"continuing: 2 of 2 pairs are decided in {gold}" in annotate(lambda _: 0, *command)


# Strangers (tests/semihmm/applications/annotate/test_web_app.py has them all)


def test_only_this_machine_is_answered_and_nobody_is_kept_out(pairs, gold):
    """Connections that idle or send too much keep nobody out."""

    def visit(server):
        connections = psutil.Process().net_connections()
        listening = {one.laddr for one in connections if one.status == psutil.CONN_LISTEN}
        ((host, port, token),) = re.findall(r"//([\d.]+):(\d+)/(.{43})/", server.address)
        assert {ip for ip, number in listening if number == int(port)} == {"127.0.0.1"}
        with ExitStack() as stack:
            for _ in range(150):
                stack.enter_context(socket.create_connection((host, int(port))))
            assert server.get("pairs/0")["id"] == "sample-01"
        with socket.create_connection((host, int(port))) as connection:
            head = f"POST /{token}/pairs/0/steps HTTP/1.1\r\nHost: {host}\r\n"
            connection.sendall(f"{head}Content-Length: 9999999\r\n\r\n".encode())
            assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")

    said = annotate(visit, pairs, "--output", gold)
    assert all(line.startswith(("semihmm: ", "\n")) for line in said.splitlines(keepends=True))
