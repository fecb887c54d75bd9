"""Which names of an abstract its document lacks, and where names are not compared."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.languages.language import CODES, language
from corpus_tools.texts.forms import name_key
from semihmm import make_pair
from semihmm.applications.support.names import names_of
from semihmm.applications.support.pair_features import PairFeatures
from tests.paths import lines_beside

KINDS = re.findall(
    r"^= ([\w ]+).*((?:\n[^=].*)+)", "\n".join(lines_beside(__file__, "names.txt")), re.MULTILINE
)
ROWS = {kind: [re.split(r" \| ?", row) for row in rows.split("\n")[1:]] for kind, rows in KINDS}
FRAME = "In the old town {} closed the bridge on a grey morning."


def names(document, abstract, code="en", wordnet=None):
    """Return the unknown names, and for each sentence whether its names were compared."""
    pair = make_pair(document, abstract, language=code)
    features = PairFeatures(pair, Alignment("1", (), ()))
    found = names_of(features.document, features.abstract, code, wordnet, set())
    return " ".join(features.abstract.shown[i] for i in found.unknown), found.compared


@pytest.mark.parametrize(("one", "other"), ROWS["same name"])
def test_a_name_is_known_in_another_form_whichever_the_document_has(one, other):
    for known, said in ((one, other), (other, one)):
        assert names(FRAME.format(known), FRAME.format(said)) == ("", [True])


@pytest.mark.parametrize(("known", "said"), ROWS["other name"])
def test_another_name_is_unknown(known, said):
    found, _ = names(FRAME.format(known), FRAME.format(said))
    assert found.split()[-1] in said


@pytest.mark.parametrize(("code", "document", "abstract", "found"), ROWS["unknown without WordNet"])
def test_names_that_the_document_lacks_are_unknown(code, document, abstract, found):
    assert names(document, abstract, code)[0] == found


@pytest.mark.parametrize(("code", "document", "abstract", "found"), ROWS["unknown with WordNet"])
def test_wordnet_tells_names_from_other_words(wordnet, code, document, abstract, found):
    assert names(document, abstract, code, wordnet)[0] == found


@pytest.mark.parametrize(("code", "document", "abstract"), ROWS["not compared"])
def test_where_capital_letters_tell_nothing_names_are_not_compared(code, document, abstract):
    assert names(document, abstract, code) == ("", [False])


def test_each_sentence_tells_names_by_itself():
    document = "The mayor sells the old ferry. It rained."
    found = names(document, "Mayor Sells Old Ferry\nThe mayor of Wexbury sells it.")
    assert found == ("Wexbury", [False, True])


def test_a_text_full_of_names_is_compared(wordnet):
    document = "Gareth Plum beat Ivo Larsson. Dan Okafor beat Pete Marsh."
    found = names(document, "Gareth Karsavin beat Ivo Larsson. Dan Okafor.", wordnet=wordnet)
    assert found == ("Karsavin", [True, True])


@given(st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), min_size=2, max_size=9))
def test_a_name_and_its_capitals_have_one_key(word):
    assert name_key(word) == name_key(name_key(word)) or not word.isascii()
    assert name_key(word.lower()) == name_key(word.lower().title())


def test_titles_are_words_without_stops():
    for code in CODES:
        assert all(title == title.lower().strip(".") for title in language(code).titles)
