"""Alignments as values, the digests of their texts, and the formats of their files."""

import hashlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import (
    Alignment,
    PhraseLink,
    alignment_row,
    from_word_links,
    text_digest,
    word_links,
    write_alignments,
)
from corpus_tools.alignments.formats import READERS, check, match, read, write
from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.text import Text
from semihmm.reference import soft_links
from tests.examples import fuzz
from tests.tiny_corpora import pair as tiny_pair
from tests.tiny_corpora import text


def pair(id="x", document="the new Mac sold well", abstract="The Mac sold"):
    return tiny_pair(id, document, abstract)


def rows(tmp_path, *lines):
    path = tmp_path / "alignments.jsonl"
    path.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n"
    )
    return path


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


def test_reading_sorts_fills_in_and_keeps_overlaps(tmp_path):
    spans = ([1, 3], [0, 1]), ([0, 2], [5, 6])
    phrases = [{"abstract": abstract, "document": document} for abstract, document in spans]
    path = rows(tmp_path, {"id": 7, "phrases": phrases, "null": [5, 3], "more": 1, "by": "us"})
    links = PhraseLink((0, 2), (5, 6), 1.0), PhraseLink((1, 3), (0, 1), 1.0)
    found = read("jsonl", path, [])
    assert found == {"7": Alignment("7", links, (3, 5))} and found["7"].by == "us"
    write_alignments(found.values(), tmp_path / "again")
    assert read("jsonl", tmp_path / "again", [])["7"].by == "us"


def linked(abstract, document, null=()):
    return Alignment("x", (PhraseLink(abstract, document, 1.0),), null)


LONG = pair("x", 9902 * "w ", 1001 * "w ")
MADE = linked((0, 2), (0, 2), (2,)).made_from(pair())


@pytest.mark.parametrize(
    ("alignment", "other", "problem"),
    [
        (linked((0, 1), (4, 6)), pair(), "document token 5,"),
        (linked((2, 4), (0, 1)), pair(), "abstract token 3,"),
        (Alignment("x", null=(0, 3)), pair(), "abstract token 3,"),
        (linked((1, 102), (1, 9902)), LONG, "links 101 abstract words with 9,901 document words"),
        (MADE, pair(document="the new Mac lost well"), "another document"),
        (MADE, pair(document="The new Mac sold well"), "another document"),
        (MADE, pair(abstract="Prices"), "another abstract"),
    ],
)
def test_an_alignment_that_does_not_fit_its_pair_is_refused(tmp_path, alignment, other, problem):
    """Where it is read, and where it is written: then the old file stays."""
    check(linked((2, 3), (4, 5), (0, 1)), pair())
    check(linked((1, 1001), (2, 1002)), LONG)
    old = (path := rows(tmp_path, "", alignment_row(alignment))).read_text()
    with pytest.raises(BadData, match=f"'x' .*{problem}") as caught:
        read("jsonl", path, [other])
    assert (caught.value.file, caught.value.line) == (str(path), 2)
    with pytest.raises(BadData, match=f"'x' .*{problem}"):
        write("pharaoh", [other], [alignment], path)
    assert path.read_text() == old


def test_what_does_not_match_is_counted_and_named():
    pairs = [pair(id) for id in "abcde"]
    made = {id: Alignment(id) for id in "efghij"}
    both = "4 only in the pairs (a, b, c, ...), 5 only in the alignments (f, g, h, ...)"
    with pytest.raises(BadData, match=re.escape(both)):
        match(pairs, made)
    with pytest.raises(BadData, match=r"2 only in the pairs .d, e., 0 only in the alignments;"):
        match(pairs, [Alignment(id) for id in "abc"])
    with pytest.raises(BadData, match="two alignments have the id 'b'"):
        match(pairs, [Alignment(id) for id in "abbcde"])


@pytest.mark.parametrize(
    ("lines", "is_refused"),
    [([10 * "0-2 ", "2-0"], True), ([9 * "0-2 ", "2-0"], False), (["0-2 0-0", "0-2 3-0"], False)],
)
def test_links_with_the_abstract_first_are_refused(tmp_path, lines, is_refused):
    """One of eleven links joins equal words as written, ten if the sides are exchanged."""
    pairs = [pair(id, "x y new Mac", "new Mac well") for id in "ab"]
    path = rows(tmp_path, *lines)
    if not is_refused:
        assert len(read("pharaoh", path, pairs)) == 2
        return
    with pytest.raises(BadData, match="only if the abstract's token comes first") as refused:
        read("pharaoh", path, pairs)
    assert (refused.value.file, refused.value.line) == (str(path), None)


def test_the_hash_is_that_of_the_tokens():
    content = "Pr\u00e9cis\0fell\0".encode()
    expected = hashlib.blake2b(content, digest_size=8).hexdigest()
    assert text_digest(("Pr\u00e9cis", "fell")) == (2, expected)
    # Halves of a character, as Python has them in names of files, tell texts apart too.
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
        alignments[id] = from_word_links(id, some, len(abstract))
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
    # The others have no probabilities.
    assert name != "jsonl" or again == alignments


def test_json_lines_have_the_strings_of_words_that_stand_in_a_string(tmp_path):
    pair = make_pair("It sold.", [["sold"]], "x")
    alignment = Alignment("x", (PhraseLink((0, 1), (1, 2), 1.0),))
    write("jsonl", [pair], [alignment], tmp_path / "out")
    (phrase,) = json.loads((tmp_path / "out").read_text())["phrases"]
    assert phrase["document_text"] == "sold" and "abstract_text" not in phrase
    # The added keys do not disturb the reader.
    assert read("jsonl", tmp_path / "out", [pair])["x"].phrases == alignment.phrases
