"""The manifest of a model directory, ``model.json``: what it says, its hash and its checks.

It has the format and its version, the names and hashes of the other files, the settings and
the provenance. From version 3 on it has a hash of all that it says, the sizes of the files, and,
for the parameters, the hash of the vocabulary that they belong to.
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
from semihmm.saving.json_fields import (
    BadField,
    Check,
    anything,
    list_of,
    mapping_to,
    number,
    parse_json,
    record,
    shown,
    text,
    texts,
    whole,
)

FORMAT = "semihmm model"
VERSION = 3
"""What is new in 3: the hash of the manifest, and sizes and the vocabulary's hash with the files.

Version 1 had the settings of all plug-ins, chosen or not, and ``syntax`` with the parser ``none``
for ``sentences``.
"""

MANIFEST = "model.json"

OURS = re.compile(r"\.?(parameters|vocabulary)-[0-9a-f]{16}\.(npz|json)(\.new)?")
"""The names of the other files. Nothing else in the directory is ever deleted.

While they are written their names begin with a dot and end in ``.new``.
"""

LISTED = re.compile(r"parameters-[0-9a-f]{16}\.npz|vocabulary-[0-9a-f]{16}\.json")
"""The names of the other files in a manifest."""

SHA256 = re.compile(r"[0-9a-f]{64}")


def _sha256(name: str, value: Any) -> None:
    text(name, value)
    if not SHA256.fullmatch(value):
        raise BadField(f"{name} must be a SHA-256 hash, not {shown(value)}")


ITERATION = record(
    {
        "number": whole(1),
        "objective": number(),
        "null": number(0.0, 1.0),
        "weights": mapping_to(number(0.0, 1.0)),
    }
)

PROVENANCE = record(
    {
        "program": text,
        "pairs": whole(1),
        "document_words": whole(1),
        "abstract_words": whole(1),
        "corpus": _sha256,
        "iterations": list_of(ITERATION),
        "tokenizer": text,
    },
    {
        "dropped": record({"entries": whole(0), "share": number(0.0, 1.0)}),
        "skipped": texts,
        "start": record({"model": text, "identity": _sha256}),
    },
)


def _fields(files: Check, hashed: bool) -> Check:
    fields: dict[str, Check] = {
        "format": text,
        "version": whole(1),
        "files": files,
        "settings": mapping_to(anything),
        "provenance": PROVENANCE,
    }
    return record(fields | {"hash": _sha256} if hashed else fields)


LISTED_FILE = record({"sha256": _sha256, "bytes": whole(0)}, {"vocabulary": _sha256})
FIELDS = {
    1: _fields(mapping_to(_sha256), hashed=False),
    2: _fields(mapping_to(_sha256), hashed=False),
    3: _fields(mapping_to(LISTED_FILE), hashed=True),
}


@dataclass(frozen=True)
class Manifest:
    """What a manifest says.

    ``files``     the hashes of the other files by name.
    ``sizes``     their bytes; empty in versions 1 and 2.
    ``identity``  a hash of all that it says.
    """

    version: int
    files: dict[str, str]
    sizes: dict[str, int]
    settings: dict[str, Any]
    provenance: dict[str, Any]
    identity: str


def sha256(content: bytes) -> str:
    """Return the hash of a file's content."""
    return hashlib.sha256(content).hexdigest()


def _own_hash(fields: Mapping[str, Any]) -> str:
    """Return the hash of all fields but the hash, in whatever order and layout they are written."""
    others = {name: value for name, value in fields.items() if name != "hash"}
    return sha256(json.dumps(others, sort_keys=True, ensure_ascii=False).encode())


def manifest_content(
    files: Mapping[str, bytes], settings: Mapping[str, Any], provenance: Mapping[str, Any]
) -> bytes:
    """Return the content of the manifest of such files."""
    listed: dict[str, dict[str, Any]] = {
        name: {"sha256": sha256(content), "bytes": len(content)} for name, content in files.items()
    }
    vocabulary = next(name for name in files if name.startswith("vocabulary"))
    parameters = next(name for name in files if name.startswith("parameters"))
    listed[parameters]["vocabulary"] = listed[vocabulary]["sha256"]
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "files": listed,
        "settings": settings,
        "provenance": provenance,
    }
    # As it will be read: tuples become lists.
    fields = json.loads(json.dumps(fields))
    fields["hash"] = _own_hash(fields)
    return json.dumps(fields, indent=1, ensure_ascii=False).encode()


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a model directory. Raises ``BadModel``."""
    path = folder / MANIFEST
    fields = _parsed(folder, path)
    version = _version(path, fields)
    try:
        FIELDS[version]("", fields)
        if version >= 3 and fields["hash"] != _own_hash(fields):
            raise BadField("hash: the file was changed after it was written")
        return _manifest(version, fields)
    except BadField as error:
        raise BadModel(f"{path}: {error}: train the model again") from error


def _parsed(folder: Path, path: Path) -> Any:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise BadModel(f"{path}: cannot be read: it is no file")
        return parse_json(path.read_bytes())
    except FileNotFoundError:
        what = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such directory"
        raise NoModel(f"{folder}: no model here: {what}") from None
    except (OSError, BadField) as error:
        raise BadModel(f"{path}: cannot be read: {error}") from error


def _version(path: Path, fields: Any) -> int:
    stated = fields.get("format") if isinstance(fields, dict) else None
    if stated != FORMAT:
        raise BadModel(f"{path}: this is not a semihmm model but {stated!r}")
    version = fields.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version not in FIELDS:
        raise BadModel(
            f"{path}: the model has format version {version}, "
            f"this program reads versions 1 to {VERSION}: train it again"
        )
    return version


def _manifest(version: int, fields: dict[str, Any]) -> Manifest:
    files = fields["files"]
    sizes: dict[str, int] = {}
    if version >= 3:
        sizes = {name: listed["bytes"] for name, listed in files.items()}
        _require_one_vocabulary(files)
        files = {name: listed["sha256"] for name, listed in files.items()}
    _require_both(files)
    _require_numbered(fields["provenance"]["iterations"])
    settings, provenance = fields["settings"], fields["provenance"]
    return Manifest(version, files, sizes, settings, provenance, _own_hash(fields))


def _require_one_vocabulary(files: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ``BadField`` unless the parameters belong to the vocabulary that is listed."""
    for name, listed in files.items():
        belongs = [other["sha256"] for key, other in files.items() if key.startswith("vocabulary")]
        if name.startswith("parameters") and [listed.get("vocabulary")] != belongs:
            raise BadField(f"files.{name}.vocabulary is not the vocabulary of this model")


def _require_both(files: Mapping[str, str]) -> None:
    """Raise ``BadField`` unless one file has parameters and one the vocabulary.

    Their names have the beginnings of their hashes.
    """
    for name, digest in files.items():
        if not LISTED.fullmatch(name) or name.partition("-")[2][:16] != digest[:16]:
            raise BadField(f"files: {name!r} is not the name of a file with its hash")
    if sorted(name.partition("-")[0] for name in files) != ["parameters", "vocabulary"]:
        raise BadField("files must be one of parameters and one vocabulary")


def _require_numbered(iterations: list[dict[str, Any]]) -> None:
    """Raise ``BadField`` unless iterations are numbered from 1 on."""
    for index, iteration in enumerate(iterations):
        if iteration["number"] != index + 1:
            name = f"provenance.iterations[{index}].number"
            raise BadField(f"{name} must be {index + 1}, not {iteration['number']}")
