"""The jump models by name. A new one is one file and one line here."""

from __future__ import annotations

from functools import reduce

from corpus_tools.errors import BadUsage, choose
from jump_models.gaussian import Gaussian
from jump_models.jump_model import JumpModel
from jump_models.laplace import Laplace
from jump_models.mixture import JumpMixture
from jump_models.relative import Relative
from jump_models.syntax import Syntax
from jump_models.uniform import Uniform

JUMP_MODELS = {model.name: model for model in (Relative, Uniform, Gaussian, Laplace, Syntax)}


def jump_model(name: str) -> type[JumpModel]:
    """The jump model of a name, or the mixture of several: ``relative+syntax``. Raises ``BadUsage`` for others."""
    names = name.split("+")
    if len(set(names)) < len(names):
        raise BadUsage(f"the jump model {name!r} mixes a model with itself: name each one once")
    models = [JUMP_MODELS[choose("jump model", part, JUMP_MODELS)] for part in names]
    return reduce(lambda second, first: JumpMixture.of(first, second), reversed(models))
