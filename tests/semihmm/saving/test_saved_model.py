from __future__ import annotations

import errno
import io
import itertools
import json
import os
import pickle
import zipfile

import numpy as np
import pytest

from corpus_tools.errors import BadData, BadModel
from semihmm import Aligner
from semihmm.saving.manifest import MANIFEST
from semihmm.saving.saved_model import has_model, load
from tests.semihmm.saving.model_files import (
    arrays_of,
    change_manifest,
    earlier_version,
    file_of,
    manifest_of,
    replace_arrays,
    replace_file,
)


def parameters(directory):
    return file_of(directory, "parameters")


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
        ('{"format": "semihmm model", "version": true}', "format version True, this program"),
        ("[" * 100_000, "cannot be read"),
        ('{"a": NaN}', "cannot be read: .*NaN is no number"),
        ('{"a": 1e999}', "cannot be read"),
        ('{"a": 1' + "0" * 30 + "}", "cannot be read: .*too large"),
        ('{"a": "\\ud800"}', "cannot be read"),
        ('{"format": "semihmm model"}', "format version None, this program reads versions 1"),
        (
            '{"format": "semihmm model", "version": 1}',
            r"model\.json: files is missing: train",
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


@pytest.mark.parametrize("part", ["files", "settings", "provenance"])
@pytest.mark.parametrize("value", [None, [], "text", {"other": 1}])
def test_a_manifest_of_the_wrong_shape(model_directory, part, value):
    change_manifest(model_directory, **{part: value})
    with pytest.raises(BadModel, match=rf"model\.json: .*({part}|must be)"):
        load(model_directory)


def test_another_version(model_directory):
    change_manifest(model_directory, version=99)
    with pytest.raises(BadModel, match="format version 99, this program reads versions 1"):
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
        ({"own_end": 3}, "own end must be True or False, not 3"),
        ({"rewrite": "stem"}, "a list of names, not 'stem'"),
        ({"extract": "three"}, "extract must be a whole number"),
        ({"wordnet": 5}, "wordnet must be a text"),
        ({"iterations": True}, "iterations must be"),
    ],
)
def test_settings_of_another_version(model_directory, changes, message):
    settings = json.loads((model_directory / MANIFEST).read_text())["settings"]
    change_manifest(model_directory, settings=settings | changes)
    with pytest.raises(
        BadModel, match=f"model.json: settings do not fit.*{message}.*train the model again"
    ):
        load(model_directory)


def test_settings_without_a_limit_stay_without(sample, miniature, tmp_path):
    aligner = Aligner("paper", rewrite=("wordnet",), iterations=1, wordnet=str(miniature)).fit(
        sample
    )
    aligner.save(tmp_path)
    loaded = load(tmp_path).settings
    assert loaded.as_json() == aligner.settings.as_json()
    assert loaded.value("farthest") is None


@pytest.mark.parametrize("name", ["wordnet", "paraphrases"])
def test_a_resource_that_is_not_where_the_model_expects_it(sample, miniature, tmp_path, name):
    Aligner(rewrite=("relation",), iterations=1, wordnet=str(miniature)).fit(sample).save(tmp_path)
    settings = json.loads((tmp_path / MANIFEST).read_text())["settings"]
    change_manifest(tmp_path, settings=settings | {name: "elsewhere"})
    with pytest.raises(BadData, match=f"elsewhere: is no .*the model in {tmp_path} expects"):
        load(tmp_path)


class Trap:
    def __reduce__(self):
        return pytest.fail, ("a pickle was opened",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"jump.stop": np.array([Trap()], dtype=object)}, "no readable header|neither numbers"),
        ({"jump.stop": None}, "jump.stop: missing"),
        ({"jump.other": np.zeros(3)}, "jump.other: unknown"),
        ({"null.probability": np.array([0.5, np.nan])}, "null.probability: has the shape"),
        ({"jump.stop": np.full((2, 2, 3), np.inf)}, "jump.stop: has values that are not finite"),
        ({"jump.stay": np.array([1.5, 0.5])}, r"jump.stay: has values from 0.5 to 1.5, expected"),
        ({"jump.stay": np.array([0.5])}, r"jump.stay: has the shape \(1,\), expected \(2,\)"),
        ({"jump.stay": np.array([1, 1])}, "jump.stay: holds int64, expected float64"),
        (
            {"jump.labels": np.array(["(word)", "(other)", "S", "T", "U", "V", "W"])},
            "jump.labels: do not begin with",
        ),
        ({"mixture.weights": np.array([0.5, 0.5, 0.5, 0.5])}, "mixture.weights: probabilities sum"),
        (
            {"mixture.weights": np.array([0.25, 0.25, 0.25, 0.25])},
            "not those of the last iteration",
        ),
        ({"mixture.weights": np.ones(1)}, "mixture.weights: has the shape"),
        ({"length.more": np.array(-0.5)}, "length.more: has values from -0.5"),
        ({"null_jump.probability": np.array([-1.0, 0.5])}, "null_jump.probability: has values"),
    ],
)
def test_arrays_that_are_no_parameters(model_directory, changes, message):
    path = replace_arrays(model_directory, changes)
    with pytest.raises(BadModel, match=f"{path.name}: .*({message})"):
        load(model_directory)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive", pickle.dumps(Trap())])
def test_parameters_that_are_no_archive(model_directory, content):
    path = replace_file(model_directory, "parameters", content)
    with pytest.raises(BadModel, match=f"{path.name}: no npz archive"):
        load(model_directory)


def packed(members, compression=zipfile.ZIP_STORED):
    """Return an archive of members, given as (name, content)."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return stream.getvalue()


def npy(shape, descr="<f8", data=b""):
    """Return an npy file whose header announces any shape."""
    stream = io.BytesIO()
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue() + data


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([("jump.stop.npy", npy((10**12,), data=bytes(8)))], "announces the shape"),
        ([("jump.stop.npy", npy((10**12,), "<U0"))], "neither numbers nor texts"),
        ([("jump.stop.npy", npy((10**30, 0)))], "announces the shape"),
        ([("jump.stop.npy", npy((-1,), data=bytes(8)))], "announces the shape"),
        ([("jump.stop.npy", npy((1,), "|O", bytes(8)))], "neither numbers nor texts"),
        ([("jump.stop.npy", b"no header")], "no readable header"),
        ([("jump.stop", npy((0,)))], "does not end in .npy"),
        ([("a.npy", npy((0,))), ("a.npy", npy((0,)))], "is there twice"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_that_announce_what_they_have_not(model_directory, members, message):
    path = replace_file(model_directory, "parameters", packed(members))
    with pytest.raises(BadModel, match=f"{path.name}: .*{message}"):
        load(model_directory)


def test_a_compressed_member_is_not_unpacked(model_directory):
    bomb = packed([("a.npy", npy((10**6,), data=bytes(8 * 10**6)))], zipfile.ZIP_DEFLATED)
    path = replace_file(model_directory, "parameters", bomb)
    with pytest.raises(BadModel, match=f"{path.name}: .*compressed"):
        load(model_directory)


@pytest.mark.parametrize(
    ("name", "change"),
    [("threshold", 0.9), ("extract", 0), ("iterations", 3), ("after_null", False)],
)
def test_a_changed_setting_is_seen_by_the_hash(model_directory, name, change):
    """Of version 3 the manifest has its own hash, whatever the setting."""
    fields = manifest_of(model_directory)
    assert fields["settings"][name] != change
    fields["settings"][name] = change
    (model_directory / MANIFEST).write_text(json.dumps(fields))
    with pytest.raises(BadModel, match=r"model\.json: hash: the file was changed"):
        load(model_directory)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("objective", None, r"iterations\[0\].objective must be a number, not null"),
        ("objective", "1", r"iterations\[0\].objective must be a number"),
        ("null", 1.5, r"iterations\[0\].null must be a number from 0 to 1"),
        ("number", 2, r"iterations\[0\].number must be 1"),
        ("weights", {"identity": 1.0}, r"iterations\[0\].weights are not those"),
        ("weights", [1.0], r"iterations\[0\].weights must be an object"),
        ("other", 1, r"iterations\[0\].other is unknown"),
    ],
)
@pytest.mark.parametrize("version", [2, 3])
def test_iterations_of_the_wrong_form(model_directory, field, value, message, version):
    if version < 3:
        earlier_version(model_directory, version)
    provenance = manifest_of(model_directory)["provenance"]
    provenance["iterations"][0][field] = value
    fields = manifest_of(model_directory) | {"provenance": provenance}
    if version < 3:
        (model_directory / MANIFEST).write_text(json.dumps(fields))
    else:
        change_manifest(model_directory, provenance=provenance)
    with pytest.raises(BadModel, match=rf"model\.json: provenance\.{message}"):
        load(model_directory)


@pytest.mark.parametrize(
    ("field", "value"),
    [("program", 3), ("pairs", 0), ("pairs", 1.5), ("corpus", "x"), ("dropped", 3), ("odd", 1)],
)
def test_a_provenance_of_the_wrong_form(model_directory, field, value):
    provenance = manifest_of(model_directory)["provenance"]
    change_manifest(model_directory, provenance=provenance | {field: value})
    with pytest.raises(BadModel, match=rf"model\.json: provenance\.{field}"):
        load(model_directory)


def test_parts_of_another_model_of_the_same_shape(trained, model_directory, miniature, tmp_path):
    """The other model has the same words and settings; its hashes are right."""
    (tmp_path / "other").mkdir()
    for path in model_directory.iterdir():
        (tmp_path / "other" / path.name).write_bytes(path.read_bytes())
    arrays = arrays_of(tmp_path / "other")
    replace_arrays(tmp_path / "other", {"jump.stay": arrays["jump.stay"] / 2})
    load(tmp_path / "other")
    other = parameters(tmp_path / "other")
    parameters(model_directory).write_bytes(other.read_bytes())
    with pytest.raises(BadModel, match="damaged, truncated or of another model"):
        load(model_directory)


def test_a_vocabulary_of_another_model(model_directory):
    """Its hash is in the entry of the parameters that were saved with it."""
    words = json.loads(file_of(model_directory, "vocabulary").read_bytes())
    words["words"][:2] = reversed(words["words"][:2])
    replace_file(model_directory, "vocabulary", json.dumps(words).encode())
    files = manifest_of(model_directory)["files"]
    files[parameters(model_directory).name]["vocabulary"] = "0" * 64
    change_manifest(model_directory, files=files)
    with pytest.raises(BadModel, match="is not the vocabulary of this model"):
        load(model_directory)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda words: words["words"].append(words["words"][0]), "json: words: one is there twice"),
        (lambda words: words["words"].append("new word"), "vocabulary.stem_of: has the shape"),
        (lambda words: words["stems"].pop(), "vocabulary.stem_of: has values from 0"),
        (lambda words: words["words"].append(5), "words.* must be a text, not 5"),
        (lambda words: words.pop("stems"), "stems is missing"),
        (lambda words: words["words"].append("\ud800"), "no readable JSON"),
    ],
)
def test_vocabularies_that_do_not_fit(model_directory, change, message):
    words = json.loads(file_of(model_directory, "vocabulary").read_bytes())
    change(words)
    replace_file(model_directory, "vocabulary", json.dumps(words).encode())
    with pytest.raises(BadModel, match=message):
        load(model_directory)


def test_stems_beyond_the_vocabulary_or_in_another_order(model_directory):
    stem_of = arrays_of(model_directory)["vocabulary.stem_of"]
    for wrong in (stem_of + 10_000, -stem_of, stem_of[::-1].copy(), np.zeros_like(stem_of)):
        replace_arrays(model_directory, {"vocabulary.stem_of": wrong})
        with pytest.raises(BadModel, match=r"vocabulary\.stem_of: "):
            load(model_directory)


@pytest.mark.parametrize("name", ["../outside.npz", "/etc/passwd", "model.json"])
def test_names_of_files_that_are_not_of_the_model(model_directory, name):
    listed = {name: {"sha256": "0" * 64, "bytes": 0}}
    change_manifest(model_directory, files=manifest_of(model_directory)["files"] | listed)
    with pytest.raises(BadModel, match="is not the name of a file"):
        load(model_directory)


def test_a_file_that_is_a_pipe_is_not_waited_for(model_directory):
    path = parameters(model_directory)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(BadModel, match="it is no file"):
        load(model_directory)


def test_earlier_versions_still_load(trained, sample, model_directory):
    earlier_version(model_directory, 2)
    assert Aligner.load(model_directory).align(sample[0]) == trained.align(sample[0])


def test_nothing_of_others_is_deleted(trained, tmp_path):
    others = {
        "notes.new",
        "parameters-of-mine.npz",
        "vocabulary-0123456789abcdef.txt",
        ".model.json.1.tmp",
    }
    left_behind = {"parameters-0123456789abcdef.npz", ".vocabulary-0123456789abcdef.json.new"}
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
