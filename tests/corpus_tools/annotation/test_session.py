"""Tests of the work of an annotator: steps, the file, and what goes wrong."""

from __future__ import annotations

import json
import os
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.annotation.session import open_session, read_gold
from corpus_tools.errors import BadData, BadUsage, NotSaved
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from tests.corpus_tools.annotation.naive_annotator import NaiveAnnotator, actions
from tests.corpus_tools.annotation.tiny_work import (
    DECIDED,
    PAIRS,
    UNDO,
    current,
    left_by_kill,
    link,
    null,
    steps,
    work,
)
from tests.examples import fuzz
from tests.faulty_files import IO_ERROR, NO_SPACE, FaultyFiles

LENGTHS = [(len(pair.abstract), len(pair.document)) for pair in PAIRS]
one_step = st.one_of(
    *(st.tuples(st.just(index), actions(*lengths)) for index, lengths in enumerate(LENGTHS))
)
some_steps = st.lists(one_step, min_size=1, max_size=12)
new_folder = count(1)


@pytest.fixture
def output(tmp_path):
    """Return where the hand alignments go, in a folder of their own."""
    (tmp_path / "work").mkdir()
    return tmp_path / "work" / "gold.jsonl"


def rows_of(output):
    return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


def annotations_in(output):
    return read_gold(output, PAIRS, None)[1]


# Steps


@fuzz(30)
@given(some_steps)
def test_any_steps_are_those_of_a_naive_replay(tmp_path, sequence):
    folder = tmp_path / str(next(new_folder))
    folder.mkdir()
    naive = [NaiveAnnotator(abstract) for abstract, _ in LENGTHS]
    with open_session(PAIRS, folder / "gold.jsonl") as session:
        for index, action in sequence:
            if naive[index].admits(action):
                naive[index].step(action)
                steps(session, index, action)
            else:
                with pytest.raises((BadData, BadUsage)):
                    steps(session, index, action)
            expected = [each.current() for each in naive]
            assert current(session) == expected
            assert session.histories[index].can_undo == bool(naive[index].actions)
            assert session.histories[index].can_redo == bool(naive[index].undone)
        killed = left_by_kill(folder / "gold.jsonl", folder / "killed")
    assert annotations_in(folder / "gold.jsonl") == expected
    assert {path.name for path in folder.iterdir()} == {"gold.jsonl", "killed"}
    with open_session(PAIRS, killed) as session:
        assert current(session) == expected


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        ({"do": "nul"}, "unknown action 'nul'"),
        ({"do": "null", "words": [4]}, "'words' has other values than 0 to 3"),
        (link((0, 5), (0, 1)), r"\[0, 5\].* is no link: .* at most 4 and 9"),
        (link(((0, 1), (1, 2)), (0, 1)), "is no link: .* sorted, with words between them"),
        ({"do": "note", "text": "\ud800"}, "half a surrogate pair"),
        ({"do": "return"}, "a pair is sent back with a note that says why"),
        (DECIDED, "4 words are neither linked nor unaligned: a, cat, ran, ."),
        (UNDO, "there is nothing to undo"),
    ],
)
def test_what_cannot_be_done_changes_nothing(output, action, problem):
    with open_session(PAIRS, output) as session:
        before = output.read_bytes()
        with pytest.raises((BadData, BadUsage), match=problem):
            steps(session, 0, action)
        assert session.histories[0].steps == 0
        assert output.read_bytes() == before


# The file


@fuzz(30)
@given(st.data())
def test_any_hand_alignment_is_continued_with_its_links(tmp_path, data):
    cells = st.frozensets(st.tuples(st.integers(0, 8), st.integers(0, 3)))
    sure = data.draw(cells)
    pair = Pair("one", PAIRS[0].document, PAIRS[0].abstract, sure, data.draw(cells) - sure)
    path = tmp_path / f"{next(new_folder)}.jsonl"
    sides = {name: [list(each) for each in getattr(pair, name).sentences()] for name in SIDES}
    links = {"sure": sorted(pair.sure), "possible": sorted(pair.possible)}
    path.write_text(json.dumps({"id": "one", **sides, **links}) + "\n")
    work(path, (0, {"do": "note", "text": "seen"}))
    read = read_pairs(path)[0]
    assert (read.sure, read.possible) == (pair.sure, pair.possible)


SIDES = ("document", "abstract")


def test_phrases_whose_words_stand_apart_are_several_spans_in_the_file(output):
    same, other = ((0, 1), (2, 3)), ((1, 2), (3, 4))
    some = link(same, ((0, 1), (7, 8))), link(other, (4, 5), sure=False), DECIDED
    work(output, *((0, action) for action in some))
    row = rows_of(output)[0]
    assert row["annotation"]["links"] == [
        {"abstract": [[0, 1], [2, 3]], "document": [[0, 1], [7, 8]], "sure": True},
        {"abstract": [[1, 2], [3, 4]], "document": [4, 5], "sure": False},
    ]
    # "a ... ran" has the same words on both sides, "cat ... ." has not.
    assert (row["sure"], row["possible"]) == ([[0, 0], [7, 2]], [[4, 1], [4, 3]])
    work(output, (0, null(3)))
    assert list(annotations_in(output)[0].links) == [(same, ((0, 1), (7, 8)))]


def changed(output, change):
    """Change the first row of a file that has links and a note, and return its new bytes."""
    work(output, (0, null(0, 1, 2, 3)), (0, DECIDED), (0, {"do": "note", "text": "n"}))
    one, two = rows_of(output)
    change(one)
    output.write_text("".join(json.dumps(row) + "\n" for row in (one, two)))
    return output.read_bytes()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda row: row.update(id="three"), "'three' is not among the pairs to annotate"),
        (lambda row: row["document"][0].append("x"), "was made from another document"),
        (lambda row: row.update(sure=[[0, 0]]), "'sure' and 'possible' are not the links of"),
        (lambda row: row["annotation"].update(null=[9]), "'null' has other values than"),
        (lambda row: row["annotation"].update(seconds=-1), "'seconds' is -1, expected a number"),
        (lambda row: row["annotation"].update(null=[0]), "is decided, but abstract word 1 is open"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_and_stays(output, change, problem):
    before = changed(output, change)
    with pytest.raises(BadData, match=problem) as refused:
        work(output)
    assert "gold.jsonl, line 1" in str(refused.value)
    assert output.read_bytes() == before
    assert [path.name for path in output.parent.iterdir()] == ["gold.jsonl"]


def test_seconds_add_up_over_sessions_whatever_is_undone(output):
    for _ in range(2):
        with open_session(PAIRS, output) as session:
            session.step(0, null(0), 0, 1.5)
            steps(session, 0, null(1), UNDO)
            # Whoever only looked has not seen the steps of another window.
            session.step(0, {"do": "work"}, 0, 60)
    assert rows_of(output)[0]["annotation"]["seconds"] == 123
    assert "annotation" not in rows_of(output)[1]
    assert annotations_in(output)[0].null == {0}


def test_a_file_that_another_program_changes_is_not_replaced(output):
    with open_session(PAIRS, output) as session:
        steps(session, 0, null(0))
        changed = output.read_text().replace("news", "olds")
        output.write_text(changed)
        with pytest.raises(NotSaved, match="another program has changed it: start again"):
            steps(session, 0, null(1))
        assert session.histories[0].current.null == {0}
        assert output.read_text() == changed
        output.unlink()
        steps(session, 0, null(1))
    assert annotations_in(output)[0].null == {0, 1}


# Faults


def points_of_a_step(output):
    """Make a step, and return the operations on files of the next."""
    with open_session(PAIRS, output) as session, pytest.MonkeyPatch.context() as patch:
        steps(session, 0, link((0, 1), (0, 1)))
        files = FaultyFiles(output.parent)
        files.install(patch)
        steps(session, 0, null(3))
        return list(files.points)


def problem_of_a_step(session, files):
    """Make a step on files that may fail; return why it was not saved, or nothing."""
    with pytest.MonkeyPatch.context() as patch:
        files.install(patch)
        try:
            steps(session, 0, null(3))
        except NotSaved as error:
            return error.problem
    return None


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="no /proc to name open files")
@pytest.mark.parametrize("kind", [NO_SPACE, IO_ERROR])
def test_a_step_that_cannot_be_saved_is_not_made(tmp_path, kind):
    (tmp_path / "all").mkdir()
    points = points_of_a_step(tmp_path / "all" / "gold.jsonl")
    assert len(points) >= 5
    for at in range(1, len(points) + 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        output = folder / "gold.jsonl"
        with open_session(PAIRS, output) as session:
            steps(session, 0, link((0, 1), (0, 1)))
            before = (current(session), output.read_bytes())
            files = FaultyFiles(folder, at, kind)
            problem = problem_of_a_step(session, files)
            assert files.reached
            assert problem is not None and problem.startswith("cannot write")
            assert (current(session), output.read_bytes()) == before
            killed = left_by_kill(output, folder / "killed")
            steps(session, 0, {"do": "note", "text": "later"})
            later = left_by_kill(output, folder / "later")
        with open_session(PAIRS, killed) as session:
            assert current(session) == before[0]
        with open_session(PAIRS, later) as session:
            assert session.histories[0].current.note == "later"
