"""Aligners: what they keep and admit; settings, and what plug-ins own of them."""

import inspect
import json
import os
import re
import sys
from contextlib import redirect_stderr
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.base.errors import BadData, BadUsage, OtherLanguage
from corpus_tools.pairs.records import make_pair
from semihmm import Aligner, align, write_page
from semihmm.aligned_pair import AlignedPair
from semihmm.model import units as batches_module
from semihmm.model.settings import PRESETS, all_options
from tests.semihmm.program_runs import Terminal, contents


def test_texts_in_another_language_are_warned_of():
    pair = ("Der Rat hat die alte Brücke am 3. Mai gesperrt.", "Die Brücke ist gesperrt.")
    aligner = Aligner.load(wordnet="none", paraphrases="none")
    with pytest.warns(OtherLanguage, match="German.*English"):
        aligner.align(pair)
    with pytest.warns(OtherLanguage, match="German"):
        found = align(*pair)
    assert [phrase.abstract.text for phrase in found.phrases] == ["Die", "Brücke", "gesperrt."]


@pytest.mark.parametrize("use", ["align", "aligned", "support", "posteriors"])
def test_what_needs_a_model_says_so_before_training(use):
    with pytest.raises(BadUsage, match="fit, or load"):
        getattr(Aligner(), use)(("It rained in Leeds.", "Rain in Leeds."))


# Parameters


def test_parameters_are_those_that_were_given():
    rewrite = ["identity", "stem"]
    aligner = Aligner("paper", rewrite=rewrite, iterations=3)
    parameters = aligner.get_params()
    assert parameters["rewrite"] is rewrite
    assert repr(aligner) == "Aligner(preset='paper', rewrite=['identity', 'stem'], iterations=3)"
    assert repr(Aligner(verbose=False, jump=None)) == "Aligner()"
    assert (parameters["preset"], parameters["iterations"]) == ("paper", 3)
    assert parameters["jump"] is None and parameters["workers"] is None
    assert set(parameters) == {*all_options(), "workers", "verbose"}
    assert set(inspect.signature(Aligner).parameters) == set(parameters)
    assert Aligner.__doc__.startswith("Learns alignments")
    assert all(f"``{name}``" in Aligner.__doc__ for name in all_options())


def test_pairs_are_aligned_as_a_stream(trained, sample, monkeypatch):
    """No more of them are taken than the batches that threads work on, and a batch ahead."""
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    monkeypatch.setattr(trained, "workers", 1)
    expected, taken = trained.align(sample[:8]), []
    aligned = trained.align_all(taken.append(one) or one for one in sample[:8])
    found, ahead = zip(*((one, len(taken) - n) for n, one in enumerate(aligned)), strict=True)
    assert max(ahead) <= 5
    assert ([*found], taken) == (expected, sample[:8])


@pytest.mark.parametrize("preset", PRESETS)
def test_any_number_of_workers_makes_the_same(sample, miniature, tmp_path, monkeypatch, preset):
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 50)  # so that there is something to share
    for workers in (1, 4):
        settings = {"start": "none", "wordnet": str(miniature), "workers": workers}
        aligner = Aligner(preset, **settings, iterations=2)
        aligner.fit(sample[:8], checkpoint=tmp_path / str(workers))
    assert contents(tmp_path / "1") == contents(tmp_path / "4")


def test_what_a_trained_model_admits(trained, sample, model_directory):
    same = Aligner.load(model_directory)
    assert same.log_likelihood(sample) == trained.log_likelihood(sample)
    loaded = Aligner.load(model_directory, decoder="viterbi", workers=1)
    assert loaded.settings.as_json() == trained.settings.changed(decoder="viterbi").as_json()
    assert loaded.workers == 1
    with pytest.raises(BadUsage, match="'jump'"):
        Aligner.load(model_directory, jump="uniform")
    with pytest.raises(BadUsage, match="'threshold'"):
        Aligner.load(model_directory, treshold=0.5)
    with pytest.raises(BadUsage, match="its model depends on jump, rewrite: make another"):
        loaded.set_params(jump="uniform", rewrite=["stem"], decoder="posterior")
    assert loaded.settings.decoder == "viterbi"
    with pytest.raises(BadUsage, match="workers must be 1 or more, not 0"):
        loaded.set_params(workers=0)
    assert loaded.set_params(decoder=None).settings.as_json() == trained.settings.as_json()
    assert loaded.workers == 1 and loaded.set_params(workers=None).workers == os.cpu_count()


def test_support_is_by_fifty_document_sentences_at_most(trained):
    said = [trained.support(("It rained. " * n, "It rained.")).support for n in (49, 50, 51)]
    assert said[0] != said[1] == said[2]


@pytest.mark.parametrize("verbose", [False, True])
def test_what_a_verbose_aligner_does_has_a_bar(model_directory, sample, verbose):
    aligner = Aligner.load(model_directory, verbose=verbose)
    with redirect_stderr(Terminal()) as shown:
        aligner.align(sample)
        aligner.set_params(iterations=3).fit(sample, resume=True)
    for bar in ("aligning", "EM"):
        assert (f"{bar}: " in shown.getvalue()) == verbose


# A pair with its alignment gives links, labels and a data frame; in a notebook, inert texts


PAIR = make_pair("The old cat sat on the mat. It slept. The dog ran.", "Cat sat, the end.", id="7")
LINKS = (PhraseLink((0, 2), (2, 4), 0.9), PhraseLink((3, 4), (11, 12), 0.5))
ALIGNED = AlignedPair(PAIR, Alignment("7", LINKS, (2, 4, 5)))


MARKUP = "<script>window.ran=1</script> <img src=x onerror=window.ran=1> </style> &lt; {{ 7 * 6 }}"


def test_each_form_of_an_aligned_pair_is_as_it_was_looked_at(looked_at):
    """Markup is text."""
    pytest.importorskip("pandas", exc_type=ImportError)
    marked = make_pair([MARKUP, "e ."], f"c {MARKUP}", f"{MARKUP}\x1b", "whitespace")
    null = tuple(range(1, len(marked.abstract)))
    other = Alignment(marked.id, (PhraseLink((0, 1), (0, 2), 0.9),), null)
    made = []
    for one in (ALIGNED, AlignedPair(marked, other)):
        html = one._repr_html_()
        assert {element.tag for element in ET.fromstring(html).iter()}.isdisjoint({"script", "img"})
        made += [repr(one), str(one), f"{sorted(one.word_links)}", f"{one.labels()}"]
        made += [*map(str, one.phrases), " ".join(own.text for own in one.null)]
        made += [
            one.to_pandas().to_csv(index=False),
            re.sub("(?s)(?<=<style>).*?(?=</style>)", "", html),
        ]
    text = "\n".join(made) + "\n"
    assert text == looked_at("aligned_pairs.txt", text)


def test_a_data_frame_without_pandas_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        ALIGNED.to_pandas()


def test_aligned_pairs_have_an_id_and_make_a_page(tmp_path):
    assert ALIGNED.id == ALIGNED.pair.id
    with pytest.raises(BadData, match="the alignment is of '8', the pair is '7'"):
        AlignedPair(PAIR, Alignment("8"))
    with pytest.raises(BadData, match="abstract token 6, but the abstract has 6"):
        AlignedPair(PAIR, Alignment("7", null=(6,)))
    write_page([ALIGNED], tmp_path / "page.html", "Mine")
    assert "<title>Mine" in (tmp_path / "page.html").read_text()


# Corrected


def test_links_are_corrected_by_words_and_the_rest_of_a_phrase_keeps_its_own(worked_out):
    def corrected(steps):
        aligned = replace(ALIGNED, alignment=replace(ALIGNED.alignment, by="model 1, extracts"))
        try:
            for method, *words in json.loads(steps):
                spans = (tuple(own) if isinstance(own, list) else own for own in words)
                aligned = getattr(aligned, method)(*spans)
        except BadUsage as error:
            return [str(error)]
        links = [
            f"{abstract} > {document} {probability}"
            for abstract, document, probability in aligned.alignment.phrases
        ]
        null = " ".join(passage.text for passage in aligned.null)
        return [*links, f"null: {null}", aligned.alignment.by]

    worked_out("corrections.txt", corrected)
    assert ALIGNED.unlink("sat").unlink("end").alignment.by == "corrected"
    assert ALIGNED.alignment.phrases == LINKS
