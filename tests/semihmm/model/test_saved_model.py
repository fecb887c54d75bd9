"""Models come back as they were; whatever else is in their directory is refused by name."""

import io
import json
import os
import pickle
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadModel
from corpus_tools.base.files import TEMPORARY, pack_npz
from semihmm import Aligner
from semihmm.model import saving
from semihmm.model.saving import (
    GENERAL_MODEL,
    MANIFEST_NAME,
    load,
    manifest_content,
    name_of,
    parameters_name,
    save,
    writing,
)
from tests.examples import fuzz

# Changed files, in such a way that all hashes are right


def manifest_of(directory: Path) -> dict[str, Any]:
    """Return the manifest."""
    return json.loads((directory / MANIFEST_NAME).read_bytes())


def change_manifest(directory: Path, **changes: Any) -> None:
    """Change the parameters' name, the settings or the provenance in the manifest."""
    fields = manifest_of(directory) | changes
    content = manifest_content(fields["parameters"], fields["settings"], fields["provenance"])
    (directory / MANIFEST_NAME).write_bytes(content)


def parameters_of(directory: Path) -> Path:
    """Return the file of the parameters."""
    return directory / manifest_of(directory)["parameters"]


def replace_parameters(directory: Path, content: bytes) -> Path:
    """Put other parameters in."""
    parameters_of(directory).unlink()
    path = directory / parameters_name(content)
    path.write_bytes(content)
    change_manifest(directory, parameters=path.name)
    return path


def names_in(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def arrays_of(directory: Path) -> dict[str, np.ndarray]:
    """Return the parameters."""
    with np.load(parameters_of(directory), allow_pickle=False) as stored:
        return dict(stored)


# What is refused


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("{", "cannot be read"),
        ('{"format": "other", "version": 4}', "expected a semihmm model"),
        ('{"format": "semihmm model", "version": 3}', "of version 4, not"),
        ('{"format": "semihmm model", "version": 4}', "it was changed after it was written"),
    ],
)
def test_what_is_no_manifest(model_directory, manifest, message):
    (model_directory / MANIFEST_NAME).write_text(manifest)
    with pytest.raises(BadModel, match=rf"model\.json: .*{message}"):
        load(model_directory)


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_a_folder_or_a_pipe_in_the_place_of_the_manifest(model_directory, make):
    """To read a pipe would take for ever."""
    (model_directory / MANIFEST_NAME).unlink()
    make(model_directory / MANIFEST_NAME)
    with pytest.raises(BadModel, match=r"model\.json: not a file"):
        load(model_directory)


@pytest.mark.parametrize(
    ("field", "changes", "message"),
    [
        ("settings", {"unheard_of": 1}, "settings do not fit.*unknown setting 'unheard_of'"),
        ("settings", {"threshold": 7}, "settings do not fit.*threshold"),
        ("provenance", {"corpus": 7}, "'corpus' of the provenance is 7"),
        ("provenance", {"iterations": {}}, "'iterations' of the provenance is"),
        ("provenance", {"abstract_words": "7"}, "'abstract_words' of the provenance is '7'"),
        ("provenance", {"tokenizer": None}, "'tokenizer' of the provenance is None"),
        ("provenance", {"iterations": [7]}, "an iteration of the provenance is no object"),
        ("provenance", {"start": {"model": 7, "identity": ""}}, "'start' of the provenance"),
        ("provenance", {"start": {"model": ""}}, "not a model of this program: KeyError"),
    ],
)
def test_fields_of_another_program(model_directory, field, changes, message):
    change_manifest(model_directory, **{field: manifest_of(model_directory)[field] | changes})
    with pytest.raises(BadModel, match=rf"model\.json: .*{message}"):
        load(model_directory)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_model_that_is_replaced_while_it_is_read_is_read_again(
    model_directory, monkeypatch, is_replaced
):
    old, arrays = manifest_of(model_directory), arrays_of(model_directory)
    replace_parameters(model_directory, pack_npz(arrays | {"jump.stay": arrays["jump.stay"] / 2}))
    new = manifest_of(model_directory)
    read = iter([old, new if is_replaced else old])
    monkeypatch.setattr(saving, "read_manifest", lambda folder: next(read))
    if is_replaced:
        assert load(model_directory).identity == new["hash"]
    else:
        with pytest.raises(BadModel, match="a file of the model cannot be read"):
            load(model_directory)


@fuzz(60)
@given(st.booleans(), st.floats(0.0, 1.0, exclude_max=True), st.integers(0, 8))
def test_damaged_bytes(model_directory, manifest, place, bit):
    """One bit flipped, or all cut off from there on."""
    path = model_directory / MANIFEST_NAME if manifest else parameters_of(model_directory)
    whole = path.read_bytes()
    content = bytearray(whole)
    at = int(place * len(content))
    if bit < 8:
        content[at] ^= 1 << bit
    else:
        del content[at:]
    with suppress(ValueError):
        # A last digit beyond the precision of a number makes no difference.
        assume(not manifest or json.loads(content) != json.loads(whole))
    path.write_bytes(content)
    try:
        with pytest.raises(BadModel, match=path.name):
            load(model_directory)
    finally:
        path.write_bytes(whole)


def test_a_damaged_model_can_be_saved_again(trained, sample, model_directory):
    """A file is named by its content: the new one has the name of the one that is damaged."""
    for path in model_directory.iterdir():
        path.write_bytes(b"damaged")
    trained.save(model_directory)
    assert Aligner.load(model_directory).align(sample[0]) == trained.align(sample[0])


def test_a_model_has_its_name_and_its_counts(trained, tmp_path):
    model = replace(trained.model, transferred=trained.model.counts)
    with writing(tmp_path):
        save(replace(trained.trained, model=model), tmp_path)
    loaded = load(tmp_path)
    for field in (loaded.model.counts, loaded.model.transferred):
        assert len(field) > 5 and field.keys() == model.counts.keys()
        assert all(np.array_equal(field[name], model.counts[name]) for name in field)
    digits = parameters_of(tmp_path).name.removeprefix("parameters-")[:8]
    assert loaded.name == name_of(loaded.model) == f"model {digits}"
    assert load(GENERAL_MODEL, wordnet="none").name.startswith("general model ")


def test_parameters_of_another_model_under_the_name_of_these(model_directory):
    """An archive that is whole, and fits the settings: only its name is wrong."""
    path = parameters_of(model_directory)
    stay = arrays_of(model_directory)["jump.stay"]
    path.write_bytes(pack_npz(arrays_of(model_directory) | {"jump.stay": stay / 2}))
    with pytest.raises(BadModel, match=f"{path.name}: damaged"):
        load(model_directory)


class Trap:
    def __reduce__(self):
        return pytest.fail, ("a pickle was opened",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"jump.stop": np.array([Trap()], dtype=object)}, "no npz archive of plain arrays"),
        ({"jump.stop": None}, "jump.stop: missing"),
        ({"jump.more": np.ones(1)}, "jump.more: unknown"),
        ({"null.probability": np.array([0.5, np.nan])}, "null.probability: has the shape"),
        ({"jump.stop": np.full((2, 2, 3), np.inf)}, "jump.stop: has values that are not finite"),
        ({"jump.stay": np.array([1.5, 0.5])}, r"jump.stay: has values from 0.5 to 1.5, expected"),
        ({"mixture.weights": np.ones(1)}, "mixture.weights: has the shape"),
        ({"vocabulary.words": np.frombuffer(b'["a", "a"]', np.uint8)}, "vocabulary.words: no list"),
        ({"vocabulary.words": np.frombuffer(b'["a', np.uint8)}, "vocabulary.words: Unterminated"),
        ({"vocabulary.stems": np.frombuffer(b'["a"]', np.uint8)}, "stem_of: has values from 0"),
    ],
)
def test_arrays_that_are_no_parameters(model_directory, changes, message):
    arrays = arrays_of(model_directory) | changes
    kept = {name: array for name, array in arrays.items() if array is not None}
    path = replace_parameters(model_directory, pack_npz(kept))
    with pytest.raises(BadModel, match=f"{path.name}: .*({message})"):
        load(model_directory)


def packed(*members):
    """Return an archive of members, given as (name, content) or (name, content, compression)."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for member in members:
            archive.writestr(*member)
    return stream.getvalue()


def npy(shape, descr="<f8", data=b""):
    """Return an npy file whose header announces any shape."""
    stream = io.BytesIO()
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue() + data


@pytest.mark.parametrize(
    "content",
    [
        b"",
        pickle.dumps(Trap()),
        packed(("jump.stop.npy", npy((10**12,), data=bytes(8)))),
        packed(("jump.stop.npy", npy((1,), "|O", pickle.dumps(Trap())))),
        packed(
            ("a.npy", npy((1,), data=bytes(8))),
            ("b.npy", npy((10**6,), data=bytes(8 * 10**6)), zipfile.ZIP_DEFLATED),
        ),
    ],
    ids=["nothing", "pickle", "announced", "object", "compressed"],
)
def test_parameters_that_are_no_archive(model_directory, content):
    path = replace_parameters(model_directory, content)
    problem = "(no npz archive of plain arrays|an array is compressed).*train the model again"
    with pytest.raises(BadModel, match=f"{path.name}: {problem}"):
        load(model_directory)


def test_a_saved_model_keeps_its_language_if_none_is_asked_for(model_directory):
    """Older models have none: they are of English."""
    settings = manifest_of(model_directory)["settings"]
    for language in ("en", "es"):
        change_manifest(model_directory, settings=settings | {"language": language})
        assert load(model_directory, language="auto").settings.language == language
    change_manifest(
        model_directory, settings={n: v for n, v in settings.items() if n != "language"}
    )
    assert load(model_directory, language="auto").settings.language == "en"
    assert load(model_directory, language="de").settings.language == "de"


def test_older_files_are_deleted_once_the_new_ones_are_on_the_disk(trained, tmp_path, monkeypatch):
    """Nothing of others is."""
    others = {"notes.new", "parameters-of-mine.npz", ".model.json.1.tmp"}
    old = {f"parameters-{'0' * 64}.npz", f".model.json.{'0' * 16}{TEMPORARY}"}
    for name in others | old:
        (tmp_path / name).touch()
    synced = []
    monkeypatch.setattr(
        saving.folders, "sync_folder", lambda folder: synced.append(names_in(folder))
    )
    trained.save(tmp_path)
    kept = others | {MANIFEST_NAME, parameters_of(tmp_path).name}
    assert kept | old | {".lock"} in synced
    assert names_in(tmp_path) - {".lock"} == kept
