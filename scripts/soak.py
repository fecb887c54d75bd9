"""Run the program for long: hundreds of trainings in one process, or random commands with kills.

usage: python scripts/soak.py [--fits N] [--hours H] [--seed N]

--fits   trains and aligns so many times in this process, and measures memory, threads and open
         files (default 500; 0: not at all). None of them may grow.
--hours  runs random commands for so long over one model directory and one cache, up to two at a
         time, and kills most of them at a random moment (default 0: not at all). Then all
         commands run once more: their files must have the bytes of a run that nothing disturbed.

The exit status is 1 if something grew, a command failed, or bytes differ. It needs the extra test.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import psutil

from corpus_tools.texts.text_table import text_table
from semihmm.cli.main import main as semihmm

SAMPLE = str(files("corpus_tools") / "data" / "sample.jsonl")

ROWS = 10
"""The table of the fits has so many rows."""

MEMORY_GROWTH = 8.0
"""MB by which the median of the last tenth may exceed that of the second tenth.

A model of the sample has 0.1 MB, so that one that is kept from each of 500 fits would make 50 MB.
Chosen by hand: the system's allocator varies by some MB.
"""

LONGEST_DELAY = 4.0
"""Seconds after which a process is killed, at most: a training of the sample takes about three."""

KILLED = 0.7
"""The share of the processes that are killed."""

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


class Use(NamedTuple):
    """What a process holds: memory in MB, threads, open files."""

    memory: float
    threads: int
    files: int

    @classmethod
    def now(cls) -> Use:
        """Measure this process."""
        gc.collect()
        process = psutil.Process()
        return cls(process.memory_info().rss / 1e6, process.num_threads(), process.num_fds())


# Many fits in one process


def fits_in_one_process(number: int) -> bool:
    """Train and align so many times, print a table, and tell whether nothing grew."""
    began, uses = time.monotonic(), []
    with tempfile.TemporaryDirectory() as scratch:
        for index in range(number):
            _run_quietly(_train(Path(scratch), index))
            _run_quietly(_align(Path(scratch), index))
            uses.append(Use.now())
    seconds = time.monotonic() - began
    rows = [["fits", "memory, MB", "threads", "open files"]]
    for end in sorted({number * part // ROWS for part in range(1, ROWS + 1)} - {0}):
        use = uses[end - 1]
        rows.append([str(end), f"{use.memory:.1f}", str(use.threads), str(use.files)])
    print(text_table(rows))
    tenth = max(number // 10, 1)
    early, late = uses[tenth : 2 * tenth] or uses, uses[-tenth:]
    growth = _median_memory(late) - _median_memory(early)
    more_threads = max(use.threads for use in late) - max(use.threads for use in early)
    more_files = max(use.files for use in late) - max(use.files for use in early)
    print(
        f"{number} fits and aligns in {seconds:.0f} s; growth from the second tenth to the last: "
        f"{growth:+.1f} MB, {more_threads:+d} threads, {more_files:+d} open files"
    )
    return growth <= MEMORY_GROWTH and more_threads <= 0 and more_files <= 0


def _median_memory(uses: Sequence[Use]) -> float:
    return statistics.median(use.memory for use in uses)


def _train(folder: Path, index: int) -> list[str]:
    """Return a command: the models, and whether there is a cache, take turns."""
    rewrite = ("identity,stem", "identity,stem,lexical")[index % 2]
    cache = ["--cache", str(folder / "cache")] if index % 3 == 0 else []
    options = ["--rewrite", rewrite, "--iterations", "2", "--overwrite", *cache]
    return ["train", SAMPLE, "--model", str(folder / "model"), *options]


def _align(folder: Path, index: int) -> list[str]:
    decoder = ("posterior", "viterbi")[index % 2]
    files = ["--model", str(folder / "model"), "--output", str(folder / "out")]
    return ["align", SAMPLE, *files, "--decoder", decoder]


def _run_quietly(command: list[str]) -> None:
    messages = io.StringIO()
    with contextlib.redirect_stderr(messages):
        status = semihmm(command)
    if status:
        sys.exit(f"soak: {' '.join(command)} ended with {status}: {messages.getvalue()}")


# Random commands with random kills


class Commands(NamedTuple):
    """The commands over one folder, by name."""

    folder: Path

    def all(self) -> dict[str, list[str]]:
        """Return the commands that make all files, in an order in which they can run."""
        model, cache = str(self.folder / "model"), str(self.folder / "cache")
        training = ["--model", model, "--rewrite", "identity,stem,lexical", "--iterations", "20"]
        aligned = str(self.folder / "aligned")
        pharaoh = ["--format", "pharaoh", "--output", str(self.folder / "pharaoh")]
        return {
            "train": ["train", SAMPLE, *training, "--resume", "--cache", cache],
            "train beside": ["train", SAMPLE, *training, "--resume"],
            "align": ["align", SAMPLE, "--model", model, "--output", aligned, "--resume"],
            "extract": ["extract", SAMPLE, "--output", str(self.folder / "extract.gz")],
            "export": ["export", SAMPLE, aligned, *pharaoh],
        }

    def fresh(self) -> dict[str, list[str]]:
        """Return the commands that begin anew, whatever is there."""
        return {
            name: [word for word in command if word != "--resume"]
            + (["--overwrite"] if command[0] == "train" else [])
            for name, command in self.all().items()
        }


class Running(NamedTuple):
    """A process with the name of its command, and when and how it is killed."""

    name: str
    process: subprocess.Popen[str]
    end: float
    signal: signal.Signals | None


def random_commands(hours: float, seed: int) -> bool:
    """Run random commands with kills, print a table, and tell whether all ended well."""
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        undisturbed, disturbed = Commands(Path(scratch) / "one"), Commands(Path(scratch) / "other")
        for commands in (undisturbed, disturbed):
            commands.folder.mkdir()
        for command in undisturbed.fresh().values():
            _run_alone(command)
        outcomes: Counter[tuple[str, str]] = Counter()
        began = time.monotonic()
        problems = list(_disturb(disturbed, generator, began + hours * 3600, outcomes))
        seconds = time.monotonic() - began
        for command in disturbed.fresh().values():
            _run_alone(command)
        problems += _differences(_contents(undisturbed.folder), _contents(disturbed.folder))
    _print_outcomes(outcomes, seconds)
    for problem in problems:
        print(f"problem: {problem}")
    print("the same bytes" if not problems else f"{len(problems)} problems")
    return not problems


def _disturb(
    commands: Commands,
    generator: random.Random,
    deadline: float,
    outcomes: Counter[tuple[str, str]],
) -> Iterator[str]:
    """Run commands until the deadline, up to two at a time; yield what went wrong."""
    while time.monotonic() < deadline:
        started = [_start(commands, generator) for _ in range(generator.choice((1, 1, 2)))]
        for one in started:
            outcome, problem = _ended(one)
            outcomes[one.name, outcome] += 1
            if problem:
                yield problem


def _start(commands: Commands, generator: random.Random) -> Running:
    choice = commands.all() if generator.random() < 0.8 else commands.fresh()
    name = generator.choice(sorted(choice))
    chosen = generator.choice(SIGNALS) if generator.random() < KILLED else None
    process = subprocess.Popen(
        [sys.executable, "-m", "semihmm", *choice[name]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    return Running(name, process, time.monotonic() + generator.uniform(0, LONGEST_DELAY), chosen)


def _ended(running: Running) -> tuple[str, str | None]:
    """Kill a process or wait for it; return how it ended, and what was wrong with that."""
    sent = False
    if running.signal is not None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.process.wait(max(running.end - time.monotonic(), 0.0))
        sent = running.process.poll() is None
        running.process.send_signal(running.signal)
    _, messages = running.process.communicate()
    status = running.process.returncode
    if "Traceback" in messages:
        # Before the program itself runs, an interrupt is Python's own.
        early = sent and "semihmm/cli/run_command.py" not in messages
        return "killed", None if early else f"{running.name}: {messages}"
    if status == 0:
        return "done", None
    if sent:
        return "killed", None
    if "is in use by" in messages:
        return "in use", None
    # Nothing was trained or aligned so far, or the model is another by now.
    missing = ("no model here", "cannot read", "is of other pairs, another model")
    if any(text in messages for text in missing):
        return "refused", None
    return "failed", f"{running.name} ended with {status}: {messages}"


def _run_alone(command: list[str]) -> None:
    program = [sys.executable, "-m", "semihmm", *command]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"soak: {' '.join(command)} ended with {done.returncode}: {done.stderr}")


def _contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def _differences(expected: dict[str, bytes], found: dict[str, bytes]) -> list[str]:
    problems = [f"{name} was left behind" for name in sorted(found.keys() - expected.keys())]
    problems += [f"{name} is missing" for name in sorted(expected.keys() - found.keys())]
    both = sorted(expected.keys() & found.keys())
    return problems + [f"{name} differs" for name in both if expected[name] != found[name]]


def _print_outcomes(outcomes: Counter[tuple[str, str]], seconds: float) -> None:
    kinds = ("done", "killed", "in use", "refused", "failed")
    names = sorted({name for name, _ in outcomes})
    rows = [[name, *(str(outcomes[name, kind]) for kind in kinds)] for name in names]
    print(text_table([["command", *kinds], *rows]))
    print(f"{outcomes.total()} processes in {seconds:.0f} s")


def main() -> int:
    """Run what the command line asks for, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fits", type=int, default=500)
    parser.add_argument("--hours", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    well = True
    if options.fits:
        well &= fits_in_one_process(options.fits)
    if options.hours:
        well &= random_commands(options.hours, options.seed)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
