"""Encodes shards and counts their events, without the pairs that make the model fail.

That is a side road: a shard comes there only after it failed as a whole. Then it is tried again
pair by pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.errors import BadData, BadModel, BadPair, BadResource, BadUsage, described
from corpus_tools.plugins.model_part import Counts
from semihmm.batches.store import Shards
from semihmm.model.counts import sum_counts
from semihmm.model.semi_hmm import Encoded, SemiHmm


def good_pairs(work: Callable[[Batch], Any], batch: Batch, skip: bool) -> list[int]:
    """Try the work on each pair alone and return the indices of the pairs that succeed.

    Raises ``BadPair`` that names the first pair that fails, unless such pairs are to be skipped.
    """
    good = []
    for index, identity in enumerate(batch.ids):
        try:
            work(batch.select([index]))
            good.append(index)
        except (BadModel, BadResource, BadUsage):
            raise  # no pair's fault
        except BadPair:
            if not skip:
                raise
        except Exception as error:
            if not skip:
                raise BadPair.failing(identity, error) from error
    return good


def encode_good_pairs(
    model: SemiHmm, texts: Sequence[Batch], index: int, skip: bool = False
) -> Encoded | None:
    """Encode one batch, without its bad pairs if they are to be skipped.

    Returns ``None`` if no pair is left. Raises ``BadPair`` for a bad pair, unless ``skip``, and
    ``BadData`` if the pairs fail together but not alone.
    """
    batch = texts[index]
    try:
        return model.encode(batch)
    except (BadModel, BadResource, BadUsage):
        raise
    except Exception as error:
        good = good_pairs(model.encode, batch, skip)
        if len(good) == len(batch):
            raise BadData(
                f"pairs {batch.ids[0]!r} to {batch.ids[-1]!r} fail together: {described(error)}"
            ) from error
        return model.encode(batch.select(good)) if good else None


def skipped_pairs(texts: Iterable[Batch], corpus: Iterable[Encoded | None]) -> list[str]:
    """List the ids of the pairs that were left out of the corpus."""
    missing = []
    for batch, encoded in zip(texts, corpus, strict=True):
        left = set(encoded.batch.ids) if encoded else set()
        missing += [identity for identity in batch.ids if identity not in left]
    return missing


Corpus = Shards[Encoded | None] | list[Encoded | None]
"""Shards, on disk or in a list. A shard of which no pair is left is ``None``."""


def shard_counts(model: SemiHmm, corpus: Corpus, skip: bool, index: int) -> Counts | None:
    """Return the expected counts of a shard; ``None`` if it has no pair left.

    If a pair makes the model fail and is to be skipped, a shard without it replaces this one in the
    corpus. Otherwise such a pair raises ``BadData``.
    """
    encoded = corpus[index]
    if encoded is None:
        return None
    try:
        return _finite_counts(model, encoded)
    except Exception:
        return _without_bad_pairs(model, corpus, skip, index)


def _finite_counts(model: SemiHmm, encoded: Encoded) -> Counts:
    """Return the expected counts. Raises ``ArithmeticError`` if the likelihood is not a number."""
    counts = model.expected_counts(encoded)
    if np.isnan(counts["corpus.log_likelihood"]):
        raise ArithmeticError("its likelihood is not a number")
    return counts


def _without_bad_pairs(model: SemiHmm, corpus: Corpus, skip: bool, index: int) -> Counts | None:
    """Return the expected counts of a shard that failed as a whole, pair by pair."""
    encoded = corpus[index]
    if encoded is None:
        return None

    def alone(batch: Batch) -> Counts:
        return _finite_counts(model, model.encode(batch))

    good = good_pairs(alone, encoded.batch, skip)
    if len(good) == len(encoded.batch):
        # Memory was short for all of them together: nothing is lost.
        return sum_counts(alone(encoded.batch.select([pair])) for pair in good)
    corpus[index] = model.encode(encoded.batch.select(good)) if good else None
    return shard_counts(model, corpus, skip, index)


def require_counts(counts: Counts | None) -> Counts:
    """Return the counts, if there are any. Raises ``BadData`` if every pair was skipped."""
    if counts is None:
        raise BadData("nothing to train on: every pair makes the model fail")
    return counts
