"""Lists the jump models by name, and mixes them. A new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Self

import numpy as np

from corpus_tools.base.arrays import join_parts, take_part
from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, Declared, inside, open_shares
from corpus_tools.plugins.options import merged
from corpus_tools.plugins.registry import PARTS, Registry
from jump_models.distances import Gaussian, Relative, Uniform
from jump_models.jump_model import JumpModel, Skipped
from jump_models.kernel_arrays import JumpCounts, Jumps
from jump_models.walks import Laplace, Sentences, Syntax

JUMP_MODELS: Registry[type[JumpModel[Any]]] = Registry.of_classes(
    "jump model", JumpModel, (Relative, Uniform, Gaussian, Laplace, Sentences, Syntax), PARTS
)


@lru_cache
def jump_model(name: str) -> type[JumpModel[Any]]:
    """Return the jump model of a name, or the mixture of several, as in ``relative+syntax``.

    Raises ``BadUsage`` for other names.
    """
    names = name.split("+")
    if len(set(names)) < len(names):
        raise BadUsage(f"the jump model {name!r} mixes a model with itself: name each one once")
    models = [JUMP_MODELS.choose(part) for part in names]
    # Nested to the right: a mixture of the first and of the mixture of all others.
    mixed = models.pop()
    while models:
        mixed = JumpMixture.mix(models.pop(), mixed)
    return mixed


PSEUDO_COUNTS = 1.0
"""Pseudo-counts of jumps by each of the two, so that neither is ever ruled out."""

Both = tuple[Any, Any]
"""The features of the two models."""


@dataclass(frozen=True)
class JumpMixture(JumpModel[Both]):
    """p(j | e) = share p_first(j | e) + (1 - share) p_second(j | e).

    ``second`` may be a mixture itself. ``share`` is float64 [K], by source.
    """

    first: JumpModel[Any]
    second: JumpModel[Any]
    share: Annotated[np.ndarray, open_shares("K")]
    components: ClassVar[tuple[type[JumpModel[Any]], type[JumpModel[Any]]]]

    @classmethod
    def mix(cls, first: type[JumpModel[Any]], second: type[JumpModel[Any]]) -> type[JumpMixture]:
        """Make the class of mixtures of two models. Its settings are those of both."""
        name = f"{first.name}+{second.name}"
        settings = merged(f"Settings({name})", first.Settings, second.Settings)
        members = {"components": (first, second), "name": name, "Settings": settings}
        return type(f"{cls.__name__}({name})", (cls,), members)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the two models: the class is made anew from theirs."""
        return _mixture, (self.first, self.second, self.share)

    @classmethod
    def _parts(cls, settings: Any) -> Iterator[tuple[str, type[JumpModel[Any]], Any]]:
        """Give the names of the two models in files, their classes and their settings."""
        for name, model in zip(("first", "second"), cls.components, strict=True):
            yield name, model, model.Settings.choose(vars(settings))

    @classmethod
    def parser(cls, settings: Any) -> str | None:
        """Return the parser of the model that needs one.

        Raises ``BadUsage`` if the two need different ones.
        """
        parsers = {model.parser(own) for _, model, own in cls._parts(settings)} - {None}
        if len(parsers) > 1:
            raise BadUsage(
                f"the jump model {cls.name!r} mixes models over different trees: "
                "mix one of them with a model without trees"
            )
        return next(iter(parsers), None)

    @classmethod
    def initial(cls, corpus: Corpus, settings: Any) -> Self:
        """Make the mixture in which both are used alike."""
        first, second = (model.initial(corpus, own) for _, model, own in cls._parts(settings))
        return cls(first, second, np.full(settings.sources, 0.5))

    def warm_start(self, corpus: Corpus, settings: Any) -> Self:
        """Start both models from those of the trained mixture."""
        # The share stays as it was learned.
        models = {
            name: getattr(self, name).warm_start(corpus, own)
            for name, _, own in self._parts(settings)
        }
        return replace(self, **models)

    def features(self, batch: Batch) -> Both:
        """Return the features of both."""
        return self.first.features(batch), self.second.features(batch)

    def probabilities(self, features: Both) -> Jumps:
        """Return the jumps of both, with their shares."""
        jumps: Jumps = self.first.probabilities(features[0])
        return jumps.mixed(self.second.probabilities(features[1]), self.share)

    def expected_statistics(self, features: Both, counted: JumpCounts) -> Counts:
        """Return the counts of both, and ``used`` float64 [K, 2], how many jumps each made."""
        # The kernels saw one list of components: those of the first model stand first.
        of_first, of_second = counted.split(self.first.probabilities(features[0]))
        first = self.first.expected_statistics(features[0], of_first)
        second = self.second.expected_statistics(features[1], of_second)
        used = np.stack([of_first.used.sum(axis=0), of_second.used.sum(axis=0)], axis=1)
        return join_parts({"first": first, "second": second}) | {"used": used}

    def skipped(self, counts: Counts) -> list[Skipped]:
        """List what each of the two jumped over."""
        first = self.first.skipped(take_part(counts, "first"))
        return first + self.second.skipped(take_part(counts, "second"))

    def m_step(self, counts: Counts) -> JumpMixture:
        """Return the mixture of the two M-steps, with shares in proportion to their use."""
        used = counts["used"] + PSEUDO_COUNTS
        first = self.first.m_step(take_part(counts, "first"))
        second = self.second.m_step(take_part(counts, "second"))
        return replace(self, first=first, second=second, share=used[:, 0] / used.sum(axis=1))

    def log_prior(self) -> float:
        """Return the log density of the Beta prior of the shares, and of both models' priors."""
        share = float(PSEUDO_COUNTS * (np.log(self.share) + np.log(1.0 - self.share)).sum())
        return share + self.first.log_prior() + self.second.log_prior()

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of both, and the shares."""
        parts = join_parts({"first": self.first.to_arrays(), "second": self.second.to_arrays()})
        return parts | super().to_arrays()

    @classmethod
    def declared(cls, words: int, settings: Any) -> dict[str, Declared]:
        """Declare the arrays of both, and the shares."""
        declared = super().declared(words, settings)
        for name, model, own in cls._parts(settings):
            declared |= inside(name, model.declared(words, own))
        return declared

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray], words: int, settings: Any) -> Self:
        """Make the mixture from what ``to_arrays`` gave."""
        first, second = (
            model.from_arrays(take_part(arrays, name), words, own)
            for name, model, own in cls._parts(settings)
        )
        return cls(first, second, arrays["share"])


def _mixture(first: JumpModel[Any], second: JumpModel[Any], share: np.ndarray) -> JumpMixture:
    return JumpMixture.mix(type(first), type(second))(first, second, share)
