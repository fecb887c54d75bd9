from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignment import Alignment
from corpus_tools.errors import BadData, BadUsage
from semihmm import Aligner, read_pairs
from semihmm.settings import PRESETS
from tests.tiny_corpora import pair


def contents(directory):
    return {file.name: file.read_bytes() for file in sorted(directory.iterdir())}


def test_alignments_cover_every_abstract_word_once(trained, sample):
    for one, alignment in zip(sample, trained.align(sample), strict=True):
        covered = [t for link in alignment.phrases for t in range(*link.abstract)] + list(alignment.null)
        assert sorted(covered) == list(range(len(one.abstract)))
        assert all(0 <= link.document[0] < link.document[1] <= len(one.document) for link in alignment.phrases)
        assert all(0.0 <= link.probability <= 1.0 for link in alignment.phrases)


def test_one_pair_is_aligned_as_among_others(trained, sample):
    alone, among = trained.align(sample[3]), trained.align(sample)[3]
    assert [link[:2] for link in alone.phrases] == [link[:2] for link in among.phrases] and alone.null == among.null
    # The last digits depend on where in its batch a pair stands.
    assert [link.probability for link in alone.phrases] == pytest.approx([link.probability for link in among.phrases])


def test_posteriors_of_a_word_sum_to_at_most_one_where_only_words_are_linked(trained, sample):
    found = trained.posteriors(sample[0])
    assert found.links.shape == (len(sample[0].document), len(sample[0].abstract))
    assert found.null.shape == (len(sample[0].abstract),)
    assert found.links.min() >= 0.0 and found.links.max() <= 1.0
    assert (found.null >= 0.0).all() and (found.null <= 1.0).all()
    assert found.links.max(axis=0) @ np.ones(len(sample[0].abstract)) > 1.0


def test_unseen_words_and_empty_sides(trained, sample):
    pairs = [pair("none", "", "two words"), pair("new", "zyx zyx qwv .", "zyx qwv"), sample[0], pair("no", "a b", "")]
    alignments = trained.align(pairs)
    assert [alignment.id for alignment in alignments] == ["none", "new", sample[0].id, "no"]
    assert alignments[0] == Alignment("none", (), (0, 1)) and alignments[3] == Alignment("no", (), ())
    assert alignments[1].phrases, "unseen words are identical all the same"
    assert alignments[2].null == trained.align(sample[0]).null


def test_the_log_likelihood_is_the_last_objective_but_for_the_prior(sample, miniature):
    aligner = Aligner(iterations=1, wordnet=str(miniature)).fit(sample)
    again = Aligner(iterations=2, wordnet=str(miniature)).fit(sample)
    objective = again.provenance["iterations"][1]["objective"]
    assert aligner.score(sample) == pytest.approx(objective - aligner.model.log_prior(), rel=1e-12)


def test_the_model_is_the_same_for_any_number_of_workers(sample, miniature, tmp_path):
    for workers in (1, 4):
        Aligner(iterations=2, wordnet=str(miniature), workers=workers).fit(sample).save(tmp_path / str(workers))
    assert contents(tmp_path / "1") == contents(tmp_path / "4")


def test_a_saved_model_aligns_alike(trained, sample, model_directory):
    loaded = Aligner.load(model_directory)
    assert loaded.align(sample) == trained.align(sample)
    assert loaded.score(sample) == trained.score(sample)


@pytest.mark.parametrize("interrupted_after", [1, 2])
def test_resumed_training_ends_with_the_same_bytes(sample, miniature, tmp_path, interrupted_after):
    settings = {"iterations": 3, "wordnet": str(miniature)}
    Aligner(**settings).fit(sample, checkpoint=tmp_path / "whole")

    def interrupt(iteration):
        if iteration.number == interrupted_after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Aligner(**settings).fit(sample, checkpoint=tmp_path / "parts", report=interrupt)
    resumed = Aligner.load(tmp_path / "parts")
    assert len(resumed.provenance["iterations"]) == interrupted_after
    resumed.fit(sample, resume=True, checkpoint=tmp_path / "parts")
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_training_cannot_be_resumed_on_other_pairs(sample, model_directory):
    with pytest.raises(BadUsage, match="not those that the model was trained on"):
        Aligner.load(model_directory).fit(sample[:5], resume=True)


def test_training_stops_when_the_objective_gains_little(sample, miniature):
    aligner = Aligner(iterations=50, tolerance=1.0, wordnet=str(miniature)).fit(sample)
    assert 2 <= len(aligner.provenance["iterations"]) < 50


SUBSETS = [
    names
    for size in (1, 2, 5)
    for names in itertools.combinations(("identity", "stem", "prefix", "wordnet", "any"), size)
] + [("lexical",), ("identity", "lexical"), ("identity", "stem", "wordnet", "lexical")]


@pytest.mark.parametrize("rewrite", SUBSETS, ids="+".join)
def test_every_subset_of_rewrite_models_trains_and_decodes(rewrite, sample, miniature):
    pairs = sample[:3]
    for preset, decoder in itertools.product(PRESETS, ("viterbi", "posterior")):
        aligner = Aligner(preset, rewrite=rewrite, decoder=decoder, iterations=2, limit=(2, 2), wordnet=str(miniature))
        alignments = aligner.fit(pairs).align(pairs)
        assert [alignment.id for alignment in alignments] == [one.id for one in pairs]


def test_extracts_keep_the_offsets_of_the_original(sample, miniature):
    aligner = Aligner(extract=1, iterations=2, wordnet=str(miniature)).fit(sample)
    for one, alignment in zip(sample, aligner.align(sample), strict=True):
        for link in alignment.phrases:
            if link.document[1] - link.document[0] == link.abstract[1] - link.abstract[0] > 3:
                words = [side.tokens[slice(*span)] for side, span in ((one.document, link.document), (one.abstract, link.abstract))]
                assert [w.lower() for w in words[0]] == [w.lower() for w in words[1]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"preset": "defualt"}, "unknown preset 'defualt'. Did you mean 'default'"),
        ({"jump": "relativ"}, "unknown jump model 'relativ'. Did you mean 'relative'"),
        ({"rewrite": ("identity", "stems")}, "unknown rewrite model 'stems'. Did you mean 'stem'"),
        ({"rewrite": ("stem", "stem")}, "different names"),
        ({"rewrite": ("lexical", "any")}, "choose one of the rewrite models lexical, any"),
        ({"decoder": "viterby"}, "unknown decoder 'viterby'. Did you mean 'viterbi'"),
        ({"iterations": 0}, "iterations must be 1 or more"),
        ({"extract": -1}, "extract must be 0 or more"),
        ({"threshold": 1.5}, "threshold"),
        ({"workers": 0}, "workers must be 1 or more"),
        ({"held": (("any", 1.2),)}, "held weights"),
    ],
)
def test_what_cannot_be_chosen(changes, message):
    with pytest.raises(BadUsage, match=message.replace("(", r"\(")):
        Aligner(**changes)


def test_an_aligner_must_be_trained_first(sample):
    with pytest.raises(BadUsage, match="not trained"):
        Aligner().align(sample[0])


def test_there_must_be_words_to_train_on():
    with pytest.raises(BadData, match="no pair has words in both"):
        Aligner(rewrite=("identity",)).fit([pair("1", "", "word")])


def test_sides_that_are_alike_align_on_the_diagonal(sample, miniature):
    pairs = [replace(one, abstract=one.document) for one in sample]
    for alignment, one in zip(Aligner(iterations=4, extract=0, wordnet=str(miniature)).fit(pairs).align(pairs), pairs, strict=True):
        on_diagonal = sum(link.abstract[1] - link.abstract[0] for link in alignment.phrases if link.abstract == link.document)
        assert on_diagonal >= 0.98 * len(one.abstract)


def test_the_public_names():
    assert Aligner.__name__ == "Aligner" and callable(read_pairs)
