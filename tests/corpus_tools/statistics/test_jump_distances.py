from __future__ import annotations

from collections import Counter

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.statistics.jump_distances import Jump, Way, jumps
from corpus_tools.statistics.tables import jump_table
from corpus_tools.texts.text import Text

WORDS = tuple("abcdefghij")


def jumps_of(*spans, abstract=WORDS, document=WORDS):
    """Count the jumps of phrases with these abstract and document spans."""
    pair = Pair("x", Text.from_sentences([document]), Text.from_sentences([abstract]))
    return Counter(jumps(pair, Alignment("x", tuple(PhraseLink(a, d, 1.0) for a, d in spans))))


def test_jumps_go_from_the_end_of_a_phrase_to_the_start_of_the_next():
    spans = ((0, 1), (4, 6)), ((1, 2), (8, 9)), ((2, 3), (2, 4)), ((3, 4), (3, 4))
    # From word 5 to 8, from 8 back to 2, from 3 to 3 again.
    assert jumps_of(*spans) == {Jump(3, Way.NEXT): 1, Jump(-6, Way.NEXT): 1, Jump(0, Way.NEXT): 1}


def test_words_aligned_to_nothing_are_passed_over_and_the_ends_are_no_jumps():
    assert jumps_of(((1, 2), (2, 3)), ((4, 5), (3, 4))) == {Jump(1, Way.NULL): 1}
    assert jumps_of(((4, 5), (3, 4))) == jumps_of() == {}


def test_inside_a_phrase_whose_sides_are_alike_there_are_steps():
    assert jumps_of(
        ((0, 3), (5, 8)),
        abstract=["Cats", "sleeps", "well"],
        document=[*"abcde", "cat", "sleep", "well"],
    ) == {Jump(1, Way.INSIDE): 2}
    assert jumps_of(((0, 3), (5, 8))) == jumps_of(((0, 2), (0, 3))) == {}


def rows(table):
    """{title: cells} of the table; what stands under its heading."""
    return {line[:24].strip(): line[24:].split() for line in table.splitlines()[:-1]}


def test_figure_2_as_a_table():
    gold = Counter(
        {Jump(1, Way.NEXT): 5, Jump(-64, Way.NULL): 1, Jump(-63, Way.NEXT): 1, Jump(7, Way.NEXT): 2}
    )
    model = {Jump(1, Way.INSIDE): 0.5, Jump(1, Way.NEXT): 0.25, Jump(0, Way.NULL): 1.25}
    text = jump_table([("gold", gold), ("my model", model), ("nothing", {})])
    table = rows(text)
    assert table["Jump by"] == ["gold", "my", "model", "nothing"]
    assert table["-64 or less"] == table["-63 to -32"] == ["11.1%", "0.0%", "0.0%"]
    assert table["0"] == ["0.0%", "62.5%", "0.0%"]
    assert table["+1"] == ["55.6%", "37.5%", "0.0%"]
    assert table["+4 to +7"] == ["22.2%", "0.0%", "0.0%"]
    assert table["Mean"] == ["-12.00", "0.38", "0.00"]
    assert table["Jumps"] == ["9", "2", "0"]
    assert table["over null words"] == ["11.1%", "62.5%", "0.0%"]
    assert table["inside phrases alike"] == ["0.0%", "25.0%", "0.0%"]
