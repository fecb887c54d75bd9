"""Places: outputs that are inputs, files of users in the way, where nothing can be written."""

from __future__ import annotations

import os
import random
import resource
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fuzz_files import _case, _renamed
from fuzz_judge import Case
from fuzz_world import TASKS, command_line

WRITING = tuple(name for name, task in TASKS.items() if task.outputs)

USERS = """
a model is there: train pairs.jsonl --model model FEW
a folder cache: train pairs.jsonl --model new FEW | new/cache/thesis
marked by hand: train pairs.jsonl --model new FEW | new/cache/texts
a lock of the user's: train pairs.jsonl --model new FEW | new/.lock
the cache is the model: train pairs.jsonl --model new --cache new FEW
the cache is here: train pairs.jsonl --model new --cache . FEW
a lock in the cache: train pairs.jsonl --model new --cache c FEW | c/training-set.lock
texts in the cache: train pairs.jsonl --model new --cache c FEW | c/texts-of-mine/a.txt
the model is a file: train pairs.jsonl --model notes.txt FEW
the model is a link: train pairs.jsonl --model dangling FEW
the cache is a file: train pairs.jsonl --model new --cache notes.txt FEW
a partial of the user's: align pairs.jsonl --model model --output out.jsonl | out.jsonl.partial
a lock beside the output: align pairs.jsonl --model model --output out.jsonl | .out.jsonl.lock
a temporary of the user's: extract pairs.jsonl --output out.jsonl | .out.jsonl.12-ab.tmp
the cache of trees is a text: parse pairs.jsonl --output o.jsonl --cache notes.txt
the cache of trees is a database: parse pairs.jsonl --output o.jsonl --cache user.sqlite
demo in a full folder: demo --output .
demo in a file: demo --output notes.txt
a new file of the model: train pairs.jsonl --model new FEW | new/model.json.new
names like ours: train pairs.jsonl --model new FEW | new/parameters-old.npz
"""
"""What happens: the command, and the file of the user's that is there before."""


def output_is_input(draw: random.Random, folder: Path) -> Case:
    """Name a file that the command reads as the one that it writes."""
    names = tuple(name for name in WRITING if not name.startswith("train"))
    task = TASKS[draw.choice(names)]
    files = [*task.inputs.values()]
    if "model" in task.arguments:
        files += [f"model/{path.name}" for path in (folder / "model").iterdir()]
    file = draw.choice(files)
    way = draw.choice(("name", "./", "..", "absolute", "link", "hard link", "link of link",
                       "link of folder", "double slash", "descriptor", "standard output",
                       "the other is the link", "/dev/stdin", "appending"))  # fmt: skip
    output = task.outputs[0]
    shell, stdin = "", None
    ways: dict[str, Callable[[], str]] = {
        "name": lambda: file,
        "./": lambda: f"./{file}",
        "..": lambda: f"../{folder.name}/{file}",
        "absolute": lambda: str(folder / file),
        "double slash": lambda: file.replace("/", "//") if "/" in file else f".//{file}",
        "link": lambda: _link(folder, file, "link"),
        "hard link": lambda: _hard_link(folder, file, "hard"),
        "link of link": lambda: _link(folder, _link(folder, file, "one"), "two"),
        "link of folder": lambda: f"{_link(folder, '.', 'here')}/{file}",
        "descriptor": lambda: "/proc/self/fd/7",
        "standard output": lambda: "-",
        "appending": lambda: "-",
        "/dev/stdin": lambda: "/dev/stdin",
        "the other is the link": lambda: file,
    }
    made = _renamed(task, output, ways[way]())
    if way == "descriptor":
        shell = f'exec "$@" 7<>{file}'
    elif way == "standard output":
        shell = f'exec "$@" 1<>{file}'
    elif way == "appending":
        shell = f'exec "$@" >>{file}'
    elif way == "/dev/stdin":
        shell = f'exec "$@" <{file}'
    elif way == "the other is the link" and "/" not in file:
        made = _renamed(made, file, file)
        arguments = list(made.arguments)
        arguments[arguments.index(file)] = _link(folder, file, "link")
        made = replace(made, arguments=tuple(arguments))
    case = _case("an output is an input", f"{file} by {way}", made, True)
    case.shell, case.stdin = shell, stdin
    case.outputs = ()
    if task.command in ("measure", "compare", "parse") and way in ("standard output", "appending"):
        pass
    return case


def _link(folder: Path, file: str, name: str) -> str:
    (folder / name).symlink_to(file)
    return name


def _hard_link(folder: Path, file: str, name: str) -> str:
    os.link(folder / file, folder / name)
    return name


def directories_of_users(draw: random.Random, folder: Path) -> Case:
    """Point a command at directories and files of the user's that it has no right to."""
    name, _, rest = draw.choice(USERS.strip().splitlines()).partition(": ")
    command, _, own = rest.partition(" | ")
    line = command_line(command)
    if name == "the model is a link":
        (folder / "dangling").symlink_to("nowhere")
    if name == "the cache of trees is a database":
        database = sqlite3.connect(folder / "user.sqlite")
        database.execute("CREATE TABLE letters (text)")
        database.execute("INSERT INTO letters VALUES ('dear')")
        database.commit()
        database.close()
    if own:
        (folder / own).parent.mkdir(parents=True, exist_ok=True)
        (folder / own).write_text("the user's\n")
    bad = True if name in ("a model is there", "the model is a file", "the cache is a file",
                           "a folder cache", "demo in a full folder", "demo in a file",
                           "the cache of trees is a text") else None  # fmt: skip
    case = Case(
        "files of users",
        f"{line[0]}: {name}",
        line,
        bad,
        ("new", "model", "notes", "cache", "out", "user", ". is", "dangling"),
    )
    case.outputs = ("o.jsonl", "out.jsonl", "nowhere")
    case.may_stay = r"new|c$|c/(encoded|\.)|encoded|nowhere|dangling|user\.sqlite|o\.jsonl"
    kept = own or ("user.sqlite" if "database" in name else "notes.txt")

    def check(world: Path, status: int) -> str | None:
        path = world / kept
        if not path.exists():
            return f"lost: {kept}"
        content = path.read_bytes()
        if "database" in name and b"dear" not in content:
            return f"changed: {kept}"
        if "database" not in name and own and content != b"the user's\n":
            return f"changed: {kept}"
        return None

    case.after = check
    return case


def bad_places(draw: random.Random, folder: Path) -> Case:
    """Write where nothing can be written."""
    task = TASKS[draw.choice(WRITING)]
    output = task.outputs[0]
    train = task.command == "train"
    place = draw.choice(("missing/out", "notes.txt/out", "/dev/full", "/proc/out", "loop",
                         "a directory", "x" * 256, "missing/../out", "file size",
                         "/dev/null/out", "sealed/out"))  # fmt: skip
    made = _renamed(task, output, place)
    case = _case("where nothing can be written", place[:20], made, True, (place[:30],))
    case.outputs = ()
    # Trees that are parsed are kept, whatever becomes of the output.
    case.may_stay = r"trees\.sqlite"
    if place == "loop":
        (folder / "loop").symlink_to("loop")
    elif place == "a directory":
        (folder / place).mkdir()
        (folder / place / "mine").write_text("mine")
        case.bad = None if train else True
    elif place == "file size":
        made = task
        # The messages, which go to a file too, are cut.
        case.line = made.line()
        case.names = ()
        case.silent = True
        case.limits = {resource.RLIMIT_FSIZE: draw.choice((0, 1, 100))}
    elif place == "missing/../out" or (place == "missing/out" and train):
        case.bad = None
    elif place == "sealed/out":
        (folder / "sealed").mkdir(mode=0o555)
        case.permissions_count = True
    if case.bad is None:
        case.outputs = ("missing", place, "out")
        case.may_stay += "|missing|a directory/"
    return case
