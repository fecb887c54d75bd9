"""What is not installed: models go on without it where they can, and say so once."""

import os
import shutil
import time
from pathlib import Path

import nltk.data
import pytest

from corpus_tools.base.errors import BadResource, MissingResource, warn_caller
from corpus_tools.texts import lexicons
from corpus_tools.texts.lexicons import PARAPHRASES_FILE, paraphrases
from semihmm.aligner import Aligner
from semihmm.cli.messages import reporting
from tests.paths import ROOT
from tests.tiny_wordnet import write_wordnet

LISTS = str(ROOT / "tests" / "nltk_data")


@pytest.fixture
def no_wordnet(tmp_path, monkeypatch):
    """Hide every WordNet of this machine, but not the list of paraphrases."""
    monkeypatch.setattr(nltk.data, "path", [LISTS])
    monkeypatch.setattr(lexicons, "WORDNET_DIRECTORIES", (str(tmp_path / "nowhere"),))


@pytest.mark.usefixtures("no_wordnet")
def test_the_default_goes_on_without_wordnet_and_the_model_remembers(sample, tmp_path, recwarn):
    aligner = Aligner(iterations=2)
    with pytest.warns(MissingResource, match=r"WordNet.*nltk\.downloader") as told:
        aligner.fit(sample)
    assert len(told) == 1
    assert aligner.settings.as_json()["wordnet"] == "none"
    explicit = Aligner(iterations=2, wordnet="none").fit(sample)
    assert aligner.align(sample) == explicit.align(sample)
    aligner.save(tmp_path / "model")
    recwarn.clear()
    assert Aligner.load(tmp_path / "model").settings.as_json()["wordnet"] == "none"
    assert not recwarn.list, "the model knows that it has none"


def test_damage_is_no_pairs_fault(sample, tmp_path):
    directory = write_wordnet(tmp_path / "wordnet")
    words = {token.lower() for pair in sample for token in pair.document.tokens}
    line = "n 1 0 1 0 99999999  \n"
    (directory / "index.noun").write_text("".join(f"{word} {line}" for word in sorted(words)))
    with pytest.raises(BadResource, match="damaged"):
        Aligner(wordnet=str(directory)).fit(sample, skip_bad_pairs=True)


def test_the_command_line_says_once_a_day_what_is_not_installed(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for age, said in ((0, 1), (1, 0), (2 * 24 * 60 * 60, 1)):
        for note in tmp_path.glob("semihmm/said-*"):
            os.utime(note, times=(time.time() - age,) * 2)
        with reporting(quiet=False):
            warn_caller(MissingResource("no list"))
        assert capsys.readouterr().err.count("no list") == said


# The list of paraphrases


def test_lists_are_found_by_file_and_by_directory_and_in_archives(tmp_path, monkeypatch):
    def some_of(path):
        listed = paraphrases(path)
        return listed["dog"], listed["big"]

    expected = (("hound",), ("dog",))
    assert some_of(None) == expected
    folder = Path(LISTS) / "misc" / "mwa_ppdb"
    assert some_of(str(folder)) == some_of(str(folder / PARAPHRASES_FILE)) == expected
    (tmp_path / "misc").mkdir()
    shutil.make_archive(str(tmp_path / "misc" / "mwa_ppdb"), "zip", folder.parent, "mwa_ppdb")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    paraphrases.cache_clear()
    assert some_of(None) == expected
