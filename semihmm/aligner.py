"""The aligner: train on pairs, align pairs, keep the model. The Python interface of the project."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.encoding.word_vectors import WordVectors
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from jump_models.registry import jump_model
from semihmm.batches.batches import batch_of, batched_units, fingerprint
from semihmm.batches.shards import Shards
from semihmm.batches.training_cache import encoded_folder, remove_texts, training_cache, write_texts
from semihmm.batches.units import (
    AlignmentUnit,
    can_be_aligned,
    empty_alignment,
    merge_units,
    units_of,
)
from semihmm.decoding.decoders import DECODERS, alignments, link_posteriors
from semihmm.decoding.expected_jumps import ExpectedJumps, count_jumps, expected_jumps
from semihmm.model.parallel import in_order
from semihmm.model.saved_model import Saved, load, make_directory, save
from semihmm.model.semi_hmm import Encoded
from semihmm.settings import Settings
from semihmm.settings import preset as preset_settings
from semihmm.training.bad_pairs import encode_good_pairs, skipped_pairs
from semihmm.training.cluster import e_steps
from semihmm.training.em import Iteration, em_iterations
from semihmm.training.initial_model import initial_model
from semihmm.training.stopwatch import Stopwatch

if TYPE_CHECKING:
    from corpus_tools.embeddings import Encoder


class Posteriors(NamedTuple):
    """``links`` float64 [n, m], p(document word and abstract word are linked); ``null`` float64 [m], p(word from null)."""

    links: np.ndarray
    null: np.ndarray


def program_version() -> str:
    """The installed version of semihmm."""
    try:
        return version("semihmm")
    except PackageNotFoundError:
        return "(not installed)"


class Aligner:
    """Learns alignments between documents and abstracts without labelled data.

    ``Aligner(preset="default", **changes)``: a preset's settings, some of them changed (``semihmm.settings.Settings``).
    ``workers`` is the number of threads (default: all processors); it changes nothing but the time.

    >>> aligner = Aligner(iterations=5).fit(pairs)      # doctest: +SKIP
    >>> aligner.align(pairs[0]).phrases                 # doctest: +SKIP
    """

    def __init__(self, preset: str = "default", *, workers: int | None = None, **changes: Any):
        self.settings: Settings = preset_settings(preset).changed(**changes)
        if workers is not None and workers < 1:
            raise BadUsage(f"workers must be 1 or more, not {workers}")
        self.workers = workers or os.cpu_count() or 1
        self.provenance: dict[str, Any] = {}
        self._model = None

    @property
    def model(self):
        """The trained ``semihmm.model.SemiHmm``. Raises ``BadUsage`` before training."""
        if self._model is None:
            raise BadUsage("the aligner is not trained: call fit, or load a model")
        return self._model

    def fit(
        self,
        pairs: Iterable[Pair],
        *,
        resume: bool = False,
        report: Callable[[Iteration], None] | None = None,
        checkpoint: str | os.PathLike | None = None,
        cache: str | os.PathLike | None = None,
        skip_bad_pairs: bool = False,
        cluster: str | None = None,
    ) -> Self:
        """Train on the pairs, which are read once; those with an empty side are passed over.

        After each iteration the model is saved in ``checkpoint``, if given, and ``report`` is called. With ``resume``, go on
        from the iterations that this aligner, loaded from a directory, already has; the pairs must be the same.
        ``cache`` is where the encoded pairs are kept (``training_cache``); ``skip_bad_pairs`` goes on without pairs that make
        the model fail and lists them in the provenance; ``cluster`` is who does the E-step (``semihmm.cluster``).
        Raises ``BadData`` if no pair has words on both sides or one makes the model fail, ``BadUsage`` if ``resume`` does not
        fit or the cluster cannot be reached.
        """
        self.time = Stopwatch()
        if checkpoint is not None:
            make_directory(
                checkpoint
            )  # if it cannot be made, better to hear of it now than after the first iteration
        with (
            e_steps(cluster, self.workers, skip_bad_pairs) as e_step,
            training_cache(cache, checkpoint) as folder,
        ):
            texts = self._texts(pairs, folder)
            try:
                corpus = self._prepared(texts, folder, resume, skip_bad_pairs)
                self._train(texts, corpus, e_step, checkpoint, report)
            finally:
                remove_texts(texts)
        return self

    def _texts(self, pairs: Iterable[Pair], folder: Path) -> Shards:
        """The batches on disk. Raises ``BadData`` if there are none."""
        texts = write_texts(self._noted(self._reduced(pairs)), folder)
        self.time.lap("reading")
        if not texts:
            raise BadData(
                "nothing to train on: no pair has words in both its document and its abstract"
            )
        return texts

    def _noted(self, reduced: Iterable[AlignmentUnit]) -> Iterator[AlignmentUnit]:
        """How many pairs there are, of which tokenizer."""
        self._pairs = 0
        for item in reduced:
            self._pairs, self._tokenizer = self._pairs + item.last, item.original.tokenizer
            yield item

    def _prepared(self, texts: Shards, folder: Path, resume: bool, skip: bool) -> Shards:
        """The encoded shards, with the model that training starts from or goes on from."""
        hashed = fingerprint(
            texts, self._encoder().version if self.settings.needs_vectors() else ""
        )
        if not resume:
            self._model = initial_model(texts, texts.vocabulary, self.settings, self.workers)
            self.provenance = (
                self._origin(texts, hashed) | {"tokenizer": self._tokenizer} | self._dropped()
            )
        elif self.model and self.provenance["corpus"] != hashed:
            problem = (
                "the pairs, their trees or the encoder are not those that the model was trained on"
            )
            raise BadUsage(f"{problem}: train without --resume")
        self.time.lap("initial model")
        corpus = Shards(
            encoded_folder(folder, hashed, self.settings, skip), len(texts), texts.vocabulary
        )
        missing = [place for place in range(len(texts)) if not corpus.has(place)]
        encoded = in_order(
            partial(encode_good_pairs, self._model, texts, skip=skip), missing, self.workers
        )
        for place, shard in zip(missing, encoded, strict=True):
            corpus[place] = shard
        self.time.lap("encoding")
        return corpus

    def _dropped(self) -> dict[str, Any]:
        """What a lexical model had no room for."""
        entries, share = max(component.dropped for component in self._model.rewrite.components)
        return {"dropped": {"entries": entries, "share": share}} if entries else {}

    def _train(self, texts: Shards, corpus: Shards, e_step, checkpoint, report) -> None:
        def timed(*arguments):
            counts = e_step(*arguments)
            self.time.lap("E-step")
            return counts

        for model, iteration in em_iterations(
            self._model, corpus, self._numbers(), self.workers, timed
        ):
            self.time.lap("M-step")
            self._model = model
            self.provenance["iterations"].append(iteration.as_json())
            if without := skipped_pairs(texts, corpus):
                self.provenance["skipped"] = without
            if checkpoint is not None:
                self.save(checkpoint)
                self.time.lap("saving")
            if report is not None:
                report(iteration)
            if self._converged():
                break

    def _numbers(self) -> range:
        """The iterations that are still to do."""
        done = len(self.provenance["iterations"])
        return range(done + 1, (done if self._converged() else self.settings.iterations) + 1)

    def _converged(self) -> bool:
        """Whether the last iteration gained less than the tolerance."""
        objectives = [iteration["objective"] for iteration in self.provenance["iterations"][-2:]]
        enough = self.settings.tolerance * self.provenance["abstract_words"]
        return len(objectives) == 2 and objectives[1] - objectives[0] < enough

    def _reduced(self, pairs: Iterable[Pair]) -> Iterator[AlignmentUnit]:
        """The extracts of the pairs that can be aligned, with the trees and the vectors that a model asks for."""
        extract, own = self.settings.extract, self.settings.own_sentences
        reduced = chain.from_iterable(
            units_of(pair, extract, own) for pair in pairs if can_be_aligned(pair)
        )
        if jump_model(self.settings.jump).needs_trees:
            reduced = self._with_trees(reduced)
        return self._with_vectors(reduced) if self.settings.needs_vectors() else reduced

    def _with_trees(self, reduced: Iterator[AlignmentUnit]) -> Iterator[AlignmentUnit]:
        from corpus_tools.parsing import make_parser, parse_documents

        reduced, asked = tee(reduced)
        parser = make_parser(self.settings.parser)
        trees = parse_documents((item.pair for item in asked), parser)
        return (replace(item, trees=tree) for item, tree in zip(reduced, trees, strict=True))

    def _with_vectors(self, reduced: Iterable[AlignmentUnit]) -> Iterator[AlignmentUnit]:
        """The vectors are those of the words in the whole document, of which the extract keeps its own."""
        from corpus_tools.embeddings import embed_pairs

        items, ahead = tee(reduced)
        for item, found in zip(
            items, embed_pairs((item.original for item in ahead), self._encoder()), strict=True
        ):
            yield replace(
                item,
                vectors=WordVectors(found.abstract[item.place], found.document[item.positions]),
            )

    def _encoder(self) -> Encoder:
        from corpus_tools.embeddings import Encoder

        return Encoder(self.settings.encoder, self.settings.layer)

    def _origin(self, texts: Shards, hashed: str) -> dict[str, Any]:
        words = [(len(batch.document), len(batch.abstract)) for batch in texts]
        sizes = dict(
            zip(
                ("document_words", "abstract_words"),
                map(sum, zip(*words, strict=True)),
                strict=True,
            )
        )
        return {
            "program": f"semihmm {program_version()}",
            "pairs": self._pairs,
            **sizes,
            "corpus": hashed,
            "iterations": [],
        }

    def _parallel(self, work: Callable, items: Sequence) -> list:
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(work, items))

    def align(self, pairs: Pair | Iterable[Pair]) -> Alignment | list[Alignment]:
        """The alignment of a pair, or of each of several, by the settings' decoder and threshold.

        Offsets count over the original texts, whatever extract was used. Words that training did not see are fine; a pair
        with an empty side gets an empty alignment.
        """
        if isinstance(pairs, Pair):
            return next(self.align_all([pairs]))
        return list(self.align_all(list(pairs)))

    def align_all(self, pairs: Sequence[Pair]) -> Iterator[Alignment]:
        """The alignments in the order of the pairs, one batch after another."""
        model, settings = self.model, self.settings
        vocabulary = model.vocabulary.grown(pairs)

        def decode(group: list[AlignmentUnit]) -> list[tuple[AlignmentUnit, Alignment]]:
            batch = batch_of(group, vocabulary)
            phrases = DECODERS[settings.decoder](model, model.encode(batch), settings.threshold)
            return list(zip(group, alignments(phrases, group, batch), strict=True))

        found = merge_units(
            chain.from_iterable(in_order(decode, batched_units(self._reduced(pairs)), self.workers))
        )
        for pair in pairs:
            yield next(found) if can_be_aligned(pair) else empty_alignment(pair)

    def encoded(self, pairs: Sequence[Pair]) -> Iterator[tuple[list[AlignmentUnit], Encoded]]:
        """The pairs that can be aligned in batches, each with the evidence of the trained model."""
        vocabulary = self.model.vocabulary.grown(pairs)
        for group in batched_units(self._reduced(pairs)):
            yield group, self.model.encode(batch_of(group, vocabulary))

    def posteriors(self, pair: Pair) -> Posteriors:
        """The posterior of every word link of a pair, over its original document, and of null.

        Raises ``BadUsage`` before training.
        """
        links, null = (
            np.zeros((len(pair.document), len(pair.abstract))),
            np.ones(len(pair.abstract)),
        )
        for group, encoded in self.encoded([pair]):
            found = link_posteriors(self.model, encoded)
            places, positions = (
                np.concatenate(part)
                for part in zip(*((i.place, i.positions) for i in group), strict=True)
            )
            links[positions[found.document], places[found.abstract]] = found.probability
            null[places] = self.model.posteriors(encoded).counts.null
        return Posteriors(links, null)

    def score(self, pairs: Iterable[Pair]) -> float:
        """The log-likelihood of the abstracts given their documents, in nats; pairs with an empty side count nothing."""
        pairs = [pair for pair in pairs if can_be_aligned(pair)]
        vocabulary = self.model.vocabulary.grown(pairs)
        batches = (batch_of(group, vocabulary) for group in batched_units(self._reduced(pairs)))
        totals = in_order(
            lambda b: self.model.posteriors(self.model.encode(b)).counts.log_totals.sum(),
            batches,
            self.workers,
        )
        return float(sum(totals))

    def jumps(self, pairs: Iterable[Pair]) -> ExpectedJumps:
        """How often the abstracts are expected to jump how far, and over which constituents (the E-step over the pairs).

        Raises ``BadData`` if no pair has words on both sides.
        """
        corpus = list(batched_units(self._reduced(pairs)))
        if not corpus:
            raise BadData(
                "no jumps to expect: no pair has words in both its document and its abstract"
            )
        vocabulary = self.model.vocabulary.grown(item.pair for group in corpus for item in group)
        found = self._parallel(
            lambda group: count_jumps(self.model, group, batch_of(group, vocabulary)), corpus
        )
        return expected_jumps(self.model, found)

    def save(self, directory: str | os.PathLike) -> None:
        """Put the model in a directory (``semihmm.saved_model``)."""
        save(Saved(self.model, self.settings, self.provenance), directory)

    @classmethod
    def load(
        cls, directory: str | os.PathLike, *, workers: int | None = None, **changes: Any
    ) -> Self:
        """The aligner of a directory. ``changes`` may choose another decoder, for instance (``settings.AFTER_TRAINING``).

        Raises ``BadModel``, and ``BadUsage`` for changes that a trained model does not admit.
        """
        aligner, saved = cls(workers=workers), load(directory, **changes)
        aligner.settings, aligner.provenance, aligner._model = (
            saved.settings,
            saved.provenance,
            saved.model,
        )
        return aligner
