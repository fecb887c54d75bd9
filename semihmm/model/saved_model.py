"""The model directory: JSON and npz, checked when it is read, replaced in one step when it is written.

``model.json`` has the format and its version, the settings, the provenance and the names and hashes of the other files; it
is written last and replaced atomically. So a directory always holds the last model that was saved whole.
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
from corpus_tools.errors import BadData, BadModel, BadUsage, choose
from corpus_tools.storage.files import replacing_bytes
from jump_models.null_jump import NullJump
from jump_models.registry import jump_model
from rewrite_models.mixture import Mixture
from rewrite_models.null_emission import NullEmission
from rewrite_models.registry import REWRITE_MODELS
from semihmm.model.phrase_length import PhraseLength
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import AFTER_TRAINING, Settings
from semihmm.training.initial_model import jump_settings, rewrite_settings

FORMAT, VERSION = "semihmm model", 1
MANIFEST = "model.json"
OURS = re.compile(r"(parameters|vocabulary)-[0-9a-f]{16}\.(npz|json)(\.new)?")
"""The names of the other files. Nothing else in the directory is ever deleted."""
MISFITS = (LookupError, TypeError, ValueError, AttributeError, EOFError, BadZipFile)
"""What Python and NumPy raise when a file that is whole holds something else than it should."""


@dataclass(frozen=True)
class Saved:
    """What a directory holds: the model, its settings, and where it comes from (``provenance``, plain JSON)."""

    model: SemiHmm
    settings: Settings
    provenance: dict[str, Any]


def _arrays(model: SemiHmm) -> dict[str, np.ndarray]:
    parts = {
        "jump": model.jump.to_arrays(),
        "null_jump": model.null_jump.to_arrays(),
        "null": model.null.to_arrays(),
        "mixture": {"weights": model.rewrite.weights},
        "length": {"more": np.float64(model.length.more)},
        "vocabulary": {"stem_of": model.vocabulary.stem_of},
    }
    parts |= {component.name: component.to_arrays() for component in model.rewrite.components}
    return join_parts(parts)


def _write(path: Path, content: bytes) -> None:
    # Under one name while it is written, so that whoever is killed on the way leaves nothing for good.
    with replacing_bytes(path, temporary=path.with_name(path.name + ".new")) as file:
        file.write(content)


def _named(stem: str, ending: str, content: bytes) -> tuple[str, bytes]:
    """A file is named by its content, so that a new version never overwrites the one in use."""
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}.{ending}", content


def _files(model: SemiHmm) -> dict[str, bytes]:
    packed = io.BytesIO()
    np.savez(packed, **_arrays(model))
    words = {"words": list(model.vocabulary.words), "stems": list(model.vocabulary.stems)}
    return dict(
        (
            _named("parameters", "npz", packed.getvalue()),
            _named("vocabulary", "json", json.dumps(words, ensure_ascii=False).encode()),
        )
    )


def make_directory(directory: str | os.PathLike) -> Path:
    """Make the directory for a model, if it is not there. Raises ``BadData``."""
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadData(f"cannot make the model's directory: {error.strerror}", folder) from error
    return folder


def save(saved: Saved, directory: str | os.PathLike) -> None:
    """Put a model in its directory. What was there stays whole until the new one is. Raises ``BadData``."""
    folder, files = make_directory(directory), _files(saved.model)
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


def has_model(directory: str | os.PathLike) -> bool:
    """Whether a model was ever saved whole in the directory."""
    return (Path(directory) / MANIFEST).exists()


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except FileNotFoundError:
        what = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such directory"
        raise BadModel(
            f"{folder}: no model here: {what}. Train one with: semihmm train PAIRS --model {folder}"
        ) from None
    except (OSError, ValueError) as error:
        raise BadModel(f"{folder / MANIFEST}: cannot be read: {error}") from error
    kind = manifest.get("format") if isinstance(manifest, dict) else None
    if kind != FORMAT:
        raise BadModel(f"{folder / MANIFEST}: this is not a semihmm model but {kind!r}")
    if manifest.get("version") != VERSION:
        found = manifest.get("version")
        raise BadModel(
            f"{folder}: the model has format version {found}, this program reads version {VERSION}: train it again"
        )
    return manifest


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
                f"{folder / name}: damaged, truncated or of another model ({len(content)} bytes): train it again"
            )
        contents[name.partition("-")[0]] = content
    return contents


def load(directory: str | os.PathLike, **changes: Any) -> Saved:
    """The model of a directory, with some settings changed (``settings.AFTER_TRAINING``).

    Raises ``BadModel`` that says what is wrong with the directory, ``BadUsage`` for changes that cannot be made.
    """
    for name in changes:
        choose("setting of a trained model", name, AFTER_TRAINING)
    folder = Path(directory)
    manifest = _manifest(folder)
    with _fitting(folder):
        settings = Settings.from_json(manifest["settings"])
    settings = settings.changed(**changes)
    with _fitting(folder):
        contents = _contents(folder, manifest)
        words = json.loads(contents["vocabulary"])
        with np.load(io.BytesIO(contents["parameters"]), allow_pickle=False) as arrays:
            model = _model(_numbers(dict(arrays)), words, settings)
        return Saved(model, settings, manifest["provenance"])


@contextmanager
def _fitting(folder: Path) -> Iterator[None]:
    try:
        yield
    except BadUsage as error:
        raise BadModel(
            f"{folder}: the model's settings do not fit this version: {error}: train it again"
        ) from error
    except MISFITS as error:
        raise BadModel(
            f"{folder}: the model's files do not fit together ({error!r}): train it again"
        ) from error


def _numbers(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays, if all that they hold are numbers. Raises ``ValueError``."""
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{name} has values that are no finite numbers")
    return arrays


def _model(
    arrays: dict[str, np.ndarray], words: dict[str, list[str]], settings: Settings
) -> SemiHmm:
    numbered = (
        {text: number for number, text in enumerate(words[kind])} for kind in ("words", "stems")
    )
    vocabulary = Vocabulary(*numbered, take_part(arrays, "vocabulary")["stem_of"])
    told = rewrite_settings(settings)
    components = (
        REWRITE_MODELS[name].from_arrays(take_part(arrays, name), vocabulary, told[name])
        for name in settings.rewrite
    )
    return SemiHmm(
        vocabulary,
        jump_model(settings.jump).from_arrays(take_part(arrays, "jump"), jump_settings(settings)),
        NullJump.from_arrays(take_part(arrays, "null_jump"), settings.after_null),
        PhraseLength(float(take_part(arrays, "length")["more"])),
        Mixture(tuple(components), **take_part(arrays, "mixture")),
        NullEmission.from_arrays(take_part(arrays, "null")),
    )
