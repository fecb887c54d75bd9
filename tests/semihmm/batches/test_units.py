"""Abstract sentences by themselves, each with its own extract, and their merged alignments."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.alignments.alignment import PhraseLink, word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.trees import Bracket
from semihmm import Aligner
from semihmm.batches import units as batches_module
from semihmm.batches.units import AlignmentUnit, to_original, units_for, units_of
from semihmm.settings import Settings
from tests.tiny_corpora import text

DOCUMENT = ["the cat sat", "a dog barked loudly", "rain fell", "the cat ran"]
ABSTRACT = ["a dog barked", "", "the cat sat down", "rain"]
REWRITE = ("identity", "stem")


def links_of(alignment, pair):
    return word_links(alignment, pair.document.tokens, pair.abstract.tokens)


@pytest.fixture
def story():
    trees = tuple(
        [Bracket(f"S{number}", 0, len(sentence.split()))]
        for number, sentence in enumerate(DOCUMENT)
    )
    return Pair("story", text(*DOCUMENT), text(*ABSTRACT), trees=trees)


def test_each_sentence_has_its_own_extract_with_trees_and_positions(story):
    units = list(units_of(story, Settings(extract=1, extract_method="marcu")))
    assert [item.pair.id for item in units] == [
        "story sentence 1",
        "story sentence 2",
        "story sentence 3",
    ]
    assert [" ".join(item.pair.abstract.tokens) for item in units] == [
        "a dog barked",
        "the cat sat down",
        "rain",
    ]
    assert [" ".join(item.pair.document.tokens) for item in units] == [
        DOCUMENT[1],
        DOCUMENT[0],
        DOCUMENT[2],
    ]
    assert [item.pair.trees for item in units] == [
        (story.trees[1],),
        (story.trees[0],),
        (story.trees[2],),
    ]
    assert [item.abstract_range for item in units] == [range(3), range(3, 7), range(7, 8)]
    assert [item.positions.tolist() for item in units] == [[3, 4, 5, 6], [0, 1, 2], [7, 8]]
    assert [item.last for item in units] == [False, False, True] and all(
        item.original is story for item in units
    )


def test_roots_tell_the_ranks_of_sentences_that_the_cover_chose(story):
    first, second, third = units_for([story], Settings(extract=2))
    assert (first.ranks, second.ranks, third.ranks) == ((1, 0), (0, 1), (1, 0))
    labels = [unit.roots for unit in (first, second, third)]
    assert labels == [["ROOT#2", "ROOT#1"], ["ROOT#1", "ROOT#2"], ["ROOT#2", "ROOT#1"]]
    (single,) = units_for([Pair("one", story.document, text("rain fell"))], Settings(extract=9))
    assert single.pair.id == "one" and single.ranks == (1, 2, 0, 3)
    assert single.roots == ["ROOT#2", "ROOT#3", "ROOT#1", "ROOT#4"]


@pytest.mark.parametrize("words", [1, 20_000])
def test_the_alignments_and_posteriors_of_the_sentences_are_those_of_pairs_of_their_own(
    story, monkeypatch, words
):
    monkeypatch.setattr(batches_module, "BATCH_WORDS", words)
    other, empty = (
        Pair("other", text("dogs bark", "cats run"), text("cats ran")),
        Pair("empty", text("a"), text()),
    )
    aligner = Aligner(rewrite=REWRITE, extract=1, iterations=3).fit([story, other])
    assert aligner.provenance["pairs"] == 2
    together, last, nothing, again = aligner.align([story, other, empty, story])
    assert [a.id for a in (together, last, nothing, again)] == ["story", "other", "empty", "story"]
    assert (again.null, links_of(again, story)) == (together.null, links_of(together, story))
    posteriors = aligner.posteriors(story)
    links, null = set(), []
    expected = np.zeros_like(posteriors.links)
    for sentence, begin in ((0, 0), (2, 3), (3, 7)):
        alone = Pair("alone", story.document, text(ABSTRACT[sentence]))
        alignment = aligner.align(alone)
        links |= {(d, a + begin) for d, a in links_of(alignment, alone)}
        null += [index + begin for index in alignment.null]
        expected[:, begin : begin + len(alone.abstract)] = aligner.posteriors(alone).links
    assert set(links_of(together, story)) == links and list(together.null) == null
    assert len(links) == 7 and null == [6], "all but `down`"
    assert posteriors.links == pytest.approx(expected)
    assert posteriors.links.sum(axis=0) + posteriors.null == pytest.approx(np.ones(8))


@pytest.mark.parametrize(("gap", "documents"), [(0, [(0, 2)]), (1, [(0, 1), (2, 3)])])
def test_a_phrase_whose_words_stood_apart_is_given_word_by_word(gap, documents):
    """A sentence of ``gap`` words between both is not in the extract."""
    pair = Pair("1", text("old cat"), text("aged animal"))
    unit = AlignmentUnit(pair, pair, np.array([0, 1 + gap]))
    links = to_original(PhraseLink((0, 2), (0, 2), 0.5), unit)
    assert sorted({link.document for link in links}) == documents
