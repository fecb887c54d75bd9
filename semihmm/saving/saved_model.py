"""Saves a model as JSON and npz in a directory, and loads and checks it.

``model.json`` (``semihmm.saving.manifest``) is written last and replaced atomically. So a directory
always holds the last model that was saved whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus_tools.errors import BadData, BadModel, BadUsage, choose
from corpus_tools.plugins.declared_arrays import BadArray
from corpus_tools.storage.files import replacing_bytes
from corpus_tools.storage.locks import locked
from corpus_tools.storage.new_folders import make_folder, remove_file, sync_folder
from corpus_tools.storage.npz_file import BadNpz, pack_npz, unpack_npz
from semihmm.model.semi_hmm import SemiHmm
from semihmm.resources import with_resources_at_hand
from semihmm.saving.manifest import (
    MANIFEST,
    OURS,
    Manifest,
    manifest_content,
    parameters_name,
    read_manifest,
    short_hash,
)
from semihmm.saving.model_arrays import arrays_of, model_of
from semihmm.settings import Settings, all_options

GENERAL_MODEL = Path(__file__).parents[1] / "general_model"
"""Made by ``scripts/make_general_model.py``; docs/general-model.md says from what."""


LOCK = ".lock"
"""The file in the directory that a process locks while it writes there."""


@dataclass(frozen=True)
class Saved:
    """What a directory holds.

    ``provenance``  plain JSON that says where the model comes from.
    ``identity``    a hash of the manifest, and so of both files; empty before the model is saved.
    ``parameters``  the short hash of the file of parameters; empty before the model is saved.
    """

    model: SemiHmm
    settings: Settings
    provenance: dict[str, Any]
    identity: str = ""
    parameters: str = ""


def _write(path: Path, content: bytes) -> None:
    # The temporary name is always the same: what a killed process leaves behind is overwritten.
    with replacing_bytes(path, temporary=path.with_name(f".{path.name}.new")) as file:
        file.write(content)


def make_directory(directory: str | os.PathLike[str]) -> Path:
    """Make the directory for a model, if it is not there. Raises ``BadData``."""
    folder = Path(directory)
    make_folder(folder, "the model's directory")
    return folder


@contextmanager
def writing(directory: str | os.PathLike[str]) -> Iterator[None]:
    """Make the directory for a model, and keep other processes from writing there.

    Raises ``InUse`` if one does, ``BadData`` if the directory cannot be made.
    """
    folder = make_directory(directory)
    with locked(folder / LOCK, f"the model in {folder}"):
        yield


def save(saved: Saved, directory: str | os.PathLike[str]) -> None:
    """Put a model in its directory.

    What was there stays whole until the new one is. The caller keeps others from ``writing``.
    Raises ``BadData``.
    """
    folder = Path(directory)
    parameters = pack_npz(arrays_of(saved.model))
    name = parameters_name(parameters)
    _write(folder / name, parameters)
    manifest = manifest_content(name, saved.settings.as_json(), saved.provenance)
    _write(folder / MANIFEST, manifest)
    sync_folder(folder)
    # The files of earlier models are removed as far as that is possible.
    with suppress(OSError):
        for path in folder.iterdir():
            if OURS.fullmatch(path.name) and path.name != name:
                remove_file(path)


def has_model(directory: str | os.PathLike[str]) -> bool:
    """Tell whether a model was ever saved whole in the directory."""
    return (Path(directory) / MANIFEST).exists()


def saved_settings(directory: str | os.PathLike[str]) -> Settings:
    """Read the settings of the model of a directory. Raises ``BadModel``."""
    folder = Path(directory)
    return _settings(folder, read_manifest(folder))


def load(directory: str | os.PathLike[str], **changes: Any) -> Saved:
    """Load the model of a directory, with some settings changed.

    Those that admit it are ``Option.after_training`` or, to go on training, ``Option.on_resume``.

    Raises ``BadModel`` that names the file that is wrong, ``BadUsage`` for changes that cannot be
    made or without what the model reads (``semihmm.resources``).
    """
    admitted = [name for name, one in all_options().items() if one.after_training or one.on_resume]
    for name in changes:
        choose("setting of a trained model", name, admitted)
    folder = Path(directory)
    manifest = read_manifest(folder)
    while True:
        try:
            return _load(folder, manifest, changes)
        except BadModel:
            # Training replaces the model and then removes the file of the one before.
            newer = read_manifest(folder)
            if newer.identity == manifest.identity:
                raise
            manifest = newer


def _load(folder: Path, manifest: Manifest, changes: Mapping[str, Any]) -> Saved:
    try:
        settings = with_resources_at_hand(_settings(folder, manifest).changed(**changes))
    except BadData as error:
        if changes.keys() & {"wordnet", "paraphrases"}:
            raise
        problem = f"{error.problem} (the model in {folder} expects it there)"
        raise type(error)(problem, error.file) from error
    model = _model(folder / manifest.parameters, settings)
    parameters = short_hash(manifest.parameters)
    return Saved(model, settings, manifest.provenance, manifest.identity, parameters)


def hash_of(model: SemiHmm) -> str:
    """Return the short hash of the file of parameters that saving the model would write."""
    return short_hash(parameters_name(pack_npz(arrays_of(model))))


def _settings(folder: Path, manifest: Manifest) -> Settings:
    try:
        return Settings.from_json(manifest.settings)
    except (BadUsage, LookupError, TypeError, ValueError) as error:
        problem = f"settings do not fit this version: {error}: train the model again"
        raise BadModel(f"{folder / MANIFEST}: {problem}") from error


def _model(path: Path, settings: Settings) -> SemiHmm:
    """Read the parameters. Raises ``BadModel`` unless they are what was written."""
    try:
        content = path.read_bytes()
    except OSError as error:
        problem = f"a file of the model cannot be read: {error.strerror}"
        raise BadModel(f"{path}: {problem}") from error
    if parameters_name(content) != path.name:
        raise BadModel(f"{path}: damaged or truncated ({len(content)} bytes): train it again")
    try:
        return model_of(unpack_npz(content), settings)
    except (BadArray, BadNpz) as error:
        raise BadModel(f"{path}: {error}: train the model again") from error
