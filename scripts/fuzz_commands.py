"""Try strange inputs of many kinds on every command, as real processes, and judge the answers.

usage: python scripts/fuzz_commands.py [--inputs N] [--seed N] [--kinds A,B] [--minutes M]
           [--workers N] [--fork] [--world DIR]

An input is answered badly if there is a traceback, a hang, exit status 0 for what is bad, a message
that does not say what and where, a silently wrong result, a file of the user's that is lost or
left half-written, or something that is left running or left behind. The table says how many inputs
of each kind were tried and how many were answered badly; before it stand those, each with the
number that makes it again: --seed S --only NUMBER. Linux only: it looks into /proc.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing import get_context
from pathlib import Path

import fuzz_files
import fuzz_models
import fuzz_options
import fuzz_places
import fuzz_processes
import fuzz_surroundings
from fuzz_judge import FORKS, Case, answer
from fuzz_world import PROGRAM, TASKS, environment, make_world

Maker = Callable[..., Case]
KINDS: dict[str, tuple[Maker, int]] = {
    "bytes": (fuzz_files.other_bytes, 12),
    "same": (fuzz_files.same_bytes, 5),
    "fields": (fuzz_files.odd_fields, 14),
    "lines": (fuzz_files.odd_lines, 5),
    "nofile": (fuzz_files.no_file, 7),
    "names": (fuzz_files.odd_names, 5),
    "damaged": (fuzz_models.damaged, 6),
    "manifest": (fuzz_models.changed_manifest, 8),
    "arrays": (fuzz_models.changed_arrays, 10),
    "archive": (fuzz_models.changed_archive, 5),
    "caches": (fuzz_models.damaged_caches, 4),
    "trees": (fuzz_models.damaged_trees, 2),
    "outputs": (fuzz_places.output_is_input, 8),
    "users": (fuzz_places.directories_of_users, 6),
    "places": (fuzz_places.bad_places, 5),
    "streams": (fuzz_surroundings.odd_streams, 7),
    "variables": (fuzz_surroundings.odd_variables, 8),
    "resources": (fuzz_processes.few_resources, 5),
    "signals": (fuzz_processes.signals, 8),
    "two": (fuzz_processes.two_at_once, 3),
    "options": (fuzz_options.odd_options, 12),
    "words": (fuzz_options.odd_words, 6),
}
"""The kinds of inputs, with how often each is drawn."""

WITH_REFERENCE = ("same", "names", "trees", "variables")


def main() -> int:
    """Try inputs and print what was answered badly; return 1 if there is any."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        world = folder / "world"
        if options.world is not None and options.world.exists():
            shutil.copytree(options.world, world)
        else:
            make_world(folder)
        if options.world is not None and not options.world.exists():
            shutil.copytree(world, options.world)
        reference = _reference(folder, world)
        if options.fork:
            _load_all(folder, world)
        numbers = [options.only] if options.only is not None else range(options.inputs)
        tried, bad = _all(options, folder, world, reference, numbers)
    print(f"\n{'kind':<40}{'inputs':>8}{'badly':>8}")
    for kind in sorted(tried):
        print(f"{kind:<40}{tried[kind]:>8}{bad[kind]:>8}")
    print(f"{'all':<40}{tried.total():>8}{bad.total():>8}")
    return 1 if bad else 0


def _all(
    options: argparse.Namespace,
    folder: Path,
    world: Path,
    reference: dict[str, bytes],
    numbers: range | list[int],
) -> tuple[Counter[str], Counter[str]]:
    tried: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    end = time.monotonic() + 60 * options.minutes
    kinds = options.kinds.split(",") if options.kinds else list(KINDS)
    with ProcessPoolExecutor(options.workers, get_context("fork")) as pool:
        running = [
            pool.submit(_one, options.seed, number, kinds, folder, world, reference, end)
            for number in numbers
        ]
        for future in as_completed(running):
            number, case, problems = future.result()
            if case is None:
                continue
            kind, what = case
            tried[kind] += 1
            if problems:
                bad[kind] += 1
                print(f"{number}: {kind}: {what!r}", *problems, sep="\n    ", flush=True)
    return tried, bad


def _one(
    seed: int,
    number: int,
    kinds: list[str],
    folder: Path,
    world: Path,
    reference: dict[str, bytes],
    end: float,
) -> tuple[int, tuple[str, str] | None, list[str]]:
    """Make one input, run it and judge the answer."""
    if time.monotonic() > end:
        return number, None, []
    draw = random.Random(f"{seed} {number}")
    name = draw.choices(kinds, [KINDS[one][1] for one in kinds])[0]
    own = folder / f"input-{number}"
    shutil.copytree(world, own, symlinks=True)
    make, _ = KINDS[name]
    extra = [reference] if name in WITH_REFERENCE else []
    try:
        case = make(draw, own, *extra)
        problems = answer(case, own)
    except Exception:
        # Other inputs go on; this one is to be looked at.
        return number, (f"[{name}]", "the fuzz itself"), [traceback.format_exc()]
    shutil.rmtree(own)
    shutil.rmtree(own.with_name(own.name + "-tmp"), ignore_errors=True)
    return number, (case.kind, case.what), problems


def _reference(folder: Path, world: Path) -> dict[str, bytes]:
    """Return what commands write for the usual input."""
    outputs = {}
    for name in fuzz_files.tasks_to_reference():
        own = folder / f"reference-{name}"
        shutil.copytree(world, own)
        line = [*PROGRAM, *TASKS[name].line()]
        subprocess.run(line, cwd=own, env=environment(folder), check=True, capture_output=True)
        outputs[name] = (own / TASKS[name].outputs[0]).read_bytes()
        shutil.rmtree(own)
    return outputs


def _load_all(folder: Path, world: Path) -> None:
    """Run all tasks in this process: its copies then have all modules and kernels."""
    from semihmm.cli.main import main as command

    own, here = folder / "loading", Path.cwd()
    shutil.copytree(world, own)
    os.chdir(own)
    null = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (loggers keep it)
    with redirect_stdout(null), redirect_stderr(null):
        for task in TASKS.values():
            command(task.line())
            shutil.rmtree("new", ignore_errors=True)
    os.chdir(here)
    shutil.rmtree(own)
    FORKS.append(True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--inputs", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="make one input again")
    parser.add_argument("--kinds", metavar="A,B", help=f"of {', '.join(KINDS)} (default: all)")
    parser.add_argument(
        "--minutes", type=float, default=600.0, metavar="M", help="stop after these"
    )
    parser.add_argument(
        "--world",
        type=Path,
        metavar="DIR",
        help="keep the files that inputs are made from, or take those that are kept there",
    )
    parser.add_argument(
        "--fork",
        action="store_true",
        help="run commands in copies of a process that has loaded everything, where that is the "
        "same: ten times as fast",
    )
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
