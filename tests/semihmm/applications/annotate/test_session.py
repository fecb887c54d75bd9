"""Tests of the work of an annotator: steps, the file, and what goes wrong."""

import os
import shutil
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData, BadUsage, NotSaved, OutOfDate
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import row_of
from semihmm.applications.annotate.adjudication import Adjudication
from semihmm.applications.annotate.annotation import Annotation, Phrases
from semihmm.applications.annotate.session import open_session, read_gold
from tests.examples import fuzz
from tests.faulty_files import IO_ERROR, NO_SPACE, FaultyFiles
from tests.semihmm.applications.annotate.tiny_work import (
    DECIDED,
    PAIRS,
    UNDO,
    current,
    link,
    linked,
    null,
    steps,
    work,
)
from tests.semihmm.program_runs import rows, write

# A naive twin of the work on a pair: its actions, replayed from the start each time


def replayed(start, actions):
    """Return an annotation after some actions, without undoing."""
    links, null, dismissed = dict(start.links), set(start.null), set(start.dismissed)
    note, decided, sent_back = start.note, start.decided, start.sent_back
    for action in actions:
        some = action.get("links", [])
        given = {Phrases(side(row["abstract"]), side(row["document"])): row for row in some}
        strengths = {phrases: row.get("sure") for phrases, row in given.items()}
        words = set(action.get("words", []))
        others = {one: sure for one, sure in links.items() if words.isdisjoint(linked([one]))}
        match action["do"]:
            case "note":
                note = action["text"]
            case "decide":
                decided, sent_back = action["decided"], sent_back and not action["decided"]
            case "return":
                decided, sent_back = False, True
            case "dismiss":
                dismissed |= given.keys()
            case "remove":
                links = {one: sure for one, sure in links.items() if one not in given}
                null -= words
            case "null":
                links, null = others, null | words
            case "link":
                links, null = links | strengths, null - linked(given)
                dismissed -= given.keys()
            case "choose":
                links = others | strengths
                null = (null - words | set(action["null"])) - linked(links)
        decided = decided and len(null | linked(links)) == start.abstract_words
    state = links, frozenset(null), frozenset(dismissed), note, decided, sent_back
    return Annotation(start.abstract_words, *state)


def side(written):
    """Return the spans of a side of a link, which is written as a span or a list of them."""
    return tuple(map(tuple, written if isinstance(written[0], list) else [written]))


def is_refused(action, done, undone, now):
    """Tell whether a step cannot be made."""
    open_words = len(now.null | linked(now.links)) < now.abstract_words
    refused = {"undo": not done, "redo": not undone, "return": not now.note}
    refused["decide"] = action.get("decided") and open_words
    return refused.get(action["do"], False)


# Few links, so that steps often meet the links of others: abstract and document side
LINKS = [
    [([0, 2], [3, 5]), ([1, 2], [4, 5]), ([[0, 1], [2, 3]], [[0, 1], [7, 9]]), ([0, 4], [0, 9])],
    [([0, 1], [0, 1]), ([0, 1], [[0, 1], [2, 4]])],
]
NOTES = st.sampled_from(["", "a", "é\n\u2028"])


def steps_on(index):
    """Return steps on a pair: its index, an action, steps that were not seen, and seconds."""
    rows = [{"abstract": abstract, "document": document} for abstract, document in LINKS[index]]
    some = st.lists(st.sampled_from(rows), max_size=2)
    strong = [row | {"sure": sure} for row in rows for sure in (True, False)]
    added = st.lists(st.sampled_from(strong), max_size=2)
    words = list(range(len(PAIRS[index].abstract)))
    marked = st.just(words) | st.lists(st.sampled_from(words), max_size=2)
    fields = {
        "link": {"links": added},
        "remove": {"links": some, "words": marked},
        "dismiss": {"links": some},
        "null": {"words": marked},
        "choose": {"links": added, "words": marked, "null": marked},
        "note": {"text": NOTES, "before": NOTES},
        "decide": {"decided": st.booleans()},
        **{do: {} for do in ("undo", "redo", "return", "work")},
    }
    actions = (st.fixed_dictionaries({"do": st.just(do)} | own) for do, own in fields.items())
    unseen, seconds = st.sampled_from([0, 0, 0, 1]), st.sampled_from([0, 1.26, 60])
    return st.tuples(st.just(index), st.one_of(actions), unseen, seconds)


some_steps = st.lists(steps_on(0) | steps_on(0) | steps_on(1), min_size=8, max_size=24)
new_folder = count(1)
ROW = {"abstract": [0, 1], "document": [0, 1]}
RARE_STEPS = [null(0), {"do": "note", "text": "a"}, DECIDED, {"do": "return"}, DECIDED]
RARE_STEPS += [{"do": "remove", "links": [], "words": [0]}, {"do": "dismiss", "links": [ROW]}]


@pytest.fixture
def output(tmp_path):
    """Return where the hand alignments go, in a folder of their own."""
    return tmp_path / "gold.jsonl"


def annotations_in(output):
    return [row.annotation for row in read_gold(output, PAIRS, None).values()]


# Steps


@fuzz(20)
@given(st.tuples(some_steps, some_steps))
@example([[(1, action, 0, 0) for action in (*RARE_STEPS, link((0, 1), (0, 1)))]])
def test_any_steps_are_those_of_a_naive_replay(tmp_path, sessions):
    """Each session continues what a kill at the end of the one before would leave.

    Whoever has not seen the last step is refused, except for a note in the place of the current one
    and for time of work alone.
    """
    blank = [Annotation(len(pair.abstract)) for pair in PAIRS]
    now, spent = blank[:], [0, 0]
    output = tmp_path / str(next(new_folder)) / "gold.jsonl"
    output.parent.mkdir()
    for sequence in sessions:
        done, undone, starts = [[], []], [[], []], now[:]
        with open_session(PAIRS, output) as session:
            assert session.continues == (now != blank)
            for index, action, unseen, seconds in sequence:
                own, gone, before = done[index], undone[index], session.histories[index].steps
                knows_note = action.get("before") == now[index].note
                is_late = bool(unseen) and action["do"] != "work" and not knows_note
                if is_late or is_refused(action, own, gone, now[index]):
                    with pytest.raises((BadData, BadUsage)) as refused:
                        session.step(index, action, before - unseen, seconds)
                    assert (refused.type is OutOfDate) == is_late
                    continue
                session.step(index, action, before - unseen, seconds)
                spent[index] += seconds
                if action["do"] == "undo":
                    gone.append(own.pop())
                elif action["do"] == "redo":
                    own.append(gone.pop())
                elif replayed(starts[index], [*own, action]) != now[index]:
                    own.append(action)
                    gone.clear()
                else:
                    before -= 1
                now[index] = replayed(starts[index], own)
                assert session.histories[index].steps == before + 1
                assert current(session) == now
            left = shutil.copytree(output.parent, tmp_path / str(next(new_folder)))
        assert session.lock.locked(), "no step is made any more"
        assert [path.name for path in output.parent.iterdir()] == ["gold.jsonl"]
        spent = [round(seconds, 1) for seconds in spent]
        read = read_gold(output, PAIRS, None).values()
        assert [row[1:] for row in read] == list(zip(now, spent, strict=True))
        output = left / output.name


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


def test_phrases_whose_words_stand_apart_are_several_spans_in_the_file(output):
    same, other = link(((0, 1), (2, 3)), ((0, 1), (7, 8))), link(((1, 2), (3, 4)), (4, 5), False)
    work(output, (0, same), (0, other), (0, DECIDED))
    row = rows(output)[0]
    assert row["annotation"]["links"] == [
        {"abstract": [[0, 1], [2, 3]], "document": [[0, 1], [7, 8]], "sure": True},
        {"abstract": [[1, 2], [3, 4]], "document": [4, 5], "sure": False},
    ]
    # "a ... ran" has the same words on both sides, "cat ... ." has not.
    assert (row["sure"], row["possible"]) == ([[0, 0], [7, 2]], [[4, 1], [4, 3]])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda row: row.update(id="three"), "'three'"),
        (lambda row: row["abstract"][0].append("x"), "'one': the abstract to annotate has other"),
        # The same text in other tokens.
        (lambda row: row["document"][0].__setitem__(slice(2), ["adog"]), "'one': the document"),
        (lambda row: row.update(sure=[[0, 0]]), "'sure' and 'possible'"),
        (lambda row: row["annotation"].update(null=[0]), "abstract word 1"),
        (lambda row: row.update(annotation=7), "'annotation' is 7, expected an object"),
        (lambda row: row["annotation"].update(decided=1), "'decided' is 1, expected true or"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_and_stays(output, change, problem):
    work(output, (0, null(0, 1, 2, 3)), (0, DECIDED), (0, {"do": "note", "text": "n"}))
    one, two = rows(output)
    change(one)
    write(output, one, two)
    before = output.read_bytes()
    with pytest.raises(BadData, match=problem) as refused:
        work(output)
    assert (refused.value.file, refused.value.line) == (str(output), 1)
    assert output.read_bytes() == before
    assert [path.name for path in output.parent.iterdir()] == ["gold.jsonl"]


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


# Two people, and somebody who decides between them


def test_who_decided_what_is_kept_undone_and_continued(output):
    def decided(*links):
        linked = {Phrases((abstract,), (document,)): sure for abstract, document, sure in links}
        return {"one": Annotation(4, linked, decided=True)}

    ran, stop = ((2, 3), (7, 8)), ((3, 4), (8, 9), True)
    anna = decided(((0, 2), (3, 5), True), (*ran, True), stop)
    ben = decided(((0, 1), (3, 5), True), ((1, 2), (4, 5), True), (*ran, False), stop)
    found = Adjudication.from_annotations(PAIRS[:1], {"anna": anna, "ben": ben})

    def row():
        return rows(output)[0]["annotation"]

    def kept():
        return [(one["abstract"], one["sure"], one["from"]) for one in row()["links"]]

    with open_session(PAIRS[:1], output, None, found) as session:
        assert kept() == [([3, 4], True, "agreed")]
        choice = {**link((0, 2), (3, 5)), "do": "choose", "words": [0, 1], "null": []}
        steps(session, 0, choice, null(2), UNDO, link((2, 3), (7, 8), sure=False))
        assert kept()[:2] == [([0, 2], True, "anna"), ([2, 3], False, "ben")]
        steps(session, 0, {**choice, "links": [], "null": [0, 1]}, DECIDED)
    # Without the files of the people it is continued too.
    with open_session(PAIRS[:1], output) as session:
        steps(session, 0, {"do": "note", "text": "done"})
        assert kept() == [([2, 3], False, "ben"), ([3, 4], True, "agreed")]
        assert (row()["null"], row()["null_from"]) == ([0, 1], ["adjudicator"] * 2)
    with open_session(PAIRS[:1], output, None, found) as session:
        assert current(session)[0].note == "done"
        steps(session, 0, choice)
        assert kept()[0] == ([0, 2], True, "anna")


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
