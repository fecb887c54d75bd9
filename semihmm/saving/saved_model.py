"""Saves a model as JSON and npz in a directory, and loads and checks it.

``model.json`` has the format and its version, the settings, the provenance and the names and hashes
of the other files. It is written last and replaced atomically. So a directory always holds the last
model that was saved whole.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from corpus_tools.encoding.named_arrays import join_parts, take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadData, BadModel, BadUsage, NoModel, choose
from corpus_tools.plugins.model_part import ModelPart
from corpus_tools.storage.files import replacing_bytes
from jump_models.null_jump import NullJump
from jump_models.registry import jump_model
from rewrite_models.mixture import Mixture
from rewrite_models.null_emission import NullEmission
from rewrite_models.registry import REWRITE_MODELS
from semihmm.model.phrase_length import PhraseLength
from semihmm.model.semi_hmm import SemiHmm
from semihmm.saving.earlier_settings import settings_of_version
from semihmm.settings import Settings, all_options

FORMAT = "semihmm model"
VERSION = 2
"""The version of the format that is written.

Version 1 had the settings of all plug-ins, chosen or not. In place of the jump model ``sentences``
it had ``syntax`` with the parser ``none``.
"""

MANIFEST = "model.json"

OURS = re.compile(r"(parameters|vocabulary)-[0-9a-f]{16}\.(npz|json)(\.new)?")
"""The names of the other files. Nothing else in the directory is ever deleted."""

MISFITS = (LookupError, TypeError, ValueError, AttributeError, EOFError, BadZipFile)
"""What Python and NumPy raise when a file that is whole holds something else than it should."""


@dataclass(frozen=True)
class Saved:
    """What a directory holds.

    ``provenance`` is plain JSON that says where the model comes from.
    """

    model: SemiHmm
    settings: Settings
    provenance: dict[str, Any]


def _arrays(model: SemiHmm) -> dict[str, np.ndarray]:
    """Return the parameters of all parts as "part.name"."""
    parts = {
        "jump": model.jump.to_arrays(),
        NullJump.name: model.null_jump.to_arrays(),
        NullEmission.name: model.null.to_arrays(),
        "mixture": {"weights": model.rewrite.weights},
        PhraseLength.name: model.length.to_arrays(),
        "vocabulary": {"stem_of": model.vocabulary.stem_of},
    }
    parts |= {component.name: component.to_arrays() for component in model.rewrite.components}
    return join_parts(parts)


def _write(path: Path, content: bytes) -> None:
    # The temporary name is always the same: what a killed process leaves behind is overwritten.
    with replacing_bytes(path, temporary=path.with_name(path.name + ".new")) as file:
        file.write(content)


def _named(stem: str, ending: str, content: bytes) -> tuple[str, bytes]:
    """Name a file by its content, so that a new version never overwrites the one in use."""
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}.{ending}", content


def _files(model: SemiHmm) -> dict[str, bytes]:
    packed = io.BytesIO()
    arrays: dict[str, Any] = _arrays(model)
    np.savez(packed, **arrays)
    words = {"words": list(model.vocabulary.words), "stems": list(model.vocabulary.stems)}
    vocabulary = json.dumps(words, ensure_ascii=False).encode()
    return dict(
        [_named("parameters", "npz", packed.getvalue()), _named("vocabulary", "json", vocabulary)]
    )


def make_directory(directory: str | os.PathLike[str]) -> Path:
    """Make the directory for a model, if it is not there. Raises ``BadData``."""
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadData(f"cannot make the model's directory: {error.strerror}", folder) from error
    return folder


def save(saved: Saved, directory: str | os.PathLike[str]) -> None:
    """Put a model in its directory.

    What was there stays whole until the new one is. Raises ``BadData``.
    """
    folder = make_directory(directory)
    files = _files(saved.model)
    for name, content in files.items():
        _write(folder / name, content)
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        "settings": saved.settings.as_json(),
        "provenance": saved.provenance,
    }
    _write(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False).encode())
    for old in folder.iterdir():
        if OURS.fullmatch(old.name) and old.name not in files:
            old.unlink(missing_ok=True)


def has_model(directory: str | os.PathLike[str]) -> bool:
    """Tell whether a model was ever saved whole in the directory."""
    return (Path(directory) / MANIFEST).exists()


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except FileNotFoundError:
        what = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such directory"
        raise NoModel(f"{folder}: no model here: {what}") from None
    except (OSError, ValueError) as error:
        raise BadModel(f"{folder / MANIFEST}: cannot be read: {error}") from error
    stated = manifest.get("format") if isinstance(manifest, dict) else None
    if stated != FORMAT:
        raise BadModel(f"{folder / MANIFEST}: this is not a semihmm model but {stated!r}")
    version = manifest.get("version")
    if version not in range(1, VERSION + 1):
        raise BadModel(
            f"{folder}: the model has format version {version}, "
            f"this program reads versions 1 to {VERSION}: train it again"
        )
    result: dict[str, Any] = manifest
    return result


def _contents(folder: Path, manifest: dict[str, Any]) -> dict[str, bytes]:
    contents = {}
    for name, digest in manifest["files"].items():
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise BadModel(
                f"{folder / name}: a file of the model cannot be read: {error.strerror}"
            ) from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise BadModel(
                f"{folder / name}: damaged, truncated or of another model "
                f"({len(content)} bytes): train it again"
            )
        contents[name.partition("-")[0]] = content
    return contents


def load(directory: str | os.PathLike[str], **changes: Any) -> Saved:
    """Load the model of a directory, with some settings changed.

    Those that admit it are ``Option.after_training`` or, to go on training, ``Option.on_resume``.

    Raises ``BadModel`` that says what is wrong with the directory, ``BadUsage`` for changes that
    cannot be made.
    """
    admitted = [name for name, one in all_options().items() if one.after_training or one.on_resume]
    for name in changes:
        choose("setting of a trained model", name, admitted)
    folder = Path(directory)
    manifest = _manifest(folder)
    with _fitting(folder):
        settings = settings_of_version(manifest["version"], manifest["settings"])
    settings = settings.changed(**changes)
    with _fitting(folder):
        contents = _contents(folder, manifest)
        words = json.loads(contents["vocabulary"])
        with np.load(io.BytesIO(contents["parameters"]), allow_pickle=False) as arrays:
            model = _model(_numbers(dict(arrays)), words, settings)
        return Saved(model, settings, manifest["provenance"])


@contextmanager
def _fitting(folder: Path) -> Iterator[None]:
    """Turn what is raised inside into ``BadModel`` that names the directory."""
    try:
        yield
    except BadUsage as error:
        problem = f"the model's settings do not fit this version: {error}: train it again"
        raise BadModel(f"{folder}: {problem}") from error
    except MISFITS as error:
        problem = f"the model's files do not fit together ({error!r}): train it again"
        raise BadModel(f"{folder}: {problem}") from error


def _numbers(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the arrays, if all that they hold are numbers. Raises ``ValueError``."""
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{name} has values that are no finite numbers")
    return arrays


def _model(
    arrays: dict[str, np.ndarray], words: dict[str, list[str]], settings: Settings
) -> SemiHmm:
    """Make the model of its parameters and its vocabulary."""
    stem_of = take_part(arrays, "vocabulary")["stem_of"]
    vocabulary = Vocabulary(_numbered(words["words"]), _numbered(words["stems"]), stem_of)

    def part(plugin: type[ModelPart[Any, Any, Any, Any]], name: str) -> Any:
        return plugin.from_arrays(take_part(arrays, name), vocabulary, settings.of(plugin))

    components = tuple(part(REWRITE_MODELS[name], name) for name in settings.rewrite)
    return SemiHmm(
        vocabulary,
        part(jump_model(settings.jump), "jump"),
        part(NullJump, NullJump.name),
        part(PhraseLength, PhraseLength.name),
        Mixture(components, **take_part(arrays, "mixture")),
        part(NullEmission, NullEmission.name),
    )


def _numbered(texts: list[str]) -> dict[str, int]:
    return {text: number for number, text in enumerate(texts)}
