"""Damages model directories in many ways: each is refused with ``BadModel``, or changes nothing."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus_tools import embeddings
from corpus_tools.errors import BadModel
from semihmm import Aligner
from semihmm.saving.manifest import MANIFEST
from semihmm.saving.model_arrays import ModelArrays
from semihmm.saving.saved_model import Saved, load
from tests.semihmm.saving.model_files import (
    arrays_of,
    change_manifest,
    earlier_version,
    file_of,
    manifest_of,
    replace_arrays,
    replace_file,
)
from tests.semihmm.saving.test_saved_model import npy, packed
from tests.tiny_vectors import vectors_of

fuzz = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

MODELS = {
    "default": ("default", {}),
    "paper": ("paper", {"limit": (2, 2)}),
    "vectors": ("default", {"rewrite": ("stem", "embedding"), "jump": "gaussian+laplace"}),
}

FREE = {"jump.first.mean", "wordnet.vocabulary"}
"""Arrays that may have numbers of either sign, or any length: nothing else in the model says it."""


@pytest.fixture(scope="session")
def originals(sample, miniature):
    """Return the files of some models by name."""
    made = {}
    for name, (preset, changes) in MODELS.items():
        uses_wordnet = "relation" in changes.get("rewrite", ("relation",))
        more = {"wordnet": str(miniature)} if uses_wordnet else {}
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setattr(embeddings, "embed_pairs", lambda pairs, _: map(vectors_of, pairs))
            aligner = Aligner(preset, iterations=2, **changes, **more).fit(sample)
            aligner.save(folder)
            made[name] = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    return made


@contextmanager
def written(files) -> Iterator[Path]:
    """Write a model to a new directory."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        yield Path(folder)


def loaded(folder) -> Saved | None:
    """Load a model; ``None`` if it is refused with a message that names it."""
    try:
        return load(folder)
    except BadModel as error:
        if str(folder) in str(error):
            return None
        raise


def require_alike(saved, files):
    """Assert that a model that was loaded is the one that was saved."""
    with written(files) as folder:
        original = load(folder)
    assert saved.settings.as_json() == original.settings.as_json()
    assert saved.provenance == original.provenance
    one, other = ModelArrays.of(saved.model), ModelArrays.of(original.model)
    assert (one.words, one.stems) == (other.words, other.stems)
    assert one.arrays.keys() == other.arrays.keys()
    assert all(np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)


names = st.sampled_from(sorted(MODELS))
positions = st.floats(0.0, 1.0, exclude_max=True)


@fuzz
@given(names, st.sampled_from([MANIFEST, "parameters", "vocabulary"]), st.data())
def test_damaged_bytes(originals, name, stem, data):
    files = originals[name]
    with written(files) as folder:
        path = folder / MANIFEST if stem == MANIFEST else file_of(folder, stem)
        content = bytearray(path.read_bytes())
        at = int(data.draw(positions) * len(content))
        match data.draw(st.sampled_from(["flip", "truncate", "append", "digit", "double"])):
            case "flip":
                content[at] ^= 1 << data.draw(st.integers(0, 7))
            case "truncate":
                del content[at:]
            case "append":
                content += data.draw(st.binary(min_size=1, max_size=50))
            case "digit":
                content[at : at + 1] = b"%d" % data.draw(st.integers(0, 99))
            case "double":
                content[at:at] = content[at : at + 100]
        path.write_bytes(content)
        if saved := loaded(folder):
            require_alike(saved, files)


@fuzz
@given(names, names, st.sampled_from([MANIFEST, "parameters", "vocabulary"]), st.booleans())
def test_files_of_another_model(originals, name, other, stem, renamed):
    files = dict(originals[name])
    mine = next(one for one in files if one.startswith(stem))
    others = next(one for one in originals[other] if one.startswith(stem))
    files[mine if renamed else others] = originals[other][others]
    with written(files) as folder:
        if saved := loaded(folder):
            require_alike(saved, originals[name])


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=5),
    st.just([]),
    st.just({}),
    st.lists(st.integers(-2, 2), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


def paths_of(value, path=()):
    """Yield the paths to all values inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in items:
        yield (*path, key)
        if isinstance(one, dict | list):
            yield from paths_of(one, (*path, key))


@settings(fuzz, max_examples=200)
@given(names, st.sampled_from([2, 3]), values, st.data())
def test_other_values_in_the_manifest_with_the_right_hash(originals, name, version, value, data):
    """What is not refused is a setting that may be so."""
    with written(originals[name]) as folder:
        if version < 3:
            earlier_version(folder, version)
        fields = manifest_of(folder)
        path = data.draw(st.sampled_from(list(paths_of(fields))))
        inner = fields
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        if version < 3:
            (folder / MANIFEST).write_text(json.dumps(fields))
        else:
            change_manifest(folder, **fields)
        saved = loaded(folder)
        if saved and path[0] == "settings":
            assert saved.settings.as_json()
        elif saved and path[0] != "provenance":
            require_alike(saved, originals[name])


def changed(array, data):
    """Return an array of another shape, type or sign, or with values that cannot be."""
    numbers = array.astype(float) if array.dtype.kind in "fiub" else array
    ways = ["longer", "shorter", "flat", "deep", "object"]
    if array.dtype.kind in "fi":
        ways += ["negative", "nan", "type"]
    if array.dtype.kind == "i":
        ways += ["huge", "index"]
    match data.draw(st.sampled_from(ways)):
        case "longer":
            return np.concatenate([array.ravel(), array.ravel()[:1], array.ravel()[:1]])
        case "shorter":
            return array.ravel()[:-1]
        case "flat":
            return array[None]
        case "deep":
            return array.reshape(*array.shape, 1)
        case "object":
            return array.astype(object) if array.size else np.array([None])
        case "negative":
            return (-np.abs(array) - 1).astype(array.dtype) * 2
        case "nan":
            return np.full_like(numbers, np.nan) if array.size else np.array([np.nan])
        case "huge":
            return np.full(array.shape or (1,), 2**62).astype(array.dtype) if array.size else None
        case "type":
            return numbers.astype(np.float32)
        case "index":
            return np.where(np.arange(array.size).reshape(array.shape) == 0, 10**7, array)


@settings(fuzz, max_examples=150)
@given(names, st.data())
def test_arrays_that_cannot_be_with_the_right_hash(originals, name, data):
    with written(originals[name]) as folder:
        arrays = arrays_of(folder)
        key = data.draw(st.sampled_from(sorted(arrays)))
        array = changed(arrays[key], data)
        replace_arrays(folder, {key: array})
        saved = loaded(folder)
        if saved and (key not in FREE or array is None):
            require_alike(saved, originals[name])


dimensions = st.one_of(st.integers(-2, 3), st.integers(10**9, 10**30))
types = st.sampled_from(["<f8", "|O", "<U0", "<U1000000000", "|V8", "<M8[s]", "<i4", "|b1"])


@fuzz
@given(names, st.lists(dimensions, max_size=4), types, st.binary(max_size=64), st.data())
def test_headers_that_announce_what_is_not_there(originals, name, shape, descr, content, data):
    with written(originals[name]) as folder:
        arrays = arrays_of(folder)
        key = data.draw(st.sampled_from(sorted(arrays)))
        plain = {one: array for one, array in arrays.items() if one != key}
        members = [
            (f"{one}.npy", npy(array.shape, array.dtype.str, array.tobytes()))
            for one, array in plain.items()
        ]
        members.append((f"{key}.npy", npy(tuple(shape), descr, content)))
        replace_file(folder, "parameters", packed(members))
        assert loaded(folder) is None
