"""The E-step of a corpus: that of a batch, in wrappers from the inside out.

    ``SemiHmm.expected_counts``  counts the events of a batch
    ``without_bad_pairs``        tries the pairs of a batch that fails one by one: the error names
                                 the pair, or the batch is encoded again without it
    ``count_shards``             does that for some shards: the task of a worker
    ``CorpusEStep``              lets the workers do that, for all shards or a sample of them

``semihmm.training.em`` calls the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from corpus_tools.base import errors
from corpus_tools.base.arrays import dense, sparse, sum_counts
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Counts
from semihmm.model import units
from semihmm.model.semi_hmm import ABSTRACT_WORDS, LOG_LIKELIHOOD, Encoded, SemiHmm
from semihmm.model.settings import Settings
from semihmm.training.cluster import Workers, read_shared
from semihmm.training.em import Sample, Stopwatch
from semihmm.training.training_cache import Shards

Result = TypeVar("Result")

SAMPLED_ITERATIONS = 4
"""The number of first iterations that use a sample of the shards.

On the 2,611 pairs of SciTLDR the objective after eight iterations is the same to the sixth digit
(docs/research/speed.md). An explicit setting ``iterations``, as of the
preset ``paper``, turns sampling off.
"""
SAMPLE_STEP = 4
"""The sample has every fourth shard."""
LEAST_SAMPLED_SHARDS = 2
"""The fewest shards of a sample: corpora of fewer than five shards are not sampled."""


@dataclass(frozen=True)
class CorpusEStep:
    """The E-step of a corpus.

    ``shards``  the encoded batches.
    ``skip``    whether pairs that make the model fail are left out. Otherwise the first of them
                raises ``BadPair``.
    """

    workers: Workers
    settings: Settings
    shards: Shards
    skip: bool
    clock: Stopwatch

    def whole(self, model: SemiHmm) -> Counts:
        """Add up the expected counts of the corpus. Raises ``BadData`` if no pair has any."""
        return self._of(range(len(self.shards)), model)

    def sample(self, words: int) -> Sample | None:
        """Return the iterations that use a part of the corpus; ``None`` for a small corpus.

        ``words``  the number of abstract words of the corpus, to which counts are scaled.
        """
        part = range(0, len(self.shards), SAMPLE_STEP)
        if len(part) < LEAST_SAMPLED_SHARDS:
            return None

        def e_step(model: SemiHmm) -> Counts:
            counts = self._of(part, model)
            factor = words / float(counts[ABSTRACT_WORDS])
            return {name: factor * of_name for name, of_name in counts.items()}

        return Sample(SAMPLED_ITERATIONS, e_step)

    def _of(self, indices: range, model: SemiHmm) -> Counts:
        """Add up the expected counts of some shards.

        They are added in the order of a fixed tree, so that the digits of the sum do not depend on
        the workers.
        """
        with self.workers.sharing(self.shards.folder, (model, self.settings)) as shared:
            work = partial(count_shards, shared, self.shards, self.skip)
            blocks = self.workers.blocks(indices)
            total = sum_counts(self.workers.each(work, blocks, "E-step", "batches"))
        if not total:
            raise errors.BadData("nothing to train on: every pair makes the model fail")
        self.clock.lap("E-step")
        return dense(total)


# In a worker


def count_shards(
    shared: tuple[SemiHmm, Settings] | Path, shards: Shards, skip: bool, block: Sequence[int]
) -> Counts:
    """Run the E-step of some shards. Zeros are left out of long counts."""
    model, settings = read_shared(shared)
    probe = partial(probe_batch, model, settings)
    shards = shards.known_to(model.vocabulary)
    # Most words of a large vocabulary are in few shards: zeros are neither sent nor added.
    counts = (_counts_of_shard(model, shards, skip, probe, index) for index in block)
    return sparse(sum_counts(counts))


def _counts_of_shard(
    model: SemiHmm, shards: Shards, skip: bool, probe: Callable[[], Batch], index: int
) -> Counts:
    """Return the expected counts of a shard; none if it has no pair left.

    A pair that makes the model fail raises ``BadPair``; with ``skip``, a shard without it replaces
    this one.
    """

    encoded: Encoded | None = shards[index]
    if encoded is None:
        return {}

    def counted(batch: Batch) -> tuple[Encoded, Counts]:
        own = encoded if batch is encoded.batch else model.encode(batch)
        return own, _finite_counts(model, own)

    # Bad pairs are rare: the whole shard is tried first, and pair by pair only if that fails.
    left, counts = without_bad_pairs(counted, encoded.batch, skip, probe) or (None, {})
    if left is not encoded:
        shards[index] = left
    return counts


def _finite_counts(model: SemiHmm, encoded: Encoded) -> Counts:
    """Return the expected counts. Raises ``ArithmeticError`` if the likelihood is not a number."""
    counts = model.expected_counts(encoded)
    # NaN would spread to all counts. Here the pair can still be named.
    if np.isnan(counts[LOG_LIKELIHOOD]):
        raise ArithmeticError("its likelihood is not a number")
    return counts


def without_bad_pairs(
    work: Callable[[Batch], Result], batch: Batch, skip: bool, probe: Callable[[], Batch]
) -> Result | None:
    """Do the work on a batch; with ``skip``, without its bad pairs.

    ``probe``  returns the batch of a sound pair.

    Returns ``None`` if no pair is left. Raises ``BadPair`` for a bad pair, unless ``skip``,
    ``BadData`` if the pairs fail together but not alone, and ``AnyPairFails`` if the probe fails.
    """
    try:
        return work(batch)
    except errors.NOT_FROM_A_PAIR:
        raise
    except Exception as error:
        good = []
        for index, id in enumerate(batch.ids):
            outcome = units.result_or_error(work, batch.select([index]), id, probe)
            if not isinstance(outcome, errors.BadPair):
                good.append(index)
            elif not skip:
                raise outcome from outcome.__cause__
        if len(good) == len(batch):
            ids = f"{batch.ids[0]!r} to {batch.ids[-1]!r}"
            problem = f"pairs {ids} fail together: {errors.described(error)}"
            raise errors.BadData(problem) from error
    return without_bad_pairs(work, batch.select(good), skip, probe) if good else None


def probe_batch(model: SemiHmm, settings: Settings) -> Batch:
    """Return a batch of the sound pair ``PROBE_PAIR``."""
    return units.batch_of(list(units.units_for([units.PROBE_PAIR], settings)), model.vocabulary)
