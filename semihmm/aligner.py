"""The Python interface of the project: trains on pairs, aligns pairs, saves and loads models."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Self, overload

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.as_pairs import (
    PairLike,
    PairsLike,
    as_pairs,
    is_one_pair,
    iterate_as_pairs,
)
from corpus_tools.pairs.files_of_pairs import FilesOfPairs
from corpus_tools.progress import made_showing_bars, showing_bars
from corpus_tools.storage.folders import no_empty_folders
from corpus_tools.views.aligned_pair import AlignedPair
from semihmm.decoding import align as decoding
from semihmm.decoding.align import Posteriors
from semihmm.decoding.expected_jumps import ExpectedJumps, expect_jumps_of
from semihmm.model.semi_hmm import SemiHmm
from semihmm.parameters import (
    Parameterized,
    differences,
    parameter_names,
    settings_after_training,
    with_keywords,
)
from semihmm.resources import resources_read, with_resources_at_hand
from semihmm.saving import GENERAL_MODEL, Saved, hash_of, load, save, writing
from semihmm.training.em import Iteration
from semihmm.training.fit import Stopwatch, Training, TrainingState


class Aligner(Parameterized):
    """Learns alignments between documents and abstracts without labelled data.

    ``preset``    the name of a preset (``semihmm.settings.PRESETS``).
    ``workers``   the number of threads (default: all processors); it changes nothing but the time.
    ``verbose``   whether bars on stderr show how far long work is.
    ``settings``  what differs from the preset: the fields of ``semihmm.settings.Settings``, and the
                  settings of the chosen plug-ins by name, as in ``threshold=0.5``.

    Pairs are given as ``Pair`` objects, tuples (document, abstract), dictionaries with the field
    names that files may have, or a data frame, data set or dictionary with such columns
    (``corpus_tools.pairs.as_pairs``).

    An aligner has the parameters of an estimator: ``get_params``, ``set_params``, and copies by
    scikit-learn's ``clone``.

    Raises ``BadUsage`` for an unknown setting, for one that nothing uses, and for a value that is
    not allowed.

    >>> aligner = Aligner(iterations=5).fit(pairs)      # doctest: +SKIP
    >>> aligner.align(pairs[0]).phrases                 # doctest: +SKIP
    """

    @with_keywords(parameter_names())
    def __init__(
        self,
        preset: str = "default",
        *,
        workers: int | None = None,
        verbose: bool = False,
        **settings: Any,
    ) -> None:
        given = {"preset": preset, "workers": workers, "verbose": verbose}
        super().__init__({**given, **settings})
        self.state: TrainingState | None = None
        self.loaded_from: str = ""
        """The identity of the saved model that was loaded (``semihmm.saving``)."""
        self.time = Stopwatch()
        self._name: tuple[SemiHmm | None, str] = None, ""

    @property
    def is_trained(self) -> bool:
        """Tell whether there is a model."""
        return self.state is not None

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

    @property
    def made_by(self) -> str:
        """Say what alignments are made by: the model, WordNet and the list of paraphrases.

        The model is named by the first digits of the name of its file of parameters. Raises
        ``BadUsage`` before training.
        """
        if self._name[0] is not self.model:
            self._name = self.model, f"model {hash_of(self.model)}"
        return ", ".join([self._name[1], *resources_read(self.settings)])

    def fit(
        self,
        pairs: PairLike | PairsLike,
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
        ``cluster``         who trains: ``None`` for threads of this process, ``local`` for
                            processes of this machine, or the address of a Dask scheduler
                            (``semihmm.cluster``). Workers read the pairs that are given as
                            ``corpus_tools.pairs.files_of_pairs.FilesOfPairs``; others are read
                            here.

        Raises ``BadData`` if no pair has words on both sides or one makes the model fail,
        ``BadUsage`` for what is no pair, if ``resume`` does not fit, the cluster cannot be reached,
        or something is not installed that the model reads (``semihmm.resources``), ``InUse`` if
        another process writes to ``checkpoint``.
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
            self._bars(),
            no_empty_folders(checkpoint),
            no_empty_folders(cache),
            nullcontext() if checkpoint is None else writing(checkpoint),
        ):
            given = pairs if isinstance(pairs, FilesOfPairs) else iterate_as_pairs(pairs)
            self.state = training.run(given, self.trained if resume else None, note)
        self._loaded = None
        return self

    @overload
    def align(self, pairs: PairLike) -> Alignment: ...
    @overload
    def align(self, pairs: PairsLike) -> list[Alignment]: ...
    def align(self, pairs: PairLike | PairsLike) -> Alignment | list[Alignment]:
        """Align a pair, or each of several, by the settings' decoder.

        Offsets count over the original texts, whatever extract was used. Words that training did
        not see are fine; a pair with an empty side gets an empty alignment. Alignments carry the
        digests of the texts, which tell later whether a pair has the same tokens, and ``made_by``.
        ``aligned`` gives the texts of the phrases too.
        """
        alignments = list(self.align_all(as_pairs(pairs)))
        return alignments[0] if is_one_pair(pairs) else alignments

    @overload
    def aligned(self, pairs: PairLike) -> AlignedPair: ...
    @overload
    def aligned(self, pairs: PairsLike) -> list[AlignedPair]: ...
    def aligned(self, pairs: PairLike | PairsLike) -> AlignedPair | list[AlignedPair]:
        """Align as ``align`` does, and return each alignment with its pair.

        So it knows the texts of the phrases and their characters, word links, and labels.
        """
        known = as_pairs(pairs)
        aligned = list(map(AlignedPair, known, self.align_all(known)))
        return aligned[0] if is_one_pair(pairs) else aligned

    def align_all(
        self, pairs: PairLike | PairsLike, *, skip_bad_pairs: bool = False
    ) -> Iterator[Alignment]:
        """Give the alignments in the order of the pairs, one batch after another.

        The pairs may be a stream: a few batches of them are in memory.

        ``skip_bad_pairs``  leaves out pairs that make the model fail. Otherwise the first of them
                            raises ``BadPair``, after the alignments of the pairs before it.
        """
        aligned = decoding.aligned_pairs(
            self.model,
            self.settings,
            iterate_as_pairs(pairs),
            self.workers,
            self.made_by,
            skip_bad_pairs,
        )
        alignments = (alignment for _, alignment in aligned if alignment is not None)
        return made_showing_bars(alignments) if self.verbose else alignments

    def _bars(self) -> AbstractContextManager[None]:
        """Show bars inside, if the user asked for them."""
        return showing_bars() if self.verbose else nullcontext()

    def posteriors(self, pair: PairLike) -> Posteriors:
        """Compute the posteriors of the word links of a pair and of null.

        The links are those of the original document, not of the extract.
        """
        if not is_one_pair(pair):
            raise BadUsage("posteriors are those of one pair, not of several")
        (one,) = as_pairs(pair)
        return decoding.pair_posteriors(self.model, self.settings, one)

    def log_likelihood(self, pairs: PairsLike) -> float:
        """Compute the log-likelihood of the abstracts given their documents, in nats.

        Pairs with an empty side count nothing.
        """
        with self._bars():
            return decoding.log_likelihood(
                self.model, self.settings, iterate_as_pairs(pairs), self.workers
            )

    def jumps(self, pairs: PairsLike) -> ExpectedJumps:
        """Compute the expected jumps of the abstracts by distance and by constituent jumped over.

        Raises ``BadData`` if no pair has words on both sides.
        """
        with self._bars():
            return expect_jumps_of(self.model, self.settings, as_pairs(pairs), self.workers)

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Put the model in a directory (``semihmm.saving``).

        Raises ``BadData`` if it cannot be written, ``InUse`` if another process writes there.
        """
        with writing(directory):
            save(self._saved(), directory)

    def _saved(self) -> Saved:
        return Saved(self.model, self.settings, self.provenance)

    @classmethod
    @with_keywords(settings_after_training())
    def load(
        cls,
        directory: str | os.PathLike[str] = GENERAL_MODEL,
        *,
        workers: int | None = None,
        verbose: bool = False,
        **changes: Any,
    ) -> Self:
        """Load the aligner of a directory, by default the general model of the program.

        ``changes`` may choose another decoder or another threshold, for instance: any setting that
        a trained model admits (``Option.after_training``), or training that goes on
        (``Option.on_resume``).

        Raises ``BadModel``, and ``BadUsage`` for changes that a trained model does not admit.
        """
        saved = load(directory, **changes)
        changed: dict[str, Any] = differences(saved.settings)
        aligner = cls(saved.settings.preset, workers=workers, verbose=verbose, **changed)
        aligner.settings = saved.settings
        aligner.loaded_from = saved.identity
        general = Path(directory) == GENERAL_MODEL
        where = "" if general else repr(os.fspath(directory))
        aligner._loaded = where, {**changes}
        kind = "general model" if general else "model"
        aligner._name = saved.model, f"{kind} {saved.parameters}"
        aligner.state = TrainingState.from_provenance(saved.model, saved.provenance)
        return aligner
