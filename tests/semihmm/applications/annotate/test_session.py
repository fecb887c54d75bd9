"""Tests of the work of an annotator: steps, the file, and what goes wrong."""

import os
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import runs
from corpus_tools.base.errors import BadData, BadUsage, NotSaved, OutOfDate
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import row_of
from semihmm.applications.annotate.annotation import Annotation, Phrases
from semihmm.applications.annotate.session import open_session, read_gold
from tests.examples import fuzz
from tests.faulty_files import IO_ERROR, NO_SPACE, FaultyFiles
from tests.semihmm.applications.annotate.tiny_work import (
    DECIDED,
    PAIRS,
    UNDO,
    current,
    left_by_kill,
    link,
    linked,
    null,
    steps,
    work,
)
from tests.semihmm.program_runs import rows, write

# A naive twin of the work on a pair: its actions, replayed from the start each time


def replayed(length, actions):
    """Return the annotation of ``length`` words after some actions, without undoing."""
    links, null, dismissed = {}, set(), set()
    note, decided, sent_back = "", False, False
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
        decided = decided and len(null | linked(links)) == length
    state = links, frozenset(null), frozenset(dismissed), note, decided, sent_back
    return Annotation(length, *state)


def side(written):
    """Return the spans of a side of a link, which is written as a span or a list of them."""
    return tuple(map(tuple, written if isinstance(written[0], list) else [written]))


def is_refused(action, done, undone, now):
    """Tell whether a step cannot be made."""
    open_words = len(now.null | linked(now.links)) < now.abstract_words
    refused = {"undo": not done, "redo": not undone, "return": not now.note}
    refused["decide"] = action.get("decided") and open_words
    return refused.get(action["do"], False)


def phrases(length):
    """Return phrases of a side of some words, as they are written: often of several spans."""
    chosen = st.sets(st.integers(0, length - 1), min_size=1)
    spans = chosen.map(lambda some: [[run[0], run[-1] + 1] for run in runs(some)])
    return spans.map(lambda several: several if len(several) > 1 else several[0])


def actions(abstract, document):
    """Return steps on a pair of so many words."""
    sides = {"abstract": phrases(abstract), "document": phrases(document)}
    some = st.lists(st.fixed_dictionaries(sides), max_size=2)
    strong = st.lists(st.fixed_dictionaries({**sides, "sure": st.booleans()}), max_size=2)
    marked = st.lists(st.integers(0, abstract - 1), max_size=abstract)
    fields = {
        "link": {"links": strong},
        "remove": {"links": some, "words": marked},
        "dismiss": {"links": some},
        "null": {"words": marked},
        "choose": {"links": strong, "words": marked, "null": marked},
        "note": {"text": st.sampled_from(["", "a", "é\n\u2028"])},
        "decide": {"decided": st.booleans()},
        **{do: {} for do in ("undo", "redo", "return")},
    }
    kinds = fields.items()
    return st.one_of(st.fixed_dictionaries({"do": st.just(do)} | own) for do, own in kinds)


LENGTHS = [(len(pair.abstract), len(pair.document)) for pair in PAIRS]
one_step = st.one_of(
    *(st.tuples(st.just(index), actions(*lengths)) for index, lengths in enumerate(LENGTHS))
)
some_steps = st.lists(one_step, min_size=1, max_size=12)
new_folder = count(1)
SPANS = {"abstract": [0, 2], "document": [3, 5]}
NOTE = {"do": "note", "text": "a"}
RETURNED = [null(0), NOTE, {"do": "return"}, DECIDED, {**DECIDED, "decided": False}]


@pytest.fixture
def output(tmp_path):
    """Return where the hand alignments go, in a folder of their own."""
    (tmp_path / "work").mkdir()
    return tmp_path / "work" / "gold.jsonl"


def annotations_in(output):
    gold = read_gold(output, PAIRS, None)
    return [gold[pair.id].annotation for pair in PAIRS]


# Steps


@fuzz(30)
@given(some_steps)
@example([(1, one) for one in RETURNED])
@example([(0, {"do": "dismiss", "links": [SPANS]}), (0, link((0, 2), (3, 5)))])
def test_any_steps_are_those_of_a_naive_replay(tmp_path, sequence):
    folder = tmp_path / str(next(new_folder))
    folder.mkdir()
    done, undone = [[], []], [[], []]
    expected = [Annotation(abstract) for abstract, _ in LENGTHS]
    with open_session(PAIRS, folder / "gold.jsonl") as session:
        for index, action in sequence:
            own, gone = done[index], undone[index]
            if is_refused(action, own, gone, expected[index]):
                with pytest.raises((BadData, BadUsage)):
                    steps(session, index, action)
                continue
            changed = session.histories[index].steps + 1
            steps(session, index, action)
            if action["do"] == "undo":
                gone.append(own.pop())
            elif action["do"] == "redo":
                own.append(gone.pop())
            elif replayed(LENGTHS[index][0], [*own, action]) != expected[index]:
                own.append(action)
                gone.clear()
            else:
                changed -= 1
            # Whoever has seen fewer steps is refused.
            assert session.histories[index].steps == changed
            expected[index] = replayed(LENGTHS[index][0], own)
            assert current(session) == expected
        killed = left_by_kill(folder / "gold.jsonl", folder / "killed")
    assert annotations_in(folder / "gold.jsonl") == expected
    assert {path.name for path in folder.iterdir()} == {"gold.jsonl", "killed"}
    with open_session(PAIRS, killed) as session:
        assert current(session) == expected


def test_a_note_is_not_saved_over_one_that_its_writer_has_not_seen(output):
    with open_session(PAIRS, output) as session:
        steps(session, 0, null(0))
        # The step before does not matter to it.
        session.step(0, {"do": "note", "text": "one", "before": ""}, 0)
        with pytest.raises(OutOfDate):
            session.step(0, {"do": "note", "text": "other", "before": ""}, 0)
        assert current(session)[0].note == "one"


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


def changed(output, change):
    """Change the first row of a file that has links and a note, and return its new bytes."""
    work(output, (0, null(0, 1, 2, 3)), (0, DECIDED), (0, {"do": "note", "text": "n"}))
    one, two = rows(output)
    change(one)
    write(output, one, two)
    return output.read_bytes()


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
    before = changed(output, change)
    with pytest.raises(BadData, match=problem) as refused:
        work(output)
    assert (refused.value.file, refused.value.line) == (str(output), 1)
    assert output.read_bytes() == before
    assert [path.name for path in output.parent.iterdir()] == ["gold.jsonl"]


def test_seconds_add_up_over_sessions_whatever_is_undone(output):
    for is_second in (False, True):
        with open_session(PAIRS, output) as session:
            assert session.continues == is_second
            session.step(0, null(0), 0, 1.26)
            steps(session, 0, null(1), UNDO)
            # Whoever only looked has not seen the steps of another window.
            session.step(0, {"do": "work"}, 0, 60)
        assert session.lock.locked(), "no step is made any more"
    assert rows(output)[0]["annotation"]["seconds"] == 122.6
    assert "annotation" not in rows(output)[1]
    assert annotations_in(output)[0].null == {0}


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
