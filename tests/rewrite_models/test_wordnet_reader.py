from __future__ import annotations

import os
import shutil
from itertools import islice

import nltk.data
import pytest

from corpus_tools.errors import BadData
from corpus_tools.texts import lexicons
from rewrite_models.wordnet_reader import (
    DERIVATIONS,
    FILE_OF,
    FILE_SIZE,
    HYPERNYMS,
    NEAR,
    open_wordnet,
)
from tests.tiny_wordnet import write_wordnet


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Return a WordNet outside NLTK's data path, with none at any of the usual locations."""
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk_data")])
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.delenv("WNHOME", raising=False)
    directories = ("$WNSEARCHDIR", "$WNHOME/dict", str(tmp_path / "usr"))
    monkeypatch.setattr(lexicons, "DIRECTORIES", directories)
    monkeypatch.chdir(tmp_path)
    umask = os.umask(0o022)  # NLTK 3.10 reads no file in its data path that its group can write
    yield write_wordnet(tmp_path / "mine")
    os.umask(umask)


def test_the_locations_are_tried_in_order(elsewhere, tmp_path, monkeypatch):
    def opened():
        return str(open_wordnet().root)

    shutil.copytree(elsewhere, tmp_path / "usr")
    assert opened() == str(tmp_path / "usr")
    shutil.copytree(elsewhere, tmp_path / "home" / "dict")
    monkeypatch.setenv("WNHOME", str(tmp_path / "home"))
    assert opened() == str(tmp_path / "home" / "dict")
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path / "nowhere"))
    assert opened() == str(tmp_path / "home" / "dict")
    monkeypatch.setenv("WNSEARCHDIR", str(elsewhere))
    assert opened() == str(elsewhere)
    inside = tmp_path / "nltk_data" / "corpora" / "wordnet"
    shutil.copytree(elsewhere, inside)
    assert opened() == str(inside)
    (inside / "copy").hardlink_to(inside / "data.noun")
    assert opened() == str(inside), "hard links are read too"
    assert str(open_wordnet(str(elsewhere)).root) == str(elsewhere)


def test_the_zip_file_that_nltk_downloads_is_opened(elsewhere, tmp_path):
    elsewhere.rename(tmp_path / "wordnet")
    (tmp_path / "nltk_data" / "corpora").mkdir(parents=True)
    archive = tmp_path / "nltk_data" / "corpora" / "wordnet"
    shutil.make_archive(str(archive), "zip", tmp_path, "wordnet")
    wordnet = open_wordnet()
    assert wordnet.base_forms("word_processors", "n") == ["word_processor"]
    assert "wordnet.zip" in str(wordnet.root)


@pytest.mark.parametrize("name", ["", "empty", "mine/data.noun"])
def test_what_is_no_wordnet_is_refused(elsewhere, tmp_path, name):
    (tmp_path / "empty").mkdir()
    path = tmp_path / (name or "missing")
    with pytest.raises(
        BadData, match=r"is no WordNet: .* holds data\.noun, data\.verb, "
    ) as raised:
        open_wordnet(str(path))
    assert raised.value.file == str(path)


@pytest.mark.parametrize(
    "line", ["walk v 1 0 one 0 00000034", "walk v 1", "walk v 2 0 1 0 00000034", "walk v 0 0 0 0"]
)
def test_a_broken_line_is_reported_when_its_word_is_looked_up(elsewhere, line):
    (elsewhere / "index.verb").write_text(line + "\n")
    wordnet = open_wordnet(str(elsewhere))
    assert wordnet.synset_numbers("dog", "n"), "what is whole can be read"
    with pytest.raises(
        BadData, match=f"mine: .* in the line '{line}' of an index: .*; install it again"
    ):
        wordnet.synset_numbers("walk", "v")


def test_lemmas_and_synsets_are_those_of_nltks_own_reader(wordnet, nltk_wordnet):
    assert set(wordnet.lemmas()) == set(nltk_wordnet.all_lemma_names())
    lemmas = list(islice(wordnet.lemmas(), 0, None, 100))
    endings = ("s", "es", "ies", "ed", "ing", "er", "est", "men", "ves")
    forms = [lemma + ending for lemma in lemmas[::10] for ending in endings]
    irregular = [form for part in "nvar" for form in islice(nltk_wordnet._exception_map[part], 300)]
    for form in [*lemmas, *forms, *irregular, "left", "better", "nolemma", ""]:
        for part in "nvar":
            expected = nltk_wordnet._morphy(form, part)
            assert wordnet.base_forms(form, part) == expected, (form, part)
            offsets = [synset.offset() for synset in nltk_wordnet.synsets(form, part)]
            found = [number % FILE_SIZE for number in wordnet.synset_numbers(form, part)]
            assert found == offsets, (form, part)


def by_nltk(synset):
    """Return near synsets, hypernyms and derivations, from NLTK's objects."""

    def targets(symbols):
        keys = {key for symbol in symbols for key in synset._pointers.get(symbol, ())}
        return {FILE_OF[part] * FILE_SIZE + offset for part, offset in keys}

    derivations = {}
    for (name, symbol), keys in synset._lemma_pointers.items():
        if symbol in DERIVATIONS:
            numbers = {FILE_OF[part] * FILE_SIZE + offset for part, offset, _ in keys}
            derivations.setdefault(name.lower(), set()).update(numbers)
    return targets(NEAR), targets(HYPERNYMS), derivations


@pytest.mark.parametrize("part", "nvar")
def test_synsets_point_where_nltks_do(wordnet, nltk_wordnet, part):
    synsets = list(islice(nltk_wordnet.all_synsets(part), 0, None, 500))
    assert len(synsets) > 5
    for one in synsets:
        synset = wordnet.synset(FILE_OF[one.pos()] * FILE_SIZE + one.offset())
        derivations = {word: set(numbers) for word, numbers in synset.derivations.items()}
        assert (set(synset.near), set(synset.hypernyms), derivations) == by_nltk(one), one
        assert synset.name == nltk_wordnet.ss2of(one)


def test_what_is_only_a_name(wordnet):
    forms = ("sussex", "tolstoy", "nosuchword", "brown", "table")
    assert [form for form in forms if wordnet.only_names(form)] == [*forms[:3]]
