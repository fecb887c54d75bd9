"""The manifest of a model directory, ``model.json``.

It has the format and its version, the hash of the other file, the settings, the provenance, and a
hash of all this.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus_tools.errors import BadModel, NoModel

FORMAT = "semihmm model"
VERSION = 4
"""No release wrote the versions before."""

MANIFEST = "model.json"

LARGEST = 2**26
"""The most bytes of a manifest; one of a million skipped pairs has 30 million."""

OURS = re.compile(r"\.?parameters-[0-9a-f]{64}\.npz(\.new)?")
"""The names of the other file. Nothing else in the directory is ever deleted.

While it is written its name begins with a dot and ends in ``.new``.
"""

FIELDS = {
    "format": str,
    "version": int,
    "parameters": str,
    "settings": dict,
    "provenance": dict,
    "hash": str,
}


@dataclass(frozen=True)
class Manifest:
    """What a manifest says.

    ``parameters``  the name of the other file, which has the hash of its content.
    ``identity``    a hash of all that the manifest says.
    """

    parameters: str
    settings: dict[str, Any]
    provenance: dict[str, Any]
    identity: str


def parameters_name(content: bytes) -> str:
    """Name the file of parameters by its content: no file takes the place of one in use."""
    return f"parameters-{hashlib.sha256(content).hexdigest()}.npz"


def short_hash(parameters: str) -> str:
    """Return the first digits of the hash in the name of a file of parameters."""
    return parameters.removeprefix("parameters-")[:8]


def _own_hash(fields: Mapping[str, Any]) -> str:
    """Return the hash of all fields but the hash, in whatever order and layout they are written."""
    others = {name: value for name, value in fields.items() if name != "hash"}
    content = json.dumps(others, sort_keys=True, ensure_ascii=False).encode()
    return hashlib.sha256(content).hexdigest()


def manifest_content(
    parameters: str, settings: Mapping[str, Any], provenance: Mapping[str, Any]
) -> bytes:
    """Return the content of the manifest for a file of parameters."""
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "parameters": parameters,
        "settings": settings,
        "provenance": provenance,
    }
    fields["hash"] = _own_hash(fields)
    return json.dumps(fields, indent=1, ensure_ascii=False).encode()


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a model directory. Raises ``BadModel`` for one that is not as written.

    The hash is against damage: whoever changes the file on purpose can change the hash too.
    """
    path = folder / MANIFEST
    try:
        if path.stat().st_size > LARGEST:
            raise BadModel(f"{path}: more than {LARGEST} bytes: this is not a semihmm model")
        fields = json.loads(path.read_bytes())
        stated = fields.get("format") if isinstance(fields, dict) else None
        if stated != FORMAT:
            raise BadModel(f"{path}: this is not a semihmm model but {stated!r}")
        if fields.get("version") != VERSION:
            raise BadModel(
                f"{path}: the model has format version {fields.get('version')}, this program "
                f"reads version {VERSION}: train it again"
            )
        whole = fields.get("hash") == _own_hash(fields)
    except FileNotFoundError:
        what = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such directory"
        raise NoModel(f"{folder}: no model here: {what}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BadModel(f"{path}: cannot be read: {error}") from error
    fits = fields.keys() == FIELDS.keys() and all(
        isinstance(fields[name], kind) for name, kind in FIELDS.items()
    )
    if not whole or not fits or not OURS.fullmatch(fields["parameters"]):
        raise BadModel(f"{path}: it was changed after it was written: train the model again")
    return Manifest(
        fields["parameters"], fields["settings"], fields["provenance"], _own_hash(fields)
    )
