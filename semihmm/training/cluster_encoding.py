"""Encodes the batches of a corpus on a cluster: tasks write shards to the training cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.errors import BadData
from semihmm.batches.shards import Shards
from semihmm.batches.texts import TextShards
from semihmm.batches.training_cache import WHAT
from semihmm.cluster.tasks import KILLED, read_model, run_tasks, shared_model
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings
from semihmm.training.bad_pairs import encode_good_pairs, skipped_pairs

if TYPE_CHECKING:
    from distributed import Client

TASKS = 1_000
"""Shards are put together until there are fewer than twice as many tasks.

A task costs the scheduler a millisecond and a worker some more; a shard's E-step takes 50. A
thousand tasks keep 256 workers busy to the end of a pass. Set by hand.
"""


def blocks(size: int) -> list[range]:
    """Return the indices of neighbouring shards that are a task each.

    Their number in a block is a power of two, so that the sums of blocks are those of the tree
    (``semihmm.model.counts``).
    """
    width = 1
    while size // (2 * width) >= TASKS:
        width *= 2
    return [range(begin, min(begin + width, size)) for begin in range(0, size, width)]


def encode_texts(
    client: Client,
    model: SemiHmm,
    settings: Settings,
    texts: TextShards,
    shards: Shards[Encoded | None],
    skip: bool,
) -> None:
    """Encode the batches of which there is no shard yet.

    ``skip``  leaves out pairs that make the model fail; otherwise the first raises ``BadPair``.
    """

    def killed(block: range) -> BadData:
        ids = [identity for index in block for identity in texts[index].ids]
        return BadData(f"{KILLED}: encoding the pairs {ids[0]!r} to {ids[-1]!r}")

    with shared_model(shards.folder, model, settings) as path:
        work = partial(_encode, path, texts.bare(), replace(shards, vocabulary=None), skip)
        _, error = run_tasks(client, work, blocks(len(shards)), "encoding", "tasks", killed)
    if error is not None:
        raise error


def _encode(
    path: Path, texts: TextShards, shards: Shards[Encoded | None], skip: bool, block: Sequence[int]
) -> None:
    """Encode some batches, in a worker."""
    model, _ = read_model(path, WHAT)
    known = replace(texts, vocabulary=model.vocabulary)
    for index in block:
        if not shards.has(index):
            shards[index] = encode_good_pairs(model, known, index, skip)


def skipped_ids(client: Client, texts: TextShards, shards: Shards[Encoded | None]) -> list[str]:
    """List the ids of the pairs that were left out of the shards."""
    work = partial(_skipped, texts.bare(), replace(shards, vocabulary=None))

    def killed(block: range) -> BadData:
        return BadData(f"{KILLED}: comparing shards {block.start} to {block.stop - 1}")

    lists, error = run_tasks(client, work, blocks(len(shards)), "left out", "tasks", killed)
    if error is not None:
        raise error
    return [identity for ids in lists for identity in ids]


def _skipped(texts: TextShards, shards: Shards[Encoded | None], block: Sequence[int]) -> list[str]:
    """List the ids of the pairs that were left out of some shards, in a worker."""
    return skipped_pairs((texts[index] for index in block), (shards[index] for index in block))
