"""The Python interface of the project: trains on pairs, aligns pairs, saves and loads models."""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import BadUsage, OtherLanguage, choose, warn_caller
from corpus_tools.base.progress import showing_bars
from corpus_tools.languages.language import UNKNOWN, language
from corpus_tools.pairs.corpus_files import FilesOfPairs
from corpus_tools.pairs.given_pairs import (
    PairLike,
    PairsLike,
    as_pairs,
    is_one_pair,
    iterate_as_pairs,
)
from corpus_tools.pairs.pair import Pair, main_language
from semihmm.aligned_pair import AlignedPair
from semihmm.model import decoding, expectations, saving
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import (
    SUPPORT_SETTINGS,
    Settings,
    all_options,
    open_after_training,
    preset,
)
from semihmm.registry import application
from semihmm.training.em import Iteration, Stopwatch
from semihmm.training.fit import train
from semihmm.training.link_fit import decided_pairs

if TYPE_CHECKING:
    from semihmm.applications.support import Support

NO_SETTINGS = ("workers", "verbose")
"""The parameters of an aligner that are no settings of the model."""

NOT_TRAINED = "the aligner is not trained: call fit, or load a model"


PARAMETERS = (*all_options(), *NO_SETTINGS)
"""The names of all parameters."""


# Settings in signatures and docstrings, for Python's ``help``

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)

DOCSTRING_WIDTH = 92
"""The number of characters of a docstring's line, without the indent that ``help`` adds."""


def with_keywords(names: Iterable[str]) -> Callable[[Function], Function]:
    """Make a decorator that shows settings as keywords in the signature of a function.

    The function takes them as ``**settings``; ``None`` leaves a setting as it is. Interactive
    shells and ``help`` show the signature.
    """
    kinds: dict[str, Any] = {name: setting.kind | None for name, setting in all_options().items()}

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        # The last parameter, ``**settings``, is replaced by the keywords.
        *own, rest = signature.parameters.values()
        keywords = [
            inspect.Parameter(name, rest.KEYWORD_ONLY, default=None, annotation=kinds.get(name))
            for name in names
            if name not in signature.parameters
        ]
        shown = signature.replace(parameters=[*own, *keywords])
        setattr(function, "__signature__", shown)  # noqa: B010  # functions do not declare it
        return function

    return decorate


def with_settings_explained(owner: Class) -> Class:
    """Add each setting with its help text and default to the docstring of a class."""
    settings = {f"``{name}``": own for name, own in all_options().items() if name != "preset"}
    column = max(map(len, settings)) + 2
    lines = ["", "The settings and their defaults:", ""]
    for name, setting in settings.items():
        default = "" if "default: " in setting.help else f" (default: {setting.default!r})"
        explained = textwrap.fill(
            setting.help + default,
            DOCSTRING_WIDTH,
            initial_indent=name.ljust(column),
            subsequent_indent=" " * column,
            break_on_hyphens=False,
        )
        lines.append(explained)
    owner.__doc__ = "\n".join([inspect.cleandoc(owner.__doc__ or ""), *lines])
    return owner


# The aligner


@with_settings_explained
class Aligner:
    """Learns alignments between documents and abstracts without labelled data.

    ``preset``    the name of a preset (``semihmm.model.settings.PRESETS``).
    ``workers``   the number of threads (default: all processors); it changes nothing but the time.
    ``verbose``   whether stderr shows progress bars.
    ``settings``  the settings that differ from the preset: fields of
                  ``semihmm.model.settings.Settings`` and settings of the chosen plug-ins by name,
                  as in ``threshold=0.5``.

    Pairs are given as ``Pair`` objects, tuples (document, abstract), dictionaries with the field
    names that files may have, or a data frame, data set or dictionary with such columns
    (``corpus_tools.pairs.given_pairs``).

    An aligner has the parameters of an estimator: ``get_params``, ``set_params``, and copies by
    scikit-learn's ``clone``.

    Raises ``BadUsage`` for an unknown setting, for one that nothing uses, and for a value that is
    not allowed.

    >>> aligner = Aligner(iterations=5).fit(pairs)      # doctest: +SKIP
    >>> aligner.align(pairs[0]).phrases                 # doctest: +SKIP
    """

    @with_keywords(PARAMETERS)
    def __init__(
        self,
        preset: str = "default",
        *,
        workers: int | None = None,
        verbose: bool = False,
        **settings: Any,
    ) -> None:
        self.state: saving.Trained | None = None
        """Model, settings and provenance; ``None`` before training."""
        self.time = Stopwatch()
        self._given: dict[str, Any] = {}
        self.set_params(preset=preset, workers=workers, verbose=verbose, **settings)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``None`` stands for the preset's value.

        ``deep``  changes nothing: no parameter is an estimator.
        """
        return {name: self._given.get(name) for name in PARAMETERS}

    @with_keywords(PARAMETERS)
    def set_params(self, **parameters: Any) -> Self:
        """Change parameters; ``None`` stands for the preset's value.

        Raises ``BadUsage`` for an unknown name, for a value that is not allowed, and for changes
        that a trained model does not admit.
        """
        for name in parameters:
            choose("setting", name, PARAMETERS)
        if (workers := parameters.get("workers")) is not None and workers < 1:
            raise BadUsage(f"workers must be 1 or more, not {workers}")
        # scikit-learn compares the values of a clone with the given ones: they stay unchanged.
        parameters_now = self._given | parameters
        changes = {name: parameters_now[name] for name in parameters_now if name not in NO_SETTINGS}
        if self.state is None:
            settings = preset(parameters_now["preset"]).changed(**changes)
        else:
            settings = self._changed(parameters)
        self._given = parameters_now
        self.workers: int = parameters_now["workers"] or os.cpu_count() or 1
        self.verbose: bool = parameters_now["verbose"]
        self.settings = settings
        """The preset with the changes; training adds the language and the missing resources."""
        return self

    def _changed(self, changes: Mapping[str, Any]) -> Settings:
        """Return the settings of a trained model with changes. Raises ``BadUsage``."""
        admitted = {*open_after_training(), "workers", "verbose"}
        if refused := [name for name in changes if name not in admitted]:
            raise BadUsage(
                f"the aligner is trained, and its model depends on {', '.join(refused)}: "
                "make another aligner with the parameters of this one, Aligner(**get_params())"
            )
        values = {
            name: self.settings.preset_default(name) if value is None else value
            for name, value in changes.items()
            if name not in NO_SETTINGS
        }
        return self.settings.changed(**values)

    def __repr__(self) -> str:
        """Return the expression that makes an aligner with these parameters."""
        usual = {"preset": "default", "verbose": False}
        given = [
            f"{name}={value!r}"
            for name, value in self._given.items()
            if value is not None and value != usual.get(name)
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    @property
    def trained(self) -> saving.Trained:
        """Return model, settings and provenance together. Raises ``BadUsage`` before training."""
        if self.state is None:
            raise BadUsage(NOT_TRAINED)
        return self.state

    @property
    def model(self) -> SemiHmm:
        """Return the trained model. Raises ``BadUsage`` before training."""
        return self.trained.model

    @property
    def provenance(self) -> dict[str, Any]:
        """Return the provenance of the model as plain JSON, empty before training."""
        return {} if self.state is None else self.state.provenance

    @property
    def made_by(self) -> str:
        """Return ``Alignment.by``: the model, extracts, WordNet and the list of paraphrases.

        A model is named by the first digits of the name of its parameter file. Raises ``BadUsage``
        before training.
        """
        if not self.trained.name:
            self.state = replace(self.trained, name=saving.name_of(self.model))
        extracts = str(self.settings.extract_choice)
        return ", ".join([self.trained.name, extracts, *self.settings.resources_read()])

    def fit(
        self,
        pairs: PairLike | PairsLike,
        *,
        gold: PairsLike | None = None,
        resume: bool = False,
        report: Callable[[Iteration], None] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        skip_bad_pairs: bool = False,
        cluster: str | None = None,
    ) -> Self:
        """Train on the pairs, which are read once. Pairs with an empty side are skipped.

        ``gold``            pairs with hand alignments, of these pairs or others: after training,
                            the weights of the decoder ``fitted`` are fitted to their links, drawn
                            to the shipped weights. Pairs without ``sure`` links are left out.
        ``resume``          whether training continues the iterations of this aligner, which was
                            loaded from a directory; the pairs must be the same.
        ``report``          a function that is called after each iteration.
        ``checkpoint``      the directory in which the model is saved after each iteration.
        ``skip_bad_pairs``  whether pairs that make the model fail are skipped. The provenance lists
                            them.
        ``cluster``         ``None``: threads of this process train; ``local``: processes of this
                            machine; or the address of a Dask scheduler
                            (``semihmm.training.cluster``). Workers read the pairs of a
                            ``FilesOfPairs``; other pairs are read in this process.

        Raises ``BadData`` if no pair has words on both sides or one makes the model fail, if
        ``gold`` has no sure link, or links of other texts than the pair of the same id;
        ``BadUsage`` for objects that are no pairs, if ``resume`` is impossible, if the cluster
        cannot be reached, or if a resource of the model is not installed; ``InUse`` if another
        process writes to ``checkpoint``.
        """
        self.time = Stopwatch()
        decided = [] if gold is None else decided_pairs(iterate_as_pairs(gold))
        given = pairs if isinstance(pairs, FilesOfPairs) else iterate_as_pairs(pairs)
        resumed = self.trained if resume else None
        steps = train(
            self.settings,
            given,
            decided,
            resumed,
            cluster=cluster,
            threads=self.workers,
            skip=skip_bad_pairs,
            clock=self.time,
        )
        # A directory that cannot be made is reported now, not after the first iteration.
        place = nullcontext() if checkpoint is None else saving.writing(checkpoint)
        # Closing ends the workers, also where the model cannot be saved.
        with self._bars(), place, closing(steps):
            for self.state, iteration in steps:
                # Training has found the language of the texts and the resources for it.
                self.settings = self.trained.settings
                if checkpoint is not None:
                    saving.save(self.trained, checkpoint)
                    self.time.lap("saving")
                if report is not None and iteration is not None:
                    report(iteration)
        return self

    @overload
    def align(self, pairs: PairLike) -> Alignment: ...
    @overload
    def align(self, pairs: PairsLike) -> list[Alignment]: ...
    def align(self, pairs: PairLike | PairsLike) -> Alignment | list[Alignment]:
        """Align a pair, or each of several, with the settings' decoder.

        Offsets count over the original texts, not over extracts. Texts may have words that training
        texts lack; a pair with an empty side gets an empty alignment. Alignments contain
        ``made_by`` and the digests of the texts, which later show whether a pair has the same
        tokens. ``aligned`` also returns the texts of the phrases.
        """
        aligned = self.aligned(pairs)
        if isinstance(aligned, AlignedPair):
            return aligned.alignment
        return [one.alignment for one in aligned]

    @overload
    def aligned(self, pairs: PairLike) -> AlignedPair: ...
    @overload
    def aligned(self, pairs: PairsLike) -> list[AlignedPair]: ...
    def aligned(self, pairs: PairLike | PairsLike) -> AlignedPair | list[AlignedPair]:
        """Align as ``align`` does, and return each alignment with its pair.

        ``AlignedPair`` has the texts of the phrases, their characters, word links and labels.
        """
        whole = as_pairs(pairs)
        # ``trained`` raises an error before training.
        if self.trained and whole and (found := main_language(whole)) != UNKNOWN:
            self.warn_of_other_language(found)
        aligned = [AlignedPair(*one) for one in self._alignments(whole, self.settings)]
        return aligned[0] if is_one_pair(pairs) else aligned

    def warn_of_other_language(self, code: str) -> None:
        """Warn with ``OtherLanguage`` if the model was trained on texts in another language."""
        own = language(self.settings.language)
        if code != own.code:
            texts = f"texts {own.name}" if own.code == UNKNOWN else f"{own.name} texts"
            problem = f"the texts are {language(code).name}, and the model was trained on {texts}"
            warn_caller(OtherLanguage(problem))

    def align_all(
        self, pairs: PairLike | PairsLike, *, skip_bad_pairs: bool = False
    ) -> Iterator[Alignment]:
        """Yield the alignments in the order of the pairs, one batch after another.

        The pairs may be a stream, of which a few batches are in memory.

        ``skip_bad_pairs``  whether pairs that make the model fail are left out. Otherwise the first
                            one raises ``BadPair``, after the alignments of the pairs before it.
        """
        for _, alignment in self._alignments(pairs, self.settings, skip_bad_pairs):
            yield alignment

    def _alignments(
        self, pairs: PairLike | PairsLike, settings: Settings, skip: bool = False
    ) -> Iterator[tuple[Pair, Alignment]]:
        """Yield the pairs with their alignments, without skipped pairs."""
        given, by = iterate_as_pairs(pairs), self.made_by
        aligned = decoding.aligned_pairs(self.model, settings, given, self.workers, by, skip)
        with self._bars():
            yield from ((pair, own) for pair, own in aligned if own is not None)

    @overload
    def support(self, pairs: PairLike) -> Support: ...
    @overload
    def support(self, pairs: PairsLike) -> Iterator[Support]: ...
    def support(
        self, pairs: PairLike | PairsLike, *, skip_bad_pairs: bool = False
    ) -> Support | Iterator[Support]:
        """Find the source of each word and sentence of abstracts, and estimate its support.

        Each sentence is aligned with the document sentences that ``SUPPORT_SETTINGS`` choose,
        whatever the settings of the aligner. One pair gives one value. Several pairs may be a
        stream, as in ``align_all``.
        """
        supporting = application("support")  # slow to import
        # A generator would raise when the first support is asked for.
        if self.state is None:
            raise BadUsage(NOT_TRAINED)
        settings = self.settings.changed(**SUPPORT_SETTINGS)
        if is_one_pair(pairs):
            return next(supporting.supports_of(self._alignments([pairs], settings, skip_bad_pairs)))
        return supporting.supports_of(self._alignments(pairs, settings, skip_bad_pairs))

    def _bars(self) -> AbstractContextManager[None]:
        """Show bars inside, if the user asked for them."""
        return showing_bars() if self.verbose else nullcontext()

    def posteriors(self, pair: PairLike) -> expectations.Posteriors:
        """Compute the posteriors of the word links of a pair and of null.

        Offsets count over the original document, not over the extract.
        """
        if not is_one_pair(pair):
            raise BadUsage("posteriors takes one pair, not several")
        (whole,) = as_pairs(pair)
        return expectations.pair_posteriors(self.model, self.settings, whole)

    def log_likelihood(self, pairs: PairsLike) -> float:
        """Compute the log-likelihood of the abstracts given their documents, in nats.

        Pairs with an empty side are ignored.
        """
        with self._bars():
            return expectations.log_likelihood(
                self.model, self.settings, iterate_as_pairs(pairs), self.workers
            )

    def jumps(self, pairs: PairsLike) -> expectations.ExpectedJumps:
        """Compute the expected jumps of the abstracts by distance and by constituent jumped over.

        Raises ``BadData`` if no pair has words on both sides.
        """
        with self._bars():
            return expectations.expected_jumps(
                self.model, self.settings, as_pairs(pairs), self.workers
            )

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Save the model in a directory (``semihmm.model.saving``).

        Raises ``BadData`` if it cannot be written, ``InUse`` if another process writes there.
        """
        with saving.writing(directory):
            saving.save(replace(self.trained, settings=self.settings), directory)

    @classmethod
    @with_keywords(open_after_training())
    def load(
        cls,
        directory: str | os.PathLike[str] = saving.GENERAL_MODEL,
        *,
        workers: int | None = None,
        verbose: bool = False,
        **changes: Any,
    ) -> Self:
        """Load the aligner of a directory, by default the general model of the program.

        ``changes``  new values of settings, such as the decoder or the threshold: any setting that
                     may change after training (``Option.after_training``) or when training
                     continues (``Option.on_resume``).

        Raises ``BadModel`` for a directory without a valid model, ``BadUsage`` for other changes.
        """
        trained = saving.load(directory, **changes)
        settings = trained.settings
        aligner = cls(settings.preset, workers=workers, verbose=verbose, **settings.differences())
        aligner.settings = settings
        aligner.state = trained
        return aligner
