from __future__ import annotations

import errno
import io
import json
import os

import numpy as np
import pytest

from corpus_tools.errors import BadData, BadModel
from semihmm import Aligner
from semihmm.saved_model import MANIFEST, has_model, load


def change_manifest(directory, **changes):
    path = directory / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def parameters(directory):
    (path,) = directory.glob("parameters-*.npz")
    return path


def test_what_is_no_model(tmp_path):
    with pytest.raises(BadModel, match=r"no such directory.*semihmm train"):
        load(tmp_path / "nothing")
    with pytest.raises(BadModel, match=r"it has no model\.json"):
        load(tmp_path)
    assert not has_model(tmp_path)


@pytest.mark.parametrize(
    ("manifest", "message"),
    [("{", "cannot be read"), ("[]", "not a semihmm model"), ('{"format": "other"}', "not a semihmm model but 'other'")],
)
def test_what_is_no_manifest(model_directory, manifest, message):
    (model_directory / MANIFEST).write_text(manifest)
    with pytest.raises(BadModel, match=message):
        load(model_directory)


def test_another_version(model_directory):
    change_manifest(model_directory, version=99)
    with pytest.raises(BadModel, match="format version 99, this program reads version 1"):
        load(model_directory)


def test_a_missing_file(model_directory):
    parameters(model_directory).unlink()
    with pytest.raises(BadModel, match="cannot be read: No such file"):
        load(model_directory)


def test_a_truncated_file(model_directory):
    path = parameters(model_directory)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadModel, match="damaged, truncated"):
        load(model_directory)


def test_settings_of_another_program(model_directory):
    settings = json.loads((model_directory / MANIFEST).read_text())["settings"]
    change_manifest(model_directory, settings=settings | {"unheard_of": 1})
    with pytest.raises(BadModel, match="unheard_of"):
        load(model_directory)


def replace_parameters(directory, arrays):
    """Put other arrays in, with their right hash."""
    import hashlib

    packed = io.BytesIO()
    np.savez(packed, **arrays)
    path = parameters(directory)
    path.write_bytes(packed.getvalue())
    files = json.loads((directory / MANIFEST).read_text())["files"]
    change_manifest(directory, files=files | {path.name: hashlib.sha256(packed.getvalue()).hexdigest()})


def test_pickles_are_refused(model_directory):
    with np.load(parameters(model_directory)) as stored:
        arrays = dict(stored)
    replace_parameters(model_directory, arrays | {"jump.weights": np.array([{"a": 1}], dtype=object)})
    with pytest.raises(BadModel, match="do not fit together"):
        load(model_directory)


def test_parameters_that_lack_a_part(model_directory):
    with np.load(parameters(model_directory)) as stored:
        arrays = {name: array for name, array in stored.items() if not name.startswith("jump.")}
    replace_parameters(model_directory, arrays)
    with pytest.raises(BadModel, match="do not fit together"):
        load(model_directory)


def test_a_full_disk_leaves_the_former_model(trained, sample, model_directory, miniature, monkeypatch):
    before = {path.name: path.read_bytes() for path in model_directory.iterdir()}

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    other = Aligner(iterations=1, wordnet=str(miniature)).fit(sample)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadData, match="No space left on device"):
        other.save(model_directory)
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in model_directory.iterdir()} == before
    assert Aligner.load(model_directory).align(sample[0]) == trained.align(sample[0])


def test_a_save_that_dies_before_the_manifest_leaves_the_former_model(trained, sample, model_directory, miniature, monkeypatch):
    other = Aligner(iterations=1, wordnet=str(miniature)).fit(sample)
    monkeypatch.setattr("semihmm.saved_model.replacing", lambda path: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        other.save(model_directory)
    assert Aligner.load(model_directory).align(sample[0]) == trained.align(sample[0])
    monkeypatch.undo()
    other.save(model_directory)
    assert len(list(model_directory.iterdir())) == 3, "nothing of the former models stays"
