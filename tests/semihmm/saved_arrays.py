"""The parameters of models and the files of directories, to be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.plugins.model_part import ModelPart
from semihmm.model.semi_hmm import SemiHmm


def arrays_of(model: SemiHmm) -> dict[str, np.ndarray]:
    """Return all parameters by name."""
    parts: dict[str, ModelPart[Any, Any, Any, Any]] = {
        "jump": model.jump,
        "null_jump": model.null_jump,
        "null": model.null,
    }
    if model.fusion is not None:
        parts["fusion"] = model.fusion
    parts |= {component.name: component for component in model.rewrite.components}
    arrays = {
        f"{name}.{key}": value
        for name, part in parts.items()
        for key, value in part.to_arrays().items()
    }
    return arrays | {"weights": model.rewrite.weights, "more": np.asarray(model.length.more)}


def contents(directory: Path) -> dict[str, bytes]:
    """Return the files of a directory by name."""
    return {file.name: file.read_bytes() for file in sorted(directory.iterdir())}
