"""Plants faults in the program, one at a time, and says which tests catch them.

usage: python scripts/mutants.py [--only N,M-L] [--tests PATH ...] [--seconds S]
                                 [--drawn N] [--seed S] [--files PATH ...]

``mutants.txt`` lists the faults: a line ``@ FILE : TESTS`` with the tests nearest to the file, then
for each fault a line ``- TEXT`` of the file, and ``+ TEXT`` that takes its place. Faults are
planted in a copy of the tree.

``--drawn`` plants so many other faults, drawn from the files of the list, or from the files and
folders that ``--files`` names: a comparison, a sign, an operator or a number is another one, or a
statement is left out.

First the nearest tests, and those of the folders that mirror the files', run once without a fault:
they show which test reaches which line. Each fault then meets the tests that reach its lines, the
fastest first, then those that reach its file. A test counts only if it passes without the fault,
within a minute; the others are named. For faults of kernels, kernels run as Python; one that no
near test sees meets the settings of the sample. At the end the faults that survive are printed by
file. The exit status is 1 if there are any, or if a fault is not in its file any more.
"""

import ast
import contextlib
import copy
import functools
import gc
import importlib
import importlib.util
import io
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import coverage
import numba
import pytest
import script_options
from hypothesis import Phase
from hypothesis import settings as hypothesis_settings

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("mutants.txt")
PACKAGES = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")
LOADED = ("scipy.stats", "xdist")
"""What takes long to import, and not NLTK, which looks where the tests say when it is imported."""

CACHED = type(functools.cache(print))
"""The type of functions that keep what they returned."""

FIGURES = "tests/front_door/test_figures_of_the_sample.py"
WHOLE_PROGRAM = (FIGURES, "tests/front_door/test_transcript.py")
"""They see what changes a figure of the sample or what a command prints, wherever the fault is."""

FIGURES_OF_KERNELS = (FIGURES, "-k", "setting")
"""What a fault of kernels meets last. To map their lines would take minutes for each of them."""

TEST_SECONDS = 60
"""The time that a test has. One that takes longer is out of the map, or fails with a fault."""

NOT_STARTED = "tests that do not start"

FIRST_FAILURE = "first failure"
"""A profile of hypothesis: whether a property fails is asked, not the smallest input."""

hypothesis_settings.register_profile(
    FIRST_FAILURE, deadline=None, phases=(Phase.explicit, Phase.generate)
)

COVERAGE = """
[run]
data_file = {folder}/lines
parallel = true
source = {packages}
context = $PYTEST_CURRENT_TEST
"""
"""Processes that a test starts read it too, and find the name of the test."""


class Mutant(NamedTuple):
    """A fault: its number, its file, the tests nearest to it, a text and what replaces it."""

    number: int
    file: str
    tests: tuple[str, ...]
    old: str
    new: str


class Run:
    """A run of pytest: a plugin that chooses and orders its tests, and notes what they do."""

    def __init__(self, order: Sequence[str] = ()) -> None:
        self._order = {test: place for place, test in enumerate(order)}
        self.failed: list[str] = []
        self.seconds: dict[str, float] = defaultdict(float)
        self._file: Path | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the other tests."""
        if self._order:
            chosen = [item for item in items if item.nodeid in self._order]
            items[:] = sorted(chosen, key=lambda item: self._order[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note lines for the test. What others set up is shared, and noted for none."""
        lines = coverage.Coverage.current()
        if lines:
            lines.switch_context(item.nodeid)
            if item.path != self._file:
                forget()
            self._file = item.path
        yield
        if lines:
            lines.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure, and the time of a test."""
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def start(self, *arguments: str) -> "Run":
        """Run tests in this process."""
        limits = (f"--timeout={TEST_SECONDS}", "--timeout-method=signal")
        known = ("-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
        drawn = (f"--hypothesis-profile={FIRST_FAILURE}", "--hypothesis-seed=0")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = pytest.main([*arguments, *known, *limits, *drawn], plugins=[self])
        if status not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
            self.failed = self.failed or [NOT_STARTED]
        return self


def forget() -> None:
    """Empty the caches of the program: tests of a file would find there what others made."""
    for one in gc.get_objects():
        # To ask a reference to something gone what it is an instance of would fail.
        if type(one) is CACHED and one.__module__.partition(".")[0] in PACKAGES:
            one.cache_clear()


def forked(work: Callable[[], Any]) -> Any:
    """Return what some work in a copy of this process returns, ``None`` if it does not end."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def run() -> None:
        sender.send(work())

    process = context.Process(target=run)
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


class Tree:
    """A copy of the tree, in which faults are planted, with the tests that reach each line.

    ``seconds``  the processor time that the tests of one fault have.
    ``kernels``  whether the faults are in kernels, which run as Python then.
    """

    def __init__(self, folder: Path, seconds: int, kernels: bool) -> None:
        self.folder = folder
        self._seconds = seconds
        self._kernels = kernels
        self._settings = folder.with_name("coverage.ini")
        self._times: dict[str, float] = {}
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        packages = ",".join(str(folder / name) for name in PACKAGES)
        self._settings.write_text(COVERAGE.format(folder=folder.parent, packages=packages))
        self._lines = coverage.Coverage(config_file=str(self._settings))

    def _enter(self) -> None:
        """Let this process, and those that it starts, run what is in the tree."""
        os.chdir(self.folder)
        sys.path[:0] = [str(self.folder)]
        os.environ["PYTHONPATH"] = str(self.folder)
        os.environ["NUMBA_DISABLE_JIT"] = str(int(self._kernels))
        numba.config.DISABLE_JIT = self._kernels  # type: ignore[attr-defined]  # made when loaded

    def map(self, tests: Sequence[str]) -> None:
        """Run tests without a fault, and note the lines that they reach."""

        def measured() -> Run:
            self._enter()
            os.environ["COVERAGE_PROCESS_START"] = str(self._settings)
            lines = coverage.Coverage(config_file=str(self._settings))
            with lines.collect():
                run = Run().start(*tests)
            lines.save()
            return run

        run = forked(measured)
        if run is None or NOT_STARTED in run.failed:
            sys.exit(f"mutants.py: {' '.join(tests)} do not start without a fault either")
        for test in run.failed:
            print(f"left out, for it fails without a fault, or takes a minute: {test}", flush=True)
        self._times = {test: s for test, s in run.seconds.items() if test not in run.failed}
        self._lines.combine()

    def reaching(self, mutant: Mutant, text: str) -> list[str]:
        """Return the tests that reach the lines of a fault, then those that reach its file."""
        data = self._lines.get_data()
        by_line = data.contexts_by_lineno(str(self.folder / mutant.file))
        end = text.index(mutant.old) + len(mutant.old.rstrip("\n"))
        own = by_line.get(text.count("\n", 0, end) + 1, ())
        order: dict[str, None] = {}
        for stage in (own, set().union(*by_line.values())):
            # A process that a test starts has the name of the phase too, as in "test_it (call)".
            names = {context.removesuffix(" (call)") for context in stage} & self._times.keys()
            order |= dict.fromkeys(sorted(names, key=self._times.__getitem__))
        return list(order)

    def outcome(self, mutant: Mutant) -> str:
        """Return the first test that fails with the fault, or what else becomes of it."""
        path = self.folder / mutant.file
        sound = path.read_text(encoding="utf-8") if path.exists() else ""
        if sound.count(mutant.old) != 1:
            return f"NOT IN THE FILE ({sound.count(mutant.old)} times)"
        tests = self.reaching(mutant, sound)
        files = dict.fromkeys(test.partition("::")[0] for test in tests)

        def failures(order: Sequence[str], places: Sequence[str]) -> list[str]:
            self._enter()
            resource.setrlimit(resource.RLIMIT_CPU, (self._seconds, self._seconds))
            sys.dont_write_bytecode = True
            return Run(order).start("-x", *places).failed if places else []

        compiled = Path(importlib.util.cache_from_source(path))
        compiled.unlink(missing_ok=True)
        path.write_text(sound.replace(mutant.old, mutant.new), encoding="utf-8")
        failed = forked(partial(failures, tests, [*files]))
        if not failed and self._kernels and (self.folder / FIGURES).exists():
            failed = forked(partial(failures, (), FIGURES_OF_KERNELS))
        path.write_text(sound, encoding="utf-8")
        # Processes that tests start keep what they compile.
        compiled.unlink(missing_ok=True)
        return "SURVIVED (out of time)" if failed is None else (*failed, "SURVIVED")[0]


def read_list(text: str) -> Iterator[Mutant]:
    """Yield the faults of the list, numbered from 1."""
    file, tests = "", ""
    old, number = "", 0
    for line in text.splitlines():
        if line.startswith("@ "):
            file, _, tests = line[2:].partition(" : ")
        elif line.startswith("- "):
            old = line[2:]
        elif line.startswith("+ "):
            number += 1
            yield Mutant(number, file, tuple(tests.split()), old, line[2:])


OTHERS: Mapping[type, Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div,
    ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr,
}  # fmt: skip
"""What takes the place of an operator."""


def faulty(node: ast.expr | ast.stmt) -> ast.AST | None:
    """Return the node with a fault, or ``None`` for one in which none is planted."""
    wrong: Any = copy.deepcopy(node)
    match node:
        case ast.Compare():
            wrong.ops[0] = OTHERS[type(node.ops[0])]()
        case ast.BoolOp() | ast.BinOp() if type(node.op) in OTHERS:
            wrong.op = OTHERS[type(node.op)]()
        case ast.UnaryOp(ast.USub() | ast.Not()):
            return node.operand
        case ast.Constant(int() | float()) if not isinstance(node.value, bool):
            wrong.value += 1
        case ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break() | ast.Expr(ast.Call()):
            return ast.Pass()
        case _:
            return None
    return cast("ast.AST", wrong)


def drawn(count: int, seed: int, tests: Mapping[str, tuple[str, ...]]) -> Iterator[Mutant]:
    """Yield faults drawn from files, numbered from 1; ``tests`` are those nearest to each file."""
    places = []
    for file in sorted(tests):
        lines = (ROOT / file).read_bytes().splitlines(keepends=True)
        for node in ast.walk(ast.parse(b"".join(lines))):
            if isinstance(node, ast.expr | ast.stmt) and node.lineno == node.end_lineno:
                places += [(file, lines, node, wrong) for wrong in [faulty(node)] if wrong]
    chosen = random.Random(seed).sample(places, min(count, len(places)))
    for number, (file, lines, node, wrong) in enumerate(chosen, start=1):
        line, shown = lines[node.lineno - 1], ast.unparse(wrong)
        shown = shown if isinstance(wrong, ast.stmt) else f"({shown})"
        changed = line[: node.col_offset] + shown.encode() + line[node.end_col_offset :]
        # With as much of what stands before as tells the line from others.
        first = node.lineno - 1
        while b"".join(lines).count(b"".join(lines[first : node.lineno])) > 1:
            first -= 1
        before = b"".join(lines[first : node.lineno - 1])
        old, new = ((before + own).decode() for own in (line, changed))
        yield Mutant(number, file, tests[file], old, new)


def last_line(text: str) -> str:
    """Return the line of a fault, without the lines that only tell where it is."""
    return text.strip().splitlines()[-1].strip()


def mirrored(file: str) -> set[str]:
    """Return the tests in the folder that mirrors the folder of a file, or in the next above it."""
    folder = ROOT.joinpath("tests", file).parent
    while not folder.is_dir():
        folder = folder.parent
    return {str(path.relative_to(ROOT)) for path in folder.glob("test_*.py")}


def numbers_of(text: str) -> set[int]:
    """Read numbers and ranges, as in 3,7-9."""
    ranges = (part.partition("-") for part in text.split(","))
    return {n for first, _, last in ranges for n in range(int(first), int(last or first) + 1)}


def nearest(places: Sequence[str], listed: Sequence[Mutant]) -> dict[str, tuple[str, ...]]:
    """Return the tests nearest to each file of some files and folders, or of the list."""
    tests: dict[str, tuple[str, ...]] = {}
    for place in places or {one.file for one in listed}:
        path = ROOT / place
        for file in path.rglob("*.py") if path.is_dir() else [path]:
            name = str(file.relative_to(ROOT))
            tests[name] = tuple(test for one in listed if one.file == name for test in one.tests)
    return tests


def outcomes(
    mutants: Sequence[Mutant], kernels: bool, tests: Sequence[str] | None, seconds: int
) -> Iterator[tuple[Mutant, str]]:
    """Yield each fault with what becomes of it; the tests are the nearest if none are given."""
    if not mutants:
        return
    near = set(tests or (t for one in mutants for t in (*one.tests, *mirrored(one.file))))
    if not kernels:
        near |= {test for test in WHOLE_PROGRAM if (ROOT / test).exists()}
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder, "tree"), seconds, kernels)
        tree.map(sorted(near))
        for mutant in mutants:
            yield mutant, tree.outcome(mutant)


def main() -> int:
    """Run the faults that are asked for, and print a line for each."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--only", type=numbers_of, help="the numbers of the faults, as in 3,7-9")
    parser.add_argument("--tests", nargs="+", help="the tests that are run in place of the nearest")
    parser.add_argument("--seconds", type=int, default=120, help="processor time for one fault")
    parser.add_argument("--drawn", type=int, help="how many faults are drawn in place of the list")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--files", nargs="+", help="files and folders from which they are drawn")
    options = parser.parse_args()
    mutants = list(read_list(LIST.read_text(encoding="utf-8")))
    if options.drawn is not None:
        near = nearest(options.files or (), mutants)
        mutants = list(drawn(options.drawn, options.seed, near))
    chosen = [one for one in mutants if options.only is None or one.number in options.only]
    for module in LOADED:
        importlib.import_module(module)
    survivors = defaultdict(list)
    for kernels in (True, False):
        those = [one for one in chosen if ("kernel" in one.file) == kernels]
        for mutant, seen in outcomes(those, kernels, options.tests, options.seconds):
            if not seen.startswith(("tests", NOT_STARTED)):
                survivors[mutant.file].append((mutant, seen))
            line = f"{mutant.number:3} {mutant.file}: {last_line(mutant.new)}"
            print(f"{line}\n    {seen}", flush=True)
    for file, survived in sorted(survivors.items()):
        print(f"\n{file}")
        for mutant, seen in survived:
            print(f"{mutant.number:3} - {last_line(mutant.old)}")
            print(f"    + {last_line(mutant.new)}\n    {seen}")
    left = sum(map(len, survivors.values()))
    drew = "" if options.drawn is None else f", seed {options.seed}"
    print(f"{len(chosen) - left} of {len(chosen)} caught{drew}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
