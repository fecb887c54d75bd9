"""Lists the jump models by name. A new one is one file and one line here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from corpus_tools.errors import BadUsage
from corpus_tools.plugins.model_part import ModelPart
from corpus_tools.plugins.registry import PARTS, Registry
from jump_models.gaussian import Gaussian
from jump_models.jump_model import JumpModel
from jump_models.laplace import Laplace
from jump_models.mixture import JumpMixture
from jump_models.relative import Relative
from jump_models.sentences import Sentences
from jump_models.syntax import Syntax
from jump_models.uniform import Uniform

JUMP_MODELS: Registry[type[JumpModel[Any]]] = Registry.of_classes(
    "jump model",
    JumpModel,
    (Relative, Uniform, Gaussian, Laplace, Sentences, Syntax),
    PARTS,
    ModelPart,
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
        mixed = JumpMixture.of(models.pop(), mixed)
    return mixed
