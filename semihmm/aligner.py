"""The Python interface of the project: trains on pairs, aligns pairs, saves and loads models."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any, Self, overload

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.new_folders import no_empty_folders
from semihmm.decoding import align as decoding
from semihmm.decoding.align import Posteriors
from semihmm.decoding.expected_jumps import ExpectedJumps, expect_jumps_of
from semihmm.model.semi_hmm import SemiHmm
from semihmm.resources import with_resources_at_hand
from semihmm.saving.general_model import GENERAL_MODEL
from semihmm.saving.saved_model import Saved, load, save, writing
from semihmm.settings import Settings
from semihmm.settings import preset as preset_settings
from semihmm.training.em import Iteration
from semihmm.training.fit import Training, TrainingState
from semihmm.training.stopwatch import Stopwatch


class Aligner:
    """Learns alignments between documents and abstracts without labelled data.

    ``preset``   the name of a preset (``semihmm.settings.PRESETS``); the other arguments change it.
                 They are described in ``semihmm.settings.Settings``.
    ``options``  settings of the chosen plug-ins by name, as in ``threshold=0.5``.
    ``workers``  the number of threads (default: all processors); it changes nothing but the time.

    Raises ``BadUsage`` for an unknown setting, for one that nothing uses, and for a value that is
    not allowed.

    >>> aligner = Aligner(iterations=5).fit(pairs)      # doctest: +SKIP
    >>> aligner.align(pairs[0]).phrases                 # doctest: +SKIP
    """

    def __init__(
        self,
        preset: str = "default",
        *,
        jump: str | None = None,
        rewrite: Sequence[str] | None = None,
        decoder: str | None = None,
        iterations: int | None = None,
        tolerance: float | None = None,
        extract: int | None = None,
        own_sentences: bool | None = None,
        workers: int | None = None,
        **options: Any,
    ) -> None:
        general = {
            "jump": jump,
            "rewrite": rewrite,
            "decoder": decoder,
            "iterations": iterations,
            "tolerance": tolerance,
            "extract": extract,
            "own_sentences": own_sentences,
        }
        self.settings: Settings = preset_settings(preset).changed(**general, **options)
        if workers is not None and workers < 1:
            raise BadUsage(f"workers must be 1 or more, not {workers}")
        self.workers: int = workers or os.cpu_count() or 1
        self.state: TrainingState | None = None
        self.loaded_from: str = ""
        """The identity of the saved model that was loaded (``semihmm.saving.saved_model``)."""
        self.time = Stopwatch()

    @property
    def trained(self) -> TrainingState:
        """Return how far training is, with the model. Raises ``BadUsage`` before training."""
        if self.state is None:
            raise BadUsage("the aligner is not trained: call fit, or load a model")
        return self.state

    @property
    def model(self) -> SemiHmm:
        """Return the trained model. Raises ``BadUsage`` before training."""
        return self.trained.model

    @property
    def provenance(self) -> dict[str, Any]:
        """Return where the model comes from: plain JSON, empty before training."""
        return {} if self.state is None else self.state.provenance()

    def fit(
        self,
        pairs: Iterable[Pair],
        *,
        resume: bool = False,
        report: Callable[[Iteration], None] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        cache: str | os.PathLike[str] | None = None,
        skip_bad_pairs: bool = False,
        cluster: str | None = None,
    ) -> Self:
        """Train on the pairs, which are read once; those with an empty side are passed over.

        ``resume``          goes on from the iterations that this aligner, loaded from a directory,
                            already has; the pairs must be the same.
        ``report``          is called after each iteration.
        ``checkpoint``      the directory in which the model is saved after each iteration.
        ``cache``           where the encoded pairs are kept for the next time.
        ``skip_bad_pairs``  goes on without pairs that make the model fail. The provenance lists
                            them.
        ``cluster``         who does the E-step (``semihmm.training.cluster``).

        Raises ``BadData`` if no pair has words on both sides or one makes the model fail,
        ``BadUsage`` if ``resume`` does not fit, the cluster cannot be reached, or something is not
        installed that the model reads (``semihmm.resources``), ``InUse`` if another process writes
        to ``checkpoint``.
        """
        self.time = Stopwatch()
        self.settings = with_resources_at_hand(self.settings)
        training = Training(
            self.settings, self.workers, cache, checkpoint, skip_bad_pairs, cluster, self.time
        )

        def note(state: TrainingState) -> None:
            self.state = state
            if checkpoint is not None:
                save(self._saved(), checkpoint)
                self.time.lap("saving")
            if report is not None:
                report(state.iterations[-1])

        # A directory that cannot be made is reported now, not after the first iteration.
        with (
            no_empty_folders(checkpoint),
            no_empty_folders(cache),
            nullcontext() if checkpoint is None else writing(checkpoint),
        ):
            self.state = training.run(pairs, self.trained if resume else None, note)
        return self

    @overload
    def align(self, pairs: Pair) -> Alignment: ...
    @overload
    def align(self, pairs: Iterable[Pair]) -> list[Alignment]: ...
    def align(self, pairs: Pair | Iterable[Pair]) -> Alignment | list[Alignment]:
        """Align a pair, or each of several, by the settings' decoder.

        Offsets count over the original texts, whatever extract was used. Words that training did
        not see are fine; a pair with an empty side gets an empty alignment. Alignments carry the
        digests of the texts, which tell later whether a pair has the same tokens.
        """
        if isinstance(pairs, Pair):
            return next(self.align_all([pairs]))
        return list(self.align_all(list(pairs)))

    def align_all(
        self, pairs: Sequence[Pair], *, start: int = 0, skip_bad_pairs: bool = False
    ) -> Iterator[Alignment]:
        """Give the alignments in the order of the pairs, one batch after another.

        ``start``           the index of the first pair that is aligned.
        ``skip_bad_pairs``  leaves out pairs that make the model fail. Otherwise the first of them
                            raises ``BadPair``, after the alignments of the pairs before it.
        """
        return decoding.aligned_pairs(
            self.model, self.settings, pairs, self.workers, start, skip_bad_pairs
        )

    def posteriors(self, pair: Pair) -> Posteriors:
        """Compute the posteriors of the word links of a pair and of null.

        The links are those of the original document, not of the extract.
        """
        return decoding.pair_posteriors(self.model, self.settings, pair)

    def log_likelihood(self, pairs: Iterable[Pair]) -> float:
        """Compute the log-likelihood of the abstracts given their documents, in nats.

        Pairs with an empty side count nothing.
        """
        return decoding.log_likelihood(self.model, self.settings, pairs, self.workers)

    def jumps(self, pairs: Iterable[Pair]) -> ExpectedJumps:
        """Compute the expected jumps of the abstracts by distance and by constituent jumped over.

        Raises ``BadData`` if no pair has words on both sides.
        """
        return expect_jumps_of(self.model, self.settings, list(pairs), self.workers)

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Put the model in a directory (``semihmm.saving.saved_model``).

        Raises ``BadData`` if it cannot be written, ``InUse`` if another process writes there.
        """
        with writing(directory):
            save(self._saved(), directory)

    def _saved(self) -> Saved:
        return Saved(self.model, self.settings, self.provenance)

    @classmethod
    def load(
        cls,
        directory: str | os.PathLike[str] = GENERAL_MODEL,
        *,
        workers: int | None = None,
        **changes: Any,
    ) -> Self:
        """Load the aligner of a directory, by default the general model of the program.

        ``changes`` may choose another decoder or another threshold, for instance: any setting that
        a trained model admits (``Option.after_training``), or training that goes on
        (``Option.on_resume``).

        Raises ``BadModel``, and ``BadUsage`` for changes that a trained model does not admit.
        """
        aligner = cls(workers=workers)
        saved = load(directory, **changes)
        aligner.settings = saved.settings
        aligner.loaded_from = saved.identity
        aligner.state = TrainingState.from_provenance(saved.model, saved.provenance)
        return aligner
