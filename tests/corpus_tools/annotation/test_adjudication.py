"""What people agree on, where they differ, and from whom a link is in the file."""

from __future__ import annotations

import json

from corpus_tools.annotation.adjudication import Adjudication
from corpus_tools.annotation.annotation import Annotation, Phrases
from corpus_tools.annotation.session import open_session
from tests.corpus_tools.annotation.tiny_work import (
    DECIDED,
    PAIRS,
    UNDO,
    current,
    link,
    null,
    steps,
)


def said(pair, null=(), note="", **links):
    """Return what somebody decided; links as ``a0_2="d3_5"``, with ``D`` if possible."""
    phrases = {}
    for abstract, document in links.items():
        sides = [tuple(map(int, side[1:].split("_"))) for side in (abstract, document)]
        phrases[Phrases(*((side,) for side in sides))] = document.islower()
    decided = Annotation(len(pair.abstract), phrases, frozenset(null), note=note, decided=True)
    assert not decided.open_words()
    return decided


def opinions(**people):
    """Return the opinions of the first pair: a cat ran . / a dog saw the cat . It ran ."""
    both = {name: [one, Annotation(1)] for name, one in people.items()}
    (found,) = Adjudication.of(PAIRS, both).opinions.values()
    return found


ANNA = said(PAIRS[0], note="?", a0_2="d3_5", a2_3="d7_8", a3_4="d8_9")
BEN = said(PAIRS[0], a0_1="d3_4", a1_2="d3_5", a2_3="D7_8", a3_4="d8_9")


def test_words_are_compared_however_links_are_cut():
    """A phrase of the same words on both sides is the same as its words one by one."""
    one = said(PAIRS[0], null=[0, 1], a2_4="d7_9")
    other = said(PAIRS[0], null=[0, 1], a2_3="d7_8", a3_4="d8_9")
    found = opinions(anna=one, ben=other)
    assert found.differences == [] and found.agreement().decided
    assert found.agreement() == one
    assert set(found.origins.links.values()) == {"agreed"}
    assert found.origins.null == {0: "agreed", 1: "agreed"}


def test_a_difference_has_all_words_that_a_phrase_joins():
    found = opinions(anna=ANNA, ben=BEN)
    assert found.differences == [[0, 1], [2]]
    begun = found.agreement()
    assert (list(begun.links), begun.open_words()) == ([Phrases(((3, 4),), ((8, 9),))], [0, 1, 2])
    assert not begun.decided and begun.note == "anna: ?"
    assert found.origins.links[Phrases(((0, 1),), ((3, 4),)), True] == "ben"
    third = said(PAIRS[0], null=[0], a1_2="d3_5", a2_3="d7_8", a3_4="d8_9")
    assert (
        opinions(anna=ANNA, ben=BEN, cy=third).origins.links[Phrases(((2, 3),), ((7, 8),)), True]
        == "anna, cy"
    )


def test_who_decided_what_is_kept_undone_and_continued(tmp_path):
    output = tmp_path / "gold.jsonl"
    found = Adjudication(("anna", "ben"), {"one": opinions(anna=ANNA, ben=BEN)})

    def row():
        return json.loads(output.read_text(encoding="utf-8").splitlines()[0])["annotation"]

    def kept():
        return [(one["abstract"], one["sure"], one["from"]) for one in row()["links"]]

    with open_session(PAIRS[:1], output, None, found) as session:
        assert kept() == [([3, 4], True, "agreed")]
        choice = {
            "do": "choose",
            "words": [0, 1],
            "links": link((0, 2), (3, 5))["links"],
            "null": [],
        }
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


def test_pieces_that_become_one_are_sure_if_one_of_them_is():
    """A possible phrase is cut where people differ, and its piece stands as a sure link too."""
    for sure, possible in (("a2_3", "a2_4"), ("a2_4", "a2_3")):
        strengths = {sure: "d7_8" if sure == "a2_3" else "d7_9"}
        strengths[possible] = "D7_9" if possible == "a2_4" else "D7_8"
        one = said(PAIRS[0], null=[0, 1] + [3] * ("a2_4" not in strengths), **strengths)
        other = said(PAIRS[0], null=[0, 1, 3], a2_3="d7_8")
        found = opinions(anna=one, ben=other)
        assert found.people["anna"].links[Phrases(((2, 3),), ((7, 8),))]
