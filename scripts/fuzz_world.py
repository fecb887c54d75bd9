"""Makes the files that fuzzed commands work on: a small world, copied for each input."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = (sys.executable, "-m", "semihmm")
PAIRS = 4
"""Pairs of the sample: enough for every command, few enough for hundreds of trainings."""

MADE = ("new", "out", "out.jsonl", "out.json", "out.txt", "out.html", "out.png")
"""What the tasks write, which is not there yet."""

FEW = ("--iterations", "1", "--workers", "1")
PATIENCE = 1200
"""Seconds for a command that makes the world, which may compile kernels."""


@dataclass(frozen=True)
class Task:
    """A command with its arguments.

    ``inputs``   the files that it reads, by what they hold.
    ``outputs``  the files that it writes, or the directory.
    """

    command: str
    arguments: tuple[str, ...]
    inputs: dict[str, str]
    outputs: tuple[str, ...] = ()

    def line(self) -> list[str]:
        return [self.command, *self.arguments]


def command_line(text: str) -> list[str]:
    """Return the arguments that a text says; ``FEW`` in it stands for a short training."""
    line = shlex.split(text)
    return [part for one in line for part in (FEW if one == "FEW" else (one,))]


def task(line: str, inputs: dict[str, str], outputs: tuple[str, ...] = ()) -> Task:
    """Make a task from its command line."""
    command, *arguments = command_line(line)
    return Task(command, tuple(arguments), inputs, outputs)


ALIGNED = {"pairs": "pairs.jsonl", "alignments": "alignments.jsonl"}
TASKS = {
    "train": task("train pairs.jsonl --model new FEW", {"pairs": "pairs.jsonl"}, ("new",)),
    "train-paper": task(
        "train pairs.jsonl --model new --preset paper FEW", {"pairs": "pairs.jsonl"}, ("new",)
    ),
    "train-trees": task(
        "train pairs.jsonl --model new --trees trees.jsonl FEW --jump syntax --parser trees",
        {"pairs": "pairs.jsonl", "trees": "trees.jsonl"},
        ("new",),
    ),
    "align": task(
        "align pairs.jsonl --model model --output out.jsonl",
        {"pairs": "pairs.jsonl"},
        ("out.jsonl",),
    ),
    "extract": task(
        "extract pairs.jsonl --output out.jsonl", {"pairs": "pairs.jsonl"}, ("out.jsonl",)
    ),
    "extract-plain": task(
        "extract documents.txt --abstracts abstracts.txt --output out.jsonl",
        {"documents": "documents.txt", "abstracts": "abstracts.txt"},
        ("out.jsonl",),
    ),
    "export": task(
        "export pairs.jsonl alignments.jsonl --format naacl --output out.txt", ALIGNED, ("out.txt",)
    ),
    "score": task("score pairs.jsonl alignments.jsonl --json", ALIGNED),
    "score-pharaoh": task(
        "score pairs.jsonl alignments.pharaoh --format pharaoh", {"pharaoh": "alignments.pharaoh"}
    ),
    "score-naacl": task(
        "score pairs.jsonl alignments.naacl --format naacl", {"naacl": "alignments.naacl"}
    ),
    "score-a3": task("score pairs.jsonl alignments.a3 --format a3", {"a3": "alignments.a3"}),
    "score-ignore": task(
        "score pairs.jsonl alignments.jsonl --ignore ignore.txt", {"words": "ignore.txt"}
    ),
    "errors": task("errors pairs.jsonl alignments.jsonl --model model --json", ALIGNED),
    "stats": task("stats pairs.jsonl alignments.jsonl --model model --extract 2", ALIGNED),
    "plot": task(
        "plot positions pairs.jsonl alignments.jsonl --output out.png", ALIGNED, ("out.png",)
    ),
    "view": task("view pairs.jsonl alignments.jsonl --compare alignments.jsonl", ALIGNED),
    "view-page": task(
        "view pairs.jsonl alignments.jsonl --gold --model model --output out.html",
        ALIGNED,
        ("out.html",),
    ),
    "compare": task(
        "compare pairs.jsonl --systems greedy --annotators others.jsonl --json out.json",
        {"pairs": "pairs.jsonl", "annotated": "others.jsonl"},
        ("out.json",),
    ),
    "parse": task(
        "parse pairs.jsonl --cache trees.sqlite --output out.jsonl",
        {"pairs": "pairs.jsonl"},
        ("out.jsonl", "trees.sqlite"),
    ),
    "tokenize": task(
        "tokenize pairs.jsonl --output out.jsonl", {"pairs": "pairs.jsonl"}, ("out.jsonl",)
    ),
    "measure": task(
        "measure summaries.jsonl --references references.jsonl --json --output out.json",
        {"summaries": "summaries.jsonl", "references": "references.jsonl"},
        ("out.json",),
    ),
    "coverage": task(
        "measure summaries.jsonl --references references.jsonl --metric coverage --model model "
        "--output out.txt",
        {"summaries": "summaries.jsonl", "references": "references.jsonl"},
        ("out.txt",),
    ),
    "correlate": task(
        "correlate scores.json human.jsonl --json --output out.json",
        {"scores": "scores.json", "judgements": "human.jsonl"},
        ("out.json",),
    ),
}
"""Every command with each kind of file that it reads.

Left out are ``demo``, which reads nothing, and ``annotate``, which serves until a signal ends it.
"""


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a command: its temporary files stay in a folder of its own."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "TMPDIR": str(folder)}


def make_world(folder: Path) -> Path:
    """Make the files that all inputs start from. Compiles all kernels that they need."""
    world = folder / "world"
    temporary = folder / "world-tmp"
    for one in (world, temporary):
        one.mkdir(parents=True)
    data = files("corpus_tools") / "data"
    sample = [json.loads(line) for line in (data / "sample.jsonl").read_text().splitlines()]
    _write(world / "pairs.jsonl", sample[:PAIRS])
    _write(world / "others.jsonl", [{**row, "sure": row["sure"][1:]} for row in sample[:PAIRS]])
    (world / "raw.jsonl").write_text((data / "raw_sample.jsonl").read_text())
    for name in ("document", "abstract"):
        texts = [" ".join(row[name]) for row in sample[:PAIRS]]
        (world / f"{name}s.txt").write_text("".join(text + "\n" for text in texts))
    for name, source in (
        ("summaries", "summaries"),
        ("references", "references"),
        ("human", "judgements"),
    ):
        rows = [json.loads(line) for line in (data / f"{source}.jsonl").read_text().splitlines()]
        _write(world / f"{name}.jsonl", [row for row in rows if row["id"] <= f"sample-{PAIRS:02}"])
    (world / "ignore.txt").write_text("the\na\nof\n")
    (world / "notes.txt").write_text("a file of the user's\n")
    _run_all(world, temporary)
    return world


def _write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def _run_all(world: Path, temporary: Path) -> None:
    """Make what commands make: models, alignments in all formats, trees, scores, a cache."""
    lines = [
        command_line(line)
        for line in (
            "train pairs.jsonl --model model --cache cache FEW",
            "train pairs.jsonl --model model-paper --preset paper FEW",
            "align pairs.jsonl --model model --output alignments.jsonl",
            "align pairs.jsonl --model model-paper --output out",
            "parse pairs.jsonl --output trees.jsonl",
            "measure summaries.jsonl --references references.jsonl --json --output scores.json",
        )
    ]
    for name in ("pharaoh", "naacl", "a3"):
        export = ["export", "pairs.jsonl", "alignments.jsonl", "--format", name]
        lines.append([*export, "--output", f"alignments.{name}"])
    lines += [one.line() for one in TASKS.values()]
    for line in lines:
        (world / "trees.sqlite").unlink(missing_ok=True)
        subprocess.run(
            [*PROGRAM, *line],
            cwd=world,
            env=environment(temporary),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
            timeout=PATIENCE,
        )
        if (world / "trees.sqlite").exists():
            (world / "trees.sqlite").replace(world / "good.sqlite")
        for path in (world / name for name in MADE):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
