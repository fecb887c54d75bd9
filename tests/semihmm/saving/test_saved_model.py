from __future__ import annotations

import errno
import hashlib
import io
import itertools
import json
import os
import pickle

import numpy as np
import pytest

from corpus_tools.errors import BadData, BadModel
from semihmm import Aligner
from semihmm.saving.saved_model import MANIFEST, has_model, load


def change_manifest(directory, **changes):
    path = directory / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def parameters(directory):
    (path,) = directory.glob("parameters-*.npz")
    return path


def test_what_is_no_model(tmp_path):
    with pytest.raises(BadModel, match=r"there is no such directory"):
        load(tmp_path / "nothing")
    with pytest.raises(BadModel, match=r"it has no model\.json"):
        load(tmp_path)
    assert not has_model(tmp_path)


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("", "cannot be read"),
        ("{", "cannot be read"),
        ("[]", "not a semihmm model but None"),
        ('{"format": "other"}', "not a semihmm model but 'other'"),
        ('{"format": "semihmm model"}', "format version None, this program reads versions 1 to 2"),
        (
            '{"format": "semihmm model", "version": 1}',
            r"do not fit together \(KeyError\('settings'\)\)",
        ),
    ],
)
def test_what_is_no_manifest(model_directory, manifest, message):
    (model_directory / MANIFEST).write_text(manifest)
    with pytest.raises(BadModel, match=message):
        load(model_directory)


def test_a_manifest_that_cannot_be_read(model_directory):
    (model_directory / MANIFEST).unlink()
    (model_directory / MANIFEST).mkdir()
    with pytest.raises(BadModel, match=r"model\.json: cannot be read: .*Is a directory"):
        load(model_directory)


@pytest.mark.parametrize(
    ("part", "value"),
    [*itertools.product(("files", "settings"), (None, [], "text")), ("files", {})],
)
def test_a_manifest_of_the_wrong_shape(model_directory, part, value):
    change_manifest(model_directory, **{part: value})
    with pytest.raises(BadModel, match="do not fit"):
        load(model_directory)


def test_another_version(model_directory):
    change_manifest(model_directory, version=99)
    with pytest.raises(BadModel, match="format version 99, this program reads versions 1 to 2"):
        load(model_directory)


def test_a_missing_file(model_directory):
    parameters(model_directory).unlink()
    with pytest.raises(BadModel, match="cannot be read: No such file"):
        load(model_directory)


def test_a_truncated_file(model_directory):
    for path in (parameters(model_directory), *model_directory.glob("vocabulary-*.json")):
        whole = path.read_bytes()
        path.write_bytes(whole[:-100])
        with pytest.raises(
            BadModel, match=rf"{path.name}: damaged, truncated.*{len(whole) - 100} bytes"
        ):
            load(model_directory)
        path.write_bytes(whole)
    load(model_directory)


def test_parameters_of_another_model(sample, model_directory, miniature, tmp_path):
    Aligner(iterations=1, wordnet=str(miniature)).fit(sample).save(tmp_path / "other")
    parameters(model_directory).write_bytes(parameters(tmp_path / "other").read_bytes())
    with pytest.raises(BadModel, match="or of another model"):
        load(model_directory)


def test_a_damaged_model_can_be_saved_again(trained, sample, model_directory):
    """Files are named by their content: the new ones have the names of those that are damaged."""
    for path in model_directory.iterdir():
        path.write_bytes(b"damaged")
    trained.save(model_directory)
    assert Aligner.load(model_directory).align(sample[0]) == trained.align(sample[0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"unheard_of": 1}, "unknown settings: unheard_of"),
        ({"jump": "gaussain"}, "unknown jump model 'gaussain'"),
        ({"decoder": "beam"}, "unknown decoder 'beam'"),
        ({"threshold": 7}, "threshold"),
        ({"limit": 3}, "unknown settings: limit"),
        ({"own_end": 3}, "own end must be True or False, not 3"),
        ({"rewrite": "stem"}, "a list of names, not 'stem'"),
        ({"rewrite": 3}, "a list of names, not 3"),
    ],
)
def test_settings_of_another_version(model_directory, changes, message):
    settings = json.loads((model_directory / MANIFEST).read_text())["settings"]
    change_manifest(model_directory, settings=settings | changes)
    with pytest.raises(BadModel, match=f"do not fit.*{message}.*train it again"):
        load(model_directory)


def test_settings_without_a_limit_stay_without(sample, miniature, tmp_path):
    aligner = Aligner("paper", rewrite=("wordnet",), iterations=1, wordnet=str(miniature)).fit(
        sample
    )
    aligner.save(tmp_path)
    loaded = load(tmp_path).settings
    assert loaded.as_json() == aligner.settings.as_json()
    assert loaded.value("farthest") is None


def replace_parameters(directory, content):
    """Put other parameters in, with their right hash."""
    path = parameters(directory)
    path.write_bytes(content)
    files = json.loads((directory / MANIFEST).read_text())["files"]
    change_manifest(directory, files=files | {path.name: hashlib.sha256(content).hexdigest()})


def replace_arrays(directory, changes):
    """Put other arrays in; ``None`` leaves one out."""
    with np.load(parameters(directory)) as stored:
        arrays = dict(stored) | changes
    packed = io.BytesIO()
    np.savez(packed, **{name: array for name, array in arrays.items() if array is not None})
    replace_parameters(directory, packed.getvalue())


class Trap:
    def __reduce__(self):
        return pytest.fail, ("a pickle was opened",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"jump.stop": np.array([Trap()], dtype=object)}, "allow_pickle=False"),
        ({"jump.stop": None}, "missing 1 required positional argument"),
        (
            {"null.probability": np.array([0.5, np.nan])},
            "null.probability has values that are no finite numbers",
        ),
        ({"jump.stop": np.array([[np.inf]])}, "jump.stop has values that are no finite numbers"),
    ],
)
def test_arrays_that_are_no_parameters(model_directory, changes, message):
    replace_arrays(model_directory, changes)
    with pytest.raises(BadModel, match=f"do not fit together.*{message}"):
        load(model_directory)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive", pickle.dumps(Trap())])
def test_parameters_that_are_no_archive(model_directory, content):
    replace_parameters(model_directory, content)
    with pytest.raises(BadModel, match="do not fit together"):
        load(model_directory)


def test_nothing_of_others_is_deleted(trained, tmp_path):
    others = {
        "notes.new",
        "parameters-of-mine.npz",
        "vocabulary-0123456789abcdef.txt",
        ".model.json.1.tmp",
    }
    left_behind = {"parameters-0123456789abcdef.npz", "vocabulary-0123456789abcdef.json.new"}
    for name in others | left_behind:
        (tmp_path / name).write_text("")
    trained.save(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert others <= names and not left_behind & names and len(names - others) == 3


@pytest.mark.parametrize("writes", range(3))
@pytest.mark.parametrize("function", ["fsync", "replace"])
@pytest.mark.parametrize(
    "failure",
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), BadData),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_a_save_that_fails_leaves_the_former_model(
    trained, sample, model_directory, miniature, monkeypatch, writes, function, failure
):
    """A full disk, or an interrupt, when so many files have been written."""
    error, seen = failure
    written = itertools.count()
    intact = getattr(os, function)

    def fail(*arguments):
        if next(written) == writes:
            raise error
        return intact(*arguments)

    other = Aligner(iterations=1, wordnet=str(miniature)).fit(sample)
    monkeypatch.setattr(os, function, fail)
    with pytest.raises(seen, match="No space left on device" if seen is BadData else None):
        other.save(model_directory)
    monkeypatch.undo()
    assert Aligner.load(model_directory).align(sample[0]) == trained.align(sample[0])
    other.save(model_directory)
    assert Aligner.load(model_directory).align(sample[0]) == other.align(sample[0])
    assert len(list(model_directory.iterdir())) == 3, "nothing of the former models stays"
