"""What the workers of a training do on the parts of a corpus: files of pairs, or shards.

A worker is a thread or belongs to a cluster (``semihmm.cluster``). The parts that it reads and
writes are in the training cache: a cluster's workers must see its folder. The model is written
there once an iteration and read once by each.

A shard that fails as a whole is tried again pair by pair, which is a side road: so an error names
the pair, or the shard goes on without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from corpus_tools.arrays import sparse, sum_counts
from corpus_tools.encoding import Batch
from corpus_tools.errors import BadData, BadModel, BadPair, BadResource, BadUsage, described
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import Reading, Seen
from corpus_tools.plugins.model_part import Counts
from semihmm.batches.store import Shards, is_whole, numbered
from semihmm.batches.training_cache import FileBatches, Texts, write_file
from semihmm.batches.units import Refuse, extract_choice, units_for
from semihmm.cluster import Shared, known
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings

Result = TypeVar("Result")


def noting(refused: list[str], skip: bool) -> Refuse:
    """Return what notes the ids of pairs that take too much memory, or raises their errors."""

    def refuse(pair: Pair, error: BadPair) -> None:
        if not skip:
            raise error
        refused.append(pair.id)

    return refuse


def read_file(
    reading: Reading, settings: Settings, folder: Path, skip: bool, item: tuple[int, str]
) -> tuple[FileBatches, Seen, list[str]]:
    """Read a file and write its batches; return what is seen of its pairs, and those refused."""
    number, file = item
    seen = Seen()
    refused: list[str] = []
    pairs = seen.count(reading(file, extracts=extract_choice(settings)))
    units = units_for(pairs, settings, noting(refused, skip))
    return write_file(numbered(folder, number), units), seen, refused


def encode(
    shared: Shared | Path, shards: Shards, skip: bool, texts: Texts, block: Sequence[int]
) -> None:
    """Encode some batches of which there is no shard yet."""
    model = known(shared).model
    texts = texts.known_to(model.vocabulary)
    for index in block:
        if not is_whole(shards.path(index)):
            shards[index] = without_bad_pairs(model.encode, texts[index], skip)


def count(shared: Shared | Path, shards: Shards, skip: bool, block: Sequence[int]) -> Counts:
    """Run the E-step of some shards. The counts of words they lack are left out."""
    model = known(shared).model
    shards = replace(shards, vocabulary=model.vocabulary)
    return sparse(sum_counts(_counts_of_shard(model, shards, skip, index) for index in block))


def _counts_of_shard(model: SemiHmm, shards: Shards, skip: bool, index: int) -> Counts:
    """Return the expected counts of a shard; none if it has no pair left.

    If a pair makes the model fail and is to be skipped, a shard without it replaces this one.
    Otherwise such a pair raises ``BadPair``.
    """

    def encoded_and_counted(batch: Batch) -> tuple[Encoded, Counts]:
        again = model.encode(batch)
        return again, _finite_counts(model, again)

    encoded: Encoded | None = shards[index]
    if encoded is None:
        return {}
    try:
        return _finite_counts(model, encoded)
    except Exception:
        found = without_bad_pairs(encoded_and_counted, encoded.batch, skip)
    shards[index], counts = found or (None, {})
    return counts


def _finite_counts(model: SemiHmm, encoded: Encoded) -> Counts:
    """Return the expected counts. Raises ``ArithmeticError`` if the likelihood is not a number."""
    counts = model.expected_counts(encoded)
    if np.isnan(counts["corpus.log_likelihood"]):
        raise ArithmeticError("its likelihood is not a number")
    return counts


def without_bad_pairs(work: Callable[[Batch], Result], batch: Batch, skip: bool) -> Result | None:
    """Do the work on a batch, without its bad pairs if they are to be skipped.

    Returns ``None`` if no pair is left. Raises ``BadPair`` for a bad pair, unless ``skip``, and
    ``BadData`` if the pairs fail together but not alone.
    """
    try:
        return work(batch)
    except (BadModel, BadResource, BadUsage):
        raise  # no pair's fault
    except Exception as error:
        alone = range(len(batch))
        good = [index for index in alone if _is_good(work, batch.select([index]), skip)]
        if len(good) == len(batch):
            raise BadData(
                f"pairs {batch.ids[0]!r} to {batch.ids[-1]!r} fail together: {described(error)}"
            ) from error
    return without_bad_pairs(work, batch.select(good), skip) if good else None


def _is_good(work: Callable[[Batch], object], single: Batch, skip: bool) -> bool:
    """Tell whether the work on the batch of one pair succeeds.

    Raises ``BadPair`` that names the pair, unless such pairs are to be skipped.
    """
    try:
        work(single)
    except (BadModel, BadResource, BadUsage):
        raise
    except Exception as error:
        if skip:
            return False
        if isinstance(error, BadPair):
            raise
        raise BadPair.failing(single.ids[0], error) from error
    return True
