"""Changes the files of a model directory in such a way that all hashes are right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.storage.npz_file import pack_npz
from semihmm.saving import MANIFEST, manifest_content, parameters_name


def manifest_of(directory: Path) -> dict[str, Any]:
    """Return the manifest."""
    return json.loads((directory / MANIFEST).read_bytes())


def change_manifest(directory: Path, **changes: Any) -> None:
    """Change the parameters' name, the settings or the provenance in the manifest."""
    fields = manifest_of(directory) | changes
    content = manifest_content(fields["parameters"], fields["settings"], fields["provenance"])
    (directory / MANIFEST).write_bytes(content)


def parameters_of(directory: Path) -> Path:
    """Return the file of the parameters."""
    return directory / manifest_of(directory)["parameters"]


def replace_parameters(directory: Path, content: bytes) -> Path:
    """Put other parameters in."""
    parameters_of(directory).unlink()
    path = directory / parameters_name(content)
    path.write_bytes(content)
    change_manifest(directory, parameters=path.name)
    return path


def arrays_of(directory: Path) -> dict[str, np.ndarray]:
    """Return the parameters."""
    with np.load(parameters_of(directory), allow_pickle=False) as stored:
        return dict(stored)


def replace_arrays(directory: Path, changes: dict[str, np.ndarray | None]) -> Path:
    """Put other arrays in; ``None`` leaves one out."""
    arrays = arrays_of(directory) | changes
    kept = {name: array for name, array in arrays.items() if array is not None}
    return replace_parameters(directory, pack_npz(kept))
