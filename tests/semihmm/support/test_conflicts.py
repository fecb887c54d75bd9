from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from rewrite_models.wordnet_reader import open_wordnet
from semihmm.support.conflicts import KINDS, TOP, find_unsupported
from semihmm.support.locale_words import locale_words
from semihmm.support.pair_features import PairFeatures


@pytest.fixture(scope="module")
def wordnet():
    """Return the WordNet of this machine."""
    try:
        return open_wordnet()
    except BadUsage as error:
        pytest.skip(str(error))


def text_of(sentences):
    return Text.from_sentences([sentence.split() for sentence in sentences.split(" | ")])


def findings_of(document, abstract, wordnet=None, sources=None):
    """Find the findings where all sentences are sources, those with most common words first."""
    pair = Pair("1", document, abstract)
    if sources is None:
        sources = []
        for sentence in abstract.sentences():
            shared = [len({*sentence} & {*one}) for one in document.sentences()]
            sources.append(sorted(range(len(shared)), key=lambda n, s=shared: -s[n]))
    features = PairFeatures(pair, Alignment("1", (), tuple(range(len(abstract)))))
    return find_unsupported(pair, features, sources, wordnet)


def conflicts_of(document, abstract, wordnet=None):
    return findings_of(text_of(document), text_of(abstract), wordnet).conflicts


NUMBERS = {
    "a score": ("Rovers beat Town 4-1 on Monday", "Rovers beat Town 3-1", "3-1 / 4-1"),
    "cut": ("Rovers beat Town 4 - 1 on Monday", "Rovers beat Town 3-1", None),
    "an age": (
        "A 18-year-old cyclist was hurt in Leeds",
        "A 15-year-old cyclist was hurt in Leeds",
        "15-year-old / 18-year-old",
    ),
    "another": ("The storm cut off 1,297 homes", "The storm cut off 3,000 homes", "3,000 / 1,297"),
    "a range with another end": (
        "Repairs of the bridge take 10 to 12 weeks",
        "Repairs of the bridge take 10 to 14 weeks",
        "10 to 14 weeks / 10 to 12 weeks",
    ),
    "cut before its stop": ("The race in Leeds begins at 7 p.m .", "It begins at 7 p.m.", None),
    "beyond a range": (
        "Repairs of the bridge take 10-12 weeks",
        "Repairs of the bridge take 15 weeks",
        "15 weeks / 10-12 weeks",
    ),
    "money": (
        "The council paid £3.5m for the old mill",
        "The council paid £ 5.3 million for the mill",
        "£5.3 million / £3.5m",
    ),
    "another currency": ("The mill cost £3m , or $ 4m", "The mill cost $ 4m", None),
    "a date": (
        "The mill burned down on 5 July",
        "The mill burned down on July 15",
        "July 15 / 5 July",
    ),
    "another unit": ("The clinic has 30 beds for the old", "The clinic has 12 nurses", None),
    "elsewhere": (
        "The clinic lost 12 nurses in May | The clinic lost 30 nurses in June",
        "The clinic lost 30 nurses",
        None,
    ),
    "a decade": ("The mill closed in the 1990s", "The mill closed in 1994", None),
    "in a decade": (
        "The old mill in Leeds closed in the 1990s",
        "The old mill in Leeds closed in 1994",
        None,
    ),
    "an age between commas": (
        "A cyclist , 18 , was hurt in Leeds",
        "A cyclist , 15 , was hurt in Leeds",
        "15 / 18",
    ),
    "an age behind its word": (
        "A cyclist , who is 18 years old , was hurt",
        "A cyclist was hurt at age 15",
        "15 / 18 years",
    ),
    "a number like a year": (
        "The storm in May cut off 1912 homes",
        "The storm in May cut off 1900 homes",
        "1900 / 1912",
    ),
    "a name with a number": (
        "In Leeds Flight 12 landed on Monday",
        "In Leeds Flight 13 arrived on Monday",
        "13 / 12",
    ),
    "metres, not millions": (
        "The river in Leeds rose by 3 m",
        "The river in Leeds rose by 4 m",
        "4 m / 3 m",
    ),
    "the nearest of two": (
        "In Hull the clinic has 40 nurses | The hospital on the river has 12 nurses",
        "The hospital on the river has 15 nurses",
        "15 / 12",
    ),
    "two in a token": (
        "The clinic has 30-nurses/40-beds",
        "The clinic has 12-nurses/15-beds",
        "12-nurses/15-beds / 30-nurses/40-beds",
    ),
    "shared words that are far": (
        f"The council of Leeds {'sits in a tall red tower and , ' * 2} lost 30 nurses",
        f"The council of Leeds {'grew old by many grey canals and , ' * 2} lost 12 nurses",
        None,
    ),
    "an age of another": (
        "Ada Hill , 46 , shot Ben Moss and his son",
        "Ada Hill , 46 , shot Ben Moss , 68 , and his son",
        None,
    ),
    "an age beside a span of time": (
        "Ada Hill will not leave for 35 years after she shot Ben Moss",
        "Ada Hill shot Ben Moss , 68 , and will not leave",
        None,
    ),
    "a sum": (
        "It took five hours until the crew called | It took another five hours until it left",
        "It took 10 hours until the crew left",
        None,
    ),
    "a sum of three": (
        "The council of Leeds paid $4m for the mill , $1.8m for a barn and $1.6m for a farm",
        "The council of Leeds paid $7.4m",
        None,
    ),
    "no sum": (
        "The council of Leeds paid $4m for the old mill and $1.8m for a barn",
        "The council of Leeds paid $7.4m for the old mill",
        "$7.4m / $4m",
    ),
    "a sum of what is far": (
        "It took five hours until the crew called | It rained | It took six hours until it left",
        "It took 11 hours until the crew left",
        "11 hours / five hours",
    ),
    "the rest": ("It affects 10 % of the old mills", "It spares 90 % of the old mills", None),
    "no rest": (
        "It affects 10 % of the old mills",
        "It affects 80 % of the old mills",
        "80% / 10%",
    ),
    "years between years": (
        "Ada Hill ( May 4 , 1918 - July 3 , 1994 ) wrote | He was 8 years old when she died",
        "Ada Hill was 75 years old when she died",
        None,
    ),
    "other years between years": (
        "Ada Hill ( May 4 , 1918 - July 3 , 1994 ) wrote | He was 8 years old when she died",
        "Ada Hill was 77 years old when she died",
        "77 years / 8 years",
    ),
    "a year of a date": (
        "The band of Leeds met Ada Hill in July 1965 | In 1967 the band of Leeds wrote songs",
        "The band of Leeds wrote songs from 1965",
        None,
    ),
    "a small count with a hedge": (
        "The idea of a government of four parties is an old one",
        "The idea of a government of more than two parties is an old one",
        None,
    ),
    "the word of a unit": (
        "There is a tax on vehicles of the model year 1995",
        "In the year 2001 , Leeds made rules on the tax on vehicles",
        None,
    ),
    "a span of time and a count": (
        "The old school of Leeds has 30 students",
        "The old school of Leeds has 12-year-old students",
        None,
    ),
    "a label and a count": (
        "On Monday in Leeds 30 flights were late",
        "On Monday in Leeds flight 12 was late",
        None,
    ),
    "days of the week": (
        "The coach left the town of Leeds on Monday with his team",
        "The coach left the town of Leeds on Friday with his team",
        None,
    ),
    "another year": (
        "The games of Leeds drew crowds in 2008",
        "The games of Leeds drew crowds in 2012",
        "2012 / 2008",
    ),
    "a year and a date": (
        "The band of Leeds wrote songs in July 1965",
        "The band of Leeds wrote songs in 1967",
        None,
    ),
    "no rest of a weight": (
        "The sack of Leeds weighs 10 kg",
        "The sack of Leeds weighs 90 kg",
        "90 kg / 10 kg",
    ),
    "a number in parts": (
        "The storm cut off an estimated 1 , 600 homes in Leeds",
        "The storm cut off an estimated 1,600 homes",
        None,
    ),
    "a decimal in parts": (
        "The storm at Leeds moved at 2 . 4 miles a second",
        "The storm at Leeds moved at 2.4 miles a second",
        None,
    ),
    "parts of a list": (
        "In Leeds she ran 50 , 100 and 200 metres",
        "In Leeds she ran 100 metres",
        None,
    ),
    "nothing shared": ("In 30 years he never saw rain", "She won after 12 years", None),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name):
    document, abstract, expected = NUMBERS[name]
    found = conflicts_of(document + " .", abstract + " .")
    texts = [f"{one.kind}: {one.text}" for one in found]
    wanted = [] if expected is None else [expected.replace(" / ", ": the document has ")]
    assert texts == [f"number: {one}" for one in wanted]


NAMES = {
    "another person": (
        "On Monday the coach Mike Rusbridge said he was glad",
        "On Monday the coach Mike Karsavin said he was glad",
        "Karsavin / Rusbridge",
    ),
    "with one word in common": (
        "On Monday the coach Mike Rusbridge said he was glad",
        "Later the singer Mike Karsavin left town",
        None,
    ),
    "beside the other": (
        "On Monday the coach Mike Rusbridge said he was glad",
        "Rusbridge fell , and the coach Mike Karsavin said he was glad",
        None,
    ),
    "an initial": ("Joanna Rusbridge has won", "J. Rusbridge has won", None),
    "a short form": ("Michael Rusbridge has won", "Mike Rusbridge has won", None),
    "a middle name": ("Ann Mary Rusbridge has won", "Ann Rusbridge has won", None),
    "of two letters": (
        "On Monday the coach Mike Bo said he was glad",
        "On Monday the coach Mike Vu said he was glad",
        "Vu / Bo",
    ),
    "in place of an initial": (
        "On Monday the coach Mike B said he was glad",
        "On Monday the coach Mike Karsavin said he was glad",
        None,
    ),
    "one of the kin": ("The bank of Chile has won", "The old Chilean bank has won", None),
    "a common word in small letters elsewhere": (
        "On Monday the coach Mike Rusbridge said he was glad of the report",
        "On Monday the coach Mike Report said he was glad",
        "Report / Rusbridge",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_names(wordnet, name):
    document, abstract, expected = NAMES[name]
    found = [one.text for one in conflicts_of(document + " ." + REST, abstract + " .", wordnet)]
    assert found == ([] if expected is None else [expected.replace(" / ", ": the document has ")])


REST = " | it rained on the fields and on the river for a day and a night ."
"""Where most words have capital letters, these tell no names."""

INVENTED = st.sampled_from(["Karsavin", "Oblatov", "Wexbury", "KARSAVIN", "WEXBURY"])


@given(st.tuples(*[st.booleans()] * 4), INVENTED, INVENTED)
def test_a_name_takes_the_place_of_another_where_three_of_the_words_around_are_the_same(
    same, name, other
):
    before, behind = ("quick", "red"), ("met", "nobody")
    ours = [
        word if kept else f"{word}ish" for word, kept in zip((*before, *behind), same, strict=True)
    ]
    document = f"there the {before[0]} {before[1]} {other} {behind[0]} {behind[1]} as it rained ."
    abstract = f"today a {ours[0]} {ours[1]} {name} {ours[2]} {ours[3]} while snow fell ."
    expected = sum(same) >= 3 and name.lower() != other.lower()
    found = [one.text for one in conflicts_of(document, abstract)]
    assert found == [f"{name}: the document has {other}"] * expected


def test_numbers_and_names_that_the_document_lacks_are_unknown(wordnet):
    document = text_of("The coach , who lost 12 games , has left the town of Leeds .")
    abstract = text_of("The coach of Rusbridge lost 15 games and left Leeds for 3 days .")
    unknown = findings_of(document, abstract, wordnet).unknown
    assert sorted(abstract.tokens[n] for n in unknown) == ["15", "Rusbridge"]


UNKNOWN = {
    "in a sentence": ("The old mill of Leeds has closed", ["Leeds"]),
    "of kin": ("The old Chilean mill has closed", []),
    "behind a colon": ("It said : Snow has closed the mill", []),
    "in a quotation": ('He said , " Snow has closed the mill "', []),
    "of who writes": ("The old mill has closed , writes Ada Rusbridge", []),
    "of who writes, in one word": ("The old mill has closed , writes Rusbridge", []),
    "of who speaks": ("Ada Rusbridge : The old mill has closed", []),
    "before a name": ("The old mill in North Chile has closed", []),
    "a plural of initials": ("The old mill of two NGOs has closed", []),
    "of two letters": ("The old mill of Bo has closed", ["Bo"]),
    "the number of a name": ("The old mill of Chile II has closed", ["II"]),
    "behind a semicolon": ("The mill is old ; Snow has closed it", []),
    "of who speaks, in two words": ("Rusbridge : the old mill of Coach Rusbridge has closed", []),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_names_that_the_document_lacks(name):
    sentence, expected = UNKNOWN[name]
    document, abstract = text_of("The old mill in Chile has closed ."), text_of(sentence + " .")
    assert [abstract.tokens[n] for n in findings_of(document, abstract).unknown] == expected


@pytest.mark.parametrize(("before", "unknown"), [("Victoria", ["Victoria"]), ("Rural", [])])
def test_a_first_name_has_no_source_where_the_document_has_the_last_one_alone(
    wordnet, before, unknown
):
    document = text_of("The old mill in Chile has closed .")
    abstract = text_of(f"The old mill in {before} Chile has closed .")
    found = findings_of(document, abstract, wordnet).unknown
    assert [abstract.tokens[n] for n in found] == unknown


SAME_NAMES = {
    "in one word and in two": ("the crew of a Seahawk copter", "the crew of a Sea Hawk copter"),
    "in two words and in one": (
        "a copter , a Sea Hawk of the crew",
        "the crew of a SeaHawk copter",
    ),
    "with a hyphen and without": ("a feed-forward net for rain", "Feedforward nets for rain"),
    "of function words, too": ("the state of the art in rain", "rain and the new SOTA for it"),
    "in capital and small letters": (
        "the state-of-the-art in rain",
        "rain and the new SotA for it",
    ),
    "with a hyphen between": ("a net of Long Short-Term Memory", "a net with an LSTM inside"),
    "a belief and who has it": ("they fought for Islamist groups", "they fought for radical Islam"),
    "a people and its land": ("he met two Turks and a Dutch man", "he went to Turkey and Holland"),
    "two branches": ("they were Shiite fighters", "they were young Shia fighters"),
    "an adjective without the last letter": (
        "they walked to the town of Ostrova",
        "they met the old Ostrovian mayor",
    ),
    "an adjective of a belief": ("he has a Jewish father", "he spoke of his Judaism at home"),
    "the beginning of another": ("they lost to Juventus", "they lost to their rivals Juve"),
    "the beginning of a first name": ("it was said of Raymond Hill", "it was said of Ray Hill"),
    "a mountain that begins no name": ("Several Etna guides left", "the guides of Mount Etna left"),
    "written out": ("talks in the OQ", "talks in the Ostrova Quorum"),
    "terms with capital letters": (
        "some deep nets translate",
        "we use Deep Translation Engine nets",
    ),
}


@pytest.mark.parametrize("name", SAME_NAMES)
def test_the_same_name_in_another_form_is_known(wordnet, name):
    document, abstract = (text_of(f"{one} ." + REST) for one in SAME_NAMES[name])
    assert [abstract.tokens[n] for n in findings_of(document, abstract, wordnet).unknown] == []


OTHER_NAMES = {
    "the end of another": ("they lost to Juventus", "they lost to Tus", ["Tus"]),
    "longer than what the document has": ("it was Yuan", "it was the great Yuanhong", ["Yuanhong"]),
    "synonyms that are no names": ("a Province of ours", "a Defence of ours", ["Defence"]),
    "a common word behind a name": ("the singer Clara Oak", "the singer Clara Young", ["Young"]),
    "a letter": ("A man left", "the old man Anatov left", ["Anatov"]),
    "initials of two words": ("the state art is here", "the new SA is here", []),
    "initials of three words": ("the old sun on our art", "the new OSO is here", []),
}


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_other_names_are_unknown(wordnet, name):
    *texts, expected = OTHER_NAMES[name]
    document, abstract = (text_of(f"{one} ." + REST) for one in texts)
    found = findings_of(document, abstract, wordnet).unknown
    assert [abstract.tokens[n] for n in found] == expected


@pytest.mark.parametrize(("last", "unknown"), [("storm", ["Wexbury"]), ("", [])])
def test_capital_letters_tell_names_where_at_most_half_of_the_words_have_them(last, unknown):
    document = text_of(f"Mill of Chile , river of Leeds , town of Hull {last} .")
    abstract = text_of("The old mill of Wexbury has closed .")
    assert [abstract.tokens[n] for n in findings_of(document, abstract).unknown] == unknown


def test_a_name_that_begins_a_sentence_is_told_by_wordnet(wordnet):
    document, abstract = text_of("The mill has closed ."), text_of("Rusbridge has closed it .")
    assert findings_of(document, abstract, wordnet).unknown == [0]
    assert findings_of(document, text_of("Snow has closed it ."), wordnet).unknown == []


def test_in_german_capital_letters_tell_no_names():
    document = text_of(
        "Der Rat der Stadt hat die Mühle am Fluss für Gäste aus dem Norden verkauft ."
    )
    abstract = text_of("Der Rat hat das Haus am Fluss verkauft .")
    pair = Pair("1", document, abstract, language="de")
    features = PairFeatures(pair, Alignment("1", (), tuple(range(len(abstract)))))
    assert find_unsupported(pair, features, [[0]], None).unknown == []


@pytest.mark.parametrize(
    ("language", "document", "abstract"),
    [
        (
            "fr",
            "L' école de la ville a coûté trois millions d' euros",
            "L' école de la ville coûte 4 millions d' euros",
        ),
        ("es", "La escuela costó tres millones de euros", "La escuela costó 4 millones de euros"),
    ],
)
def test_a_preposition_stands_before_the_unit_of_a_scale(language, document, abstract):
    pair = Pair("1", text_of(document), text_of(abstract), language=language)
    features = PairFeatures(pair, Alignment("1", (), tuple(range(len(pair.abstract)))))
    (found,) = find_unsupported(pair, features, [[0]], None).conflicts
    assert found.kind == "number"


def test_a_number_whose_unit_is_in_another_language_is_known():
    texts = "die Quelle gibt 950 Liter her .", "( the spring gives 950 litres . )"
    pair = Pair("1", *map(text_of, texts), language="de")
    features = PairFeatures(pair, Alignment("1", (), tuple(range(len(pair.abstract)))))
    assert find_unsupported(pair, features, [[0]], None).unknown == []


def test_a_language_that_the_packages_lack():
    known = locale_words("und")
    assert known.cardinals == known.ordinals == known.scales == {}


def test_spans_are_those_of_the_texts():
    """They count tokens of the whole side."""
    document = "It rained . | The company leased the mill for 10 years ."
    abstract = "The mill is old . | The company leased the mill for twenty-five years ."
    (one,) = conflicts_of(document, abstract)
    assert one.abstract == (11, 13)
    assert one.document == (9, 11)


def test_only_sources_are_compared():
    document, abstract = (
        text_of(one)
        for one in ("Rovers beat Town 4-1 in May . | It rained .", "Town lost 3-1 in May .")
    )
    assert len(findings_of(document, abstract, sources=[[0]]).conflicts) == 1
    assert findings_of(document, abstract, sources=[[1]]).conflicts == []
    assert findings_of(document, abstract, sources=[[]]).conflicts == []


CONFIRMED = {
    "the same unit anywhere": ("The clinic lost 12 nurses . | It lost 30 nurses .", False),
    "another unit in a source": ("The clinic lost 12 nurses and 30 beds .", False),
    "another unit elsewhere": ("The clinic lost 12 nurses . | It lost 30 beds .", True),
}


@pytest.mark.parametrize("name", CONFIRMED)
def test_what_confirms_a_number(name):
    document, expected = CONFIRMED[name]
    abstract = text_of("The clinic lost 30 nurses .")
    findings = findings_of(text_of(document), abstract, sources=[[0]])
    assert [one.text for one in findings.conflicts] == ["30: the document has 12"] * expected


def test_a_date_elsewhere_confirms_a_year():
    document = text_of("Songs of the band of Leeds came in 1967 . | It met in July 1965 .")
    abstract = text_of("Songs of the band of Leeds came in 1965 .")
    assert findings_of(document, abstract, sources=[[0]]).conflicts == []


def test_only_the_best_sources_are_compared():
    document = text_of("It rained . | " * TOP + "Rovers beat Town 4-1 in May .")
    abstract = text_of("Town lost 3-1 in May .")
    first = [[TOP, *range(TOP)]]
    assert len(findings_of(document, abstract, sources=first).conflicts) == 1
    assert findings_of(document, abstract, sources=[[*range(TOP + 1)]]).conflicts == []


_WORDS = """
    Miller Johnson David signed replaced beat lost to by was not never left out included won
    in of the 3-1 4-1 about more than 10 to 12 years year - old 15 July £3m 40 % third , . one
    eight-and-a-half Paris London France million and between '' open closed -- 1990s 000"""
WORDS = st.sampled_from(_WORDS.split())
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=4)


@given(SENTENCES)
def test_a_text_does_not_contradict_itself(wordnet, sentences):
    text = Text.from_sentences(sentences)
    findings = findings_of(text, text, wordnet)
    assert (findings.conflicts, findings.unknown) == ([], [])


@given(SENTENCES, SENTENCES)
def test_conflicts_of_any_texts_are_well_formed(wordnet, theirs, ours):
    document, abstract = Text.from_sentences(theirs), Text.from_sentences(ours)
    taken = []
    for kind, (start, end), (first, last), text in findings_of(
        document, abstract, wordnet
    ).conflicts:
        assert kind in KINDS
        assert 0 <= start < end <= len(abstract)
        assert 0 <= first < last <= len(document)
        assert text.replace(" ", "").startswith("".join(abstract.tokens[start:end]))
        taken += range(start, end)
    assert len(taken) == len({*taken})


@example(["\U0001d2c0", "5", "\U0001d2c0"])
@example(["A0A0b", "AAA\N{SUPERSCRIPT TWO}A"])
@given(st.lists(st.text(min_size=1).filter(lambda token: not token.isspace()), min_size=1))
def test_any_characters_have_atoms(tokens):
    text = Text.from_sentences([[token for token in tokens if token.split()]])
    side = PairFeatures(Pair("1", text, text), Alignment("1", (), ())).document
    assert all(side.words)
    assert {*side.tokens.tolist()} == {*range(len(text))}
    assert findings_of(text, text).conflicts == []
