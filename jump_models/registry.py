"""Lists the jump models by name. A new one is one file and one line here."""

from typing import Any

from corpus_tools.plugins import PARTS_GROUP, Registry
from jump_models.distances import Gaussian, Relative, Uniform
from jump_models.jump_model import JumpModel
from jump_models.walks import Laplace, Sentences, Syntax

JUMP_MODELS: Registry[type[JumpModel[Any]]] = Registry.of_classes(
    "jump model", JumpModel, (Relative, Uniform, Gaussian, Laplace, Sentences, Syntax), PARTS_GROUP
)
