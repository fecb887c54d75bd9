"""Checks what kernels index with in an encoded batch that was read from a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.errors import BadData
from corpus_tools.plugins.declared_arrays import BadArray, check_arrays, indices, require
from semihmm.model.fused_texts import Fusions, fusions_of, without_trees
from semihmm.model.semi_hmm import Encoded, SemiHmm


def require_fitting(model: SemiHmm, encoded: Encoded, file: str) -> None:
    """Raise ``BadData`` that names the file unless all indices of the batch are in range."""
    try:
        _require_batch(encoded.batch, len(model.vocabulary))
        _require_cells(encoded)
        _require_null(encoded.null, len(encoded.batch.abstract), len(model.vocabulary))
        walked = encoded.batch
        if encoded.fusions is not None:
            _require_fusions(encoded.batch, encoded.cells.cells, encoded.fusions)
            walked = encoded.fusions.batch
        model.jump.require_evidence(walked, encoded.jump)
        if model.asides is not None and encoded.asides is not None:
            model.asides.require_evidence(encoded.batch, encoded.asides)
        parts = zip(model.rewrite.components, encoded.cells.evidence, strict=True)
        for component, evidence in parts:
            component.require_evidence(encoded.batch, evidence)
    except (BadArray, AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadData(f"the training cache does not fit the model: {error}", file) from error


def _require_batch(batch: Batch, words: int) -> None:
    for side in ("abstract", "document"):
        numbers = getattr(batch, side)
        offsets = getattr(batch, f"{side}_offsets")
        arrays = {side: numbers, f"{side}_offsets": offsets}
        declared = {
            side: indices("words", below=words, dtype="int32"),
            f"{side}_offsets": indices(len(batch) + 1, below=len(numbers) + 1),
        }
        check_arrays(arrays, declared)
        ascending = bool((np.diff(offsets) > 0).all())
        whole = len(batch) > 0 and offsets[0] == 0 and offsets[-1] == len(numbers)
        require(ascending and bool(whole), f"{side}_offsets", "are not those of pairs with words")


def _require_null(null: np.ndarray, size: int, words: int) -> None:
    """Check the entries of the null emission. Their type depends on NumPy's version."""
    fits = null.shape == (size,) and null.dtype.kind == "i" and null.min() >= 0
    require(bool(fits and null.max() <= words), "null", "has no entry for each abstract word")


def _require_cells(encoded: Encoded) -> None:
    """Check that each phrase pair is within one pair, and that they are sorted."""
    cells = encoded.cells.cells
    batch = encoded.batch
    largest = max(len(batch.abstract), len(batch.document))
    check_arrays({"cells": cells}, {"cells": indices("C", 4, below=largest + 1, dtype="int32")})
    a_start, a_end, d_start, d_end = cells.T
    sorted_ends = bool((np.diff(a_end) >= 0).all())
    pair = np.searchsorted(batch.abstract_offsets, a_start, side="right") - 1
    require(sorted_ends and bool((pair < len(batch)).all()), "cells", "are not sorted")
    within = (a_start < a_end) & (a_end <= batch.abstract_offsets[pair + 1])
    within &= (d_start < d_end) & (d_start >= batch.document_offsets[pair])
    within &= d_end <= batch.document_offsets[pair + 1]
    require(bool(within.all()), "cells", "are not within one pair each")
    for rows, evidence in zip(encoded.cells.indices, encoded.cells.evidence, strict=True):
        declared = indices(len(evidence.cells), below=len(cells))
        check_arrays({"indices": rows}, {"indices": declared})


def _require_fusions(batch: Batch, cells: np.ndarray, fusions: Fusions) -> None:
    """Check that the sentences make up the documents, and that the fusions are theirs."""
    require(batch.sentences is not None, "fusions", "without sentences")
    assert batch.sentences is not None
    declared = dict.fromkeys(("start", "end", "rank"), indices("S", below=len(batch.document) + 1))
    declared["offsets"] = indices(len(batch) + 1, below=len(batch.sentences.start) + 1)
    check_arrays(batch.sentences._asdict(), declared)
    start, end, rank, offsets = batch.sentences
    whole = bool((np.diff(offsets) > 0).all()) and offsets[0] == 0 and offsets[-1] == len(rank)
    require(bool(whole), "offsets", "are not those of pairs with sentences")
    begins = np.repeat(batch.document_offsets[:-1], np.diff(offsets))
    bounds = np.append(start + begins, batch.document_offsets[-1])
    tiled = bool((bounds[1:] == end + begins).all()) and bool((end > start).all())
    firsts = bool((start[offsets[:-1]] == 0).all())
    require(tiled and firsts, "start", "the sentences do not make up the documents")
    best = np.add.reduceat((rank == 0).astype(np.int64), offsets[:-1])
    require(bool((best == 1).all()), "rank", "not one sentence is the best")
    own = without_trees(fusions_of(replace(batch, trees=None), batch.sentences, cells))
    for name in ("unit", "rank", "abstract", "document", "indices", "cells"):
        require(_equal(getattr(fusions, name), getattr(own, name)), name, "is of other fusions")
    for name in ("abstract", "document", "abstract_offsets", "document_offsets"):
        same = _equal(getattr(fusions.batch, name), getattr(own.batch, name))
        require(same, name, "is of other fusions")


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and np.array_equal(one, other)
