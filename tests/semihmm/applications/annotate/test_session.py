"""The work of annotators: what each step is answered, what the file has, and what goes wrong.

``steps.txt`` has sessions. A line that is not indented is what somebody does; below it is what
that changes in the answers of the server and in the file. ``--anew`` writes it.
"""

import json
import os
import re
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import Client

from corpus_tools.base import folders
from corpus_tools.base.errors import BadData, NotSaved
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import row_of
from semihmm.applications.annotate.adjudication import Adjudication
from semihmm.applications.annotate.annotation import Annotation
from semihmm.applications.annotate.annotation_app import AnnotationApp, Work
from semihmm.applications.annotate.session import open_session, read_gold
from tests.examples import fuzz
from tests.faulty_files import IO_ERROR, NO_SPACE, FaultyFiles
from tests.semihmm.applications.annotate.tiny_work import (
    DECIDED,
    PAIRS,
    current,
    decision,
    link,
    null,
    steps,
    work,
)
from tests.semihmm.program_runs import rows, write

TABLE = Path(__file__).with_name("steps.txt")
new_folder = count(1)


@pytest.fixture
def output(tmp_path):
    """Return where the hand alignments go, in a folder of their own."""
    return tmp_path / "gold.jsonl"


def annotations_in(output):
    return [row.annotation for row in read_gold(output, PAIRS, None).values()]


# Steps


def opinion(person):
    """Return what somebody decided, as in ``anna 0-2=3-5 : note``: about the first pair alone."""
    marks, _, note = person.partition(" : ")
    name, *links = marks.split()
    return name, {"one": replace(decision(4, *links), note=note), "two": Annotation(1)}


def seen(client, path, index):
    """Return what the page and the file have of a pair."""
    pair = client.get(f"/token/pairs/{index}").get_json()
    saved, state = json.loads(path.read_text("utf-8").split("\n")[index]), pair["state"]
    annotation, row = state.pop("annotation"), state.pop("row")
    assert annotation.items() <= (annotation | saved.get("annotation", {})).items()
    decided = {name: pair[name] for name in ("people", "differences") if name in pair}
    links = {name: saved.get(name) for name in ("sure", "possible")}
    return decided | state | annotation | links | {"row": row}


def answers(session, path, asked):
    """Yield what somebody asks for, and below it the answer and all that is not as before."""
    client = Client(AnnotationApp([Work(session, path.name, "token")], {}))
    known = [seen(client, path, index) for index in range(2)]
    yield from (f"  {json.dumps(row)}" for row in known)
    for line in asked:
        number, raw, body = re.fullmatch(r"(\d)(!?) (.*)", line).groups()
        index, before = int(number), known[int(number)]
        if not raw:
            body = json.dumps({"action": json.loads(body), "steps": before["steps"]})
        address = f"/token/pairs/{index}/steps"
        answer = client.post(address, data=body, content_type="application/json")
        told = answer.get_json().get("error", "") if answer.is_json else answer.text.strip()
        known[index] = now = seen(client, path, index)
        changes = {name: value for name, value in now.items() if value != before[name]}
        yield f"{line}\n  {answer.status_code} {told} {json.dumps(changes)}"
        saved = [row[1:] for row in read_gold(path, PAIRS, None).values()]
        assert saved == [(one.current, round(one.seconds, 1)) for one in session.histories]


def test_steps_are_answered_and_saved_as_was_looked_at(tmp_path, looked_at):
    """A session is continued by another one with the same file, also after a kill."""
    asked = re.sub("\n  .*", "", TABLE.read_text(encoding="utf-8"))
    asked = re.sub(r"(.)\*(\d{3,})", lambda long: long[1] * int(long[2]), asked)
    title, *sessions = asked.split("\n= ")
    made = [title]
    for head, *lines in map(str.splitlines, sessions):
        name, _, people = head.partition(" | ")
        decided = dict(map(opinion, filter(None, people.split(" / "))))
        found = Adjudication.from_annotations(PAIRS, decided)
        with open_session(PAIRS, tmp_path / name, adjudication=found) as session:
            made += [f"= {head}", *answers(session, tmp_path / name, lines)]
        assert session.lock.locked(), "no step is made any more"
    printed = re.sub(r"(.)\1{99,}", lambda long: f"{long[1]}*{len(long[0])}", "\n".join(made))
    assert f"{printed}\n" == looked_at(TABLE.name, f"{printed}\n")


# The file


@fuzz(30)
@given(st.data())
def test_any_hand_alignment_is_continued_with_its_links(tmp_path, data):
    cells = st.frozensets(st.tuples(st.integers(0, 8), st.integers(0, 3)))
    sure = data.draw(cells)
    pair = Pair("one", PAIRS[0].document, PAIRS[0].abstract, sure, data.draw(cells) - sure)
    path = tmp_path / f"{next(new_folder)}.jsonl"
    write(path, row_of(pair))
    work(path, (0, {"do": "note", "text": "seen"}))
    read = read_pairs(path)[0]
    assert (read.sure, read.possible) == (pair.sure, pair.possible)


def test_a_file_that_does_not_fit_is_refused_and_stays(output, worked_out):
    work(output, (0, null(0, 1, 2, 3)), (0, DECIDED), (0, {"do": "note", "text": "n"}))
    one, two = rows(output)

    def refused(line):
        changed = one | json.loads(line)
        if isinstance(changed["annotation"], dict):
            changed["annotation"] = one["annotation"] | changed["annotation"]
        write(output, changed, two)
        before = output.read_bytes()
        with pytest.raises(BadData) as error:
            work(output)
        assert output.read_bytes() == before
        assert [path.name for path in output.parent.iterdir()] == ["gold.jsonl"]
        return [str(error.value).replace(str(output), "gold.jsonl")]

    worked_out("unfit.txt", refused)


def test_a_file_that_another_program_changes_is_not_replaced(output):
    with open_session(PAIRS, output) as session:
        changed = output.read_text().replace("news", "olds")
        output.write_text(changed)
        with pytest.raises(NotSaved):
            steps(session, 0, null(0))
        assert not session.histories[0].current.null and output.read_text() == changed
        output.unlink()
        steps(session, 0, null(1))
    assert annotations_in(output)[0].null == {1}


def test_a_step_is_saved_with_the_folder_in_which_its_file_is(output, monkeypatch):
    work(output)
    link = output.parent / "link" / "gold.jsonl"
    link.parent.mkdir()
    link.symlink_to(output)
    synced = []

    def sync(folder):
        synced.append((folder, annotations_in(output)[0].null))

    monkeypatch.setattr(folders, "sync_folder", sync)
    with open_session(PAIRS, link) as session:
        steps(session, 0, null(0))
    assert synced[-1] == (output.parent, {0})


# Faults


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="no /proc to name open files")
@pytest.mark.parametrize("kind", [NO_SPACE, IO_ERROR])
def test_a_step_that_cannot_be_saved_is_not_made(tmp_path, kind):
    for at in count(1):
        output = tmp_path / str(at) / "gold.jsonl"
        output.parent.mkdir()
        with open_session(PAIRS, output) as session:
            steps(session, 0, link((0, 1), (0, 1)))
            before = (current(session), output.read_bytes())
            files = FaultyFiles(output.parent, at, kind)
            with pytest.MonkeyPatch.context() as patch:
                files.install(patch)
                with suppress(NotSaved):
                    steps(session, 0, null(3))
            if not files.reached:
                assert at > 5 and session.histories[0].current.null == {3}
                return
            assert (current(session), output.read_bytes()) == before
            steps(session, 0, {"do": "note", "text": "later"})
        assert annotations_in(output)[0].note == "later"
