"""Saves a model as JSON and npz in a directory, and loads and checks it.

``model.json`` (``semihmm.saving.manifest``) is written last and replaced atomically. So a directory
always holds the last model that was saved whole.
"""

from __future__ import annotations

import json
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
from semihmm.saving.earlier_settings import settings_of_version
from semihmm.saving.json_fields import BadField, distinct_texts, parse_json, record
from semihmm.saving.manifest import (
    MANIFEST,
    OURS,
    Manifest,
    manifest_content,
    read_manifest,
    sha256,
)
from semihmm.saving.model_arrays import ModelArrays
from semihmm.settings import Settings, all_options

LOCK = ".lock"
"""The file in the directory that a process locks while it writes there."""

VOCABULARY = record({"words": distinct_texts, "stems": distinct_texts})


@dataclass(frozen=True)
class Saved:
    """What a directory holds.

    ``provenance``  plain JSON that says where the model comes from.
    ``identity``    a hash of the manifest, and so of all files; empty before the model is saved.
    """

    model: SemiHmm
    settings: Settings
    provenance: dict[str, Any]
    identity: str = ""


def _write(path: Path, content: bytes) -> None:
    # The temporary name is always the same: what a killed process leaves behind is overwritten.
    with replacing_bytes(path, temporary=path.with_name(f".{path.name}.new")) as file:
        file.write(content)


def _named(stem: str, ending: str, content: bytes) -> tuple[str, bytes]:
    """Name a file by its content, so that a new version never overwrites the one in use."""
    return f"{stem}-{sha256(content)[:16]}.{ending}", content


def _files(model: SemiHmm) -> dict[str, bytes]:
    data = ModelArrays.of(model)
    words = {"words": data.words, "stems": data.stems}
    vocabulary = json.dumps(words, ensure_ascii=False).encode()
    return dict(
        [
            _named("parameters", "npz", pack_npz(data.arrays)),
            _named("vocabulary", "json", vocabulary),
        ]
    )


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
    files = _files(saved.model)
    manifest = manifest_content(files, saved.settings.as_json(), saved.provenance)
    new = [name for name in files if not (folder / name).exists()]
    try:
        for name, content in files.items():
            _write(folder / name, content)
        _write(folder / MANIFEST, manifest)
    except BaseException:
        if not _holds(folder / MANIFEST, manifest):
            for name in new:
                remove_file(folder / name)
        raise
    sync_folder(folder)
    _remove_others(folder, files)


def _remove_others(folder: Path, files: Mapping[str, bytes]) -> None:
    """Remove the files of earlier models, as far as that is possible."""
    with suppress(OSError):
        for path in folder.iterdir():
            if OURS.fullmatch(path.name) and path.name not in files:
                remove_file(path)


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


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

    Raises ``BadModel`` that names the file and the field that is wrong, ``BadUsage`` for changes
    that cannot be made or without what the model reads (``semihmm.resources``).
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
            # Training replaces the model and then removes the files of the one before.
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
    _require_weights(folder, manifest, settings)
    model = _model(folder, manifest, settings)
    return Saved(model, settings, manifest.provenance, manifest.identity)


def _settings(folder: Path, manifest: Manifest) -> Settings:
    try:
        return settings_of_version(manifest.version, manifest.settings)
    except (BadUsage, LookupError, TypeError, ValueError) as error:
        problem = f"settings do not fit this version: {error}: train the model again"
        raise BadModel(f"{folder / MANIFEST}: {problem}") from error


def _require_weights(folder: Path, manifest: Manifest, settings: Settings) -> None:
    """Raise ``BadModel`` unless the iterations have weights of the model's rewrite models."""
    for index, iteration in enumerate(manifest.provenance["iterations"]):
        if sorted(iteration["weights"]) != sorted(settings.rewrite):
            name = f"provenance.iterations[{index}].weights"
            problem = f"{name} are not those of the rewrite models {', '.join(settings.rewrite)}"
            raise BadModel(f"{folder / MANIFEST}: {problem}: train the model again")


def _model(folder: Path, manifest: Manifest, settings: Settings) -> SemiHmm:
    """Read the other files, and make the model."""
    paths = {name.partition("-")[0]: folder / name for name in manifest.files}
    with _explaining(paths["vocabulary"]):
        words = parse_json(_content(paths["vocabulary"], manifest))
        VOCABULARY("", words)
    with _explaining(paths["parameters"]):
        arrays = unpack_npz(_content(paths["parameters"], manifest))
        model = ModelArrays(arrays, words["words"], words["stems"]).model(settings)
        _require_last_weights(model, manifest)
        return model


def _require_last_weights(model: SemiHmm, manifest: Manifest) -> None:
    """Raise ``BadArray`` unless the last iteration ended with the mixture's weights."""
    parts = zip(model.rewrite.components, model.rewrite.weights, strict=True)
    weights = {component.name: float(weight) for component, weight in parts}
    iterations = manifest.provenance["iterations"]
    if iterations and iterations[-1]["weights"] != weights:
        raise BadArray(f"mixture.weights: are not those of the last iteration in {MANIFEST}")


@contextmanager
def _explaining(path: Path) -> Iterator[None]:
    """Turn what is raised for the content of a file into ``BadModel`` that names it."""
    try:
        yield
    except (BadArray, BadField, BadNpz) as error:
        raise BadModel(f"{path}: {error}: train the model again") from error


def _content(path: Path, manifest: Manifest) -> bytes:
    """Read a file that the manifest lists. Raises ``BadModel`` for one that is not as listed."""
    try:
        if path.exists() and not path.is_file():
            raise BadModel(f"{path}: a file of the model cannot be read: it is no file")
        size = path.stat().st_size
        content = path.read_bytes() if size == manifest.sizes.get(path.name, size) else b""
    except OSError as error:
        problem = f"a file of the model cannot be read: {error.strerror}"
        raise BadModel(f"{path}: {problem}") from error
    if sha256(content) != manifest.files[path.name]:
        problem = f"damaged, truncated or of another model ({size} bytes)"
        raise BadModel(f"{path}: {problem}: train it again")
    return content
