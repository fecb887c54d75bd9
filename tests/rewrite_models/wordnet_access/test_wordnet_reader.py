from __future__ import annotations

import io
import os
import shutil
from collections import defaultdict

import nltk.data
import pytest

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.texts import wordnet_files
from rewrite_models.wordnet_access.nltk_reader import LEXNAMES
from rewrite_models.wordnet_access.word_concepts import concepts_of
from rewrite_models.wordnet_access.wordnet_index import Index
from rewrite_models.wordnet_access.wordnet_reader import open_wordnet
from tests.tiny_wordnet import write_wordnet


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Return a WordNet outside NLTK's data path, with none at any of the usual locations."""
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk_data")])
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.delenv("WNHOME", raising=False)
    directories = ("$WNSEARCHDIR", "$WNHOME/dict", str(tmp_path / "usr"))
    monkeypatch.setattr(wordnet_files, "DIRECTORIES", directories)
    monkeypatch.chdir(tmp_path)
    umask = os.umask(0o022)  # NLTK 3.10 reads no file in its data path that its group can write
    yield write_wordnet(tmp_path / "mine")
    os.umask(umask)


def test_an_explicit_directory_is_opened(elsewhere):
    wordnet = open_wordnet(str(elsewhere))
    assert [synset.lemma_names() for synset in wordnet.synsets("dogs")] == [["dog", "domestic_dog"]]
    assert wordnet.synsets("quick")[0].pos() == "a"


def test_a_relative_path_is_opened(elsewhere):
    assert open_wordnet("mine").synsets("walked")


def test_nltks_data_path_stays_as_it_is(elsewhere):
    before = list(nltk.data.path)
    assert open_wordnet(str(elsewhere)).synsets("dog")
    assert nltk.data.path == before


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
    assert str(open_wordnet(str(elsewhere)).root) == str(elsewhere)


def test_the_zip_file_that_nltk_downloads_is_opened(elsewhere, tmp_path):
    elsewhere.rename(tmp_path / "wordnet")
    (tmp_path / "nltk_data" / "corpora").mkdir(parents=True)
    archive = tmp_path / "nltk_data" / "corpora" / "wordnet"
    shutil.make_archive(str(archive), "zip", tmp_path, "wordnet")
    wordnet = open_wordnet()
    assert wordnet.synsets("word_processors")[0].name() == "word_processor.n.01"
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


def test_a_missing_file_is_named(elsewhere):
    (elsewhere / "index.verb").unlink()
    with pytest.raises(BadData, match=r"mine: is no WordNet: .* also holds index\.verb$"):
        open_wordnet(str(elsewhere))


@pytest.mark.parametrize(
    "line", ["walk v 1 0 one 0 00000034", "walk v 1", "walk v 2 0 1 0 00000034", "walk v 0 0 0 0"]
)
def test_a_broken_line_is_reported_when_its_word_is_looked_up(elsewhere, line):
    (elsewhere / "index.verb").write_text(line + "\n")
    wordnet = open_wordnet(str(elsewhere))
    assert wordnet.synsets("dog"), "what is whole can be read"
    with pytest.raises(BadData, match=f"mine: .* broken line, '{line}': .*; install it again"):
        wordnet.synsets("walk")


def test_a_broken_file_is_reported_when_its_word_is_looked_up(elsewhere):
    (elsewhere / "data.adj").write_text("00000034 00\nabcdefgh 00 s\n")
    assert concepts_of(["dog"], str(elsewhere)), "what is whole can be read"
    with pytest.raises(BadData, match=r"this WordNet is damaged: ValueError: .*; install"):
        concepts_of(["quick"], str(elsewhere))


def test_the_index_is_that_of_nltks_own_reader(wordnet):
    """Line by line, over the whole WordNet of this machine."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    expected = open_wordnet(str(wordnet.root))
    expected._lemma_pos_offset_map = defaultdict(dict)
    WordNetCorpusReader._scan_satellites(expected)
    WordNetCorpusReader._load_lemma_pos_offset_map(expected)
    index = wordnet._lemma_pos_offset_map
    assert {lemma: index[lemma] for lemma in index} == expected._lemma_pos_offset_map
    assert "no_such_lemma" not in index and index["no_such_lemma"] == {}


def test_where_there_is_none_the_error_says_how_to_get_it(elsewhere, tmp_path):
    with pytest.raises(BadUsage, match="no WordNet found") as raised:
        open_wordnet()
    message = str(raised.value)
    assert "python -m nltk.downloader wordnet" in message
    assert "apt-get install wordnet-base" in message
    for location in (*nltk.data.path, "$WNSEARCHDIR", "$WNHOME/dict", str(tmp_path / "usr")):
        assert location in message


def test_a_broken_download_is_none(elsewhere, tmp_path):
    corpora = tmp_path / "nltk_data" / "corpora"
    corpora.mkdir(parents=True)
    (corpora / "wordnet.zip").write_text("half of it")
    with pytest.raises(BadUsage, match="no WordNet found"):
        open_wordnet()


def test_the_lexicographer_files_are_numbered_as_the_synsets_say(wordnet):
    names = [wordnet.synset(name).lexname() for name in ("entity.n.01", "dog.n.01", "rain.v.01")]
    assert names == ["noun.Tops", "noun.animal", "verb.weather"]
    assert len(LEXNAMES.splitlines()) == 45


def test_lines_of_the_licence_are_no_lemmas():
    """The word "s" without its ending is empty, and such lines begin with a blank."""
    index = Index(lambda offset: False, "here")
    index.add(io.StringIO("  1 This software and database is provided\ncat n 1 0 1 0 00000017  \n"))
    assert index[""] == {} and index[" "] == {} and index["  1"] == {}
    assert list(index) == ["cat"] and index["cat"] == {"n": [17]}
