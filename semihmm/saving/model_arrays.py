"""Turns a model into named arrays and two lists of words, and back. What comes back is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from corpus_tools.encoding.named_arrays import join_parts, take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import (
    BadArray,
    Declared,
    check_arrays,
    indices,
    inside,
    require,
    require_distribution,
    shares,
)
from corpus_tools.plugins.model_part import ModelPart
from jump_models.null_jump import NullJump
from jump_models.registry import jump_model
from rewrite_models.asides import Asides
from rewrite_models.mixture import Mixture
from rewrite_models.null_emission import NullEmission
from rewrite_models.registry import REWRITE_MODELS
from semihmm.model.fusion import Fusion
from semihmm.model.phrase_length import PhraseLength
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import Settings

Part = type[ModelPart[Any, Any, Any, Any]]


@dataclass(frozen=True)
class ModelArrays:
    """A model as plain data: the arrays of all parts as "part.name", and the vocabulary."""

    arrays: dict[str, np.ndarray]
    words: list[str]
    stems: list[str]

    @classmethod
    def of(cls, model: SemiHmm) -> ModelArrays:
        """Return the data of a model."""
        named = model.parts
        del named["rewrite"]
        named |= {component.name: component for component in model.rewrite.components}
        parts = {name: part.to_arrays() for name, part in named.items()}
        parts["mixture"] = {"weights": model.rewrite.weights}
        parts["vocabulary"] = {"stem_of": model.vocabulary.stem_of}
        return cls(join_parts(parts), list(model.vocabulary.words), list(model.vocabulary.stems))

    def model(self, settings: Settings) -> SemiHmm:
        """Make the model of these settings. Raises ``BadArray`` for arrays that do not fit."""
        vocabulary = self._vocabulary()
        parts = _parts(settings)
        check_arrays(self.arrays, self._declared(parts, vocabulary, settings))
        made = {
            name: self._part(name, plugin, vocabulary, settings) for name, plugin in parts.items()
        }
        weights = self.arrays["mixture.weights"]
        require_distribution("mixture.weights", weights)
        components = tuple(made[name] for name in settings.rewrite)
        return SemiHmm(
            vocabulary,
            made["jump"],
            made[NullJump.name],
            made[PhraseLength.name],
            Mixture(components, weights),
            made[NullEmission.name],
            made.get(Fusion.name),
            made.get(Asides.name),
        )

    def _declared(
        self, parts: Mapping[str, Part], vocabulary: Vocabulary, settings: Settings
    ) -> dict[str, Declared]:
        declared = {
            "mixture.weights": shares(len(settings.rewrite)),
            "vocabulary.stem_of": _stem_of(self.words, self.stems),
        }
        for name, plugin in parts.items():
            declared |= inside(name, plugin.declared(vocabulary, settings.of(plugin)))
        return declared

    def _part(self, name: str, plugin: Part, vocabulary: Vocabulary, settings: Settings) -> Any:
        try:
            return plugin.from_arrays(take_part(self.arrays, name), vocabulary, settings.of(plugin))
        except BadArray as error:
            raise BadArray(f"{name}.{error}") from error

    def _vocabulary(self) -> Vocabulary:
        """Make the vocabulary. Words and stems stand in the order of their first appearance."""
        words = {text: number for number, text in enumerate(self.words)}
        stems = {text: number for number, text in enumerate(self.stems)}
        name = "vocabulary.stem_of"
        require(name in self.arrays, name, "missing")
        stem_of = self.arrays[name]
        check_arrays({name: stem_of}, {name: _stem_of(self.words, self.stems)})
        first = np.unique(stem_of, return_index=True)[1]
        ordered = len(first) == len(stems) and bool((np.diff(first) > 0).all())
        require(ordered, name, "stems are not in the order of their words")
        return Vocabulary(words, stems, stem_of)


def _stem_of(words: list[str], stems: list[str]) -> Declared:
    return indices(len(words), below=len(stems), dtype="int32")


def _parts(settings: Settings) -> dict[str, Part]:
    """Return the classes of the parts by the name of their arrays."""
    parts: dict[str, Part] = {
        "jump": jump_model(settings.jump),
        NullJump.name: NullJump,
        NullEmission.name: NullEmission,
        PhraseLength.name: PhraseLength,
    }
    if settings.has_asides:
        parts[Asides.name] = Asides
    parts |= {name: REWRITE_MODELS[name] for name in settings.rewrite}
    return parts | {Fusion.name: Fusion} if settings.of(Fusion).fusion else parts
