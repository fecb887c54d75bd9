"""Kernels never index with numbers of a shard that were not checked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.errors import BadData
from semihmm.batches.batches import batch_of
from semihmm.batches.shards import Shards
from semihmm.batches.units import units_for
from semihmm.model.fitting_evidence import require_fitting
from semihmm.training.e_step import shard_counts


@pytest.fixture
def encoded(trained, sample):
    """Return the sample's pairs, encoded."""
    units = list(units_for(sample, trained.settings))
    return trained.model.encode(batch_of(units, trained.model.vocabulary))


def _batch(name, change):
    def changed(encoded):
        array = change(getattr(encoded.batch, name).copy())
        return encoded._replace(batch=replace(encoded.batch, **{name: array}))

    return changed


def _cells(change):
    return lambda encoded: encoded._replace(
        cells=encoded.cells._replace(cells=change(encoded.cells.cells.copy()))
    )


def _jump(name, change):
    return lambda encoded: encoded._replace(
        jump=encoded.jump._replace(**{name: change(getattr(encoded.jump, name).copy())})
    )


def _class(encoded):
    evidence = list(encoded.cells.evidence)
    data = evidence[2].data
    evidence[2] = evidence[2]._replace(data=data | {"abstract_class": data["abstract_class"] + 99})
    return encoded._replace(cells=encoded.cells._replace(evidence=tuple(evidence)))


def _index(encoded):
    first, *others = encoded.cells.indices
    indices = (first + len(encoded.cells.cells), *others)
    return encoded._replace(cells=encoded.cells._replace(indices=indices))


def _fusions(name, change):
    return lambda encoded: encoded._replace(
        fusions=encoded.fusions._replace(**{name: change(getattr(encoded.fusions, name).copy())})
    )


def _sentences(name, change):
    def changed(encoded):
        sentences = encoded.batch.sentences
        sentences = sentences._replace(**{name: change(getattr(sentences, name).copy())})
        return encoded._replace(batch=replace(encoded.batch, sentences=sentences))

    return changed


DAMAGE = {
    "words": _batch("abstract", lambda words: words + 10**6),
    "negative words": _batch("document", lambda words: words - 10**6),
    "offsets": _batch("abstract_offsets", lambda offsets: offsets * 2),
    "descending offsets": _batch("document_offsets", lambda offsets: offsets[::-1].copy()),
    "types": _batch("abstract", lambda words: words.astype(np.int64)),
    "far cells": _cells(lambda cells: cells + np.int32(10**6)),
    "cells over pairs": _cells(lambda cells: np.hstack([cells[:, :3], cells[:, 3:] + 500])),
    "backward cells": _cells(lambda cells: cells[:, ::-1].copy()),
    "unsorted cells": _cells(lambda cells: cells[::-1].copy()),
    "narrow cells": _cells(lambda cells: cells[:, :3].copy()),
    "null": lambda encoded: encoded._replace(null=encoded.null - 10**6),
    "short null": lambda encoded: encoded._replace(null=encoded.null[1:]),
    "heads": _jump("head", lambda heads: heads + np.uint32(10**6)),
    "backward heads": _jump("head", lambda heads: heads * np.uint32(0)),
    "events": _jump("event", lambda events: events + np.uint32(10**6)),
    "network offsets": _jump("offsets", lambda offsets: offsets + 1),
    "no network": lambda encoded: encoded._replace(jump=None),
    "classes": _class,
    "indices": _index,
    "units of fusions": _fusions("unit", lambda units: units + 1),
    "cells of fusions": _fusions("cells", lambda cells: cells + np.int32(10**6)),
    "words of fusions": _fusions("document", lambda words: words + 10**6),
    "ends of sentences": _sentences("end", lambda ends: ends + 1),
    "ranks of sentences": _sentences("rank", lambda ranks: ranks + 1),
    "offsets of sentences": _sentences("offsets", lambda offsets: offsets[::-1].copy()),
    "no sentences": lambda encoded: encoded._replace(batch=replace(encoded.batch, sentences=None)),
}


def test_the_evidence_of_a_batch_fits(trained, encoded):
    require_fitting(trained.model, encoded, "file")


@pytest.mark.parametrize("damage", DAMAGE)
def test_evidence_that_kernels_must_not_index_with(trained, encoded, tmp_path, damage):
    """The file is whole, with the right checksums."""
    shards = Shards(tmp_path, 1, trained.model.vocabulary)
    shards[0] = DAMAGE[damage](encoded)
    with pytest.raises(BadData, match="00000000: the training cache does not fit the model"):
        shard_counts(trained.model, shards, 0)
