"""Turns a model into named arrays and back. What comes back is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from corpus_tools.encoding.named_arrays import join_parts, take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import (
    BadArray,
    check_arrays,
    indices,
    inside,
    require,
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


def arrays_of(model: SemiHmm) -> dict[str, np.ndarray]:
    """Return the arrays of all parts as "part.name", and those of the vocabulary."""
    named = model.parts
    del named["rewrite"]
    named |= {component.name: component for component in model.rewrite.components}
    parts = {name: part.to_arrays() for name, part in named.items()}
    parts["mixture"] = {"weights": model.rewrite.weights}
    parts["vocabulary"] = {
        "words": _as_bytes(list(model.vocabulary.words)),
        "stems": _as_bytes(list(model.vocabulary.stems)),
        "stem_of": model.vocabulary.stem_of,
    }
    return join_parts(parts)


def model_of(arrays: Mapping[str, np.ndarray], settings: Settings) -> SemiHmm:
    """Make the model of these settings. Raises ``BadArray`` for arrays that do not fit."""
    vocabulary = _vocabulary(take_part(arrays, "vocabulary"))
    parts = _parts(settings)
    declared = {"mixture.weights": shares(len(settings.rewrite))}
    for name, plugin in parts.items():
        declared |= inside(name, plugin.declared(vocabulary, settings.of(plugin)))
    check_arrays(
        {name: array for name, array in arrays.items() if not name.startswith("vocabulary.")},
        declared,
    )
    made: dict[str, Any] = {}
    for name, plugin in parts.items():
        try:
            own = take_part(arrays, name)
            made[name] = plugin.from_arrays(own, vocabulary, settings.of(plugin))
        except BadArray as error:
            raise BadArray(f"{name}.{error}") from error
    components = tuple(made[name] for name in settings.rewrite)
    return SemiHmm(
        vocabulary,
        made["jump"],
        made[NullJump.name],
        made[PhraseLength.name],
        Mixture(components, arrays["mixture.weights"]),
        made[NullEmission.name],
        made.get(Fusion.name),
        made.get(Asides.name),
    )


def _as_bytes(texts: Sequence[str]) -> np.ndarray:
    """Return texts as JSON in bytes: arrays of texts would be as wide as the longest."""
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), dtype=np.uint8)


def _numbered(name: str, array: np.ndarray) -> dict[str, int]:
    """Return the texts of an array of ``_as_bytes`` with their numbers. Raises ``BadArray``."""
    try:
        texts = json.loads(array.tobytes())
    except (ValueError, RecursionError) as error:
        raise BadArray(f"{name}: {error}") from error
    fits = isinstance(texts, list) and all(isinstance(text, str) for text in texts)
    require(fits and len(set(texts)) == len(texts), name, "no list of different texts")
    return {text: number for number, text in enumerate(texts)}


def _vocabulary(arrays: Mapping[str, np.ndarray]) -> Vocabulary:
    for name in ("words", "stems", "stem_of"):
        require(name in arrays, f"vocabulary.{name}", "missing")
    words = _numbered("vocabulary.words", arrays["words"])
    stems = _numbered("vocabulary.stems", arrays["stems"])
    declared = {"stem_of": indices(len(words), below=len(stems), dtype="int32")}
    check_arrays({"stem_of": arrays["stem_of"]}, declared)
    return Vocabulary(words, stems, arrays["stem_of"])


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
