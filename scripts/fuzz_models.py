"""Manipulated models and caches: damaged, and with the right hashes over the wrong content."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_files import ODD, _case, _change, _gzip
from fuzz_judge import Case
from fuzz_world import FEW, TASKS, Task

READERS = ("align", "errors", "stats", "coverage")
NAMES = ("model",)


def _instead(path: Path, make: Callable[..., object], *arguments: object) -> None:
    """Remove a file and make something else where it was."""
    path.unlink()
    make(*arguments)


def _reader(draw: random.Random, folder: Path) -> Task:
    """Draw a command that reads a model; half of the models have a lexical part."""
    name = draw.choice((*READERS, "resume"))
    if draw.random() < 0.5:
        shutil.rmtree(folder / "model")
        (folder / "model-paper").rename(folder / "model")
    if name == "resume":
        line = ("pairs.jsonl", "--model", "model", "--resume", "--iterations", "2")
        return Task("train", (*line, "--workers", "1"), {}, ("model",))
    return TASKS[name]


def _files(model: Path) -> tuple[Path, Path, Path]:
    """Return the manifest, the parameters and the vocabulary."""
    (parameters,) = model.glob("parameters-*")
    (vocabulary,) = model.glob("vocabulary-*")
    return model / "model.json", parameters, vocabulary


def damaged(draw: random.Random, folder: Path) -> Case:
    """Damage a file of a model, without its hash."""
    task = _reader(draw, folder)
    manifest, parameters, vocabulary = _files(folder / "model")
    path = draw.choice((manifest, manifest, parameters, vocabulary))
    content = path.read_bytes()
    digits = [index for index, byte in enumerate(content) if chr(byte).isdigit()] or [0]
    place = draw.choice(digits) if path == manifest else draw.randrange(len(content))
    other = b"7" if content[place : place + 1] != b"7" else b"3"
    writes: dict[str, Callable[[], object]] = {
        "a byte": lambda: path.write_bytes(content[:place] + other + content[place + 1 :]),
        "cut": lambda: path.write_bytes(content[:place]),
        "empty": lambda: path.write_bytes(b""),
        "more behind": lambda: path.write_bytes(content + b"0"),
        "zeros": lambda: path.write_bytes(bytes(len(content))),
        "gzip": lambda: path.write_bytes(_gzip(content)),
        "missing": path.unlink,
        "directory": lambda: _instead(path, path.mkdir),
        "loop": lambda: _instead(path, path.symlink_to, path.name),
        "FIFO": lambda: _instead(path, os.mkfifo, path),
        "device": lambda: _instead(path, path.symlink_to, "/dev/zero"),
        "other file": lambda: (
            shutil.copy(draw.choice((parameters, vocabulary, manifest)), path)
            if path != manifest
            else shutil.copy(parameters, path)
        ),
        "NaN": lambda: path.write_bytes(b'{"format": NaN}'),
        "deep": lambda: path.write_bytes(b"[" * 100_000),
    }
    name = draw.choice(list(writes))
    if name == "other file" and path != manifest:
        shutil.copy(vocabulary if path == parameters else parameters, path)
    else:
        writes[name]()
    case = _case("damaged models", f"{path.name[:10]}: {name}", task, True, NAMES)
    if name == "missing" and path == manifest and task.command == "train":
        case.bad = None  # there is no model any more: training begins
        case.may_stay = "model/"
    return case


def changed_manifest(draw: random.Random, folder: Path) -> Case:
    """Change a field of the manifest, and its hash with it."""
    task = _reader(draw, folder)
    manifest, _, _ = _files(folder / "model")
    fields = json.loads(manifest.read_bytes())
    hash_before = fields.pop("hash")
    part = draw.choice(("settings", "settings", "provenance", ""))
    odd = draw.choice((*ODD, "posterior", "viterbi", "uniform", "gaussian", 3, 0.5, ["identity"]))
    where = _change(draw, fields[part] if part else fields, odd)
    try:
        text = json.dumps(fields, sort_keys=True, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        text = json.dumps(fields, sort_keys=True).encode()
    fields["hash"] = hashlib.sha256(text).hexdigest()
    assert len(hash_before) == 64
    manifest.write_text(json.dumps(fields, indent=1))
    what = f"{part}{where} = {json.dumps(odd)[:40]}"
    return _case("changed manifests, hashed again", what, task, None, NAMES)


def _array_changes(draw: random.Random, array: np.ndarray) -> dict[str, Callable[[], Any]]:
    flat = array.reshape(-1)
    half = flat[: len(flat) // 2]
    numbers: dict[str, Callable[[], Any]] = {
        "half of it": lambda: half,
        "empty": lambda: array[:0] if array.ndim else flat[:0],
        "one more axis": lambda: array[None],
        "flat": lambda: flat if array.ndim > 1 else array[:, None] if array.ndim else flat,
        "float32": lambda: array.astype("f4"),
        "int8": lambda: array.astype("i1"),
        "uint64": lambda: array.astype("u8"),
        "float16": lambda: array.astype("f2"),
        "truth values": lambda: array.astype(bool),
        "complex": lambda: array.astype(complex),
        "texts": lambda: array.astype(str),
        "objects": lambda: array.astype(object),
        "times": lambda: array.astype("M8[s]"),
        "other byte order": lambda: array.astype(array.dtype.newbyteorder()),
        "twice": lambda: np.concatenate([array, array]) if array.ndim else array[None],
        "reversed": lambda: array[::-1].copy() if array.ndim else array + 1,
        "negative": lambda: -array - 1,
        "large": lambda: array + array.dtype.type(2**31 - 1),
        "zeros": lambda: array * 0,
        "all the same": lambda: array * 0 + array.dtype.type(1),
        "doubled": lambda: array * 2,
        "as Fortran": lambda: np.asfortranarray(array),
    }
    if array.dtype.kind == "f":
        numbers |= {
            "NaN": lambda: array * np.nan,
            "infinite": lambda: array + np.inf,
            "one NaN": lambda: _with(draw, array, np.nan),
            "one infinite": lambda: _with(draw, array, np.inf),
            "one huge": lambda: _with(draw, array, 1e308),
            "one tiny": lambda: _with(draw, array, 5e-324),
            "one negative": lambda: _with(draw, array, -1e-3),
            "one zero": lambda: _with(draw, array, 0.0),
        }
    elif array.dtype.kind in "iu":
        numbers |= {
            "one large": lambda: _with(draw, array, np.iinfo(array.dtype).max),
            "one negative": lambda: _with(draw, array, -1),
            "one more": lambda: _with(draw, array, 1 + int(flat.max(initial=0))),
            "shuffled": lambda: np.random.default_rng(draw.randrange(99)).permutation(array),
        }
    return numbers


def _with(draw: random.Random, array: np.ndarray, value: float) -> np.ndarray:
    changed = array.copy()
    if changed.size:
        changed.reshape(-1)[draw.randrange(changed.size)] = value
    return changed


SURELY_BAD = ("NaN", "infinite", "one NaN", "one infinite", "objects", "complex", "times", "texts",
              "one more axis", "float16")  # fmt: skip


def changed_arrays(draw: random.Random, folder: Path) -> Case:
    """Change an array of the parameters, with all hashes as they should be."""
    task = _reader(draw, folder)
    model = folder / "model"
    manifest, parameters, _ = _files(model)
    with np.load(parameters) as archive:
        arrays = {name: archive[name] for name in archive.files}
    name = draw.choice(sorted(arrays))
    changes = _array_changes(draw, arrays[name])
    if arrays[name].dtype.kind == "U":
        changes = {one: changes[one] for one in ("half of it", "empty", "objects", "twice")}
    change = draw.choice(list(changes))
    with np.errstate(all="ignore"):
        try:
            arrays[name] = changes[change]()
        except (TypeError, ValueError, OverflowError):
            change, arrays[name] = "empty", arrays[name].reshape(-1)[:0]
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    _replace(model, manifest, parameters, packed.getvalue())
    surely = change in SURELY_BAD and arrays[name].size > 0
    bad = True if surely else None
    what = f"{name}: {change}"
    return _case("changed arrays, hashed again", what, task, bad, ("parameters-", "model"))


def changed_archive(draw: random.Random, folder: Path) -> Case:
    """Change the archive, an npy header or the vocabulary, with all hashes as they should be."""
    task = _reader(draw, folder)
    model = folder / "model"
    manifest, parameters, vocabulary = _files(model)
    words = json.loads(vocabulary.read_bytes())
    content = parameters.read_bytes()
    kind = draw.choice(("compressed", "huge header", "bomb", "more", "twice", "no arrays", "noise",
                        "one word less", "word twice", "odd word", "words of others", "mixed up",
                        "one stem more", "no lists", "cut", "long comment"))  # fmt: skip
    path, made = vocabulary, b""
    if kind in ("one word less", "word twice", "odd word", "mixed up", "one stem more", "no lists"):
        changes: dict[str, Callable[[], object]] = {
            "one word less": lambda: words["words"].pop(),
            "word twice": lambda: words["words"].__setitem__(0, words["words"][1]),
            "odd word": lambda: words["words"].__setitem__(0, draw.choice(ODD)),
            "mixed up": lambda: words["words"].reverse(),
            "one stem more": lambda: words["stems"].append("zzzz"),
            "no lists": lambda: words.update(words={}),
        }
        changes[kind]()
        made = json.dumps(words).encode()
    elif kind == "words of others":
        others = [f"w{index}" for index in range(len(words["words"]))]
        made = json.dumps({**words, "words": others}).encode()
    else:
        path = parameters
        made = _other_archive(kind, content)
    _replace(model, manifest, path, made)
    bad = None if kind in ("odd word", "words of others", "mixed up", "long comment") else True
    what = f"{path.name[:10]}: {kind}"
    return _case(
        "changed archives, hashed again", what, task, bad, ("parameters-", "vocab", "model")
    )


def _other_archive(kind: str, content: bytes) -> bytes:
    if kind == "noise":
        return b"PK\x03\x04" + bytes(range(256)) * 8
    if kind == "cut":
        return content[:-60]
    packed = io.BytesIO()
    compression = zipfile.ZIP_DEFLATED if kind in ("compressed", "bomb") else zipfile.ZIP_STORED
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(packed, "w", compression) as new,
    ):
        for index, name in enumerate(old.namelist() if kind != "no arrays" else ()):
            member = old.read(name)
            if index == 0 and kind == "huge header":
                member = _announcing(10**12)
            if index == 0 and kind == "bomb":
                member = _announcing(10**7) + bytes(8 * 10**7)
            new.writestr(name, member)
            if index == 0 and kind == "twice":
                new.writestr(name, member)
        if kind == "more":
            new.writestr("more.npy", _announcing(0))
        if kind == "long comment":
            new.comment = b"x" * 60_000
    return packed.getvalue()


def _announcing(size: int) -> bytes:
    stream = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (size,)}
    np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue()


def _replace(model: Path, manifest: Path, path: Path, content: bytes) -> None:
    """Replace a file of a model under the name that its hash asks for; hash the manifest again."""
    fields = json.loads(manifest.read_bytes())
    digest = hashlib.sha256(content).hexdigest()
    stem, _, ending = path.name.partition("-")
    name = f"{stem}-{digest[:16]}.{ending.partition('.')[2]}"
    path.unlink()
    (model / name).write_bytes(content)
    listed = fields["files"].pop(path.name)
    fields["files"][name] = {**listed, "sha256": digest, "bytes": len(content)}
    if stem == "vocabulary":
        for other, one in fields["files"].items():
            if other.startswith("parameters"):
                one["vocabulary"] = digest
    del fields["hash"]
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False).encode()
    fields["hash"] = hashlib.sha256(text).hexdigest()
    manifest.write_text(json.dumps(fields, ensure_ascii=False, indent=1), encoding="utf-8")


def damaged_caches(draw: random.Random, folder: Path) -> Case:
    """Damage the cache of a training or of a parser: the result is the same without it."""
    model = {path.name: path.read_bytes() for path in (folder / "model").iterdir()}
    task = Task(
        "train",
        ("pairs.jsonl", "--model", "new", "--cache", "cache", *FEW),
        {},
        ("new", "cache"),
    )
    paths = sorted(path for path in (folder / "cache").rglob("*") if path.is_file())
    path = draw.choice(paths)
    content = path.read_bytes()
    place = draw.randrange(len(content)) if content else 0
    kind = draw.choice(("cut", "empty", "a byte", "zeros", "directory", "loop", "pickle", "gone"))
    writes: dict[str, Callable[[], object]] = {
        "cut": lambda: path.write_bytes(content[:place]),
        "empty": lambda: path.write_bytes(b""),
        "a byte": lambda: path.write_bytes(content[:place] + b"\xff" + content[place + 1 :]),
        "zeros": lambda: path.write_bytes(bytes(len(content))),
        "directory": lambda: _instead(path, path.mkdir),
        "loop": lambda: _instead(path, path.symlink_to, path.name),
        "pickle": lambda: path.write_bytes(b"cos\nsystem\n(S'touch owned'\ntR."),
        "gone": path.unlink,
    }
    writes[kind]()
    case = _case("damaged caches", f"{path.name[:20]}: {kind}", task, None, ("cache",))
    case.may_stay = "cache"

    def check(world: Path, status: int) -> str | None:
        if status == 0:
            made = {one.name: one.read_bytes() for one in (world / "new").iterdir()}
            if made != model:
                return "silently wrong: another model than without damage"
        return None

    case.after = check
    return case


def damaged_trees(draw: random.Random, folder: Path, reference: dict[str, bytes]) -> Case:
    """Damage the cache of parsed sentences."""
    path = folder / "trees.sqlite"
    (folder / "good.sqlite").rename(path)
    content = path.read_bytes()
    place = draw.randrange(len(content))
    kind = draw.choice(("cut", "empty", "bytes", "zeros", "journal", "read-only"))
    if kind == "journal":
        (folder / "trees.sqlite-journal").write_bytes(bytes(range(256)) * 9)
    elif kind == "read-only":
        path.chmod(0o444)
    else:
        noise = bytes(draw.randrange(256) for _ in range(200))
        path.write_bytes(
            {
                "cut": content[:place],
                "empty": b"",
                "bytes": content[:place] + noise + content[place + 200 :],
                "zeros": bytes(len(content)),
            }[kind]
        )
    case = _case("damaged caches", f"trees.sqlite: {kind}", TASKS["parse"], None, ("sqlite",))
    case.outputs = ("out.jsonl", "trees.sqlite", "trees.sqlite-journal", "trees.sqlite.damaged")
    case.may_stay = r"trees\.sqlite"

    def check(world: Path, status: int) -> str | None:
        if status == 0 and (world / "out.jsonl").read_bytes() != reference["parse"]:
            return "silently wrong: other trees than without damage"
        return None

    case.after = check
    return case
