"""The passes over the corpus of a training: reading, encoding, the E-step.

Each is a map over parts of the corpus, files or shards, which threads do or the workers of a
cluster (``semihmm.cluster``). Parts that these read and write are in the training cache: the
workers must see its folder. The model is written there once an iteration and read once by each.

A shard that fails as a whole is tried again pair by pair, which is a side road: so an error names
the pair, or the shard goes on without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.arrays import dense, sparse, sum_counts
from corpus_tools.encoding import Batch
from corpus_tools.errors import (
    BadData,
    BadModel,
    BadPair,
    BadResource,
    BadUsage,
    SemiHmmError,
    described,
)
from corpus_tools.pairs.files_of_pairs import FilesOfPairs, Reading, Seen, require_unique_ids
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.model_part import Counts
from semihmm.batches.store import Shards, is_whole
from semihmm.batches.training_cache import (
    FileBatches,
    Texts,
    TrainingCache,
    folder_of,
    merged_texts,
    texts_of,
    write_file,
)
from semihmm.batches.units import (
    Refuse,
    encoder_of,
    extract_choice,
    need_texts_alone,
    units_for,
    with_bar_of_extracts,
)
from semihmm.cluster import KILLED, Cluster, Shared, Threads, known
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings


@dataclass(frozen=True)
class Passes:
    """The passes over a corpus.

    ``runner``  does the work.
    ``skip``    whether it goes on without pairs that make the model fail, or take too much memory.
                Otherwise the first raises ``BadPair``.
    """

    runner: Threads
    settings: Settings
    skip: bool

    def read(self, pairs: Iterable[Pair], cache: TrainingCache) -> tuple[Texts, list[str]]:
        """Read the pairs and return their texts, and the ids of those that take too much memory.

        A cluster reads those of files, and raises the errors that one process does. Parsers and
        encoders of vectors belong to this process.
        """
        settings = self.settings
        of_cluster = isinstance(self.runner, Cluster) and need_texts_alone(settings)
        if of_cluster and isinstance(pairs, FilesOfPairs):
            return self._read_files(pairs, cache.texts)
        refused: list[str] = []
        encoder = encoder_of(settings).version if settings.needs_vectors else ""
        shown = with_bar_of_extracts(pairs, settings)
        units = units_for(shown, settings, _noting(refused, self.skip))
        return texts_of(units, cache.texts, encoder), refused

    def _read_files(self, files: FilesOfPairs, folder: Path) -> tuple[Texts, list[str]]:
        """Read the files in the workers. Gives the errors of reading them one after another."""
        reading = files.reading
        work = partial(_read_file, reading, self.settings, folder, self.skip)
        items = [(index, os.path.abspath(name)) for index, name in enumerate(files.files)]
        results: list[tuple[FileBatches, Seen, list[str]]] = []
        seen: list[Seen] = []

        def lost(item: tuple[int, str]) -> BadData:
            return BadData(KILLED, item[1])

        try:
            for result in self.runner.each(work, items, "reading", "files", lost):
                results.append(result)
                seen.append(result[1])
        except SemiHmmError:
            # An id that an earlier file has too may come before what is wrong in this one.
            before = Seen()
            with suppress(SemiHmmError):
                for _ in before.count(reading.pairs(items[len(results)][1])):
                    pass
            require_unique_ids([*seen, before], files.files, reading)
            raise
        require_unique_ids(seen, files.files, reading)
        if files.report is not None:
            files.report(seen)
        refused = [identity for *_, ids in results for identity in ids]
        return merged_texts(folder, [batches for batches, *_ in results]), refused

    def encode(self, model: SemiHmm, texts: Texts, shards: Shards) -> None:
        """Encode the batches of which there is no shard yet."""
        with self.runner.sharing(shards.folder, model, self.settings) as shared:
            self._each(partial(_encode, shared, shards, self.skip, texts), texts, "encoding")

    def skipped(self, texts: Texts, shards: Shards) -> list[str]:
        """List the ids of the pairs that were left out of the shards."""
        lists = self._each(partial(_skipped, texts, shards), texts, "left out")
        return [identity for ids in lists for identity in ids]

    def e_step(self, texts: Texts, shards: Shards, model: SemiHmm) -> Counts:
        """Add up the expected counts of all shards. Raises ``BadData`` if every pair is skipped."""
        runner = self.runner
        with runner.sharing(shards.folder, model, self.settings) as shared:
            work = partial(_count, shared, shards, self.skip)
            lost = partial(_lost, "E-step", texts)
            total = runner.total(work, runner.blocks(len(shards)), "E-step", lost)
        if not total:
            raise BadData("nothing to train on: every pair makes the model fail")
        return dense(total)

    def _each(self, work: Callable[[range], Any], texts: Texts, phase: str) -> list[Any]:
        """Do the work on all shards, of which some are given at a time."""
        lost = partial(_lost, phase, texts)
        blocks = self.runner.blocks(len(texts))
        return list(self.runner.each(work, blocks, phase, "batches", lost))


def _lost(phase: str, texts: Texts, block: range) -> BadData:
    """Make the error of a block that no worker survived."""
    ids = [identity for index in block for identity in texts[index].ids]
    return BadData(f"{KILLED}: {phase}, the pairs {ids[0]!r} to {ids[-1]!r}")


def _noting(refused: list[str], skip: bool) -> Refuse | None:
    """Return what notes the ids of pairs that take too much memory, if they are to be skipped."""

    def refuse(pair: Pair, error: BadPair) -> None:
        refused.append(pair.id)

    return refuse if skip else None


# What workers do


def _read_file(
    reading: Reading, settings: Settings, folder: Path, skip: bool, item: tuple[int, str]
) -> tuple[FileBatches, Seen, list[str]]:
    """Read a file and write its batches; return what is seen of its pairs, and those refused."""
    number, file = item
    seen = Seen()
    refused: list[str] = []
    pairs = seen.count(reading.pairs(file, extract_choice(settings)))
    units = units_for(pairs, settings, _noting(refused, skip))
    return write_file(folder_of(folder, number), units), seen, refused


def _encode(
    shared: Shared | Path, shards: Shards, skip: bool, texts: Texts, block: Sequence[int]
) -> None:
    """Encode some batches, without their bad pairs if these are to be skipped."""
    model = known(shared).model
    texts = texts.known_to(model.vocabulary)
    for index in block:
        if not is_whole(shards.path(index)):
            shards[index] = encode_good_pairs(model, texts[index], skip)


def _skipped(texts: Texts, shards: Shards, block: Sequence[int]) -> list[str]:
    """List the ids of the pairs that were left out of some shards."""
    missing = []
    for index in block:
        encoded = shards[index]
        left = set() if encoded is None else set(encoded.batch.ids)
        missing += [identity for identity in texts[index].ids if identity not in left]
    return missing


def _count(shared: Shared | Path, shards: Shards, skip: bool, block: Sequence[int]) -> Counts:
    """Run the E-step of some shards. The counts of words they lack are left out."""
    model = known(shared).model
    shards = replace(shards, vocabulary=model.vocabulary)
    return sparse(sum_counts(shard_counts(model, shards, skip, index) for index in block))


# Bad pairs


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


def encode_good_pairs(model: SemiHmm, batch: Batch, skip: bool = False) -> Encoded | None:
    """Encode a batch, without its bad pairs if they are to be skipped.

    Returns ``None`` if no pair is left. Raises ``BadPair`` for a bad pair, unless ``skip``, and
    ``BadData`` if the pairs fail together but not alone.
    """
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


def shard_counts(model: SemiHmm, shards: Shards, skip: bool, index: int) -> Counts:
    """Return the expected counts of a shard; none if it has no pair left.

    If a pair makes the model fail and is to be skipped, a shard without it replaces this one.
    Otherwise such a pair raises ``BadPair``.
    """

    def alone(batch: Batch) -> Counts:
        return _finite_counts(model, model.encode(batch))

    encoded: Encoded | None = shards[index]
    if encoded is None:
        return {}
    try:
        return _finite_counts(model, encoded)
    except Exception:
        good = good_pairs(alone, encoded.batch, skip)
    if len(good) == len(encoded.batch):
        # Memory was short for all of them together: nothing is lost.
        return sum_counts(alone(encoded.batch.select([pair])) for pair in good)
    shards[index] = model.encode(encoded.batch.select(good)) if good else None
    return shard_counts(model, shards, skip, index)


def _finite_counts(model: SemiHmm, encoded: Encoded) -> Counts:
    """Return the expected counts. Raises ``ArithmeticError`` if the likelihood is not a number."""
    counts = model.expected_counts(encoded)
    if np.isnan(counts["corpus.log_likelihood"]):
        raise ArithmeticError("its likelihood is not a number")
    return counts
