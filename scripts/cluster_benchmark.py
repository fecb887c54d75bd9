"""Train and align on a local cluster, and show what that takes and moves.

usage: python scripts/cluster_benchmark.py [--pairs N] [--shard N] [--processes N] [--memory MB]
           [--iterations N] [--folder DIR]

Makes N pairs of 800 + 60 words (``made_corpus.py``) in files of ``--shard`` pairs, packed with
gzip. A Dask cluster of this machine has ``--processes`` worker processes, each with a limit of
memory. On it, ``semihmm train`` reads the pairs, encodes them and runs so many iterations from
nothing, and ``semihmm align`` aligns all pairs. Then a tenth of the files is trained on and aligned
twice, without a cluster and on it. Both must give the same bytes. What becomes of workers that are
killed is shown by ``tests/semihmm/training/test_cluster.py``.

The table has wall time, processor seconds of the command and of the workers, peak memory of the
command, of the scheduler (this process) and of the largest worker, the bytes that went into and out
of the scheduler, and those that workers sent to each other. A row is printed as soon as its command
has ended; what the commands say goes to stderr. ``--folder`` keeps the pairs for the next time.
"""

from __future__ import annotations

import gzip
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import script_options
from distributed import LocalCluster
from tornado.iostream import IOStream

DOCUMENT, ABSTRACT = 800, 60
TENTH = 10
INTERVAL = 0.05
"""Seconds between two looks at the workers."""

SENT = "transfer_outgoing_bytes_total"
"""What Dask calls the bytes that a worker has sent to others."""


class Figures(NamedTuple):
    """What a command took: seconds, MB, and MB that were moved."""

    wall: float
    processor: float
    workers_processor: float
    memory: float
    scheduler_memory: float
    worker_memory: float
    through_scheduler: float
    between_workers: float

    def row(self, name: str) -> str:
        """Return the line of the table."""
        seconds = f"{self.wall:.0f} | {self.processor:.0f} + {self.workers_processor:.0f}"
        memory = f"{self.memory:.0f} | {self.scheduler_memory:.0f} | {self.worker_memory:.0f}"
        moved = f"{self.through_scheduler:.1f} | {self.between_workers:.1f}"
        return f"| {name} | {seconds} | {memory} | {moved} |"


HEAD = """\
| | wall s | processor s: command + workers | peak MB: command | scheduler | worker \
| MB moved: through the scheduler | between workers |
|---|--:|--:|--:|--:|--:|--:|--:|"""


class Traffic:
    """Counts the bytes that this process, which has the scheduler, sends and receives."""

    def __init__(self) -> None:
        self.total = 0
        self._count("read_from_fd")
        self._count("write_to_fd")

    def _count(self, name: str) -> None:
        original = getattr(IOStream, name)

        def counted(stream: IOStream, data: Any) -> int | None:
            moved: int | None = original(stream, data)
            self.total += moved or 0
            return moved

        setattr(IOStream, name, counted)


@dataclass
class Watch:
    """Looks at the workers in a thread.

    ``processor``  processor seconds of each process, as last seen.
    """

    cluster: LocalCluster
    memory: float = 0.0
    scheduler_memory: float = 0.0
    sent: dict[str, float] = field(default_factory=dict)
    processor: dict[int, float] = field(default_factory=dict)
    _ended: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Watch while the block runs."""
        thread = threading.Thread(target=self._look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()

    def _look(self) -> None:
        while not self._ended.wait(INTERVAL):
            this = psutil.Process()
            self.scheduler_memory = max(self.scheduler_memory, this.memory_info().rss / 1e6)
            for nanny in list(self.cluster.workers.values()):
                if nanny.pid:
                    self._look_at(nanny.pid)
            self.sent.update(_sent(self.cluster))

    def _look_at(self, pid: int) -> None:
        try:
            process = psutil.Process(pid)
            times = process.cpu_times()
            self.memory = max(self.memory, process.memory_info().rss / 1e6)
            self.processor[pid] = times.user + times.system
        except psutil.NoSuchProcess:
            pass


def run(cluster: LocalCluster | None, traffic: Traffic, *command: object) -> Figures:
    """Run a command, on the cluster if there is one, and return what it took."""
    there = [] if cluster is None else ["--cluster", cluster.scheduler_address]
    arguments = [sys.executable, "-m", "semihmm", *map(str, command), *there]
    watch = None if cluster is None else Watch(cluster)
    before, moved = _worker_seconds(cluster), traffic.total
    sent = {} if cluster is None else _sent(cluster)
    began = time.perf_counter()
    with nullcontext() if watch is None else watch.running():
        running = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(running.pid, 0)
    wall = time.perf_counter() - began
    if status:
        raise SystemExit(f"cluster_benchmark.py: {' '.join(arguments)} failed")
    unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes there, kilobytes here
    processor, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / unit
    if watch is None:
        return Figures(wall, processor, 0, memory, 0, 0, 0, 0)
    workers = sum(seconds - before.get(pid, 0) for pid, seconds in watch.processor.items())
    between = sum(most - sent.get(address, 0) for address, most in watch.sent.items())
    peaks = watch.scheduler_memory, watch.memory
    through = traffic.total - moved
    return Figures(wall, processor, workers, memory, *peaks, through / 1e6, between / 1e6)


def _worker_seconds(cluster: LocalCluster | None) -> dict[int, float]:
    pids = [] if cluster is None else [nanny.pid for nanny in cluster.workers.values()]
    times = {pid: psutil.Process(pid).cpu_times() for pid in pids}
    return {pid: used.user + used.system for pid, used in times.items()}


def _workers(cluster: LocalCluster) -> list[Any]:
    """Return what the scheduler, which runs in another thread, knows of the workers."""
    return list(cluster.scheduler.workers.values())


def _sent(cluster: LocalCluster) -> dict[str, float]:
    """Return the bytes that each worker has sent to others."""
    return {worker.address: worker.metrics.get(SENT, 0) for worker in _workers(cluster)}


def make_pairs(folder: Path, pairs: int, shard: int) -> list[Path]:
    """Make the files of pairs that are not there yet, and return all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"pairs-{number:05d}.jsonl.gz" for number in range(-(-pairs // shard))]
    if all(file.exists() for file in files):
        return files
    maker = Path(__file__).with_name("made_corpus.py")
    sizes = ["--pairs", pairs, "--document", DOCUMENT, "--abstract", ABSTRACT]
    command = [sys.executable, maker, *sizes]
    # In a process of its own, or its memory would be taken for the scheduler's.
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE) as making:
        assert making.stdout is not None
        for file in files:
            with gzip.open(file, "wb") as packed:
                packed.writelines(itertools.islice(making.stdout, shard))
    return files


def contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files of a directory by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@dataclass(frozen=True)
class Benchmark:
    """Trains and aligns in a folder.

    ``traffic``     counts what goes through the scheduler.
    ``iterations``  of training.
    """

    folder: Path
    traffic: Traffic
    iterations: int

    def rounds(self, name: str, files: Sequence[Path], cluster: LocalCluster | None) -> Path:
        """Train and align, print two lines of the table, and return the folder of the results."""
        results = self.folder / name.replace(" ", "-").replace(",", "")
        model = results / "model"
        results.mkdir()
        options = ["--start", "none", "--iterations", self.iterations, "--tolerance", -1]
        cache = ["--cache", results / "cache"]
        training = ["train", *files, "--model", model, *options, *cache]
        figures = run(cluster, self.traffic, *training)
        print(figures.row(f"train, {name}"), flush=True)
        aligning = ["align", *files, "--model", model, "--output", results / "aligned"]
        figures = run(cluster, self.traffic, *aligning)
        print(figures.row(f"align, {name}"), flush=True)
        return results


def require_same(one: Path, other: Path) -> None:
    """Exit unless two rounds gave the same models and alignments."""
    same = contents(one / "model") == contents(other / "model")
    if not same or (one / "aligned").read_bytes() != (other / "aligned").read_bytes():
        raise SystemExit(f"cluster_benchmark.py: the results in {one} and {other} differ")


def main() -> None:
    """Print the table."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--shard", type=int, default=500)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--memory", type=int, default=1500, metavar="MB")
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if options.folder is None else options.folder
        files = make_pairs(
            folder / f"{options.pairs}-{options.shard}", options.pairs, options.shard
        )
        benchmark = Benchmark(Path(scratch), Traffic(), options.iterations)
        print(HEAD, flush=True)
        with LocalCluster(
            n_workers=options.processes,
            threads_per_worker=1,
            memory_limit=options.memory * 10**6,
            dashboard_address=":0",
            metrics={SENT: attrgetter(SENT)},
        ) as cluster:
            benchmark.rounds(f"{options.pairs:,} pairs", files, cluster)
            some = files[: max(1, len(files) // TENTH)]
            alone = benchmark.rounds("a tenth, no cluster", some, None)
            there = benchmark.rounds("a tenth, cluster", some, cluster)
        require_same(alone, there)
        print("\nmodels and alignments of the tenth: the same bytes twice")


if __name__ == "__main__":
    main()
