"""Which names of an abstract its document lacks, and where names are not compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.languages.language import CODES, language
from corpus_tools.texts.forms import name_key
from semihmm import make_pair
from semihmm.applications.support.names import names_of
from semihmm.applications.support.pair_features import PairFeatures

FRAME = "In the old town {} closed the bridge on a grey morning."


def names(document, abstract, code="en", wordnet=None):
    """Return the unknown names, and for each sentence whether its names were compared."""
    pair = make_pair(document, abstract, language=code)
    features = PairFeatures(pair, Alignment("1", (), ()))
    found = names_of(features.document, features.abstract, code, wordnet, set())
    return " ".join(features.abstract.shown[i] for i in found.unknown), found.compared


SAME = """
    Müller Mueller | Søren Soren | Łukasz Lukasz | Đorđe Djordje | Århus Aarhus | Straße Strasse
    O'Neill O\N{RIGHT SINGLE QUOTATION MARK}Neill | Jean-Luc Jean_Luc
    Sea_Hawk Seahawk | Rusbridge's Rusbridge
    Johanna_Rusk J._Rusk | World_Trade_Organization WTO | Department_of_Home_Justice DHJ
    Chile Chilean | Netherlands Dutch | Germany German | Burma Myanmar | Korea Korean | Iraq Iraqi
    UK British | Virginia Va. | New_Hampshire NH | IL Illinois | Americans American | U.S. US"""


@pytest.mark.parametrize(
    "pair", [one.split() for one in SAME.strip().replace("\n", " | ").split(" | ")]
)
def test_a_name_is_known_in_another_form_whichever_the_document_has(pair):
    one, other = (name.replace("_", " ") for name in pair)
    for known, said in ((one, other), (other, one)):
        assert names(FRAME.format(known), FRAME.format(said)) == ("", [True])


@pytest.mark.parametrize(
    ("said", "found"),
    [("Juve", ""), ("Man Utd", ""), ("Manchester", ""), ("Juvent", "Juvent"), ("Ju", "Ju")],
)
def test_the_beginning_of_a_name_is_known_if_it_is_half_of_it_at_most(said, found):
    document = "In the old town Juventus met Manchester United."
    assert names(document, f"In the old town they met {said}.")[0] == found


def test_a_language_without_a_table_has_no_places():
    assert names(FRAME.format("Chile"), FRAME.format("Chilean"), "und")[0] == "Chilean"


OTHER = """
    Austria Australia | Niger Nigeria | Iran Iraqi | India Indonesian | Kessler Keller | Mali Malawi
    UK UAE | Virginia Ohio | WTO World_Food_Organization | Johanna_Rusk P._Karsavin"""


@pytest.mark.parametrize(
    "pair", [one.split() for one in OTHER.strip().replace("\n", " | ").split(" | ")]
)
def test_another_name_is_unknown(pair):
    known, said = (name.replace("_", " ") for name in pair)
    found, _ = names(FRAME.format(known), FRAME.format(said))
    assert found.split()[-1] in said


@given(st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), min_size=2, max_size=9))
def test_a_name_and_its_capitals_have_one_key(word):
    assert name_key(word) == name_key(name_key(word)) or not word.isascii()
    assert name_key(word.lower()) == name_key(word.lower().title())


@pytest.mark.parametrize(("code", "title"), [("en", "Mr."), ("fr", "Mme"), ("es", "Don")])
def test_a_title_is_no_part_of_a_name(code, title):
    document = FRAME.format("Tom Roe")
    assert names(document, FRAME.format(f"{title} Roe"), code)[0] == ""
    assert names(document, FRAME.format(f"{title} King"), code)[0] == "King"


def test_titles_are_words_without_stops():
    for code in CODES:
        assert all(title == title.lower().strip(".") for title in language(code).titles)


@pytest.mark.parametrize(
    ("document", "abstract", "code"),
    [
        ("Der Rat schließt eine Brücke.", "Der Rat schließt eine Straße in Wexbury.", "de"),
        ("议会关闭了大桥。", "议会周一关闭了公路。", "zh"),
        ("The mayor sells the old ferry.", "Mayor Sells Old Ferry In Wexbury", "en"),
        ("The mayor sells the old ferry.", "MAYOR SELLS WEXBURY FERRY", "en"),
        ("The mayor of Wexbury sells it.", "the mayor of ardel sells it", "en"),
    ],
)
def test_where_capital_letters_tell_nothing_names_are_not_compared(document, abstract, code):
    assert names(document, abstract, code) == ("", [False])


def test_each_sentence_tells_names_by_itself():
    document = "The mayor sells the old ferry. It rained."
    found = names(document, "Mayor Sells Old Ferry\nThe mayor of Wexbury sells it.")
    assert found == ("Wexbury", [False, True])


def test_a_text_full_of_names_is_compared(wordnet):
    document = "Gareth Plum beat Ivo Larsson. Dan Okafor beat Pete Marsh."
    found = names(document, "Gareth Karsavin beat Ivo Larsson. Dan Okafor.", wordnet=wordnet)
    assert found == ("Karsavin", [True, True])


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Karsavin met the press.", "Karsavin"),
        ("John met the press.", "John"),
        ("Bakers met the press.", ""),
        ("Key figures met the press.", ""),
        ("Although he met the press, it rained.", ""),
    ],
)
def test_the_first_word_of_a_sentence_is_a_name_by_its_senses(wordnet, said, found):
    document = "Oskar met the press and it rained."
    assert names(document, said, wordnet=wordnet)[0] == found
    # Without WordNet nothing is said of it.
    assert names(document, said)[0] == ""


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Errol Karsavin: It rained. Later Karsavin left.", ""),
        ("Errol Karsavin and Ida Rusk: It rained.", ""),
        ("It rained, writes Errol Karsavin.", ""),
        ("Later Karsavin says it rained. Errol Karsavin left.", ""),
        # The document has a part of the name, so that another one in its place is wrong.
        ("Oskar Karsavin: It rained.", "Karsavin"),
        ("Later Oskar Karsavin says it rained.", "Karsavin"),
        ("Later Errol Karsavin said it rained.", "Errol Karsavin"),
        ("Later Errol Karsavin beats the town.", "Errol Karsavin"),
    ],
)
def test_who_speaks_may_be_missing_in_a_document(wordnet, said, found):
    document = "It rained and Oskar left the town later and beat it."
    assert names(document, said, wordnet=wordnet)[0] == found


def test_a_common_word_before_a_name_that_stands_alone_is_no_name(wordnet):
    document = "In the old town Ida Rusk saw Everest."
    said = "In the old town Grace Rusk saw Mount Everest and Kyle Everest."
    assert names(document, said, wordnet=wordnet)[0] == "Grace Kyle"
    assert names(document, said)[0] == "Grace Mount Kyle"


def test_a_common_noun_in_capital_letters_is_no_name(wordnet):
    document = "In the old town they left the hall."
    assert (
        names(document, "In the old town the TV left the NATO hall.", wordnet=wordnet)[0] == "NATO"
    )


@pytest.mark.parametrize(
    ("code", "one", "other"), [("ru", "Москва", "Москве"), ("pl", "Warszawa", "Warszawie")]
)
def test_a_name_is_known_in_another_case(code, one, other):
    assert names(f"it {one} was.", f"it {other} was.", code)[0] == ""
    assert names(f"it {one} was.", f"it {other} was.", "fr")[0] == other
