"""Pairs that make a model fail: which one it was, and how to go on without it.

A shard that fails as a whole is tried again pair by pair. If every pair goes well alone, as when memory was short for all of
them together, their counts are added up and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

import numpy as np

from corpus_tools.errors import BadData, BadModel, BadUsage
from corpus_tools.vocabulary import Batch
from semihmm.model import Counts, Encoded, SemiHmm
from semihmm.tree_sums import add_up


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _good(work: Callable[[Batch], Any], batch: Batch, skip: bool) -> list[int]:
    """The pairs of the batch with which the work goes well. Raises ``BadData`` for one with which it does not."""
    good = []
    for place, identity in enumerate(batch.ids):
        try:
            work(batch.only([place]))
            good.append(place)
        except (BadModel, BadUsage):
            raise  # no pair's fault
        except Exception as error:
            if not skip:
                problem = f"pair {identity!r} makes the model fail: {_said(error)}"
                raise BadData(f"{problem}; with --skip-bad-pairs training goes on without it") from error
    return good


def encode(model: SemiHmm, texts: Sequence[Batch], place: int, skip: bool = False) -> Encoded | None:
    """One batch encoded, without its bad pairs if they are to be skipped; ``None`` if no pair is left."""
    batch = texts[place]
    try:
        return model.encode(batch)
    except (BadModel, BadUsage):
        raise
    except Exception as error:
        good = _good(model.encode, batch, skip)
        if len(good) == len(batch):
            raise BadData(f"pairs {batch.ids[0]!r} to {batch.ids[-1]!r} fail together: {_said(error)}") from error
        return model.encode(batch.only(good)) if good else None


def _counts(model: SemiHmm, encoded: Encoded) -> Counts:
    counts = model.expected_counts(encoded)
    if np.isnan(counts["corpus.log_likelihood"]):
        raise ArithmeticError("its likelihood is not a number")
    return counts


def count(model: SemiHmm, corpus: MutableSequence[Encoded | None], place: int, skip: bool = False) -> Counts | None:
    """The E-step of one shard. If its bad pairs are to be skipped, a shard without them takes its place."""
    encoded = corpus[place]
    if encoded is None:
        return None
    try:
        return _counts(model, encoded)
    except Exception:
        batch = encoded.batch
        good = _good(lambda one: _counts(model, model.encode(one)), batch, skip)
        if len(good) == len(batch):
            return add_up(_counts(model, model.encode(batch.only([one]))) for one in good)
        corpus[place] = model.encode(batch.only(good)) if good else None
        return count(model, corpus, place, skip)


def skipped(texts: Sequence[Batch], corpus: Sequence[Encoded | None]) -> list[str]:
    """The ids of the pairs that the corpus goes on without."""
    missing = []
    for batch, encoded in zip(texts, corpus, strict=True):
        left = set(encoded.batch.ids) if encoded else set()
        missing += [identity for identity in batch.ids if identity not in left]
    return missing
