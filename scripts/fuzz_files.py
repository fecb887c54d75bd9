"""Strange files: of other formats, damaged, with odd fields, that are no files, with odd names."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import pickle
import random
import resource
import socket
import subprocess
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fuzz_judge import Case, require_json
from fuzz_world import TASKS, Task

JSON_TASKS = tuple(name for name, task in TASKS.items() if "jsonl" in str(task.inputs.values()))
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, -0.0, 1e308, 2**31, 2**63, 2**64, 10**30, "", " ", "\0", "\n",
    "\u2028", "\ud83d\ude00", "x" * 5000, "NaN", "-", "a" * 70 + " ", [], [[]], [[[]]], {}, [None],
    [0], [[0]], [[0, 0]], [[0, 0, 0]], [-1, 2], [2, 1], [[""]], [" "], ["a", ["b"]], {"a": 1},
    [[0, 10**12]], float("nan"), float("inf"), [float("nan")], "0", "sample-02", ["\u0301"],
    [["a", " "]], [["a\nb", "c"]], "\u202e", "a\u0000b", [[True, 1]], [["0", "1"]],
)  # fmt: skip


def _gzip(text: bytes) -> bytes:
    return gzip.compress(text, mtime=0)


def _zip(text: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("pairs.jsonl", text)
    return packed.getvalue()


def _rows(text: bytes) -> list[Any]:
    return [json.loads(line) for line in text.decode().splitlines()]


def _lines(make: Callable[[Any], str]) -> Callable[[bytes], bytes]:
    return lambda text: "".join(make(row) + "\n" for row in _rows(text)).encode()


BAD_BYTES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda text: b"",
    "blank": lambda text: b" \n\t\n\n",
    "zeros": lambda text: bytes(1000),
    "zeros behind": lambda text: text + bytes(300),
    "UTF-16": lambda text: text.decode().encode("utf-16"),
    "UTF-16BE": lambda text: text.decode().encode("utf-16-be"),
    "UTF-32": lambda text: text.decode().encode("utf-32"),
    "Latin-1": lambda text: text[:-9] + "é".encode("latin-1") + text[-9:],
    "gzip cut": lambda text: _gzip(text)[:-7],
    "gzip cut early": lambda text: _gzip(text)[:15],
    "gzip damaged": lambda text: _gzip(text)[:40] + b"xx" + _gzip(text)[42:],
    "gzip of gzip": lambda text: _gzip(_gzip(text)),
    "gzip and noise": lambda text: _gzip(text) + b"noise",
    "gzip of nothing": lambda text: _gzip(b""),
    "zip": _zip,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zlib": zlib.compress,
    "zstd": lambda text: b"\x28\xb5\x2f\xfd" + text,
    "Parquet": lambda text: b"PAR1" + text + b"PAR1",
    "Arrow": lambda text: b"ARROW1\0\0" + text,
    "pickle": lambda text: pickle.dumps(text),
    "SQLite": lambda text: b"SQLite format 3\0" + text,
    "PDF": lambda text: b"%PDF-1.7\n" + text,
    "PNG": lambda text: b"\x89PNG\r\n\x1a\n" + text,
    "program": lambda text: b"\x7fELF\x02" + text,
    "tar": lambda text: b"pairs.jsonl".ljust(257, b"\0") + b"ustar\0" + text,
    "HTML": lambda text: b"<!DOCTYPE html>\n<p>" + text,
    "YAML": lambda text: b"---\nid: 1\ndocument: a b\nabstract: a\n",
    "CSV": lambda text: b"id,document,abstract\n1,a b,a\n",
    "TSV": lambda text: b"id\tdocument\tabstract\n1\ta b\ta\n",
    "INI": lambda text: b"[pairs]\nid = 1\n",
    "JSON array": lambda text: json.dumps(_rows(text)).encode(),
    "JSON array over lines": lambda text: json.dumps(_rows(text), indent=1).encode(),
    "one object": lambda text: json.dumps({"data": _rows(text)}).encode(),
    "objects over lines": _lines(lambda row: json.dumps(row, indent=2)),
    "lists in lines": _lines(lambda row: json.dumps([row])),
    "encoded twice": _lines(lambda row: json.dumps(json.dumps(row))),
    "Python": _lines(repr),
    "commas": lambda text: text.replace(b"\n", b",\n"),
    "no line breaks": lambda text: text.replace(b"\n", b""),
    "carriage returns": lambda text: text.replace(b"\n", b"\r"),
    "record separators": lambda text: b"".join(b"\x1e" + one for one in text.splitlines(True)),
    "comments": lambda text: b"# pairs\n" + text,
    "JavaScript": lambda text: b"var pairs = " + text,
    "two marks": lambda text: b"\xef\xbb\xbf" * 2 + text,
    "cut": lambda text: text.rstrip()[:-3],
    "cut in the midst": lambda text: text[: len(text) // 2].rstrip(b"\n}") or text[:1],
    "all twice": lambda text: text + text,
    "numbers": lambda text: b"1\n2\n",
    "nulls": lambda text: b"null\n",
    "empty objects": lambda text: b"{}\n{}\n",
    "deep": lambda text: b'{"id": ' + b"[" * 100_000 + b"\n",
    "deep and whole": lambda text: b'{"id": ' + b"[" * 5000 + b"]" * 5000 + b"}\n",
    "many digits": lambda text: b'{"id": ' + b"9" * 5000 + b"}\n",
    "merge conflict": lambda text: b"<<<<<<< HEAD\n" + text + b"=======\n" + text,
    "LFS pointer": lambda text: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
    "error page": lambda text: b'{"error": "Not Found", "status": 404}\n',
    "a surrogate": lambda text: text.replace(b'"id": "', b'"id": "\\ud800', 1),
    "a key twice": lambda text: text.replace(b'{"id"', b'{"id": "x", "id"', 1),
    "NaN as id": lambda text: text.replace(b'"sample-01"', b"NaN"),
}
"""What a file must not be, where JSON lines are read."""

READ_AS_PAIRS = ("CSV", "TSV", "JSON array", "JSON array over lines", "objects over lines")
"""What a file of pairs may be."""

SAME_BYTES: dict[str, Callable[[bytes], bytes]] = {
    "gzip": _gzip,
    "gzip in parts": lambda text: _gzip(text[:50]) + _gzip(text[50:]),
    "gzip and zeros": lambda text: _gzip(text) + bytes(512),
    "CRLF": lambda text: text.replace(b"\n", b"\r\n"),
    "a mark": lambda text: b"\xef\xbb\xbf" + text,
    "no last line break": bytes.rstrip,
    "blank lines": lambda text: b"\n \n" + text.replace(b"\n", b"\n\t\n"),
    "spaces": lambda text: text.replace(b"{", b" {  ").replace(b"\n", b"  \n"),
    "keys in another order": _lines(lambda row: json.dumps(dict(reversed(row.items())))),
    "more keys": _lines(lambda row: json.dumps({**row, "more": [1, {"a": None}]})),
    "as it is": bytes,
}
"""What a file may be as well: the output stays the same, to the last byte."""


def other_bytes(draw: random.Random, folder: Path) -> Case:
    """Make a file of another format, or damaged."""
    task, file = _input(draw, JSON_TASKS)
    name = draw.choice(list(BAD_BYTES))
    change = BAD_BYTES[name]
    path = folder / file
    text = path.read_bytes()
    if file == "scores.json":
        text = json.dumps(json.loads(text)).encode() + b"\n"
    path.write_bytes(change(text))
    fits = file == "scores.json" and name in ("objects over lines", "no line breaks")
    fits |= file in ("pairs.jsonl", "raw.jsonl") and name in READ_AS_PAIRS
    # The same rows once more are the same lists of words, but each id must be there once.
    bad = None if fits or name == "a surrogate" else True
    return _case("other formats, damaged files", f"{file} as {name}", task, bad, (file,))


def same_bytes(draw: random.Random, folder: Path, reference: dict[str, bytes]) -> Case:
    """Write a file otherwise, with the same meaning."""
    names = [name for name in JSON_TASKS if TASKS[name].outputs and not name.startswith("train")]
    task, file = _input(draw, tuple(name for name in names if name in reference))
    name = draw.choice([name for name in SAME_BYTES if file != "scores.json" or "key" not in name])
    path = folder / file
    path.write_bytes(SAME_BYTES[name](path.read_bytes()))
    case = _case("the same otherwise", f"{file}: {name}", task, False)
    case.like = (task.outputs[0], reference[_name(task)])
    if task.command == "correlate" or file == "scores.json":
        case.like = None
    return _like(case)


def odd_fields(draw: random.Random, folder: Path) -> Case:
    """Put an odd value somewhere into a row, or leave something out."""
    task, file = _input(draw, JSON_TASKS)
    rows = _rows((folder / file).read_bytes()) if file != "scores.json" else []
    rows = rows or [json.loads((folder / file).read_text())]
    odd = draw.choice(ODD)
    where = _change(draw, draw.choice(rows), odd)
    (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    what = f"{file}: {where} = {json.dumps(odd)[:40]}"
    return _case("odd fields", what, task, None, (file, "sample-", "pair", "line"))


def _change(draw: random.Random, value: Any, odd: Any) -> str:
    """Change one place inside a value; return its path."""
    path = ""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return path
        key = draw.choice(keys)
        path += f".{key}"
        inner = value[key]
        if isinstance(inner, dict | list) and inner and draw.random() < 0.7:
            value = inner
        elif draw.random() < 0.15:
            del value[key]
            return f"{path} (left out)"
        else:
            value[key] = odd
            return path


def odd_lines(draw: random.Random, folder: Path) -> Case:
    """Damage a file that is not JSON: alignments of other programs, lists of words, plain text."""
    names = ("score-pharaoh", "score-naacl", "score-a3", "score-ignore", "extract-plain")
    task, file = _input(draw, names)
    lines = (folder / file).read_bytes().splitlines(keepends=True)
    index = draw.randrange(len(lines))
    changes: dict[str, Callable[[], list[bytes]]] = {
        "a line left out": lambda: lines[:index] + lines[index + 1 :],
        "a line twice": lambda: [*lines, lines[-1]],
        "large numbers": lambda: [lines[0].replace(b"1", b"9" * 30), *lines[1:]],
        "more digits than Python reads": lambda: [b"9" * 5000 + b"-1\n", *lines[1:]],
        "negative": lambda: [lines[0].replace(b"1", b"-1"), *lines[1:]],
        "no numbers": lambda: [b"a-b c-d\n", *lines[1:]],
        "other digits": lambda: ["٣-٤\n".encode(), *lines[1:]],
        "zeros": lambda: [*lines, bytes(10)],
        "Latin-1": lambda: ["é\n".encode("latin-1"), *lines],
        "empty": list,
        "brackets": lambda: [line.replace(b"({", b"(").replace(b")", b"((") for line in lines],
        "gzip cut": lambda: [_gzip(b"".join(lines))[:-5]],
        "other separators": lambda: [line.replace(b" ", b"\xc2\xa0") for line in lines],
        "JSON": lambda: [b'{"id": 1, "phrases": []}\n'],
    }
    name = draw.choice(list(changes))
    (folder / file).write_bytes(b"".join(changes[name]()))
    surely = name in ("Latin-1", "gzip cut", "no numbers", "more digits than Python reads")
    bad = True if surely and ("Latin" in name or "gzip" in name or "pharaoh" in file) else None
    if name in ("Latin-1", "gzip cut"):
        bad = True
    return _case("odd lines", f"{file}: {name}", task, bad, (file, "abstracts.txt"))


def no_file(draw: random.Random, folder: Path) -> Case:
    """Name something that is no readable file."""
    task, file = _input(draw, tuple(TASKS))
    path = folder / file
    kind = draw.choice(
        ("directory", "loop", "dangling", "missing", "too long", "below a file", "socket",
         "null device", "zero device", "random device", "memory",
         "FIFO of nothing", "FIFO of noise",
         "unreadable")
    )  # fmt: skip
    other = file
    if kind in (
        "too long",
        "below a file",
        "null device",
        "zero device",
        "random device",
        "memory",
    ):
        other = {
            "too long": "x" * 300,
            "below a file": f"{file}/{file}",
            "null device": "/dev/null",
            "zero device": "/dev/zero",
            "random device": "/dev/urandom",
            "memory": "/proc/self/mem",
        }[kind]
        task = _renamed(task, file, other)
    else:
        path.unlink()
    case = _case("what is no file", f"{file}: {kind}", task, True, (other[:30],))
    if kind == "directory":
        path.mkdir()
        if file == "summaries.jsonl":
            case.names = ()
    elif kind in ("loop", "dangling"):
        path.symlink_to(file if kind == "loop" else "nowhere")
    elif kind == "socket":
        here = os.getcwd()
        os.chdir(folder)  # names of sockets are short
        socket.socket(socket.AF_UNIX).bind(file)
        os.chdir(here)
    elif kind.startswith("FIFO"):
        os.mkfifo(path)
        content = b"" if kind.endswith("nothing") else bytes(range(256)) * 400
        case.during = lambda process: _feed(process, path, content)
    elif kind == "unreadable":
        path.write_text("{}\n")
        path.chmod(0)
        case.permissions_count = True
    if kind == "zero device":
        case.limits = {resource.RLIMIT_AS: 5 * 2**30}  # it never ends
    if task.command == "score" and file == "ignore.txt" and kind == "null device":
        case.bad = None
    return case


def _feed(process: subprocess.Popen[bytes], path: Path, content: bytes) -> None:
    """Write into a FIFO from a process of its own: whoever reads may never do so."""
    subprocess.Popen(
        ["timeout", "20", "bash", "-c", 'cat > "$1"', "bash", str(path)],
        stdin=_pipe_of(content),
        stderr=subprocess.DEVNULL,
    )


def _pipe_of(content: bytes) -> int:
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        try:
            with os.fdopen(writing, "wb") as stream:
                stream.write(content)
        finally:
            os._exit(0)
    os.close(writing)
    return reading


ODD_NAMES = (
    "-", "a\nb.jsonl", "%s%n.jsonl", "{0}.jsonl", "--help", "-x.jsonl", "é.jsonl", "日本.gz.jsonl",
    "a'b\"c.jsonl", "$HOME", "~", "*", "con:.jsonl", "\udcff\udcfe.jsonl", "a" * 240,
    "file:x", "@x",
    "\x1b[31mred.jsonl", "\u202eabc.jsonl", "x,y=z:w.jsonl", "nul\u2028.jsonl",
)  # fmt: skip


def odd_names(draw: random.Random, folder: Path, reference: dict[str, bytes]) -> Case:
    """Give a file an odd name, for reading or for writing."""
    names = tuple(name for name in reference if TASKS[name].outputs)
    task, file = _input(draw, names)
    odd = draw.choice(ODD_NAMES[1:])
    shown = f"./{odd}" if odd.startswith("-") else odd
    if draw.random() < 0.5:
        (folder / file).rename(folder / odd)
        case = _case("odd names", f"reads {odd!r}", _renamed(task, file, shown), False)
        case.like = (task.outputs[0], reference[_name(task)])
        if file in ("scores.json", "summaries.jsonl", "others.jsonl"):
            case.like = None  # the name of a file is that of a system or an annotator
        if file == "others.jsonl" and any(one in odd for one in "\n\x1b\u202e\u2028\udcff"):
            case.bad = None
    else:
        made = _renamed(task, task.outputs[0], shown)
        case = _case("odd names", f"writes {odd!r}", made, False)
        case.outputs = (odd, *task.outputs[1:])
        case.like = (odd, reference[_name(task)])
    if len(odd) > 200:
        case.bad = None  # a temporary name beside it is longer
    return _like(case)


def _like(case: Case) -> Case:
    """Let a case be judged by its output too."""
    if case.like is None:
        return case
    name, content = case.like

    def check(folder: Path, status: int) -> str | None:
        path = folder / name
        if status == 0 and (not path.is_file() or path.read_bytes() != content):
            return f"silently wrong: {name} is not what it was for the usual input"
        return None

    case.after = check
    return case


def _input(draw: random.Random, names: tuple[str, ...]) -> tuple[Task, str]:
    """Draw a task and a file that it reads. What reads pairs is not all."""
    task = TASKS[draw.choice(names)]
    return task, draw.choice(list(task.inputs.values()))


def _name(task: Task) -> str:
    return next(name for name, one in TASKS.items() if one.arguments == task.arguments)


def _renamed(task: Task, name: str, other: str) -> Task:
    arguments = tuple(other if one == name else one for one in task.arguments)
    return Task(task.command, arguments, task.inputs, task.outputs)


def _case(kind: str, what: str, task: Task, bad: bool | None, names: tuple[str, ...] = ()) -> Case:
    made = Case(kind, f"{task.command}: {what}", task.line(), bad, names, task.outputs)
    made.after = require_json(*task.outputs)
    return made


def tasks_to_reference() -> Iterator[str]:
    """Yield the tasks whose outputs are the same bytes for the same meaning."""
    for name, task in TASKS.items():
        if task.outputs and task.command in ("align", "extract", "export", "parse", "measure"):
            yield name
