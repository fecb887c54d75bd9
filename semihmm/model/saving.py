"""Saves a model as JSON and npz in a directory, and loads and checks it.

The small file, ``model.json``, has the format and its version, the hash of the other file, the
settings, the provenance, and a hash of all these. It is written last and replaced atomically. So
the directory always has the last model that was saved completely.
"""

import errno
import hashlib
import io
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np

from corpus_tools.base import files, folders
from corpus_tools.base.arrays import join_parts, take_part
from corpus_tools.base.errors import BadModel, BadUsage, NoModel, choose, described
from corpus_tools.languages.language import AUTO, ENGLISH
from corpus_tools.model_parts import model_part
from corpus_tools.model_parts.model_part import Declared
from corpus_tools.model_parts.text_arrays import Vocabulary
from rewrite_models.rewrite_model import Mixture
from semihmm.model.link_weights import LinkWeights
from semihmm.model.semi_hmm import ABSTRACT_WORDS, SemiHmm
from semihmm.model.settings import Settings, open_after_training

MODEL_FORMAT = "semihmm model"
MODEL_FORMAT_VERSION = 4

MANIFEST_NAME = "model.json"

PARAMETERS_FILE_NAME = re.compile(r"parameters-[0-9a-f]{64}\.npz")
"""The names of files of parameters.

Only such files, and temporary files of a killed process, are ever deleted in the directory.
"""


def parameters_name(content: bytes) -> str:
    """Name the file of parameters by its content, so that it never replaces a file in use."""
    return f"parameters-{hashlib.sha256(content).hexdigest()}.npz"


def _own_hash(fields: Mapping[str, Any]) -> str:
    """Return the hash of all other fields, which does not depend on their order and layout."""
    others = {name: value for name, value in fields.items() if name != "hash"}
    content = json.dumps(others, sort_keys=True, ensure_ascii=False).encode()
    return hashlib.sha256(content).hexdigest()


LINK_WEIGHTS = "link_weights"
"""The field of the manifest with ``SemiHmm.link_weights``, if the model has its own."""


def manifest_content(
    parameters: str,
    settings: Mapping[str, Any],
    provenance: Mapping[str, Any],
    link_weights: LinkWeights | None = None,
) -> bytes:
    """Return the content of the manifest for a file of parameters."""
    fields = {
        "format": MODEL_FORMAT,
        "version": MODEL_FORMAT_VERSION,
        "parameters": parameters,
        "settings": settings,
        "provenance": provenance,
    }
    if link_weights is not None:
        fields[LINK_WEIGHTS] = link_weights.as_json()
    fields["hash"] = _own_hash(fields)
    return json.dumps(fields, indent=1, ensure_ascii=False).encode()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a model directory. Raises ``BadModel`` for one that was changed.

    It has the fields of ``manifest_content``. Their hash protects against damage, not against
    changes on purpose.
    """
    path = folder / MANIFEST_NAME
    try:
        # Reading a pipe would wait for ever.
        if path.exists() and not path.is_file():
            raise BadModel(f"{path}: not a file")
        fields = json.loads(path.read_bytes())
        stated = (fields.get("format"), fields.get("version")) if isinstance(fields, dict) else None
        if stated != (MODEL_FORMAT, MODEL_FORMAT_VERSION):
            problem = f"expected a {MODEL_FORMAT} of version {MODEL_FORMAT_VERSION}, not {stated}"
            raise BadModel(f"{path}: {problem}")
        whole = fields.get("hash") == _own_hash(fields)
    except FileNotFoundError:
        raise NoModel(f"{folder}: no model here: there is no {MANIFEST_NAME}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BadModel(f"{path}: cannot be read: {error}") from error
    if not whole or not PARAMETERS_FILE_NAME.fullmatch(str(fields.get("parameters"))):
        raise BadModel(f"{path}: it was changed after it was written: train the model again")
    return fields


# The parameters


COUNT_FIELDS = {"counts": "counts", "fake": "transferred"}
"""The expected counts of a model: their names in files, and the fields of ``SemiHmm``.

The prefix ``fake`` is for transferred counts, the suffix below for those of a part.
"""

PSEUDO_COUNT_NAMES = ".pseudo_counts", ".fake"
"""The pseudo-counts of a part: the name of its array, and its name in files, as in the paper."""

NAMES_IN_FILES = {
    "relation.p_linked": "relation.linked",
    "relation.p_chance": "relation.base",
    "multiword.p_linked": "multiword.linked",
    "multiword.p_chance": "multiword.base",
    "embedding.p_linked": "embedding.linked",
    "embedding.p_chance": "embedding.everywhere",
    "asides.p_chance": "asides.base",
}
"""Arrays that have another name in files, which keep their older names."""


def _name_in_file(name: str) -> str:
    return NAMES_IN_FILES.get(name, name).replace(*PSEUDO_COUNT_NAMES)


def arrays_of(model: SemiHmm) -> dict[str, np.ndarray]:
    """Return the arrays of all parts and of the vocabulary, as "part.name" in files."""
    named = {name: part for name, part in model.parts.items() if part is not model.rewrite}
    named |= {component.name: component for component in model.rewrite.components}
    parts = {name: part.to_arrays() for name, part in named.items()}
    parts["mixture"] = {"weights": model.rewrite.weights}
    parts |= {name: getattr(model, field) for name, field in COUNT_FIELDS.items()}
    parts["vocabulary"] = {
        "words": _as_bytes(list(model.vocabulary.words)),
        "stems": _as_bytes(list(model.vocabulary.stems)),
        "stem_of": model.vocabulary.stem_of,
    }
    return {_name_in_file(name): array for name, array in join_parts(parts).items()}


def model_of(arrays: Mapping[str, np.ndarray], settings: Settings) -> SemiHmm:
    """Make the model of these settings. Raises ``BadArray`` for arrays that do not fit."""
    vocabulary = _vocabulary(take_part(arrays, "vocabulary"), settings.language)
    kinds = _checked_parts(arrays, len(vocabulary), settings)
    ours, paper = PSEUDO_COUNT_NAMES
    renamed = {in_file: name for name, in_file in NAMES_IN_FILES.items()}
    arrays = {renamed.get(name, name).replace(paper, ours): array for name, array in arrays.items()}
    parts: dict[str, Any] = {}
    for name, kind in kinds.items():
        of_part = take_part(arrays, name)
        parts[name] = kind.from_arrays(of_part, len(vocabulary), settings.settings_for(kind))
    components = tuple(parts.pop(name) for name in settings.rewrite)
    parts["rewrite"] = Mixture(components, arrays["mixture.weights"])
    model = SemiHmm.from_parts(vocabulary, parts)
    counts, transferred = (take_part(arrays, name) for name in COUNT_FIELDS)
    return replace(model, counts=counts, transferred=transferred)


def _checked_parts(
    arrays: Mapping[str, np.ndarray], words: int, settings: Settings
) -> dict[str, Any]:
    """Return the classes of the parts. Raises ``BadArray`` for arrays that they do not declare."""
    kinds = settings.parts() | {kind.name: kind for kind in settings.components()}
    names = {f"vocabulary.{name}" for name in ("words", "stems", "stem_of")}

    def check(
        declared: Mapping[str, Declared], counts: Mapping[str, Declared], sizes: dict[str, int]
    ) -> None:
        specs = {_name_in_file(name): spec for name, spec in declared.items()}
        for field in COUNT_FIELDS:
            specs |= {f"{field}.{key}": model_part.optional(spec) for key, spec in counts.items()}
        model_part.check_arrays(arrays, specs, sizes)
        names.update(specs)

    # ``rewrite.used`` has the use of each rewrite model (``Mixture``).
    components = len(settings.rewrite)
    counts = {ABSTRACT_WORDS: model_part.amounts(), "rewrite.used": model_part.amounts(components)}
    check({"mixture.weights": model_part.shares(components)}, counts, {})
    for name, kind in kinds.items():
        part_settings = settings.settings_for(kind)
        declared = {f"{name}.{key}": spec for key, spec in kind.declared(part_settings).items()}
        within = f"rewrite.{name}" if name in settings.rewrite else name
        counts = {f"{within}.{key}": spec for key, spec in kind.common.items()}
        check(declared, counts, kind.sizes(words, part_settings))
    for name in arrays:
        model_part.require(name in names, name, "unknown")
    return kinds


def _as_bytes(texts: Sequence[str]) -> np.ndarray:
    """Return texts as JSON in bytes: in an array of texts each takes as much as the longest."""
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), dtype=np.uint8)


def _numbered(name: str, arrays: Mapping[str, np.ndarray]) -> dict[str, int]:
    """Return the texts in an array of ``_as_bytes``, with their numbers. Raises ``BadArray``."""
    model_part.require(name in arrays, f"vocabulary.{name}", "missing")
    try:
        texts = json.loads(arrays[name].tobytes())
    except (ValueError, RecursionError) as error:
        raise model_part.BadArray(f"vocabulary.{name}: {error}") from error
    fits = isinstance(texts, list) and all(isinstance(text, str) for text in texts)
    all_different = fits and len(set(texts)) == len(texts)
    model_part.require(all_different, f"vocabulary.{name}", "no list of different texts")
    return {text: number for number, text in enumerate(texts)}


def _vocabulary(arrays: Mapping[str, np.ndarray], code: str) -> Vocabulary:
    words, stems = (_numbered(name, arrays) for name in ("words", "stems"))
    declared = {"stem_of": model_part.indices(len(words), below=len(stems), dtype="int32")}
    model_part.check_arrays(arrays, declared, {})
    return Vocabulary(words, stems, arrays["stem_of"], code)


def unpack_npz(content: bytes) -> dict[str, np.ndarray]:
    """Return the arrays of an npz file by name. No pickle is read.

    Members must be stored as they are, as ``numpy.savez`` does, so that no array is larger than the
    file. Raises ``BadArray``.
    """
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            if any(member.compress_type != ZIP_STORED for member in archive.infolist()):
                raise model_part.BadArray("an array is compressed")
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            return dict(stored)
    except model_part.BadArray:
        raise
    except Exception as error:
        # For damaged archives the zip library raises errors of many types: struct.error,
        # NotImplementedError, RuntimeError, EOFError, ...
        problem = f"no npz archive of plain arrays: {error or type(error).__name__}"
        raise model_part.BadArray(problem) from error


# The directory

GENERAL_MODEL = Path(__file__).parents[1] / "general_model"
"""The general model, by ``scripts/make_general_model.py`` (docs/general-model.md)."""
NEURAL_GENERAL_MODEL = GENERAL_MODEL / "neural"
"""The general model of the preset ``neural``, which its training starts from."""


LOCK_FILE_NAME = ".lock"
"""The file in the directory that a process locks while it writes to the directory."""


@dataclass(frozen=True)
class Trained:
    """A trained model with all that its directory has. Training can continue from it.

    ``provenance``  the origin of the model, as plain JSON (``semihmm.training.fit``).
    ``identity``    a hash of the manifest, and so of both files; empty before the model is saved.
    ``name``        the name of the model in alignments; empty before the model is saved.
    """

    model: SemiHmm
    settings: Settings
    provenance: dict[str, Any]
    identity: str = ""
    name: str = ""


@contextmanager
def writing(directory: str | os.PathLike[str]) -> Iterator[None]:
    """Make the directory for a model, and lock it against other processes that write there.

    Raises ``InUse`` if another process has the lock, ``BadData`` if the directory cannot be made.
    """
    folder = Path(directory)
    folders.make_folder(folder, "the model's directory")
    with folders.locked(folder / LOCK_FILE_NAME, f"the model in {folder}"):
        yield


def save(trained: Trained, directory: str | os.PathLike[str]) -> None:
    """Save a model to its directory.

    The old model stays complete until the new one is. The caller must hold the lock of ``writing``.
    Raises ``BadData`` if a file cannot be written, and ``BadArray`` for arrays that a part does not
    declare, since they could not be loaded.
    """
    folder = Path(directory)
    arrays = arrays_of(trained.model)
    _checked_parts(arrays, len(trained.model.vocabulary), trained.settings)
    parameters = files.pack_npz(arrays)
    name = parameters_name(parameters)
    settings, weights = trained.settings.as_json(), trained.model.link_weights
    manifest = manifest_content(name, settings, trained.provenance, weights)
    for path, content in ((folder / name, parameters), (folder / MANIFEST_NAME, manifest)):
        # A directory of somebody else may have links.
        with files.replacing_bytes(path, through_link=False) as file:
            file.write(content)
    folders.sync_folder(folder)
    # Then the files of earlier models are removed, as far as the system permits.
    files.remove_left_behind(folder)
    with suppress(OSError):
        for path in folder.iterdir():
            if PARAMETERS_FILE_NAME.fullmatch(path.name) and path.name != name:
                folders.remove_file(path)


def has_model(directory: str | os.PathLike[str]) -> bool:
    """Tell whether the directory has a model that was saved completely."""
    return (Path(directory) / MANIFEST_NAME).exists()


def saved_settings(directory: str | os.PathLike[str]) -> Settings:
    """Read the settings of the model of a directory. Raises ``BadModel``."""
    folder = Path(directory)
    return _settings(folder, read_manifest(folder))


def load(directory: str | os.PathLike[str], **changes: Any) -> Trained:
    """Load the model of a directory, with some settings changed.

    Settings with ``Option.after_training`` may change, and to continue training those with
    ``Option.on_resume``.

    Raises ``BadModel`` with the file that is wrong, ``BadUsage`` for other changes, or if a
    resource that the model reads is missing.
    """
    if changes.get("language") == AUTO:
        # The model has a language.
        changes.pop("language")
    for name in changes:
        choose("setting of a trained model", name, open_after_training())
    folder = Path(directory)
    manifest = read_manifest(folder)
    while True:
        try:
            return _load(folder, manifest, changes)
        except MALFORMED_VALUE_ERRORS as error:
            # The hash is right, so another program has written the values.
            problem = f"not a model of this program: {described(error)}"
            raise BadModel(f"{folder / MANIFEST_NAME}: {problem}") from error
        except BadModel:
            # A training may have replaced the model and removed the old file: then read again.
            newer = read_manifest(folder)
            if newer["hash"] == manifest["hash"]:
                raise
            manifest = newer


PROVENANCE_TYPES = {"corpus": str, "iterations": list, "abstract_words": int, "tokenizer": str}
"""The fields of the provenance that the program reads, and their types in JSON."""

START_FIELDS = {"model": "", "identity": ""}
"""The fields of the provenance about the model with which training started; empty without one."""

MALFORMED_VALUE_ERRORS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""The errors that Python raises for values of unexpected types."""


def _load(folder: Path, manifest: Mapping[str, Any], changes: Mapping[str, Any]) -> Trained:
    settings = _settings(folder, manifest).changed(**changes).resolve_resources()
    path = folder / manifest["parameters"]
    name = _name(path.name)
    if folder == GENERAL_MODEL:
        name = f"general {name}"
    provenance = manifest["provenance"]
    for field, kind in PROVENANCE_TYPES.items():
        if not isinstance(provenance[field], kind):
            raise TypeError(f"{field!r} of the provenance is {provenance[field]!r}")
    if any(not isinstance(iteration, dict) for iteration in provenance["iterations"]):
        raise TypeError("an iteration of the provenance is no object")
    if not all(isinstance(provenance.get("start", START_FIELDS)[key], str) for key in START_FIELDS):
        raise TypeError(f"'start' of the provenance is {provenance['start']!r}")
    model = _model(path, settings)
    if LINK_WEIGHTS in manifest:
        weights = LinkWeights.from_json(manifest[LINK_WEIGHTS])
        model, name = replace(model, link_weights=weights), f"{name} {weights.name}"
    return Trained(model, settings, provenance, manifest["hash"], name)


def name_of(model: SemiHmm) -> str:
    """Name a model by the hash of its parameters, as if it were saved."""
    own = _name(parameters_name(files.pack_npz(arrays_of(model))))
    return f"{own} {model.link_weights.name}" if model.link_weights else own


def _name(parameters: str) -> str:
    """Return the name of a model: the first digits of the hash in the name of its file."""
    return f"model {parameters.removeprefix('parameters-')[:8]}"


def _settings(folder: Path, manifest: Mapping[str, Any]) -> Settings:
    try:
        # Older models have no language: they were trained on English.
        return Settings().changed(**{"language": ENGLISH, **manifest["settings"]})
    except (BadUsage, LookupError, TypeError, ValueError) as error:
        cure = "install the package of a part that is missing, or train the model again"
        problem = f"settings do not fit this version: {error}: {cure}"
        raise BadModel(f"{folder / MANIFEST_NAME}: {problem}") from error


def _model(path: Path, settings: Settings) -> SemiHmm:
    """Read the parameters. Raises ``BadModel`` for a file that is missing or was changed."""
    try:
        if not path.is_file():
            raise FileNotFoundError(errno.ENOENT, "not a file")
        content = path.read_bytes()
    except OSError as error:
        problem = f"a file of the model cannot be read: {error.strerror}"
        raise BadModel(f"{path}: {problem}") from error
    if parameters_name(content) != path.name:
        raise BadModel(f"{path}: damaged or truncated ({len(content)} bytes): train it again")
    try:
        return model_of(unpack_npz(content), settings)
    except model_part.BadArray as error:
        raise BadModel(f"{path}: {error}: train the model again") from error
