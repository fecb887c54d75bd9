from __future__ import annotations

import pytest

from corpus_tools.errors import BadUsage
from semihmm import Aligner
from semihmm.batches import units as batches_module
from semihmm.settings import PRESETS
from tests.semihmm.program_runs import contents


def test_pairs_are_aligned_as_a_stream(trained, sample, monkeypatch):
    """No more of them are taken than the batches that threads work on, and a batch ahead."""
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    monkeypatch.setattr(trained, "workers", 1)
    expected = trained.align(sample)
    taken = []

    def stream():
        for one in sample * 3:
            taken.append(one.id)
            yield one

    aligned = trained.align_all(stream())
    ahead = [len(taken) - number for number, _ in enumerate(aligned)]
    assert max(ahead) <= 5
    assert len(taken) == len(ahead) == 3 * len(sample)
    assert list(trained.align_all(iter(sample))) == expected


@pytest.mark.parametrize("preset", PRESETS)
def test_the_model_is_the_same_for_any_number_of_workers(
    sample, miniature, tmp_path, monkeypatch, preset
):
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 200)  # so that there is something to share
    for workers in (1, 4):
        aligner = Aligner(preset, iterations=2, wordnet=str(miniature), workers=workers)
        aligner.fit(sample, checkpoint=tmp_path / str(workers))
    assert contents(tmp_path / "1") == contents(tmp_path / "4")


def test_a_saved_model_aligns_alike(trained, sample, model_directory):
    loaded = Aligner.load(model_directory)
    assert loaded.align(sample) == trained.align(sample)
    assert loaded.log_likelihood(sample) == trained.log_likelihood(sample)


def test_what_a_trained_model_admits(trained, sample, model_directory):
    loaded = Aligner.load(model_directory, decoder="viterbi", workers=1)
    assert loaded.settings.as_json() == trained.settings.changed(decoder="viterbi").as_json()
    assert loaded.workers == 1
    with pytest.raises(BadUsage, match="unknown setting of a trained model 'jump'"):
        Aligner.load(model_directory, jump="uniform")
    with pytest.raises(BadUsage, match="Did you mean 'threshold'"):
        Aligner.load(model_directory, treshold=0.5)
