"""Trains a model: reads the pairs, makes the initial model, encodes the batches, and runs EM."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from corpus_tools.base import errors, folders, packages
from corpus_tools.base.progress import bar
from corpus_tools.pairs.corpus_files import FilesOfPairs, Reading, ReadingStats, require_unique_ids
from corpus_tools.pairs.pair import Pair, tokenizer_names
from semihmm.model import units
from semihmm.model.saving import Trained
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import DEFAULT_ITERATIONS, WARM_START_ITERATIONS, Settings
from semihmm.training import training_cache
from semihmm.training.cluster import Workers, read_shared, workers_for
from semihmm.training.e_step import CorpusEStep, probe_batch, without_bad_pairs
from semihmm.training.em import Iteration, Stopwatch, em, iterations_done
from semihmm.training.link_fit import fitted_to, with_same_texts
from semihmm.training.starts import starting_model
from semihmm.training.training_cache import CorpusBatches, FileBatches, Shards


def train(
    settings: Settings,
    pairs: Iterable[Pair],
    gold: Sequence[Pair],
    resumed: Trained | None,
    *,
    cluster: str | None,
    threads: int,
    skip: bool,
    clock: Stopwatch,
) -> Generator[tuple[Trained, Iteration | None]]:
    """Train on pairs (``Training.run``), then fit the weights of the decoder to hand alignments.

    ``gold``     pairs with hand alignments (``decided_pairs``). With some, the model of the last
                 iteration comes again with the weights, without figures of an iteration.
    ``cluster``  where workers are (``workers_for``).
    """
    if gold:
        pairs = with_same_texts(pairs, gold)
    trained = resumed
    with workers_for(cluster, threads) as workers, folders.scratch_folder() as folder:
        for trained, iteration in Training(settings, workers, folder, skip, clock).run(
            pairs, resumed
        ):
            yield trained, iteration
    if gold and trained:
        weights = fitted_to(trained.model, trained.settings, gold, threads)
        clock.lap("fitting the decoder")
        model = replace(trained.model, link_weights=weights)
        yield replace(trained, model=model, name=""), None


@dataclass
class Training:
    """One training, which ``run`` runs.

    It makes a few passes over the corpus: reading, encoding, and the E-step of each iteration. Each
    pass maps one of the workers' tasks (below) over the parts of the corpus, files or shards.

    ``workers``  work on the parts (``semihmm.training.cluster``).
    ``folder``   the training cache, a new folder.
    ``skip``     whether pairs that make the model fail, or take too much memory, are left out.
                 Otherwise the first of them raises ``BadPair``.
    ``clock``    measures the phases.
    """

    settings: Settings
    workers: Workers
    folder: Path
    skip: bool
    clock: Stopwatch

    def run(
        self, pairs: Iterable[Pair], resumed: Trained | None
    ) -> Iterator[tuple[Trained, Iteration]]:
        """Train on the pairs, which are read once; pairs with an empty side are left out.

        Yield the model and the figures of each iteration. With ``resumed``, training continues
        from there; the pairs must be the same.

        Raises ``BadData`` if no pair has words on both sides or one makes the model fail, and
        ``OtherCorpus`` if the pairs are not those of ``resumed``.
        """
        texts = self._read(pairs).with_first_in_memory()
        self.clock.lap("reading")
        if not len(texts):
            raise errors.BadData(
                "nothing to train on: no pair has words in both its document and its abstract"
            )
        if resumed is not None and resumed.provenance["corpus"] != texts.fingerprint:
            raise errors.OtherCorpus(
                "the pairs, their trees or the encoder are not those that the model was trained on"
            )
        if resumed is None:
            # Now the language is known, and with it the resources that models read.
            self.settings = self.settings.changed(language=texts.vocabulary.code)
            self.settings = self.settings.resolve_resources()
        trained = resumed or self._first(texts)
        self.clock.lap("initial model")
        # After a warm start the vocabulary has words that the texts lack.
        texts = texts.known_to(trained.model.vocabulary)
        shards = Shards(self.folder, len(texts), texts.vocabulary)
        # A resumed training leaves out the pairs that it has left out before.
        without = frozenset(trained.provenance.get("skipped", ()) if self.skip else ())
        with self.workers.sharing(self.folder, (trained.model, self.settings)) as shared:
            work = partial(encode_shards, shared, shards, self.skip, texts, without)
            blocks = self.workers.blocks(range(len(texts)))
            # Taking the results, which are all ``None``, does the work.
            deque(self.workers.each(work, blocks, "encoding", "batches"), maxlen=0)
        self.clock.lap("encoding")
        yield from self._iterate(trained, texts, shards)

    def _read(self, pairs: Iterable[Pair]) -> CorpusBatches:
        """Read the pairs, and return their texts.

        The workers of a cluster read files, unless units need a parser or an encoder, which only
        this process has. Their errors are raised here. No batch has pairs of two files.
        """
        settings = self.settings
        if (
            isinstance(pairs, FilesOfPairs)
            and self.workers.executor is not None
            and units.need_only_texts(settings)
        ):
            files = self._read_files(pairs)
        else:
            encoder = units.encoder_of(settings).version if settings.needs_vectors else ""
            cut = units.cut_pairs(units.with_bar_of_extracts(pairs, settings), settings)
            by_file = groupby(cut, lambda unit: getattr(unit.original.source, "path", None))
            files = [
                training_cache.write_batches(self.folder, number, own, self.skip, encoder)
                for number, (_, own) in enumerate(by_file)
            ]
        return training_cache.one_vocabulary(self.folder, files, settings.language)

    def _read_files(self, files: FilesOfPairs) -> list[FileBatches]:
        """Read the files in the workers. Ids that occur in two files are found at the end."""
        reading = files.reading
        work = partial(read_file, reading, self.settings, self.folder, self.skip)
        # Absolute paths, because a worker may have another working directory.
        items = [(index, os.path.abspath(name)) for index, name in enumerate(files.files)]
        read = [*self.workers.each(work, items, "reading", "files")]
        stats = [of_file for _, of_file in read]
        # A worker knows the ids of its own file alone.
        require_unique_ids(stats, files.files, reading)
        if files.report is not None:
            files.report(stats)
        return [batches for batches, _ in read]

    def _first(self, texts: CorpusBatches) -> Trained:
        """Return the model before the first iteration, with its provenance.

        The fields of the provenance, in this order:

        ``program``         the program's version.
        ``pairs``           how many pairs have words on both sides.
        ``document_words``  how many document words the alignment units have.
        ``abstract_words``  how many abstract words they have.
        ``corpus``          the fingerprint of the texts.
        ``iterations``      those done (``Iteration``).
        ``tokenizer``       the tokenizers of the pairs, as ``tokenizer_names`` joins them.
        ``skipped``         ids of the pairs that made the model fail, if there are any.
        ``start``           the trained model that training starts from, if any: its name as
                            ``model``, and its ``identity``.
        """
        provenance: dict[str, Any] = {"program": f"semihmm {packages.installed_version()}"}
        for name in ("pairs", "document_words", "abstract_words"):
            provenance[name] = sum(getattr(file, name) for file in texts.files)
        used = tokenizer_names(name for file in texts.files for name in file.tokenizers)
        provenance |= {"corpus": texts.fingerprint, "iterations": [], "tokenizer": used}
        model, start = starting_model(texts, self.settings, provenance["abstract_words"])
        if start is not None:
            provenance["start"] = start
        return Trained(model, self.settings, provenance)

    def _iterate(
        self, trained: Trained, texts: CorpusBatches, shards: Shards
    ) -> Iterator[tuple[Trained, Iteration]]:
        """Run the iterations that are left."""
        model, provenance = trained.model, trained.provenance
        # Training uses a trained model as pseudo-counts, or else starts from its parameters.
        is_warm_start = "start" in provenance and not model.transferred
        most = self.settings.iterations or (
            WARM_START_ITERATIONS if is_warm_start else DEFAULT_ITERATIONS
        )
        # The objective grows with the corpus: the tolerance is per abstract word.
        least_gain = self.settings.tolerance * provenance["abstract_words"]
        done = iterations_done(provenance)
        e_step = CorpusEStep(self.workers, self.settings, shards, self.skip, self.clock)
        sample = None
        # An explicit ``iterations`` turns sampling off.
        if self.settings.iterations is None and not is_warm_start:
            sample = e_step.sample(provenance["abstract_words"])
        steps = em(model, e_step.whole, most, least_gain, done, sample)
        with bar("EM", most, "iterations", initial=len(done)) as progress:
            began = time.perf_counter()
            for model, iteration in steps:
                self.clock.lap("M-step")
                iterations = [*provenance["iterations"], iteration.as_json()]
                provenance = {**provenance, "iterations": iterations}
                # Each E-step may leave more pairs out.
                if self.skip and (skipped := [*_left_out(texts, shards)]):
                    provenance["skipped"] = skipped
                    if "start" in provenance:  # it is the last field
                        provenance["start"] = provenance.pop("start")
                figures = f"objective {iteration.objective:.1f}, unaligned {iteration.null:.3f}"
                progress.set_postfix_str(figures, refresh=False)
                progress.update()
                seconds = time.perf_counter() - began
                yield Trained(model, self.settings, provenance), replace(iteration, seconds=seconds)
                # The time of the caller, who may save the model, does not count.
                began = time.perf_counter()


def _left_out(texts: CorpusBatches, shards: Shards) -> Iterator[str]:
    """Yield the ids of the pairs that were left out of the texts or of the shards."""
    for file in texts.files:
        yield from file.refused
    for batch, encoded in zip(texts, shards, strict=True):
        encoded_ids = set() if encoded is None else set(encoded.batch.ids)
        yield from (identity for identity in batch.ids if identity not in encoded_ids)


# The tasks of workers. A worker is a thread or another process. It reads and writes files of the
# training cache, whose folder all workers of a cluster must see. The model is written there once an
# iteration, and each process reads it once.


def read_file(
    reading: Reading, settings: Settings, folder: Path, skip: bool, item: tuple[int, str]
) -> tuple[FileBatches, ReadingStats]:
    """Read a file and write its batches; return these, and counts of its pairs."""
    number, file = item
    stats = ReadingStats()
    pairs = stats.count(reading(file, extracts=settings.extract_choice))
    cut = units.cut_pairs(pairs, settings)
    return training_cache.write_batches(folder, number, cut, skip), stats


def encode_shards(
    shared: tuple[SemiHmm, Settings] | Path,
    shards: Shards,
    skip: bool,
    texts: CorpusBatches,
    without: Collection[str],
    block: Sequence[int],
) -> None:
    """Encode the batches of a block, without some pairs."""
    model, settings = read_shared(shared)
    texts = texts.known_to(model.vocabulary)
    probe = partial(probe_batch, model, settings)
    for index in block:
        batch = texts[index]
        good = [number for number, id in enumerate(batch.ids) if id not in without]
        batch = batch if len(good) == len(batch) else batch.select(good)
        shards[index] = without_bad_pairs(model.encode, batch, skip, probe) if good else None
