"""Plants faults in the program, one at a time, and says which tests catch them.

usage: python scripts/mutants.py [--only N,M-L] [--tests PATH ...] [--compiled] [--seconds S]
                                 [--drawn N] [--seed S] [--files PATH ...]

``mutants.txt`` lists the faults: a line ``@ FILE : TESTS`` with the tests nearest to the file, then
for each fault a line ``- TEXT`` of the file, and ``+ TEXT`` that takes its place. Faults are
planted in a copy of the tree. The nearest tests run first, then those of the folder that mirrors
the file's. A test counts only if it passes without the fault.

``--drawn`` plants so many other faults, drawn from the files of the list, or from ``--files``: a
comparison, a sign, an operator or a number is another one, or a statement is left out.

Kernels run as Python: compiling would take minutes for each fault. The exit status is 1 if a fault
survives, or is not in its file any more.
"""

import ast
import copy
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import script_options

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("mutants.txt")
COPIED = ("corpus_tools", "jump_models", "rewrite_models", "semihmm", "scripts", "tests", "docs")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+::.+?|\S+)(?: - .*)?$", re.MULTILINE)
OUT_OF_TIME = "(out of time)"
NOT_STARTED = "tests that do not start"


class Mutant(NamedTuple):
    """A fault: its number, its file, the tests nearest to it, a text and what replaces it."""

    number: int
    file: str
    tests: tuple[str, ...]
    old: str
    new: str


class Copy:
    """A copy of the tree, in which the faults are planted and the tests run."""

    def __init__(self, folder: Path, seconds: int, compiled: bool) -> None:
        self.folder = folder
        self._seconds = seconds
        self._environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        if not compiled:
            self._environment["NUMBA_DISABLE_JIT"] = "1"
        self._broken: dict[str, bool] = {}
        for name in COPIED:
            shutil.copytree(ROOT / name, folder / name)
        for file in ROOT.iterdir():
            if file.is_file():
                shutil.copy2(file, folder)

    def run(self, *arguments: str) -> str | None:
        """Return the first test that fails, or ``None``."""
        command = [sys.executable, "-m", "pytest", "-x", "-rfE", "--tb=no", *arguments]
        try:
            result = subprocess.run(
                [*command, "-p", "no:cacheprovider"],
                cwd=self.folder,
                env=self._environment,
                capture_output=True,
                text=True,
                timeout=4 * self._seconds,
                preexec_fn=self._limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return OUT_OF_TIME
        if result.returncode <= 0:
            return OUT_OF_TIME if result.returncode else None
        failed = FAILED.search(result.stdout)
        return failed[1] if failed else NOT_STARTED

    def _limit(self) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (self._seconds, self._seconds))

    def catcher(self, mutant: Mutant, tests: Sequence[str]) -> str | None:
        """Return the first test that fails with the fault but not without it, or ``None``."""
        path = self.folder / mutant.file
        sound = path.read_text(encoding="utf-8")
        ignored: list[str] = []
        while True:
            path.write_text(sound.replace(mutant.old, mutant.new), encoding="utf-8")
            failed = self.run(*tests, *(f"--deselect={test}" for test in ignored))
            path.write_text(sound, encoding="utf-8")
            if failed in {None, OUT_OF_TIME}:
                return failed
            if failed == NOT_STARTED and self.run("--collect-only", *tests) is not None:
                sys.exit(f"mutants.py: {' '.join(tests)} do not start without a fault either")
            if failed == NOT_STARTED or not self._fails_anyway(str(failed)):
                return failed
            ignored.append(str(failed))

    def _fails_anyway(self, test: str) -> bool:
        if test not in self._broken:
            self._broken[test] = self.run(test) is not None
        return self._broken[test]


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


def mirrored(file: str) -> str:
    """Return the folder of tests that mirrors the folder of a file, or the next one above it."""
    folder = Path("tests", file).parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return str(folder)


def outcome(copy: Copy, mutant: Mutant, tests: Sequence[str]) -> str:
    """Return the test that catches a fault, or what else becomes of it."""
    path = copy.folder / mutant.file
    found = path.read_text(encoding="utf-8").count(mutant.old) if path.exists() else 0
    if found != 1:
        return f"NOT IN THE FILE ({found} times)"
    nearest = [test for test in mutant.tests if (ROOT / test.partition("::")[0]).exists()]
    seen = OUT_OF_TIME
    for stage in [tests] if tests else [nearest, [mirrored(mutant.file)]]:
        caught = copy.catcher(mutant, stage) if stage else None
        if caught not in {None, OUT_OF_TIME}:
            return str(caught)
        seen = caught or "SURVIVED"
    return seen if seen == "SURVIVED" else f"SURVIVED {seen}"


def numbers_of(text: str) -> set[int]:
    """Read numbers and ranges, as in 3,7-9."""
    ranges = (part.partition("-") for part in text.split(","))
    return {n for first, _, last in ranges for n in range(int(first), int(last or first) + 1)}


def main() -> int:
    """Run the faults that are asked for, and print a line for each."""
    parser = script_options.parser(__doc__)
    parser.add_argument("--only", type=numbers_of, help="the numbers of the faults, as in 3,7-9")
    parser.add_argument("--tests", nargs="+", default=[], help="the tests to run for each fault")
    parser.add_argument("--compiled", action="store_true", help="compile the kernels")
    parser.add_argument("--seconds", type=int, default=120, help="processor time of one run")
    parser.add_argument("--drawn", type=int, help="how many faults are drawn in place of the list")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--files", nargs="+", help="where they are drawn from")
    options = parser.parse_args()
    mutants = list(read_list(LIST.read_text(encoding="utf-8")))
    if options.drawn is not None:
        nearest: dict[str, tuple[str, ...]] = dict.fromkeys(options.files or (), ())
        for one in mutants:
            if one.file in nearest or not options.files:
                nearest[one.file] = tuple(dict.fromkeys((*nearest.get(one.file, ()), *one.tests)))
        mutants = list(drawn(options.drawn, options.seed, nearest))
    chosen = [one for one in mutants if options.only is None or one.number in options.only]
    caught = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Copy(Path(folder, "tree"), options.seconds, options.compiled)
        for mutant in chosen:
            test = outcome(tree, mutant, options.tests)
            caught += test.startswith("tests")
            line = mutant.new.strip().splitlines()[-1].strip()
            print(f"{mutant.number:3} {mutant.file}: {line}\n    {test}", flush=True)
    print(f"{caught} of {len(chosen)} caught")
    return 0 if caught == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
