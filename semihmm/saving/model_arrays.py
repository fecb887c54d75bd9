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
from rewrite_models.mixture import Mixture
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import Settings


def arrays_of(model: SemiHmm) -> dict[str, np.ndarray]:
    """Return the arrays of all parts as "part.name", and those of the vocabulary."""
    named = {name: part for name, part in model.parts.items() if part is not model.rewrite}
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
    kinds = settings.parts() | {kind.name: kind for kind in settings.components()}
    declared = {"mixture.weights": shares(len(settings.rewrite))}
    for name, kind in kinds.items():
        declared |= inside(name, kind.declared(vocabulary, settings.given_to(kind)))
    check_arrays(
        {name: array for name, array in arrays.items() if not name.startswith("vocabulary.")},
        declared,
    )
    parts: dict[str, Any] = {}
    for name, kind in kinds.items():
        try:
            own = take_part(arrays, name)
            parts[name] = kind.from_arrays(own, vocabulary, settings.given_to(kind))
        except BadArray as error:
            raise BadArray(f"{name}.{error}") from error
    components = tuple(parts.pop(name) for name in settings.rewrite)
    return SemiHmm.of(vocabulary, Mixture(components, arrays["mixture.weights"]), parts)


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
