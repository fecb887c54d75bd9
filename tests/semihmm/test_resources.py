"""What is not installed: models go on without it where they can, and say so once."""

from __future__ import annotations

import nltk.data
import pytest

from corpus_tools.errors import BadData, BadResource, MissingResource, NoWordNet
from corpus_tools.texts import wordnet_files
from semihmm.aligner import Aligner
from semihmm.resources import with_resources_at_hand
from semihmm.settings import preset
from tests.tiny_wordnet import write_wordnet


@pytest.fixture
def no_wordnet(tmp_path, monkeypatch):
    """Hide every WordNet of this machine."""
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nothing")])
    monkeypatch.setattr(wordnet_files, "DIRECTORIES", (str(tmp_path / "nowhere"),))


def never():
    """Pairs that must not be read."""
    raise AssertionError("the pairs were read")
    yield


@pytest.mark.usefixtures("no_wordnet")
def test_the_default_goes_on_without_wordnet_and_the_model_remembers(sample, tmp_path, recwarn):
    aligner = Aligner(iterations=2)
    with pytest.warns(MissingResource, match=r"no WordNet is installed.*nltk\.downloader") as told:
        aligner.fit(sample)
    assert len(told) == 1
    assert aligner.settings.value("wordnet") == "none"
    explicit = Aligner(iterations=2, wordnet="none").fit(sample)
    assert [one.phrases for one in aligner.align(sample)] == [
        one.phrases for one in explicit.align(sample)
    ]
    aligner.save(tmp_path / "model")
    recwarn.clear()
    assert Aligner.load(tmp_path / "model").settings.value("wordnet") == "none"
    assert not recwarn.list, "the model knows that it has none"


@pytest.mark.usefixtures("no_wordnet")
def test_a_model_trained_with_wordnet_aligns_without(sample, miniature, tmp_path, monkeypatch):
    monkeypatch.setenv("WNSEARCHDIR", str(miniature))
    with monkeypatch.context() as patched:
        patched.setattr(wordnet_files, "DIRECTORIES", ("$WNSEARCHDIR",))
        Aligner(iterations=2).fit(sample).save(tmp_path / "model")
        assert Aligner.load(tmp_path / "model").settings.value("wordnet") is None
    with pytest.warns(MissingResource):
        aligner = Aligner.load(tmp_path / "model")
    assert len(aligner.align(sample)) == len(sample)


@pytest.mark.usefixtures("no_wordnet")
def test_a_model_that_needs_wordnet_says_so_before_anything_is_read():
    with pytest.raises(NoWordNet, match="rewrite=identity,stem,lexical") as raised:
        Aligner("paper").fit(never())
    assert "nltk.downloader" in str(raised.value) and "apt-get" in str(raised.value)


def test_what_is_no_wordnet_is_told_before_anything_is_read(tmp_path):
    with pytest.raises(BadData, match="is no WordNet"):
        Aligner(wordnet=str(tmp_path)).fit(never())


def test_damage_is_no_pairs_fault(sample, tmp_path):
    directory = write_wordnet(tmp_path / "wordnet")
    words = {token.lower() for pair in sample for token in pair.document.tokens}
    line = "n 1 0 1 0 99999999  \n"
    (directory / "index.noun").write_text("".join(f"{word} {line}" for word in sorted(words)))
    with pytest.raises(BadResource, match="damaged"):
        Aligner(wordnet=str(directory)).fit(sample, skip_bad_pairs=True)


@pytest.mark.usefixtures("no_wordnet")
def test_models_that_read_nothing_ask_for_nothing(recwarn):
    settings = preset("default").changed(rewrite=("identity", "stem"))
    assert with_resources_at_hand(settings) is settings
    assert not recwarn.list
