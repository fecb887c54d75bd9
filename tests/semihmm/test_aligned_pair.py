"""A pair with its alignment gives links, labels and a data frame; in a notebook, inert texts."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.text import Characters
from semihmm.aligned_pair import COLUMNS, AlignedPair
from tests.corpus_tools.views.tiny_views import OWN
from tests.corpus_tools.views.tiny_views import PAIR as TINY

PAIR = make_pair("The old cat sat on the mat. It slept. The dog ran.", "Cat sat, the end.", id="7")
LINKS = (PhraseLink((0, 2), (2, 4), 0.9), PhraseLink((3, 4), (11, 12), 0.5))
ALIGNED = AlignedPair(PAIR, Alignment("7", LINKS, (2, 4, 5)))


def test_word_links_and_labels():
    assert ALIGNED.word_links == {(2, 0), (3, 1), (11, 3)}
    labels = ALIGNED.labels()
    assert [token for token, used in enumerate(labels.tokens) if used] == [2, 3, 11]
    assert len(labels.tokens) == len(PAIR.document)
    assert labels.sentences == [0, 0, 0]  # two words of the first one are too few
    links = (PhraseLink((0, 2), (1, 4), 0.9),)
    three = AlignedPair(PAIR, Alignment("7", links, (2, 3, 4, 5)))
    assert three.labels().sentences == [1, 0, 0]


def test_a_data_frame_has_a_row_for_each_phrase_and_null_word():
    pytest.importorskip("pandas", exc_type=ImportError)
    frame = ALIGNED.to_pandas()
    assert tuple(frame.columns) == COLUMNS and set(frame["id"]) == {"7"}
    assert frame["abstract"].tolist() == ["Cat sat", ",", "the", "end", "."]
    assert frame["document"].isna().tolist() == [False, True, False, True, True]
    assert frame["document_start"].dropna().tolist() == [2, 11]
    assert frame["probability"].dropna().tolist() == [0.9, 0.5]
    assert frame["document_characters"][0] == (Characters(0, 8, 15),)


# Corrected


def test_links_are_corrected_by_words_and_the_rest_of_a_phrase_keeps_its_own():
    linked = ALIGNED.link("sat", (9, 10)).link("the", ("The", 2)).link("end.", "dog ran .")
    spans = [link[:2] for link in linked.alignment.phrases]
    assert spans == [((0, 1), (2, 3)), ((1, 2), (9, 10)), ((3, 4), (11, 12)), ((4, 6), (12, 15))]
    assert [link.probability for link in linked.alignment.phrases] == [0.9, 1.0, 1.0, 1.0]
    assert linked.alignment.null == (2,) and linked.alignment.by == "corrected"
    back = linked.unlink("sat").unlink((3, 6))
    assert back.alignment.phrases == (PhraseLink((0, 1), (2, 3), 0.9),)
    assert back.alignment.null == (1, 2, 3, 4, 5) and back.alignment.by == "corrected"
    assert ALIGNED.alignment.phrases == LINKS


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("ca", r"'ca' is not in the document"),
        (".", r"'\.' stands 3 times in the document: say which one.*\(7, 8\), \(10, 11\)"),
        (("cat", 2), "stands 1 time in the document: there is no number 2"),
        ((3, 99), r"token span from 0 to 15 as in \(0, 1\), not \(3, 99\)"),
    ],
)
def test_words_that_are_no_phrase_of_the_text_are_refused(words, problem):
    with pytest.raises(BadUsage, match=problem):
        ALIGNED.link("end", words)


# In a notebook

MARKUP = "<script>window.ran=1</script> <img src=x onerror=window.ran=1> </style> &lt; {{ 7 * 6 }}"
SHOWN = AlignedPair(TINY, OWN)


class Outline(HTMLParser):
    """Lists the elements of a page, and joins the text outside of styles."""

    def __init__(self, page):
        super().__init__()
        self.names = []
        self.open = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, name, attributes):
        self.names.append(name)
        self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, data):
        if "style" not in self.open and "sup" not in self.open:
            self.text += data


def test_both_texts_are_there_with_their_links():
    html = SHOWN._repr_html_()
    outline = Outline(html)
    assert outline.open == []
    assert "a dog saw the old cat.\nIt ran.\nThe cat slept.\n" in outline.text
    assert "old cat seen.\nIt slept\n" in outline.text
    assert html.count('data-l="1"') == 2
    assert 'title="old cat ← old cat (0.90)"' in html
    assert '<i class="null" title="unaligned">slept</i>' in html
    assert html.count('class="unused"') == 1


@pytest.mark.parametrize("side", ["document", "abstract", "id"])
def test_markup_in_a_text_is_text(side):
    sides = {"document": "a b", "abstract": "a b", "id": "x", side: MARKUP}
    pair = make_pair(**sides, tokenizer="whitespace")
    words = len(pair.document), len(pair.abstract)
    links = (PhraseLink((0, words[1]), (0, words[0]), 0.5),)
    outline = Outline(AlignedPair(pair, Alignment(pair.id, links))._repr_html_())
    assert {"script", "img"}.isdisjoint(outline.names)
    assert outline.names.count("style") == 1
    assert MARKUP in outline.text
