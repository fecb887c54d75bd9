"""Alignments as values, the digests of their texts, and the formats of their files."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import (
    Alignment,
    PhraseLink,
    from_word_links,
    pair_digests,
    text_digest,
    word_links,
)
from corpus_tools.alignments.formats import READERS, check, match, read, write
from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.text import Text
from semihmm.reference import soft_links
from tests.examples import fuzz
from tests.tiny_corpora import pair, text


@st.composite
def span(draw, length):
    start = draw(st.integers(0, length - 1))
    return start, draw(st.integers(start + 1, length))


@fuzz(50)
@given(st.data())
def test_word_links_agree_with_the_naive_twin(data):
    document, abstract = (
        data.draw(st.lists(st.sampled_from("abA"), min_size=1, max_size=6)) for _ in "da"
    )
    phrases = data.draw(st.lists(st.tuples(span(len(abstract)), span(len(document))), max_size=4))
    alignment = Alignment("x", tuple(PhraseLink(a, d, 0.5) for a, d in phrases))
    assert word_links(alignment, document, abstract) == soft_links(phrases, abstract, document)


def test_an_alignment_that_does_not_fit_its_pair_is_not_written(tmp_path):
    """The table of readers has alignments that are not read."""
    long = pair("x", 9902 * "w ", 1001 * "w ")
    check(Alignment("x", (PhraseLink((1, 1001), (2, 1002), 1.0),)), long)
    (path := tmp_path / "links").write_text("old")
    problem = "'x' links 101 abstract words with 9,901 document words: no phrase is so long"
    with pytest.raises(BadData, match=problem):
        write("pharaoh", [long], [Alignment("x", (PhraseLink((1, 102), (1, 9902), 1.0),))], path)
    assert path.read_text() == "old"


def test_what_does_not_match_is_counted_and_named():
    pairs = [pair(id, "a", "b") for id in "abcde"]
    made = {id: Alignment(id) for id in "efghij"}
    both = "4 only in the pairs (a, b, c, ...), 5 only in the alignments (f, g, h, ...)"
    with pytest.raises(BadData, match=re.escape(both)):
        match(pairs, made)
    with pytest.raises(BadData, match=r"2 only in the pairs .d, e., 0 only in the alignments;"):
        match(pairs, [Alignment(id) for id in "abc"])
    with pytest.raises(BadData, match="two alignments have the id 'b'"):
        match(pairs, [Alignment(id) for id in "abbcde"])


def test_halves_of_a_character_tell_texts_apart():
    """Python has them in names of files."""
    assert text_digest(("\ud800",)) != text_digest(("\ud801",))


def links_of(pairs, alignments):
    return {p.id: word_links(alignments[p.id], p.document.tokens, p.abstract.tokens) for p in pairs}


ODD = (
    *("a", "B", "b", "({", "})", "NULL", "|||", "New York", "é"),
    *(" ", "\t", "\n", "\u00a0b", "\x00", "\u2028", "x" * 3000),
)
"""Words that mean something to a format, or look like none."""


@st.composite
def corpora(draw):
    words = st.lists(st.sampled_from(ODD), max_size=5)
    # One link for certain: an empty file is refused.
    pairs = [Pair("linked", text("a"), text("b"))]
    alignments = {"linked": from_word_links("linked", {(0, 0): 0.5}, 1)}
    for id in ("first", "second"):
        document, abstract = draw(words), draw(words)
        links = st.tuples(*(st.integers(0, max(len(side) - 1, 0)) for side in (document, abstract)))
        most = 6 if document and abstract else 0
        some = draw(st.dictionaries(links, st.sampled_from([0.25, 1.0]), max_size=most))
        pairs.append(Pair(id, Text.from_sentences([document]), Text.from_sentences([abstract])))
        alignments[id] = replace(from_word_links(id, some, len(abstract)), by=draw(words.map(str)))
    return pairs, alignments


@pytest.mark.parametrize("name", READERS)
@fuzz(30)
@given(corpus=corpora())
def test_any_word_links_survive_writing_and_reading(name, corpus, tmp_path):
    pairs, alignments = corpus
    # The lines are in the order of the pairs, whatever that of the alignments.
    write(name, pairs, dict(reversed(alignments.items())), tmp_path / "file")
    again = read(name, tmp_path / "file", pairs)
    assert links_of(pairs, again) == links_of(pairs, alignments)
    assert [one.null for one in again.values()] == [one.null for one in alignments.values()]
    # The others have neither probabilities nor what made the alignment.
    if name == "jsonl":
        assert again == alignments
        assert [one.by for one in again.values()] == [one.by for one in alignments.values()]


def test_json_lines_have_the_strings_of_words_that_stand_in_a_string(tmp_path):
    pair = make_pair("It sold.", [["sold"]], "x")
    alignment = Alignment("x", (PhraseLink((0, 1), (1, 2), 0.123456789),))
    write("jsonl", [pair], [alignment], tmp_path / "out")
    phrase = {"abstract": [0, 1], "document": [1, 2], "probability": 0.123457}
    sides = zip(("document", "abstract"), pair_digests(pair), strict=True)
    assert json.loads((tmp_path / "out").read_text()) == {
        "id": "x",
        "phrases": [phrase | {"document_characters": [[0, 3, 7]], "document_text": "sold"}],
        "null": [],
        "digests": {side: {"tokens": size, "hash": hash} for side, (size, hash) in sides},
    }
