"""Measure how long training takes, phase by phase, and how it grows, on corpora made from a seed.

usage: python scripts/benchmark.py [--parts NAME,NAME,...] [--iterations N] [--workers N]
           [--scale X] [--page FILE]

job       the paper's job under the default preset: 2,033 documents of 1,230 words, abstracts of 128
          words (Daumé III and Marcu 2005, Table 1), from raw text to the saved model, each abstract
          sentence with its own extract
paper     whole abstracts with extracts as large as the paper's: 511 words (Table 3)
pairs, document, abstract
          growth: a quarter, half and all of 480 pairs; documents of 256 to 4,096 words; abstracts
          of 32 to 256 words
kernels   the kernels of the E-step of one batch of ``paper``, in one thread
start     --help, one pair with a saved model, and a start without compiled kernels
rivals    processor seconds and memory of the default and of the word aligners that are installed
          (the extra ``baselines``), in both directions: on 200 to 20,000 short pairs and on 30 to
          2,000 pairs of 511 + 128 words
cluster   1,000 pairs of 800 + 60 words on a Dask cluster of two processes with 1.5 GB each, and a
          tenth of them without it and on it, which must give the same bytes
rouge     processor seconds of ROUGE: ours, rouge-score's and that of ROUGE-1.5.5
page      how fast the page of ``semihmm view`` for 2,000 pairs of 800 + 60 words, or ``--page``,
          opens and scrolls in a headless Chromium (Selenium)

Without ``--parts`` all from ``job`` to ``start`` run. Seconds are wall time, those of
all processors are in brackets. Milliseconds are processor time for a pair and an iteration.
``--scale 0.1`` takes a tenth of the pairs, for a quick look.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import made_corpus
import page_speed
import rouge_speed
import script_options
import system_growth

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.aligner import Aligner
from semihmm.inference.batch_kernels import expect
from semihmm.model.expectations import encoded_units
from semihmm.model.settings import Settings

PAIRS = 2033
GROWTH_PAIRS = 480
DOCUMENT = 511.0
WHOLE = 1229.7
ABSTRACT = 128.5
"""Mean words of the paper's extracts, documents and abstracts (Tables 1 and 3)."""
NEWS = (800.0, 60.0)
"""The same of news, both sides."""
CLUSTER_PAIRS = 1000
CLUSTER_FILE = 100
PAGE_PAIRS = 2000
SUMMARIES = 10_000
PHASES = ("reading", "initial model", "encoding", "E-step", "M-step", "saving")
PARTS = ("job", "paper", "pairs", "document", "abstract", "kernels", "start")


class Run(NamedTuple):
    """A process that has ended: seconds, processor seconds, peak memory in MB, and its messages."""

    wall: float
    processor: float
    memory: float
    messages: str


class Job(NamedTuple):
    """A row of the table: the size of a corpus and how it is trained on."""

    name: str
    pairs: int
    document: float
    abstract: float
    iterations: int
    extract: int = 0


def run(*arguments: object, **environment: str) -> Run:
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "semihmm", *map(str, arguments)]
    with tempfile.TemporaryFile("w+") as messages:
        began = time.perf_counter()
        running = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=messages, env=os.environ | environment
        )
        _, status, used = os.wait4(running.pid, 0)
        wall = time.perf_counter() - began
        messages.seek(0)
        written = messages.read()
    if status:
        raise SystemExit(written)
    unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes there, kilobytes here
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / unit, written)


def corpus(folder: Path, pairs: int, document: float, abstract: float) -> Path:
    """Make a corpus, unless the folder has it, and return its file."""
    path = folder / f"{pairs}-{document}-{abstract}.jsonl"
    if not path.exists():
        rows = made_corpus.pairs(pairs, document, abstract)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def _first_group(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise SystemExit(f"benchmark.py: nothing like {pattern!r} in: {text}")
    return found[1]


def row(job: Job, path: Path, model: Path, workers: int) -> str:
    """Train, and return the line of the table."""
    options: list[object] = [
        "--model",
        model,
        "--overwrite",
        "--extract",
        job.extract,
        "--workers",
        workers,
    ]
    options += ["--iterations", job.iterations]
    ended = run("train", path, *options)
    summary = ended.messages.rpartition("processors): ")[2]
    phases = {
        name.strip(): seconds
        for name, seconds in re.findall(r"([\w -]+) ([\d.]+ \([\d.]+\))", summary)
    }
    pairs = int(_first_group(r"(\d+) pairs read", ended.messages))
    iterations = ended.messages.count("semihmm: iteration")
    e_step = float(_first_group(r"\((.*)\)", phases["E-step"]))
    cells = [job.name, str(pairs), str(iterations)]
    cells += [phases.get(phase, "") for phase in PHASES]
    cells += [
        f"{1000 * e_step / pairs / iterations:.2f}",
        f"{ended.wall:.0f} ({ended.processor:.0f})",
        f"{ended.memory:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def header() -> str:
    """Return the first two lines of the table."""
    titles = ["", "pairs", "iterations", *PHASES, "E-step ms a pair", "all", "peak MB"]
    return f"\n| {' | '.join(titles)} |\n|---" + "|--:" * (len(titles) - 1) + "|"


def _milliseconds(pairs: int, work: Callable[..., object], *arguments: object) -> float:
    """Return processor milliseconds a pair: the fastest of three calls after one that compiles."""
    times = []
    for _ in range(4):
        began = time.process_time()
        work(*arguments)
        times.append(time.process_time() - began)
    return 1000 * min(times[1:]) / pairs


def kernels(path: Path) -> None:
    """Print the times of the parts of one batch's E-step: milliseconds a pair in one thread."""
    pairs = read_pairs(path)[:40]
    aligner = Aligner(iterations=1, extract=0, fusion=False).fit(pairs)
    model = aligner.model
    units, encoded = next(encoded_units(model, aligner.settings, pairs))
    count = len(units)
    lattices, jumps, _ = model.probabilities(encoded)
    both = _milliseconds(count, expect, lattices, jumps, math.inf)
    every = _milliseconds(count, model.expected_counts, encoded)
    print("\n| E-step, one thread | forward and backward | scores and counts | together |")
    print("|---|--:|--:|--:|")
    cells = (both, every - both, every)
    print("| ms a pair | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |", flush=True)


def start(folder: Path) -> None:
    """Print start-up times."""
    few = corpus(folder, 20, DOCUMENT, ABSTRACT)
    one = corpus(folder, 1, DOCUMENT, ABSTRACT)
    model, cold = folder / "start", folder / "cold"
    train = ("train", few, "--model", model, "--overwrite", "--iterations", 2)
    align = ("align", one, "--model", model)
    runs: tuple[tuple[str, Callable[[], Run]], ...] = (
        ("`semihmm --help`", lambda: min(run("--help") for _ in range(3))),
        ("train 20 pairs, nothing compiled", lambda: run(*train, XDG_CACHE_HOME=str(cold))),
        ("train 20 pairs", lambda: run(*train, XDG_CACHE_HOME=str(cold))),
        ("align one pair, all but decoding compiled", lambda: run(*align)),
        ("align one pair", lambda: min(run(*align) for _ in range(3))),
    )
    print("\n| start | seconds |\n|---|--:|")
    for name, measure in runs:
        ended = measure()
        print(f"| {name} | {ended.wall:.2f} ({ended.processor:.2f}) |", flush=True)


def cluster(folder: Path, scale: float) -> None:
    """Train and align with and without a cluster."""
    from distributed import LocalCluster

    lines = corpus(folder, round(CLUSTER_PAIRS * scale), *NEWS).read_text("utf-8").splitlines(True)
    files = []
    for start in range(0, len(lines), CLUSTER_FILE):
        files.append(folder / f"pairs-{start}.jsonl")
        files[-1].write_text("".join(lines[start : start + CLUSTER_FILE]), "utf-8")
    print("\n| | wall s | processor s: command + workers | peak MB: command | worker |")
    print("|---|--:|--:|--:|--:|", flush=True)
    tenth = files[: max(1, len(files) // 10)]
    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit="1.5GB", dashboard_address="127.0.0.1:0"
    ) as there:
        _cluster_rows(f"{len(lines):,} pairs", files, folder / "all", there)
        alone = _cluster_rows("a tenth, no cluster", tenth, folder / "alone", None)
        on_it = _cluster_rows("a tenth, cluster", tenth, folder / "on-it", there)
    if alone != on_it:
        raise SystemExit("benchmark.py: models or alignments differ on the cluster")


def _cluster_rows(
    name: str, files: Sequence[Path], results: Path, cluster: Any | None
) -> list[bytes]:
    """Print the rows of training and of aligning, and return the contents of the results."""
    import psutil

    results.mkdir()
    there = ["--cluster", cluster.scheduler_address] if cluster else []
    workers = [psutil.Process(nanny.pid) for nanny in cluster.workers.values()] if cluster else []
    model, aligned = results / "model", results / "aligned"
    learning = ["--start", "none", "--iterations", 3, "--tolerance", -1]
    for command in (
        ["train", *files, "--model", model, *learning],
        ["align", *files, "--model", model, "--output", aligned],
    ):
        before = sum(sum(worker.cpu_times()[:2]) for worker in workers)
        ended = run(*command, *there)
        theirs = sum(sum(worker.cpu_times()[:2]) for worker in workers) - before
        peak = max((_peak(worker.pid) for worker in workers), default=0.0)
        cells = f"{ended.wall:.0f} | {ended.processor:.0f} + {theirs:.0f} | {ended.memory:.0f}"
        print(f"| {command[0]}, {name} | {cells} | {peak:.0f} |", flush=True)
    return [path.read_bytes() for path in (*sorted(model.iterdir()), aligned)]


def _peak(process: int) -> float:
    """Return the peak memory of a process in MB, as Linux has it."""
    return int(_first_group(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())) / 1e3


def jobs(scale: float, iterations: int) -> dict[str, list[Job]]:
    """Return the rows of the table of phases, part by part."""
    pairs = round(PAIRS * scale)
    some = max(8, round(GROWTH_PAIRS * scale))  # of which the growth of documents takes an eighth
    extract = Settings.extract
    return {
        "job": [Job("the paper's job", pairs, WHOLE, ABSTRACT, iterations, extract)],
        "paper": [Job("paper's extracts", pairs, DOCUMENT, ABSTRACT, iterations)],
        "pairs": [
            Job(f"1/{part} of the pairs", some // part, DOCUMENT, ABSTRACT, 2) for part in (4, 2, 1)
        ],
        "document": [
            Job(f"documents of {words}", some // 8, words, ABSTRACT, 2)
            for words in (256, 512, 1024, 2048, 4096)
        ],
        "abstract": [
            Job(f"abstracts of {words}", some // 2, DOCUMENT, words, 2)
            for words in (32, 64, 128, 256)
        ],
    }


def main() -> None:
    """Run the parts."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--parts", default=",".join(PARTS), metavar="NAMES")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--page", type=Path, metavar="FILE", help="what ``page`` opens")
    options = parser.parse_args()
    parts = options.parts.split(",")
    rows = jobs(options.scale, options.iterations)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        # Compiles what is not compiled.
        run("train", corpus(folder, 2, 50, 20), "--model", folder / "first", "--iterations", 2)
        if rows.keys() & parts:
            print(header(), flush=True)
        for job in (job for part in parts for job in rows.get(part, ())):
            path = corpus(folder, job.pairs, job.document, job.abstract)
            print(row(job, path, folder / "model", options.workers), flush=True)
        if "kernels" in parts:
            kernels(corpus(folder, round(PAIRS * options.scale), DOCUMENT, ABSTRACT))
        if "start" in parts:
            start(folder)
        if "rivals" in parts:
            for growth in system_growth.GROWTHS:
                system_growth.measure(growth, options.scale, partial(corpus, folder))
        if "cluster" in parts:
            cluster(folder, options.scale)
        if "rouge" in parts:
            rouge_speed.table(corpus(folder, round(SUMMARIES * options.scale), 60.0, 55.0))
        if "page" in parts:
            page = options.page or folder / "page.html"
            if not options.page:
                pairs = corpus(folder, round(PAGE_PAIRS * options.scale), *NEWS)
                run("view", pairs, "--output", page)
            page_speed.table(page)


if __name__ == "__main__":
    main()
