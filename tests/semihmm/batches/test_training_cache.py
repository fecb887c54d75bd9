"""The training cache: batches on disk, and what is kept for the next time."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import replace

import pytest

from corpus_tools.errors import SemiHmmWarning
from semihmm import Aligner
from semihmm.batches import training_cache
from semihmm.batches import units as batches_module
from semihmm.model.semi_hmm import SemiHmm
from tests.semihmm.program_runs import contents
from tests.tiny_corpora import pair


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_model_has_the_same_bytes_from_a_cache(sample, miniature, tmp_path, monkeypatch, preset):
    """Each unit is a batch. The second time all is there."""
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 1)
    settings = {"iterations": 2, "wordnet": str(miniature)}
    for name in ("beside", "first", "second"):
        kept = {} if name == "beside" else {"cache": tmp_path / "cache"}
        Aligner(preset, **settings).fit(sample, checkpoint=tmp_path / name, **kept)
        assert contents(tmp_path / name) == contents(tmp_path / "beside")


# What is kept


@pytest.fixture
def encoded(monkeypatch):
    """Return the ids of each batch that is encoded."""
    ids, intact = [], SemiHmm.encode
    monkeypatch.setattr(
        SemiHmm, "encode", lambda model, batch: ids.append(batch.ids) or intact(model, batch)
    )
    return ids


def test_pairs_are_encoded_once(sample, tmp_path, encoded):
    settings = {"rewrite": ("identity",), "iterations": 2}
    first = Aligner(**settings).fit(sample, cache=tmp_path / "cache", checkpoint=tmp_path / "one")
    assert len(encoded) == 1
    again = Aligner(**settings | {"iterations": 2, "threshold": 0.1}).fit(
        iter(sample), cache=tmp_path / "cache"
    )
    assert len(encoded) == 1 and again.provenance == first.provenance
    assert not list((tmp_path / "cache").glob("texts-*")) and (tmp_path / "cache").exists()


@pytest.mark.parametrize("what", ["text", "setting", "source", "file", "skip"])
def test_whatever_changes_is_encoded_again(sample, tmp_path, encoded, monkeypatch, what):
    settings = {"rewrite": ("identity",), "iterations": 1}
    pairs = list(sample)
    options = {}
    Aligner(**settings).fit(pairs, cache=tmp_path)
    if what == "text":
        pairs[0] = replace(pair("new", "other words", "other"), source=pairs[0].source)
    elif what == "setting":
        settings["jump"] = "uniform"
    elif what == "source":
        monkeypatch.setattr(training_cache, "program_source", lambda: "changed")
    elif what == "file":
        (shard,) = tmp_path.glob("encoded-*/00000000")
        os.truncate(shard, 1000)
    else:
        options = {"skip_bad_pairs": True}
    warned = pytest.warns(SemiHmmWarning, match="damaged") if what == "file" else nullcontext()
    with warned:
        Aligner(**settings).fit(pairs, cache=tmp_path, **options)
    assert len(encoded) == 2
