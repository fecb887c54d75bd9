"""Tests of the stems of ROUGE-1.5.5, of its stop list and of its irregular forms."""

from __future__ import annotations

import nltk.data
import pytest

from corpus_tools.errors import BadResource, MissingResource
from corpus_tools.measures.porter import porter
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.signature import signature
from corpus_tools.measures.stems import irregular_forms, make_stemmer, program_stem
from corpus_tools.measures.stop_words import stop_words
from corpus_tools.texts import wordnet_files
from tests.tiny_wordnet import write_wordnet


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # Printed in "What the programs and papers compute": the program's own step 4.
        ("agreement", "agreem"),
        ("document", "docum"),
        ("statement", "statem"),
        ("tournament", "tournam"),
        ("commissioner", "commiss"),
        ("professional", "profess"),
        # Porter (1980), steps 1 to 5.
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("feed", "feed"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("relational", "relat"),
        ("vietnamization", "vietnam"),
        ("electricity", "electr"),
        ("adoption", "adopt"),
        ("controll", "control"),
        ("yellowing", "yellow"),
        ("sky", "sky"),
        ("cats", "cat"),
        ("cat", "cat"),
        ("3000s", "3000"),
    ],
)
def test_stems(word, stem):
    assert porter(word) == stem


def test_irregular_forms_are_not_stemmed_again():
    assert program_stem({"geese": "goosing"}, "geese") == "goosing"
    assert program_stem({"men": "man"}, "men") == "men", "short words are left alone"


def test_rouge_scores_stems_are_those_of_nltk():
    stem = make_stemmer("nltk")
    assert stem("agreement") == "agreement"
    assert stem("was") == "was"
    assert make_stemmer("none")("running") == "running"


@pytest.mark.skipif(not irregular_forms(), reason="WordNet is not installed")
def test_irregular_forms_are_wordnets():
    forms = irregular_forms()
    assert {word: forms[word] for word in ("children", "went", "best", "better", "testes")} == {
        "children": "child",
        "went": "go",
        "best": "good",
        "better": "good",
        "testes": "testis",
    }
    assert "ashes" not in forms, "WordNet 2.0 does not list it"
    assert make_stemmer("program")("went") == "go"


@pytest.fixture
def no_wordnet(tmp_path, monkeypatch):
    """Hide the WordNet of this machine, and forget what was read from it."""
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk_data")])
    monkeypatch.setattr(wordnet_files, "DIRECTORIES", ("$WNSEARCHDIR",))
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    irregular_forms.cache_clear()
    yield tmp_path
    irregular_forms.cache_clear()


def test_without_wordnet_it_is_said_what_that_costs(no_wordnet):
    with pytest.warns(MissingResource, match="no WordNet found: irregular forms"):
        stem = make_stemmer("program")
    assert stem("children") == "children"
    assert "stem program without irregular forms" in signature(MeasureSettings(), 0)


def test_a_later_list_is_stronger(no_wordnet, monkeypatch):
    directory = write_wordnet(no_wordnet / "dict")
    lists = {"adv": "best well\n", "verb": "", "adj": "best good\nmore_so much\n", "noun": ""}
    for name, text in lists.items():
        (directory / f"{name}.exc").write_text(text)
    monkeypatch.setenv("WNSEARCHDIR", str(directory))
    assert irregular_forms() == {"best": "good"}


@pytest.mark.parametrize("text", [None, "best\n"])
def test_a_damaged_wordnet_is_named(no_wordnet, monkeypatch, text):
    directory = write_wordnet(no_wordnet / "dict")
    for name in ("adv", "verb", "adj", "noun"):
        (directory / f"{name}.exc").write_text("")
    (directory / "verb.exc").unlink()
    if text is not None:
        (directory / "verb.exc").write_text(text)
    monkeypatch.setenv("WNSEARCHDIR", str(directory))
    with pytest.raises(
        BadResource, match=r"this WordNet is damaged, verb\.exc: .*install it again"
    ):
        irregular_forms()


def test_the_stop_list_is_that_of_the_program():
    words = stop_words()
    assert {"the", "of", "reuters", "ap", "news", "tech", "mon", "jan", "a", "z"} <= words
    assert len(words) == 543
    assert all(word.isalnum() and word.islower() for word in words)
