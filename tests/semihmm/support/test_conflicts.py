from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.errors import BadUsage
from corpus_tools.texts.text import Text
from rewrite_models.wordnet_reader import open_wordnet
from semihmm.support.atoms import sentences_of
from semihmm.support.conflicts import KINDS, Link, find_conflicts
from semihmm.support.quantities import quantities


@pytest.fixture(scope="module")
def wordnet():
    """Return the WordNet of this machine."""
    try:
        return open_wordnet()
    except BadUsage as error:
        pytest.skip(str(error))


def text_of(sentences):
    return Text.from_sentences([sentence.split() for sentence in sentences.split(" | ")])


def conflicts_of(document, abstract, wordnet=None, links=()):
    """Find the conflicts where all sentences are sources, those with most common words first.

    Words are linked to the first that is the same, except for case, or to that of ``links``.
    """
    document, abstract = text_of(document), text_of(abstract)
    words = [token.lower() for token in document.tokens]
    other = dict(links)
    ranked = []
    for sentence in abstract.sentences():
        shares = [len({*sentence} & {*one}) / len({*sentence}) for one in document.sentences()]
        ranked.append(sorted(enumerate(shares), key=lambda source: -source[1]))
    partners = [other.get(token, token).lower() for token in abstract.tokens]
    linked = [Link(words.index(w), 0.9) if w in words else Link(None, 0.9) for w in partners]
    return find_conflicts(document, abstract, ranked, linked, wordnet)


def texts_of(*arguments, **keywords):
    return [(one.kind, one.text) for one in conflicts_of(*arguments, **keywords)]


NUMBERS = {
    "a score": ("Rovers beat Town 4-1 on Monday", "Rovers beat Town 3-1", "3-1 / 4-1"),
    "cut": ("Rovers beat Town 4 - 1 on Monday", "Rovers beat Town 3-1", "3-1 / 4 - 1"),
    "dashes": ("Town lost 4\u20131 on Monday", "Town lost 3\u20131", "3\u20131 / 4\u20131"),
    "turned": ("Rovers beat Town 4-1", "Town lost 1-4 to Rovers", None),
    "an age": (
        "A 18-year-old cyclist was hurt in Leeds",
        "A 15-year-old cyclist was hurt in Leeds",
        "15-year-old / 18-year-old",
    ),
    "a much older one": (
        "The cyclist from Leeds was found by Ann Lee , 64 , a nurse",
        "The 15-year-old cyclist was found by a nurse",
        None,
    ),
    "words": (
        "The company had leased the mill for 10 years",
        "The company leased the mill for eight-and-a-half years",
        "eight-and-a-half / 10",
    ),
    "words that agree": (
        "The company had leased the mill for 8.5 years",
        "The company leased the mill for eight and a half years",
        None,
    ),
    "rounded": ("The storm cut off 1,297 homes", "The storm cut off about 1,300 homes", None),
    "also without about": ("The storm cut off 1,297 homes", "It cut off 1,300 homes", None),
    "more than": ("The storm cut off 1,297 homes", "More than 1,200 homes were cut off", None),
    "not more than": (
        "The storm cut off 1,297 homes",
        "The storm cut off more than 2,000 homes",
        "2,000 / 1,297",
    ),
    "in a range": ("Repairs of the bridge take 10 to 12 weeks", "Repairs take 11 weeks", None),
    "beyond a range": (
        "Repairs of the bridge take 10-12 weeks",
        "Repairs of the bridge take 15 weeks",
        "15 / 10-12",
    ),
    "money": (
        "The council paid £3.5m for the old mill",
        "The council paid £ 5.3 million for the mill",
        "£5.3 million / £3.5m",
    ),
    "the same money": (
        "The council paid £3,480,000 for the mill",
        "The council paid 3.5 million pounds for the mill",
        None,
    ),
    "another currency": ("The mill cost £3m , or $ 4m", "The mill cost $ 4m", None),
    "percent": (
        "Sales of bicycles rose 12 per cent in May",
        "Sales of bicycles rose by 21 %",
        "21 / 12",
    ),
    "a date": (
        "The mill burned down on 5 July",
        "The mill burned down on July 15",
        "15 / 5",
    ),
    "ordinals": (
        "It was their third win at the stadium",
        "It was their 4th win at the stadium",
        "4th / third",
    ),
    "a sum": ("Two nurses and 30 other nurses left the clinic", "32 nurses left the clinic", None),
    "another unit": ("The clinic has 30 beds for the old", "The clinic has 12 nurses", None),
    "elsewhere": (
        "The clinic lost 12 nurses in May | The clinic lost 30 nurses in June",
        "The clinic lost 30 nurses",
        None,
    ),
    "a decade": ("The mill closed in the 1990s", "The mill closed in 1994", None),
    "nothing shared": ("In 30 years he never saw rain", "She won after 12 years", None),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name):
    document, abstract, expected = NUMBERS[name]
    found = conflicts_of(document + " .", abstract + " .")
    texts = [f"{one.kind}: {one.text}" for one in found]
    wanted = [] if expected is None else [expected.replace(" / ", ": the document has ")]
    assert texts == [f"number: {one}" for one in wanted]


OTHERS = {
    "two people": (
        "David Davison met Mike Rusbridge | Mr Davison left",
        "David Rusbridge left",
        ("name", "David Rusbridge", "Mike Rusbridge"),
    ),
    "small letters": (
        "The tennis player Colin Flemyng has won",
        "the player ian flemyng has won",
        ("name", "ian flemyng", "Colin Flemyng"),
    ),
    "an initial": ("Joanna Rusbridge has won", "J. Rusbridge has won", None),
    "a short form": ("Michael Rusbridge has won", "Mike Rusbridge has won", None),
    "another short form": ("Danny Rusbridge has won", "Daniel Rusbridge has won", None),
    "a title": ("Mr Rusbridge has won", "Ann Rusbridge has won", None),
    "a middle name": ("Ann Mary Rusbridge has won", "Ann Rusbridge has won", None),
    "a brother": (
        "The sons are Karl and Ronald Rusbridge",
        "The son Karl Rusbridge has left",
        None,
    ),
    "a county": (
        "The mill is in West Sussex , near a lake",
        "The mill in east sussex is old",
        ("name", "east sussex", "West Sussex"),
    ),
    "letters": (
        "Anna Bieniawicz sued the mill",
        "Anna Bieniawski sued the mill",
        ("name", "Bieniawski", "Bieniawicz"),
    ),
    "a place": (
        "The team of Ann Lee won in Hungary",
        "The team of Ann Lee won in Belfast",
        ("name", "Belfast", "Hungary"),
        {"Belfast": "Hungary"},
    ),
    "a city of the country": (
        "The team of Ann Lee won in Hungary",
        "The team of Ann Lee won in Budapest",
        None,
        {"Budapest": "Hungary"},
    ),
    "not": (
        "The court said that Miller had not signed the contract",
        "Miller had signed the contract",
        ("negation", "signed", "not signed"),
    ),
    "never": (
        "The pilot completed the course in May",
        "The pilot never really completed the course",
        ("negation", "never really completed", "completed"),
    ),
    "both": ("Miller did n't sign the contract", "Miller has not signed the contract", None),
    "whether": (
        "The court asked whether Miller signed the contract",
        "Miller has not signed the contract",
        None,
    ),
    "another sentence": (
        "Miller signed the contract | But he did not sign it in May",
        "Miller had not signed the contract",
        None,
    ),
    "left out": (
        "The striker was left out of the squad",
        "The striker was included in the squad",
        ("antonym", "included", "left out"),
    ),
    "included": (
        "The striker was included in the squad",
        "The striker was left out of the squad",
        ("antonym", "left out", "included"),
    ),
    "fell": (
        "Profits of the bank fell by 5 %",
        "Profits of the bank rose by 5 %",
        ("antonym", "rose", "fell"),
    ),
    "both opposites": (
        "It will raise its prices by 3 percent and cut 200 jobs",
        "The firm plans 200 job cuts and a price increase of 3 percent",
        None,
    ),
    "not closed": (
        "The museum was not closed on Sunday",
        "The museum was open on Sunday",
        None,
    ),
    "two sayings": ("Anna sold the mill to Ben", "Ben bought the mill from Anna", None),
    "places": (
        "Later Miller replaced Johnson as coach",
        "Johnson replaced Miller as coach",
        ("roles", "Johnson replaced Miller", "Miller replaced Johnson"),
    ),
    "passive": (
        "Later Johnson was replaced by Miller",
        "Johnson replaced Miller",
        ("roles", "Johnson replaced Miller", "Johnson was replaced by Miller"),
    ),
    "passive that agrees": (
        "Later Johnson was replaced by Miller",
        "Miller replaced Johnson",
        None,
    ),
    "lost": (
        "Later Rovers lost to Albion at home",
        "Rovers beat Albion at home",
        ("roles", "Rovers beat Albion", "Rovers lost to Albion"),
    ),
    "both ways": ("Later Miller met Johnson", "Johnson met Miller", None),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_needs_wordnet(wordnet, name):
    document, abstract, expected, *links = OTHERS[name]
    found = texts_of(document + " .", abstract + " .", wordnet=wordnet, links=dict(*links))
    if expected is None:
        assert found == []
    else:
        kind, ours, theirs = expected
        assert found == [(kind, f"{ours}: the document has {theirs}")]


def test_a_document_without_capital_letters(wordnet):
    document = "colin flemyng has won the match ."
    (one,) = conflicts_of(document, "ian flemyng has won .", wordnet)
    assert (one.kind, one.abstract, one.document) == ("name", (0, 2), (0, 2))


def test_spans_are_those_of_the_texts():
    """They count tokens of the whole side; the numbers' units are not in them."""
    document = "It rained . | The company leased the mill for 10 years ."
    abstract = "The mill is old . | The company leased the mill for twenty-five years ."
    (one,) = conflicts_of(document, abstract)
    assert one.abstract == (11, 12)
    assert one.document == (9, 10)


def test_only_sources_are_compared():
    document, abstract = text_of("Rovers beat Town 4-1 . | It rained ."), text_of("Town lost 3-1 .")
    links = [Link(None, 1.0)] * len(abstract)
    assert len(find_conflicts(document, abstract, [[(0, 0.5)]], links, None)) == 1
    assert find_conflicts(document, abstract, [[(1, 0.5)]], links, None) == []
    assert find_conflicts(document, abstract, [[]], links, None) == []


_WORDS = """
    Miller Johnson David signed replaced beat lost to by was not never left out included won
    in of the 3-1 4-1 about more than 10 to 12 years year - old 15 July £3m 40 % third , . one
    eight-and-a-half Paris London France million and between '' open closed -- 1990s 000"""
WORDS = st.sampled_from(_WORDS.split())
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=4)


@given(SENTENCES)
def test_a_text_does_not_contradict_itself(wordnet, sentences):
    text = Text.from_sentences(sentences)
    links = [Link(n, 1.0) for n in range(len(text))]
    ranked = [[(n, 1.0), *((k, 0.5) for k in range(len(sentences)))] for n in range(len(sentences))]
    assert find_conflicts(text, text, ranked, links, wordnet) == []


@given(SENTENCES, SENTENCES)
def test_conflicts_of_any_texts_are_well_formed(wordnet, theirs, ours):
    document, abstract = Text.from_sentences(theirs), Text.from_sentences(ours)
    links = [Link(n % len(document), 0.5) for n in range(len(abstract))]
    ranked = [[(n, 1.0) for n in range(len(theirs))]] * len(ours)
    taken = []
    for kind, (start, end), (first, last), text in find_conflicts(
        document, abstract, ranked, links, wordnet
    ):
        assert kind in KINDS
        assert 0 <= start < end <= len(abstract)
        assert 0 <= first < last <= len(document)
        assert text.startswith(" ".join(abstract.tokens[start:end]))
        taken += range(start, end)
    assert len(taken) == len({*taken})


@given(st.lists(st.text(min_size=1).filter(lambda token: not token.isspace()), min_size=1))
def test_any_characters_have_atoms(tokens):
    text = Text.from_sentences([[token for token in tokens if token.split()]])
    for sentence in sentences_of(text):
        assert all(sentence.words)
        assert {*sentence.at} <= {*range(len(text))}
        for quantity in quantities(sentence):
            assert quantity.agrees(quantity)
