"""Changes the files of a model directory in such a way that all hashes are right."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from semihmm.saving.manifest import MANIFEST, manifest_content, sha256


def manifest_of(directory: Path) -> dict[str, Any]:
    """Return the manifest."""
    return json.loads((directory / MANIFEST).read_bytes())


def change_manifest(directory: Path, **changes: Any) -> None:
    """Change fields of the manifest; its own hash is that of the new fields."""
    fields = manifest_of(directory) | changes
    fields.pop("hash", None)
    content = json.dumps(fields, sort_keys=True, ensure_ascii=False).encode()
    fields["hash"] = sha256(content)
    (directory / MANIFEST).write_text(json.dumps(fields), encoding="utf-8")


def file_of(directory: Path, stem: str) -> Path:
    """Return the file of the parameters or of the vocabulary."""
    (path,) = directory.glob(f"{stem}-*")
    return path


def replace_file(directory: Path, stem: str, content: bytes) -> Path:
    """Put other parameters or another vocabulary in, with the right name and hashes."""
    old = file_of(directory, stem)
    old.unlink()
    path = directory / f"{stem}-{sha256(content)[:16]}{old.suffix}"
    path.write_bytes(content)
    files = {name: file_of(directory, name) for name in ("parameters", "vocabulary")}
    contents = {path.name: path.read_bytes() for path in files.values()}
    fields = manifest_of(directory)
    made = json.loads(manifest_content(contents, fields["settings"], fields["provenance"]))
    change_manifest(directory, files=made["files"])
    return path


def arrays_of(directory: Path) -> dict[str, np.ndarray]:
    """Return the parameters."""
    with np.load(file_of(directory, "parameters"), allow_pickle=False) as stored:
        return dict(stored)


def replace_arrays(directory: Path, changes: dict[str, np.ndarray | None]) -> Path:
    """Put other arrays in; ``None`` leaves one out."""
    arrays = arrays_of(directory) | changes
    packed = io.BytesIO()
    kept: dict[str, Any] = {name: array for name, array in arrays.items() if array is not None}
    np.savez(packed, **kept)
    return replace_file(directory, "parameters", packed.getvalue())


def earlier_version(directory: Path, version: int) -> None:
    """Write the manifest as version 1 or 2 did: without hash and sizes."""
    fields = manifest_of(directory)
    files = {name: listed["sha256"] for name, listed in fields["files"].items()}
    fields |= {"version": version, "files": files}
    del fields["hash"]
    (directory / MANIFEST).write_text(json.dumps(fields), encoding="utf-8")
