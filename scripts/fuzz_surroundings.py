"""Strange surroundings of a process: its streams and its variables."""

from __future__ import annotations

import random
import re
import shlex
from pathlib import Path

from fuzz_files import _case
from fuzz_judge import Case, require_json
from fuzz_places import WRITING
from fuzz_world import TASKS

PRINTING = ("score", "errors", "stats", "score-pharaoh", "score-ignore")

VARIABLES = """
HOME
HOME=
HOME=/nonexistent
HOME=relative
TMPDIR=/nonexistent
TMPDIR=notes.txt
TMPDIR=
HOME XDG_CACHE_HOME USER LOGNAME NUMBA_DISABLE_JIT=1
XDG_CACHE_HOME=notes.txt NUMBA_DISABLE_JIT=1
XDG_CACHE_HOME=/proc/cache NUMBA_DISABLE_JIT=1
XDG_CACHE_HOME=/dev/null NUMBA_DISABLE_JIT=1 TMPDIR=/nonexistent
NLTK_DATA=/nonexistent
NLTK_DATA=notes.txt
NLTK_DATA=' '
WNSEARCHDIR=notes.txt
WNHOME=/nonexistent
WNSEARCHDIR=
NUMBA_CACHE_DIR=/nonexistent
NUMBA_NUM_THREADS=0
NUMBA_NUM_THREADS=x
NUMBA_NUM_THREADS=-3
NUMBA_DEBUG_CACHE=1
NUMBA_DISABLE_JIT=x
NUMBA_DISABLE_JIT=1
NUMBA_DISABLE_JIT=
NUMBA_CAPTURED_ERRORS=nonsense
NUMBA_CPU_NAME=nonsense
NUMBA_OPT=9
NUMBA_THREADING_LAYER=nonsense
NUMBA_DEVELOPER_MODE=1
NUMBA_DISABLE_PERFORMANCE_WARNINGS=x
COLUMNS=0
COLUMNS=-5
COLUMNS=x
COLUMNS=1
LINES=0
TERM
TERM=nonsense
NO_COLOR=1
FORCE_COLOR=1
LANG=C LC_ALL=C
LC_ALL=POSIX
LC_ALL=de_DE.ISO-8859-1
LC_ALL=tr_TR.UTF-8
LC_ALL=nonsense
LANG LC_ALL
PYTHONIOENCODING=latin-1
PYTHONIOENCODING=ascii:strict
PYTHONUTF8=0
PYTHONCOERCECLOCALE=0 LC_ALL=C PYTHONUTF8=0
PYTHONOPTIMIZE=2
PYTHONOPTIMIZE=1
PYTHONHASHSEED=0
PYTHONDONTWRITEBYTECODE=1
PYTHONWARNINGS=error
PYTHONWARNINGS=nonsense
PYTHONWARNINGS=always
PYTHONUNBUFFERED=1
PYTHONMALLOC=debug
PYTHONNODEBUGRANGES=1
PYTHONINTMAXSTRDIGITS=640
PYTHONSAFEPATH=1
PYTHONPROFILEIMPORTTIME
PYTHONASYNCIODEBUG=1
PYTHONFAULTHANDLER=1
OMP_NUM_THREADS=0
OPENBLAS_NUM_THREADS=x
MKL_NUM_THREADS=-1
OMP_NUM_THREADS=nonsense
TZ=nonsense
TQDM_DISABLE=x
TQDM_MININTERVAL=x
TQDM_ASCII=x
TQDM_NCOLS=x
TQDM_MINITERS=-
PATH=/nonexistent
PATH=
LD_LIBRARY_PATH=/nonexistent
NPY_DISABLE_CPU_FEATURES=AVX2
NPY_PROMOTION_STATE=weak
XDG_CACHE_HOME= NUMBA_DISABLE_JIT=1 HOME=.
HF_HOME=notes.txt
DASK_CONFIG=notes.txt
SOURCE_DATE_EPOCH=x
"""
"""Variables with odd values, a combination a line. One without a value is not set."""

STREAMS = {
    "stdout closed": '"$@" >&-',
    "stderr closed": '"$@" 2>&-',
    "stdin closed": '"$@" <&-',
    "all closed": '"$@" <&- >&- 2>&-',
    "stdout full": '"$@" >/dev/full',
    "stderr full": '"$@" 2>/dev/full',
    "both full": '"$@" >/dev/full 2>/dev/full',
    "stdout for reading": '"$@" 1</dev/null',
    "stdin for writing": '"$@" 0>/dev/null',
    "broken pipe": 'set -o pipefail; "$@" | true',
    "broken pipe of messages": 'set -o pipefail; "$@" 2>&1 >/dev/null | true',
    "one letter": 'set -o pipefail; "$@" | head -c 1 >/dev/null',
    "signals ignored": 'trap "" PIPE INT TERM HUP; "$@"',
    "no limit of files": 'ulimit -n 12; "$@"',
    "in the background": '"$@" & wait $!',
}


def odd_streams(draw: random.Random, folder: Path) -> Case:
    """Close, fill or break the standard streams."""
    name = draw.choice(list(STREAMS))
    what = draw.choice((*PRINTING, "export to stdout", "pairs from stdin", "--help", "--version",
                        "bad usage", *WRITING))  # fmt: skip
    lines = {
        "export to stdout": ["export", "pairs.jsonl", "alignments.jsonl", "--format", "jsonl"],
        "pairs from stdin": ["extract", "-"],
        "--help": [draw.choice(("--help", "train", "measure")), "--help"],
        "--version": ["--version"],
        "bad usage": ["align"],
    }
    line = lines.get(what) or TASKS[what].line()
    outputs = TASKS[what].outputs if what in TASKS else ()
    case = Case("odd streams", f"{what}: {name}", line, None, (), outputs, STREAMS[name])
    case.statuses = (0, 1, 2, 141, 120 + 21)
    # What is printed at the end may fail when the outputs are done.
    case.may_stay = "|".join(map(re.escape, outputs))
    case.after = require_json(*outputs, after_failure=True)
    if what == "pairs from stdin":
        case.stdin = "pairs.jsonl"
        case.bad = True if name in ("stdin closed", "all closed", "stdin for writing") else None
    printed = not outputs and what != "bad usage"
    if printed and name in ("stdout closed", "all closed", "stdout full", "both full",
                            "stdout for reading"):  # fmt: skip
        case.bad = True
    case.silent = name in ("stderr closed", "all closed", "stderr full", "both full") or (
        "pipe" in name or name == "one letter"
    )
    return case


def odd_variables(draw: random.Random, folder: Path, reference: dict[str, bytes]) -> Case:
    """Set variables of the environment to odd values: results stay the same."""
    name = draw.choice((*reference, *reference, *PRINTING, "compare"))
    task = TASKS[name]
    variables: dict[str, str | None] = {}
    for item in shlex.split(draw.choice(VARIABLES.strip().splitlines())):
        variable, given, value = item.partition("=")
        variables[variable] = value if given else None
    case = _case("odd variables", str(variables), task, None, ())
    case.variables = variables
    case.may_stay = "relative|\\.cache"
    shown = set(variables) & {"NUMBA_CPU_NAME", "NUMBA_OPT"}
    if name in reference and not shown:
        expected = reference[name]

        def check(world: Path, status: int) -> str | None:
            if status == 0 and (world / task.outputs[0]).read_bytes() != expected:
                return f"silently wrong: {task.outputs[0]} is not what it was"
            return None

        case.after = check
    return case
