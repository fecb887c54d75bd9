"""The support of words and sentences, and the sources of sentences."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm import Aligner, make_pair
from semihmm.applications.support.conflicts import Conflict, Findings
from semihmm.applications.support.pair_features import NO_WORD, PairFeatures
from semihmm.applications.support.sources import SOURCE_WEIGHTS as OF_SOURCES
from semihmm.applications.support.sources import (
    compared,
    linked_share,
    source_features,
    source_shares,
)
from semihmm.applications.support.support import WORD_WEIGHTS, bounded, support_of, word_features
from tests.examples import fuzz
from tests.naive.grams import cosine, grams

WORDS = ("Eva", "sang", "loud", "songs", "the", "of", ".", "1942")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7), min_size=1, max_size=4)
DOCUMENT = (
    "Eva Novak of Mill Bridge won the race by 4-1. She thanked her brother, who is 15 years old. "
    "The town will hold a party for 300 guests on Friday."
)


@pytest.fixture(scope="module")
def aligner() -> Aligner:
    return Aligner.load(workers=1)


def linked_pair(document: list[list[str]], abstract: list[list[str]], words: int = 0):
    """Return a pair whose first words, so many of the abstract, are a phrase if there are some."""
    pair = Pair("1", Text.from_sentences(document), Text.from_sentences(abstract))
    end = min(words, len(pair.abstract))
    links = (PhraseLink((0, end), (0, 1), 0.75),) if words else ()
    return pair, Alignment("1", links, tuple(range(end, len(pair.abstract))))


def ngrams(words, length):
    return [tuple(words[i : i + length]) for i in range(len(words) - length + 1)]


@fuzz(50)
@given(TEXTS, TEXTS)
def test_runs_are_those_that_a_search_finds(document, abstract):
    pair, alignment = linked_pair(document, abstract)
    places = [n for n, token in enumerate(pair.abstract.tokens) if token != "."]
    ours = [pair.abstract.tokens[n].lower() for n in places]
    theirs = [token.lower() for token in pair.document.tokens if token != "."]
    longest = [0] * len(pair.abstract)
    for length in range(1, len(ours) + 1):
        for start, words in enumerate(ngrams(ours, length)):
            if words in ngrams(theirs, length):
                for place in places[start : start + length]:
                    longest[place] = length
    features = PairFeatures(pair, alignment)
    assert features.runs.tolist() == longest
    for sentence, found in zip(pair.abstract.sentences(), features.copied, strict=True):
        own = ngrams([token.lower() for token in sentence if token != "."], 3)
        share = sum(one in ngrams(theirs, 3) for one in own) / max(len(own), 1)
        assert found == pytest.approx(share)


@fuzz(50)
@example([["Eva", "sang", "loud", "songs"]] * 3, [["Eva", "sang", "loud", "songs"]] * 3)
@given(TEXTS, TEXTS)
def test_features_of_words_are_those_that_a_loop_finds(document, abstract):
    pair, alignment = linked_pair(document, abstract, 2)
    features = PairFeatures(pair, alignment)
    found = dict(zip(WORD_WEIGHTS, word_features(features).T, strict=True))
    stems, content = features.abstract.stems, features.abstract.content
    words = features.abstract.words
    spans = features.document.spans
    held = [
        {*features.document.stems[start:end]}
        for (start, _), (_, end) in pairwise([*spans, spans[-1]])
    ]
    for start, end in pairwise(pair.abstract.boundaries):
        for word in range(start, end):
            near = range(max(start, word - 4), min(end, word + 5))
            own = [stems[one] for one in near if content[one]]
            best = max(sum(one in sentence for one in own) for sentence in held)
            assert found["around"][word] == pytest.approx(best / max(len(own), 1))
            assert found["run"][word] == pytest.approx(math.log1p(min(features.runs[word], 10)))
            own_links = range(start, min(end, 2))
            assert found["linked"][word] == pytest.approx(0.75 * len(own_links) / (end - start))
            assert found["place"][word] == pytest.approx((word - start) / (end - start))
            assert found["repeated"][word] == (content[word] and words[word] in words[:word])


CANDIDATES = 10
"""The sentences that count as candidates."""


@fuzz(50)
@given(TEXTS | st.lists(st.just(["Eva", "sang"]), min_size=10, max_size=12), TEXTS, st.data())
def test_features_of_sources_are_those_that_a_loop_finds(document, abstract, data):
    pair, _ = linked_pair(document, abstract)
    sentence_of = [n for n, sentence in enumerate(document) for _ in sentence]
    wanted = np.zeros((len(abstract), len(document)))
    links = []
    # The first word of each sentence is linked to one or two words of the document.
    for number, start in enumerate(pair.abstract.boundaries[:-1]):
        first = data.draw(st.integers(0, len(sentence_of) - 1))
        linked_to = sentence_of[first : first + 2]
        links.append(PhraseLink((start, start + 1), (first, first + len(linked_to)), 0.75))
        for source in linked_to:
            wanted[number, source] += 0.75 / len(linked_to) / len(abstract[number])
    features = PairFeatures(pair, Alignment("1", tuple(links), ()))
    found = dict(zip(OF_SOURCES, np.moveaxis(source_features(features), 2, 0), strict=True))
    share = linked_share(features)
    assert share == pytest.approx(wanted)

    def content(side, span, of):
        return [of[i] for i in range(*span) if side.content[i]]

    sides = (features.abstract, features.document)
    ours, theirs = (
        [grams(content(side, span, side.words)) for span in side.spans] for side in sides
    )
    low, high = 0.3, 0.6
    alike = [max(cosine(own, other) for own in ours) for other in theirs]
    related = [min(max((one - low) / (high - low), 0), 1) for one in alike]

    def idf(one):
        holders = sum(weight for weight, own in zip(related, theirs, strict=True) if one in own)
        return math.log((sum(related) + 1.5) / (holders + 0.5))

    def said(side, span):
        return [one for one in side.stems[slice(*span)].tolist() if one != NO_WORD]

    cosines = found["root cosine"] ** 2
    linked = np.sqrt(share * cosines)
    around = np.pad(cosines, 1)
    diagonal = np.pad(linked, 1)
    for a, own in enumerate(ours):
        candidates = sorted(cosines[a] * related)[-CANDIDATES:]
        for d, other in enumerate(theirs):
            assert cosines[a, d] == pytest.approx(cosine(own, other, idf), abs=1e-12)
            both = [(side, side.spans[n]) for side, n in zip(sides, (a, d), strict=True)]
            trigrams = [{*ngrams(said(*one), 3)} for one in both]
            words = [{*content(*one, one[0].stems)} for one in both]
            expected = {
                "linked cosine": linked[a, d],
                "common": math.log1p(len(words[0] & words[1])),
                "neighbours": diagonal[a, d] + diagonal[a + 2, d + 2],
                "place": math.log1p(d),
                "trigrams": math.log1p(len(trigrams[0] & trigrams[1])),
                "cosines around": around[a + 1, d] + around[a + 1, d + 2],
                "cosines of candidates": sum(candidates),
            }
            for name, value in expected.items():
                assert found[name][a, d] == pytest.approx(value), name


@fuzz(50)
@given(TEXTS, TEXTS)
def test_sources_are_the_likeliest_sentences_with_what_they_have_in_common(document, abstract):
    # A phrase belongs to the sentence of its first word.
    pair, alignment = linked_pair(document, abstract, len(abstract[0]) + 1)
    features = PairFeatures(pair, alignment)
    ours, theirs = features.abstract, features.document
    said = support_of(pair, alignment, None)
    rows = zip(said.sentences, source_shares(features).tolist(), ours.spans, strict=True)
    for number, (sentence, shares, span) in enumerate(rows):
        ranked = sorted(range(len(shares)), key=lambda d, own=shares: -own[d])
        likely = [d for d in ranked if shares[d] >= 0.01] or ranked[:1]
        has_words = any(ours.stems[i] != NO_WORD for i in range(*span))
        found = [(source.sentence, source.share) for source in sentence.sources]
        assert found == [(d, shares[d]) for d in likely if has_words]
        own = {ours.words[i] for i in range(*span)}
        # A word in common, a function word, or another content word.
        marks = "".join(
            "c" if (word in own and content) or (i == number == 0) else "x" if content else "f"
            for i, (word, content) in enumerate(zip(theirs.words, theirs.content, strict=True))
        )
        for source in sentence.sources:
            runs = re.compile("c([cf]*c)?").finditer(marks, *theirs.spans[source.sentence])
            assert [*source.spans] == [run.span() for run in runs]


@given(st.lists(st.sampled_from([0.0, 0.049, 0.05, 0.3, 0.9]), max_size=8))
def test_numbers_are_compared_with_sentences_that_are_likely_enough(shares):
    ranked = sorted(range(len(shares)), key=lambda d: -shares[d])
    assert compared(np.array([shares])) == [[d for d in ranked if shares[d] >= 0.05]]


def test_a_conflict_bounds_the_support_of_its_sentence(aligner):
    said = aligner.support((DOCUMENT, "Her brother is 15. 3-1 was how Eva Novak won the race."))
    other, sentence = said.sentences
    assert not other.conflicts and other.support > 0.2
    assert [one.text for one in sentence.conflicts] == ["3-1: the document has 4-1"]
    assert max(said.support, sentence.support) <= 0.2


def test_conflicts_and_what_is_unknown_bound_their_words():
    """Also the words of a conflict whose number stands elsewhere in the document."""
    pair, alignment = linked_pair(
        [["Eva", "sang"]], [["Eva", "won", "42"], ["She", "sang"], ["Loud"]]
    )
    supported = np.array([0.9, 0.8, 0.7, 0.1, 0.6, 0.5])
    findings = Findings([Conflict("number", (2, 3), (0, 1), "")], unknown=[3], named=[True] * 3)
    doubtful = bounded(supported, PairFeatures(pair, alignment), findings)
    assert doubtful.tolist() == [True, True, False]
    assert supported.tolist() == [0.9, 0.8, 0.2, 0.1, 0.6, 0.5]


def test_an_unknown_name_bounds_the_support_of_its_sentence():
    words = "the old town in the north will hold a large party for all of its guests on the river"
    document = [*words.split(), "in", "spring", "."]
    pair, alignment = linked_pair([document], [[*words.split(), "in", "Vienna-spring", "."]])
    said = support_of(pair, alignment, None)
    assert said.support == 0.45
    # A token has the least support of its parts.
    assert said.words[-2].support <= 0.2 < min(word.support for word in said.words[:-2])


@pytest.mark.parametrize("document", ["", "..."])
def test_without_words_of_a_document_nothing_has_support(aligner, document):
    said = aligner.support((document, "A \t cat."))
    assert said.as_dict()["support"] == said.sentences[0].support == said.words[0].support == 0
    assert str(said).endswith("0.00  [A cat.]?\n        no source\n        low: A, cat")


NO_CLAIM = ("", "...", "!?", "\U0001f44d", "---", "## Summary", "# Was geschah?", "[1]", "Step 1:")


@pytest.mark.parametrize("text", NO_CLAIM)
def test_a_text_that_claims_nothing_has_no_support(aligner, text):
    said = aligner.support((DOCUMENT, text))
    assert said.as_dict()["support"] is None
    assert all(one.support is None and not one.sources for one in said.sentences)
    assert {word.support for word in said.words} <= {1.0}
    assert "[" not in str(said).replace("[1]", "")


def test_what_claims_nothing_is_left_out_of_the_whole(aligner):
    said = aligner.support((DOCUMENT, "## Summary\n\nShe thanked her brother.\n...\nEva won."))
    assert [one.support is None for one in said.sentences] == [True, False, True, False]
    assert said.support == pytest.approx(said.sentences[1].support * said.sentences[3].support)


LAYOUTS = (
    "1. {}\n2. {}",
    "- {}\n\u2022 {}",
    "## News\n{} [1]\n**{}**",
    "Schritt 1: {} Schritt 2: {}",
)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_neither_lowers_nor_raises_support(layout):
    claims = ("She thanked her brother.", "Eva won by 3-1 in Vienna.")

    def supports(form):
        pair = make_pair(DOCUMENT, form.format(*claims))
        said = support_of(pair, Alignment(pair.id, (), ()), None)
        for word in said.words:
            number, start, end = word.characters
            assert pair.abstract.strings[number][start:end] == word.text
        return [one.support for one in said.sentences if one.support is not None]

    assert supports(layout) == supports("{} {}")


def test_pairs_may_be_a_stream():
    pairs = [(DOCUMENT, "Eva won."), (DOCUMENT, "A party for 300 guests.")]
    aligner = Aligner.load(workers=2, extract=4)
    streamed = aligner.support(iter(pairs))
    first = next(streamed)
    whole = Aligner.load(workers=1, extract=0, decoder="posterior")
    assert first.as_dict() == whole.aligned(pairs)[0].support().as_dict()
    assert [one.pair.id for one in (first, *streamed)] == ["1", "2"]
