"""How long training takes, phase by phase, and how it grows: the product's own ``train``, on corpora made from a seed.

usage: python scripts/benchmark.py [--parts job,paper,whole,pairs,document,abstract,kernels,start] [--iterations N] [--scale X]
           [--data DIR] [--memory-limit MB]

job       the paper's job as the default preset does it: 2,033 documents of 1,230 words, abstracts of 128 (Table 1 of Daumé III
          and Marcu 2005), from raw text to a saved model, each abstract sentence with its own extract
paper     abstracts as wholes beside extracts as large as the paper's: 511 words (Table 3)
whole     abstracts as wholes beside whole documents of 1,230 words
ten       ten times the pairs of ``paper``, in two iterations: is memory bounded?
pairs, document, abstract   growth: a quarter, half and all of 480 pairs; 256 to 4,096, 32 to 256 words a side
kernels   the E-step of one batch of ``paper`` by its kernels, in one thread
rivals    ten iterations beside the rivals that are installed (the extra ``rivals``): on 480 pairs of 511 and 128 words, and on
          the short pairs of rte2/dev.jsonl and edinburgh/train.jsonl in ``--data``
start     --help, one pair with a saved model, and what a cold start compiles

Seconds are wall time with the seconds of all processors in brackets; milliseconds are the processors', for a pair and an
iteration. ``--scale 0.1`` takes a tenth of the pairs, for a quick look. ``--memory-limit`` is a hard one for training's process
(Linux's RLIMIT_DATA): its own memory with all shards that it has mapped, without the code of libraries, which processes share.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

import made_corpus
import rival_times

from corpus_tools.compiled_kernels import compiled
from corpus_tools.pairs.read_pairs import read_pairs
from jump_models.forms.form_kernels import new_workspace, of_pair
from semihmm.aligner import Aligner
from semihmm.inference.batch_kernels import expect, lattice_of
from semihmm.inference.lattice_kernels import forward
from semihmm.settings import Settings

PAIRS, DOCUMENT, WHOLE, ABSTRACT = 2033, 511.0, 1229.7, 128.5
PHASES = ("reading", "initial model", "encoding", "E-step", "M-step", "saving")


class Run(NamedTuple):
    """A process that has ended: wall seconds, those of all processors, peak memory in MB, and what it said."""

    wall: float
    processor: float
    memory: float
    said: str


def run(*arguments, limit: int | None = None, **environment: str) -> Run:
    """The program as a process of its own; ``limit``: so many MB are all that it gets."""
    with tempfile.TemporaryFile("w+") as said:
        began = time.perf_counter()
        command = [sys.executable, "-m", "semihmm", *map(str, arguments)]
        bounded = limit and partial(
            resource.setrlimit, resource.RLIMIT_DATA, (limit * 10**6, limit * 10**6)
        )
        settings = {
            "stdout": subprocess.DEVNULL,
            "stderr": said,
            "env": os.environ | environment,
            "preexec_fn": bounded,
        }
        running = subprocess.Popen(command, **settings)
        _, status, used = os.wait4(running.pid, 0)
        wall = time.perf_counter() - began
        said.seek(0)
        if status:
            raise SystemExit(said.read())
        unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes there, kilobytes here
        return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / unit, said.read())


def corpus(folder: Path, pairs: int, document: float, abstract: float) -> Path:
    path = folder / f"{pairs}-{document}-{abstract}.jsonl"
    if not path.exists():
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(
                json.dumps(row) + "\n" for row in made_corpus.pairs(pairs, document, abstract)
            )
    return path


def row(
    name: str,
    path: Path,
    model: Path,
    iterations: int,
    workers: int,
    limit: int | None,
    extract: int = 0,
) -> None:
    """Train and print a line of the table."""
    options = [
        "--model",
        model,
        "--extract",
        extract,
        "--iterations",
        iterations,
        "--workers",
        workers,
    ]
    ended = run("train", path, *options, limit=limit)
    phases = dict(
        re.findall(r"([\w -]+) ([\d.]+ \([\d.]+\))", ended.said.rpartition("processors): ")[2])
    )
    read = re.search(r"(\d+) pairs read", ended.said)
    pairs, done = int(read[1]), ended.said.count("semihmm: iteration")
    processor = float(re.search(r"\((.*)\)", phases[" E-step"])[1])
    cells = [phases.get(f" {phase}", phases.get(phase, "")) for phase in PHASES]
    cells += [
        f"{1000 * processor / pairs / done:.2f}",
        f"{ended.wall:.0f} ({ended.processor:.0f})",
        f"{ended.memory:.0f}",
    ]
    print(f"| {name} | {pairs} | {done} | " + " | ".join(cells) + " |", flush=True)


def header() -> None:
    titles = ["", "pairs", "iterations", *PHASES, "E-step ms a pair", "all", "peak MB"]
    print("\n| " + " | ".join(titles) + " |\n|---" + "|--:" * (len(titles) - 1) + "|", flush=True)


@compiled
def _forward(batch, jump):
    for pair in range(len(batch.cell_offsets) - 1):
        lattice, own = lattice_of(batch, pair), of_pair(jump, pair)
        forward(lattice, own, new_workspace(own, lattice.base_document.shape[2]))


def kernels(path: Path, repeat: int = 3) -> None:
    """The parts of the E-step of one batch: milliseconds a pair in one thread, the fastest of some runs."""
    pairs = read_pairs(path)[:40]
    aligner = Aligner(iterations=1, extract=0).fit(pairs)
    model = aligner.model
    pairs, encoded = next(aligner.encoded(pairs))
    jump = model.jump.scores(encoded.batch)
    lattice = model.lattice(encoded, model.rewrite.scores(encoded.cells))

    def milliseconds(work, *arguments) -> float:
        times = []
        for _ in range(repeat + 1):  # the first compiles
            began = time.process_time()
            work(*arguments)
            times.append(time.process_time() - began)
        return 1000 * min(times) / len(pairs)

    ahead, both = milliseconds(_forward, lattice, jump), milliseconds(expect, lattice, jump)
    every = milliseconds(model.expected_counts, encoded)
    print(
        "\n| E-step, one thread | forward | backward | scores and counts | together |\n|---|--:|--:|--:|--:|"
    )
    print(
        f"| ms a pair | {ahead:.2f} | {both - ahead:.2f} | {every - both:.2f} | {every:.2f} |",
        flush=True,
    )


def start(folder: Path) -> None:
    """Start-up times."""
    few, one = corpus(folder, 20, DOCUMENT, ABSTRACT), corpus(folder, 1, DOCUMENT, ABSTRACT)
    model, cold = folder / "start", folder / "cold"
    train = ("train", few, "--model", model, "--iterations", 2)
    runs = (
        ("`semihmm --help`", lambda: min(run("--help") for _ in range(3))),
        ("train 20 pairs, nothing compiled yet", lambda: run(*train, XDG_CACHE_HOME=str(cold))),
        ("train 20 pairs", lambda: run(*train, XDG_CACHE_HOME=str(cold))),
        (
            "align one pair, compiled by training but for decoding",
            lambda: run("align", one, "--model", model),
        ),
        ("align one pair", lambda: min(run("align", one, "--model", model) for _ in range(3))),
    )
    print("\n| start | seconds |\n|---|--:|")
    for name, measure in runs:
        ended = measure()
        print(f"| {name} | {ended.wall:.2f} ({ended.processor:.2f}) |", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument(
        "--parts", default="job,paper,whole,pairs,document,abstract,kernels,start"
    )
    arguments.add_argument("--iterations", type=int, default=10)
    arguments.add_argument("--workers", type=int, default=os.cpu_count())
    arguments.add_argument("--memory-limit", type=int, metavar="MB")
    arguments.add_argument("--scale", type=float, default=1.0)
    arguments.add_argument(
        "--data", type=Path, metavar="DIR", help="where the short pairs for the rivals are"
    )
    options = arguments.parse_args()
    all_pairs, some = round(PAIRS * options.scale), round(480 * options.scale)
    rows = {
        "job": [
            ("the paper's job", all_pairs, WHOLE, ABSTRACT, options.iterations, Settings.extract)
        ],
        "paper": [("paper's extracts", all_pairs, DOCUMENT, ABSTRACT, options.iterations)],
        "whole": [("whole documents", all_pairs, WHOLE, ABSTRACT, options.iterations)],
        "ten": [("ten times the pairs", 10 * all_pairs, DOCUMENT, ABSTRACT, 2)],
        "pairs": [
            (f"1/{part} of the pairs", some // part, DOCUMENT, ABSTRACT, 2) for part in (4, 2, 1)
        ],
        "document": [
            (f"documents of {n}", some // 8, n, ABSTRACT, 2) for n in (256, 512, 1024, 2048, 4096)
        ],
        "abstract": [(f"abstracts of {m}", some // 2, DOCUMENT, m, 2) for m in (32, 64, 128, 256)],
    }
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        run(
            "train", corpus(folder, 2, 50, 20), "--model", folder / "first", "--iterations", 2
        )  # compiles what is not
        if rows.keys() & options.parts.split(","):
            header()
        for part in options.parts.split(","):
            for name, pairs, document, abstract, iterations, *extract in rows.get(part, ()):
                path, limit = corpus(folder, pairs, document, abstract), options.memory_limit
                row(name, path, folder / "model", iterations, options.workers, limit, *extract)
        if "kernels" in options.parts:
            kernels(corpus(folder, all_pairs, DOCUMENT, ABSTRACT))
        if "start" in options.parts:
            start(folder)
        if "rivals" in options.parts:
            if options.data:
                rival_times.times("short", rival_times.short_pairs(options.data))
            rival_times.times("documents", read_pairs(corpus(folder, some, DOCUMENT, ABSTRACT)))


if __name__ == "__main__":
    main()
