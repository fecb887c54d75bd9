"""Processes with few resources, with signals, and two at once."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

from fuzz_files import _case
from fuzz_judge import Case, require_json
from fuzz_world import FEW, PATIENCE, PROGRAM, ROOT, TASKS, Task, task


def few_resources(draw: random.Random, folder: Path) -> Case:
    """Limit memory, files, processes, time."""
    task = TASKS[draw.choice(tuple(TASKS))]
    kind = draw.choice(("memory", "files", "size", "stack"))
    limits = {
        "memory": {resource.RLIMIT_AS: draw.choice((300, 500, 700, 1000)) * 2**20},
        "files": {resource.RLIMIT_NOFILE: draw.choice((6, 8, 10, 14, 20))},
        "size": {resource.RLIMIT_FSIZE: draw.choice((0, 200, 4096, 20_000))},
        "stack": {resource.RLIMIT_STACK: 256 * 1024},
    }
    case = _case("few resources", f"{kind} {next(iter(limits[kind].values()))}", task, None)
    case.limits = limits[kind]
    case.silent = kind == "size"  # the messages, which go to a file too, are cut
    # Alignments that are done are kept for --resume, trees that are parsed for the next run.
    case.may_stay = r"out\.jsonl\.partial|trees\.sqlite"
    case.after = _no_stump_of_a_database
    if kind == "memory":
        # The libraries themselves may end without enough of it: OpenBLAS sends SIGINT.
        case.statuses = (0, 1, 2, 120, 127, 130, -6, -11)
    return case


def _no_stump_of_a_database(folder: Path, status: int) -> str | None:
    path = folder / "trees.sqlite"
    if path.exists() and not path.read_bytes().startswith(b"SQLite format 3"):
        return "trees.sqlite is no database"
    return None


LEFT = (".tmp", ".partial", ".new")
"""The endings of files that no command leaves when it ends by itself."""

INTERRUPTED = {
    **{
        name: TASKS[name]
        for name in (
            "train", "train-trees", "align", "parse", "measure", "compare", "coverage", "extract",
            "errors",
        )
    },
    "workers": task("parse many.jsonl --output out.jsonl --workers 2", {}, ("out.jsonl",)),
    "kept cache": task("train pairs.jsonl --model new --cache c FEW", {}, ("new", "c")),
}  # fmt: skip
"""What is told to end."""


def signals(draw: random.Random, folder: Path) -> Case:
    """Send a signal at some moment."""
    name = draw.choice(list(INTERRUPTED))
    task = INTERRUPTED[name]
    if name == "workers":
        text = (folder / "pairs.jsonl").read_text()
        rows = [text.replace('"sample-', f'"{copy}-') for copy in range(40)]
        (folder / "many.jsonl").write_text("".join(rows))
    number = draw.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL))
    seconds = draw.uniform(0.15, 3.0)
    times = draw.choice((1, 1, 1, 2, 3))
    group = draw.random() < 0.3
    what = f"{number.name} after {seconds:.2f} s{' to all' if group else ''}, {times} times"
    case = _case("signals", what, task, None)
    case.statuses = (0, 1, 128 + number, -number)
    case.silent = True
    # The signal may come when all is done: then the output is there, and whole.
    case.may_stay = r"new|c$|c/|.*\.partial|.*\.sqlite|out\."
    case.after = require_json(*task.outputs, after_failure=True)
    if number == signal.SIGKILL:
        case.may_stay += r"|\..*"

    def during(process: subprocess.Popen[bytes]) -> None:
        time.sleep(seconds)
        for _ in range(times):
            try:
                (os.killpg if group else os.kill)(process.pid, number)
            except ProcessLookupError:
                return
            time.sleep(0.05)

    case.during = during

    if draw.random() < 0.5:
        case.after = partial(_again, task)
    return case


def _again(task: Task, world: Path, status: int) -> str | None:
    """Run the command once more: what was left does not disturb it."""
    line = [*task.line(), "--resume"] if task.command == "train" else task.line()
    done = subprocess.run(
        [*PROGRAM, *line],
        cwd=world,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    if done.returncode != 0:
        return f"the next run fails: {done.stderr[-300:]!r}"
    left = [path.name for path in world.rglob("*") if path.name.endswith(LEFT)]
    if left:
        return f"left behind after the next run: {left}"
    if task == TASKS["train"]:
        made, wanted = (
            {one.name: one.read_bytes() for one in (world / name).iterdir()}
            for name in ("new", "model")
        )
        if made != wanted:
            return f"silently wrong: another model: {sorted(made)} {sorted(wanted)}"
    return None


def two_at_once(draw: random.Random, folder: Path) -> Case:
    """Run a command twice at once, over the same files."""
    name = draw.choice(("train", "train and cache", "align", "parse", "extract", "train and align",
                        "partial"))  # fmt: skip
    first: list[str] | None = None
    tasks = {
        "train and cache": Task(
            "train", ("pairs.jsonl", "--model", "new", "--cache", "c", *FEW), {}, ("new", "c")
        ),
        "train and align": TASKS["align"],
        "partial": TASKS["align"],
    }
    task = tasks.get(name) or TASKS[name]
    if name == "train and align":
        first = ["train", "pairs.jsonl", "--model", "model", "--overwrite", *FEW]
    if name == "train and cache":
        first = ["train", "pairs.jsonl", "--model", "new2", "--cache", "c", *FEW]
    if name == "partial":
        first = ["align", "raw.jsonl", "--model", "model", "--output", "out.jsonl"]
    wait = draw.uniform(0.0, 0.8)
    case = _case("two at once", f"{name}, {wait:.2f} s apart", task, None)
    case.outputs += ("new2", "model") if first else ()
    case.may_stay = "new|out|trees|c$|c/|model"
    other: list[subprocess.Popen[bytes]] = []

    def during(process: subprocess.Popen[bytes]) -> None:
        time.sleep(wait)
        other.append(
            subprocess.Popen(
                [*PROGRAM, *(first or task.line())],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        )

    case.during = during
    messages: list[bytes] = []
    case.settle = lambda: messages.append(other[0].communicate(timeout=PATIENCE)[1])

    def check(world: Path, status: int) -> str | None:
        err, ended = messages[0], other[0].returncode
        if b"Traceback" in err or ended not in (0, 1):
            return f"the other: status {ended}, {err[-400:]!r}"
        if status != 0 and ended != 0:
            return f"both fail: {err[-300:]!r}"
        if ended == 1 and b"in use" not in err:
            return f"the other: {err[-300:]!r}"
        left = [path.name for path in world.rglob("*") if path.name.endswith((*LEFT, ".lock"))]
        return f"left behind: {left}" if left else None

    case.after = check
    return case
