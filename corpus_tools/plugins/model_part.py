"""Defines the contract of the parts of the semi-HMM.

They are values: nothing changes one, the M-step returns a new one. EM calls the methods in this
order:

    evidence = part.evidence(batch)        once for each batch: it depends on no parameter
    scores = part.scores(evidence)         in each iteration, for the kernels
    counts = part.fold(evidence, counted)  in each iteration, from the counts of the kernels
    part = part.m_step(counts)             once an iteration, from the sum over all batches

A part is a frozen dataclass. Its annotated fields are its arrays (``declared_arrays``): how it is
saved, checked, and taken over to another vocabulary follows from them. Fields that are called like
a setting of the part have its value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from corpus_tools.encoding import Batch, Vocabulary
from corpus_tools.plugins.declared_arrays import Declared, declared_fields
from corpus_tools.plugins.registry import Plugin
from corpus_tools.plugins.word_shares import fewer_words, started_shares

Counts = dict[str, np.ndarray]
"""Expected counts by name. Those of batches add up name by name."""

Observed = TypeVar("Observed")
Evidence = TypeVar("Evidence")
Scores = TypeVar("Scores")
Counted = TypeVar("Counted")


@dataclass(frozen=True)
class ModelPart(Plugin, ABC, Generic[Observed, Evidence, Scores, Counted]):
    """One part of the model.

    Subclasses are frozen dataclasses, so that parts can be compared, copied and pickled.
    ``Observed`` is what the evidence is made of: a batch, or the cells for phrase lengths.
    ``Scores`` are arrays for the kernels. ``Counted`` is what the kernels counted.
    """

    evidence_types: ClassVar[tuple[type, ...]] = ()
    """NamedTuples of arrays and dataclasses that the evidence is made of: files may hold them."""

    beside: ClassVar[type[Plugin] | None] = None
    """The plug-in whose settings the part gets, and without which a model cannot have it.

    ``None``: it gets its own.
    """

    @classmethod
    def initial(cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Any) -> Self:
        """Make the part as it is before the first iteration.

        ``settings`` are of the class ``Settings``. By default the fields are the settings of their
        names, or have their defaults.
        """
        return cls(**cls._from_settings(settings))

    def started(
        self, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Any, known: np.ndarray
    ) -> Self:
        """Return the part before the first iteration where this one is that of a trained model.

        ``vocabulary``  has the words of the corpus and those of the trained model.
        ``settings``    are those of the trained model as far as it has learned anything by them.
        ``known``       int64 [V + 1], the number that each word of ``vocabulary`` has in the
                        trained model. Words that it does not know, and the last entry, have the
                        number of its unseen words.

        By default it stays as it is, but for the settings and what it knows of words
        (``word_shares``). Raises ``BadUsage`` for a part that cannot start from another.
        """
        words = {
            name: started_shares(corpus, values, known, most)
            for name, values, most in self._of_words()
        }
        return replace(self, **self._from_settings(settings), **words)

    def unlearned(self) -> Self:
        """Return the first part for training from a model that has none: by default this one."""
        return self

    @abstractmethod
    def evidence(self, observed: Observed, /) -> Evidence:
        """Return all that a batch says whatever the parameters are."""

    @abstractmethod
    def scores(self, evidence: Evidence, /) -> Scores:
        """Score the evidence under the present parameters."""

    @abstractmethod
    def fold(self, evidence: Evidence, counted: Counted, /) -> Counts:
        """Turn what the kernels counted in a batch into this part's expected counts."""

    def m_step(self, counts: Counts) -> Self:
        """Return the part that the counts of the corpus lead to.

        It raises the expected log-likelihood plus the log prior. A part without parameters stays as
        it is.
        """
        return self

    def log_prior(self) -> float:
        """Return the logarithm of the prior density at this part, up to a constant."""
        return 0.0

    def restricted(self, kept: np.ndarray) -> Self:
        """Return the part for a vocabulary of fewer words.

        ``kept``  int64, ascending: the present numbers of the words that stay. All others become
                  unseen words.

        Raises ``BadUsage`` for a part that cannot do without them.
        """
        words = {name: fewer_words(values, kept, most) for name, values, most in self._of_words()}
        return replace(self, **words)

    @classmethod
    def sizes(cls, vocabulary: Vocabulary, settings: Any) -> dict[str, int]:
        """Return the numbers that the letters in the shapes of the part's arrays stand for.

        V is the size of the vocabulary. A letter that is not there is any number.
        """
        return {"V": len(vocabulary)}

    @classmethod
    def declared(cls, vocabulary: Vocabulary, settings: Any) -> dict[str, Declared]:
        """Return what each of the part's arrays must hold: its annotated fields say it.

        The arrays of a file are checked against it before ``from_arrays`` gets them.
        """
        sizes = cls.sizes(vocabulary, settings)
        return {name: one.sized(sizes) for name, one in declared_fields(cls).items()}

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the part as plain arrays by name."""
        return {
            name: one.as_array(value)
            for name, one in declared_fields(type(self)).items()
            if (value := getattr(self, name)) is not None
        }

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: Any
    ) -> Self:
        """Make the part from what ``to_arrays`` gave; each array is as ``declared`` says.

        Raises ``BadArray`` for arrays that contradict each other.
        """
        declared = declared_fields(cls)
        values = {name: declared[name].as_value(array) for name, array in arrays.items()}
        part = cls(**values, **cls._from_settings(settings))
        part.require_consistent()
        return part

    def require_consistent(self) -> None:
        """Raise ``BadArray`` for arrays that contradict each other, or that no part can have."""

    @classmethod
    def _from_settings(cls, settings: Any) -> dict[str, Any]:
        """Return the values of the fields that are settings, by name."""
        names = {field.name for field in fields(cls)} - declared_fields(cls).keys()
        return {name: getattr(settings, name) for name in names if hasattr(settings, name)}

    def _of_words(self) -> Iterator[tuple[str, np.ndarray, float]]:
        """Give the arrays of numbers by word: name, values, and what the values may be at most."""
        for name, one in declared_fields(type(self)).items():
            if one.shape == ("V+1",):
                yield name, getattr(self, name), one.most
