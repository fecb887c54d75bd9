"""Which model aligns pairs of a language, and of several."""

import warnings

import pytest

from corpus_tools.base.errors import SemiHmmWarning
from corpus_tools.pairs.records import make_pair
from semihmm.model_choice import ModelChooser, align, choose_model, joined_reason, several_texts

TEXTS = {
    "en": ("The company sold 5,000 cars last year.", "The firm sold 5,000 cars."),
    "de": ("Der Hund ging durch den Wald und bellte laut.", "Der Hund bellte laut im Wald."),
    "fr": ("Le chien est dans la forêt et il aboie.", "Le chien aboie dans la forêt."),
}


def test_a_language_has_a_model_or_enough_text_for_one(worked_out):
    def said(given):
        asked = [of_one.split() for of_one in given.split(", ")]
        choices = [
            choose_model(code, None if words == "?" else int(words.replace(",", "")))
            for code, words in asked
        ]
        models = (f"{one.code}: {one.directory and one.directory.name}" for one in choices)
        return *models, joined_reason(choices) or "nothing"

    worked_out("choices.txt", said)


def test_pairs_have_a_model_by_their_languages(worked_out, model_directory):
    """With a named model they all have that one."""

    def chosen(given):
        named, asked, way, *numbers = given.split()
        changes = {"wordnet": "none", "paraphrases": "none", "threshold": 0.9}
        changes |= {} if asked == "any" else {"language": asked}
        counts = zip(TEXTS.values(), map(int, numbers), strict=False)
        sides = [both for both, count in counts for _ in range(count)]
        pairs = [make_pair(*both, str(number)) for number, both in enumerate(sides)]
        said = []
        directory = str(model_directory) if named == "named" else None
        chooser = ModelChooser(directory, said.append, 1, **changes)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            if way == "stream":
                aligners = [chooser.aligner_of_pair(pair) for pair in pairs]
            else:
                of_corpus = chooser.aligners_of(pairs)
                aligners = [of_corpus.of(pair) for pair in pairs]
                said.append(f"most {of_corpus.main}")
                assert [one.id for one in of_corpus.align_all(pairs)] == [one.id for one in pairs]
        assert {one.settings.as_json()["threshold"] for one in aligners} == {0.9}
        models = [
            f"{one.settings.language} of {one.provenance['pairs']:,} pairs"
            for one in dict.fromkeys(aligners)
        ]
        warned = [f"warning: {one.message}" for one in warned]
        return *models, *said, *warned

    worked_out("choosers.txt", chosen)


def test_lists_of_documents_and_of_abstracts_are_told():
    documents = ["It rained. We left.", "The dog barked. It ran."]
    with pytest.warns(SemiHmmWarning, match=r"two lists of 2 texts .* zip\(documents, abstracts\)"):
        align(documents, ["Rain.", "A dog."])
    assert several_texts(["It rained.", "We left."], ["Rain.", "Left."]) == 0
    assert several_texts(documents, ["Rain."]) == several_texts(documents, "Rain.") == 0
