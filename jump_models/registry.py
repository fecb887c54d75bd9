"""The jump models by name. A new one is one file and one line here."""

from __future__ import annotations

from jump_models.relative import Relative
from jump_models.uniform import Uniform

JUMP_MODELS = {model.name: model for model in (Relative, Uniform)}
