"""Models come back as they were; whatever else is in their directory is refused by name."""

import io
import json
import os
import pickle
import re
import shutil
import zipfile
from contextlib import suppress
from functools import partial
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
from semihmm.model.saving import MANIFEST_NAME, load, manifest_content, parameters_name
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


def replace_parameters(directory: Path, content: bytes) -> None:
    """Put other parameters in."""
    parameters_of(directory).unlink()
    name = parameters_name(content)
    (directory / name).write_bytes(content)
    change_manifest(directory, parameters=name)


def names_in(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def arrays_of(directory: Path) -> dict[str, np.ndarray]:
    """Return the parameters."""
    with np.load(parameters_of(directory), allow_pickle=False) as stored:
        return dict(stored)


# What is refused


def as_manifest(make, directory):
    """Make something else in the place of the manifest. To read a pipe would take for ever."""
    (directory / MANIFEST_NAME).unlink()
    make(directory / MANIFEST_NAME)


def parameters(content):
    return lambda directory: replace_parameters(directory, content)


def with_name_of_others(directory):
    """Write an archive that is whole, and fits the settings: only its name is wrong."""
    changed = arrays_of(directory)
    changed["jump.stay"] /= 2
    parameters_of(directory).write_bytes(pack_npz(changed))


class Trap:
    def __reduce__(self):
        return pytest.fail, ("a pickle was opened",)


def compressed():
    stream = io.BytesIO()
    np.savez_compressed(stream, a=np.zeros(10**6))
    return stream.getvalue()


def announced():
    """Return an archive whose one array announces more numbers than the file has bytes."""
    member, stream = io.BytesIO(), io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(member, header)
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("jump.stop.npy", member.getvalue() + bytes(8))
    return stream.getvalue()


IN_MANIFEST = [
    (partial(as_manifest, os.mkdir), "not a file"),
    (partial(as_manifest, os.mkfifo), "not a file"),
]
NO_ARCHIVE = "no npz archive of plain arrays.*train the model again"
IN_PARAMETERS = [
    (with_name_of_others, "damaged"),
    (parameters(b""), NO_ARCHIVE),
    (parameters(pickle.dumps(Trap())), NO_ARCHIVE),
    (parameters(pack_npz({"jump.stop": np.array([Trap()], dtype=object)})), NO_ARCHIVE),
    (parameters(announced()), NO_ARCHIVE),
    (parameters(compressed()), "an array is compressed.*train the model again"),
]


@pytest.mark.parametrize(
    ("change", "problem"),
    [(change, rf"model\.json: .*{problem}") for change, problem in IN_MANIFEST]
    + [(change, rf"parameters-\w+\.npz: .*{problem}") for change, problem in IN_PARAMETERS],
)
def test_what_is_no_model_is_refused_with_its_file(model_directory, change, problem):
    change(model_directory)
    with pytest.raises(BadModel, match=problem):
        load(model_directory)


def array_of(value):
    """Return an array, or the bytes of a text as one; ``None`` stays."""
    if isinstance(value, str):
        return np.frombuffer(value.encode(), np.uint8)
    return value and np.array(value)


def test_values_that_are_none_of_a_model_are_named(model_directory, worked_out, tmp_path):
    """Without a value an array is left out."""

    def problem(line):
        part, _, changes = line.partition(" ")
        folder = shutil.copytree(model_directory, tmp_path / f"changed {line[:60]}")
        if part == "manifest":
            (folder / MANIFEST_NAME).write_text(changes)
        elif part == "parameters":
            arrays = arrays_of(folder) | {k: array_of(v) for k, v in json.loads(changes).items()}
            kept = {name: own for name, own in arrays.items() if own is not None}
            replace_parameters(folder, pack_npz(kept))
        else:
            changed = manifest_of(folder)[part] | json.loads(changes)
            change_manifest(folder, **{part: changed})
        try:
            load(folder)
        except BadModel as error:
            yield re.sub(r".*(\bmodel|parameters)\S*\.", r"\1.", str(error))

    worked_out("refused_models.txt", problem)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_model_that_is_replaced_is_read_again(model_directory, monkeypatch, is_replaced):
    """Another one takes its place while it is read."""
    old, arrays = manifest_of(model_directory), arrays_of(model_directory)
    arrays["jump.stay"] /= 2
    replace_parameters(model_directory, pack_npz(arrays))
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


def test_a_saved_model_keeps_its_language_if_none_is_asked_for(model_directory):
    """Older models have none: they are of English."""
    settings = manifest_of(model_directory)["settings"]
    for language in ("en", "es"):
        change_manifest(model_directory, settings=settings | {"language": language})
        assert load(model_directory, language="auto").settings.language == language
    del settings["language"]
    change_manifest(model_directory, settings=settings)
    assert load(model_directory, language="auto").settings.language == "en"
    assert load(model_directory, language="de").settings.language == "de"


def test_older_files_are_deleted_once_the_new_ones_are_on_the_disk(trained, tmp_path, monkeypatch):
    """Nothing of others is."""
    others = {"notes.new", "parameters-of-mine.npz", ".model.json.1.tmp"}
    old = {f"parameters-{'0' * 64}.npz", f".model.json.{'0' * 16}{TEMPORARY}"}
    for name in others | old:
        (tmp_path / name).touch()
    synced = []
    monkeypatch.setattr(saving.folders, "sync_folder", lambda of: synced.append(names_in(of)))
    trained.save(tmp_path)
    kept = others | {MANIFEST_NAME, parameters_of(tmp_path).name}
    assert kept | old | {".lock"} in synced
    assert names_in(tmp_path) - {".lock"} == kept
