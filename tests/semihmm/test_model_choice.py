"""Which model aligns pairs of a language, and of several."""

import pytest

from corpus_tools.base.errors import OtherLanguage, SemiHmmWarning
from corpus_tools.pairs.records import make_pair
from semihmm.model.saving import GENERAL_MODEL
from semihmm.model_choice import ModelChooser, align, choose_model, joined_reason, several_texts

GERMAN = "Der Hund ging durch den Wald und bellte laut.", "Der Hund bellte laut im Wald."
ENGLISH = "The company sold 5,000 cars last year.", "The firm sold 5,000 cars."


@pytest.mark.parametrize(
    ("code", "words", "is_trained", "reason"),
    [
        ("en", 1, False, ""),
        ("en", None, False, ""),
        ("de", 300, True, "German, which has no general model: a model is trained on them"),
        ("de", 299, False, "299 abstract words are too few to learn from (300 are enough)"),
        ("de", 1, False, "1 abstract word is too few to learn from"),
        ("de", None, False, "only equal and similar words are linked; train a model, and name it"),
    ],
)
def test_a_language_has_a_model_or_enough_text_for_one(code, words, is_trained, reason):
    choice = choose_model(code, words)
    assert (choice.code, choice.directory) == (code, None if is_trained else GENERAL_MODEL)
    assert reason in choice.reason and bool(choice.reason) == bool(reason)


def pairs_of(english, german):
    sides = [ENGLISH] * english + [GERMAN] * german
    return [make_pair(*both, str(number)) for number, both in enumerate(sides)]


@pytest.mark.parametrize(("english", "german", "is_warned"), [(19, 1, False), (18, 1, True)])
def test_a_named_model_may_have_one_pair_in_twenty_of_another_language(
    model_directory, recwarn, english, german, is_warned
):
    chooser = ModelChooser(str(model_directory), pytest.fail)
    chosen = chooser.aligners_of(pairs_of(english, german))
    assert (chosen.main, [*chosen.of_language]) == ("en", ["en"])
    warned = [str(one.message) for one in recwarn if one.category is OtherLanguage]
    assert [f"(English {english}, German 1)" in said for said in warned] == [True] * is_warned


def test_a_named_model_is_said_to_be_of_another_language(model_directory):
    chooser = ModelChooser(str(model_directory), pytest.fail)
    for choose in (chooser.aligners_of, lambda pairs: chooser.aligner_of_pair(pairs[0])):
        with pytest.warns(OtherLanguage, match="the texts are German, .* trained on English"):
            choose(pairs_of(0, 2))


def test_pairs_of_several_languages_have_a_model_for_each():
    said, pairs = [], pairs_of(1, 2)
    chosen = ModelChooser(None, said.append, wordnet="none", paraphrases="none").aligners_of(pairs)
    assert chosen.main == "de" and {*chosen.of_language} == {"de", "en"}
    assert said[0] == "each pair is aligned in its own language: German 2, English 1"
    assert "15 abstract words" not in said[1] and "14 abstract words are too few" in said[1]
    assert len(said) == 2
    assert [chosen.of(pair).settings.language for pair in pairs] == ["en", "de", "de"]
    assert [one.id for one in chosen.align_all(pairs)] == ["0", "1", "2"]


def test_a_model_that_is_trained_on_the_texts_has_the_settings_that_are_asked_for():
    aligner = choose_model("de", 300).aligner(pairs_of(0, 3), 1, threshold=0.9, wordnet="none")
    assert aligner.settings.as_json()["threshold"] == 0.9


def test_a_stream_is_answered_pair_by_pair_with_one_model_for_a_language():
    said = []
    chooser = ModelChooser(None, said.append, wordnet="none", paraphrases="none")
    found = [chooser.aligner_of_pair(pair) for pair in pairs_of(2, 2)]
    assert found[0] is found[1] and found[2] is found[3] is not found[0]
    assert [one.settings.language for one in found] == ["en", "en", "de", "de"]
    assert len(said) == 1 and "train a model, and name it" in said[0]


def test_a_language_that_is_asked_for_is_that_of_all_pairs():
    chooser = ModelChooser(None, pytest.fail, language="en", wordnet="none", paraphrases="none")
    chosen = chooser.aligners_of(pairs_of(1, 3))
    assert [one.settings.language for one in chosen.of_language.values()] == ["en"]
    assert chooser.aligner_of_pair(pairs_of(0, 1)[0]).settings.language == "en"


def test_several_languages_without_a_model_are_told_in_one_message():
    choices = [choose_model(code, number) for code, number in (("en", 9), ("de", 300), ("fr", 5))]
    assert joined_reason(choices) == (
        "no general model of 2 languages; a model is trained on the texts of each of German; "
        "only equal and similar words are linked in French (fewer than 300 abstract words)"
    )
    assert joined_reason(choices[:2]) == choices[1].reason
    assert joined_reason(choices[:1]) == ""


def test_lists_of_documents_and_of_abstracts_are_told():
    documents = ["It rained. We left.", "The dog barked. It ran."]
    with pytest.warns(SemiHmmWarning, match=r"two lists of 2 texts .* zip\(documents, abstracts\)"):
        align(documents, ["Rain.", "A dog."])
    assert several_texts(["It rained.", "We left."], ["Rain.", "Left."]) == 0
    assert several_texts(documents, ["Rain."]) == several_texts(documents, "Rain.") == 0
