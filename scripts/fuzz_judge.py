"""Runs a command on a strange input, and says what is bad about its answer."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from fuzz_world import PROGRAM, environment

HANGS_AFTER = 300
"""Seconds, on a machine that others use too.

Where no cache has the kernels, as with ``PYTHONOPTIMIZE=2``, which changes their bytecode, those of
one command take up to 80 processor seconds.
"""

MOST_MEMORY = 1_500_000
"""KiB: the inputs are small, and the libraries take 300,000."""

LONGEST_MESSAGE = 6_000
"""Characters of stderr, after which nobody finds what is wrong."""

UGLY = re.compile(
    r"Traceback \(most recent|Exception ignored|Segmentation|Fatal Python|core dumped|"
    r"\.py:\d+: \w*Warning|<frozen |object at 0x|terminate called|LLVM ERROR|leaked \w+ objects"
)
OWN_FILES_ONLY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Without these capabilities root, too, is refused what permissions do not allow."""

FORKS: list[bool] = []
"""Has an item if commands may run in copies of this process."""

Mark = tuple[int, int, str]


@dataclass
class Case:
    """A strange input: a command in a folder, and what a good answer is.

    ``bad``      whether it must be refused; ``None`` where both answers are good.
    ``names``    of which a refusal must say one.
    ``outputs``  what the command may make or replace, if it succeeds.
    ``shell``    a shell line in which ``"$@"`` is the command.
    ``during``   what happens while it runs; ``ended`` judges the end of such a run.
    ``settle``   waits for what else is running, before files are looked at.
    ``after``    looks at the files itself, and returns what is bad.
    ``permissions_count``  whether root is refused what permissions forbid.
    ``like``     the output must be the bytes of this file of the folder.
    """

    kind: str
    what: str
    line: list[str]
    bad: bool | None
    names: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    shell: str = ""
    variables: dict[str, str | None] = field(default_factory=dict)
    limits: dict[int, int] = field(default_factory=dict)
    stdin: str | None = None
    like: tuple[str, bytes] | None = None
    during: Callable[[subprocess.Popen[bytes]], None] | None = None
    settle: Callable[[], object] | None = None
    statuses: tuple[int, ...] = (0, 1, 2)
    silent: bool = False
    may_stay: str = ""
    permissions_count: bool = False
    after: Callable[[Path, int], str | None] | None = None

    @property
    def needs_no_start(self) -> bool:
        """Tell whether a copy of a process that is set up can stand in for a new one."""
        own = (self.shell, self.variables, self.limits, self.during, self.permissions_count)
        return not any(own)


def answer(case: Case, folder: Path) -> list[str]:
    """Run the command of a case in its folder and return what is bad about the answer."""
    temporary = folder.with_name(folder.name + "-tmp")
    temporary.mkdir()
    before = _marks(folder)
    status, out, err, memory = _run(case, folder, temporary)
    if case.settle is not None:
        case.settle()
    problems = of_messages(case, status, out, err)
    if memory > MOST_MEMORY:
        problems.append(f"memory: {memory // 1024} MiB")
    problems += of_files(case, status, before, _marks(folder))
    left = sorted(str(path.relative_to(temporary)) for path in temporary.rglob("*"))
    left = [name for name in left if not re.match(r"semihmm-\d+", name)]
    if left and status != -signal.SIGKILL:
        problems.append(f"left in TMPDIR: {left[:3]}")
    if case.after is not None and (problem := case.after(folder, status)) is not None:
        problems.append(problem)
    if problems:
        shown = err.decode(errors="replace")[-600:]
        problems.append(f"status {status}; stderr: {shown!r}")
    return problems


def _run(case: Case, folder: Path, temporary: Path) -> tuple[int, bytes, bytes, int]:
    if FORKS and case.needs_no_start:
        return _run_copy(case, folder, temporary)
    variables = {**environment(temporary), "SEMIHMM_FUZZ": folder.name}
    for name, value in case.variables.items():
        variables.pop(name, None)
        if value is not None:
            variables[name] = value
    command = [*PROGRAM, *case.line]
    if case.permissions_count and os.geteuid() == 0:
        command = [*OWN_FILES_ONLY, *command]
    if case.shell:
        command = ["bash", "-c", case.shell, "bash", *command]
    out, err = (folder.with_name(folder.name + ending) for ending in (".out", ".err"))
    stdin = os.devnull if case.stdin is None else folder / case.stdin
    with open(stdin, "rb") as stream, open(out, "wb") as outs, open(err, "wb") as errs:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=variables,
            stdin=stream,
            stdout=outs,
            stderr=errs,
            start_new_session=True,
            preexec_fn=lambda: _limit(case.limits),
        )
        if case.during is not None:
            case.during(process)
        status, memory = _wait(process.pid)
        process.returncode = 0 if status is None else status
    left = _left_running(folder.name)
    messages = err.read_bytes()
    if status is None:
        messages += b"\n[the fuzz: it hung]"
    elif left:
        messages += f"\n[the fuzz: left running: {left}]".encode()
    written = out.read_bytes()
    out.unlink()
    err.unlink()
    return (-signal.SIGKILL if status is None else status), written, messages, memory


def _run_copy(case: Case, folder: Path, temporary: Path) -> tuple[int, bytes, bytes, int]:
    """Run the command in a copy of this process, which has loaded all that commands need."""
    out, err = (folder.with_name(folder.name + ending) for ending in (".out", ".err"))
    pid = os.fork()
    if pid == 0:
        try:
            _become(case, folder, temporary, out, err)
        finally:
            os._exit(99)
    status, memory = _wait(pid)
    written, messages = out.read_bytes(), err.read_bytes()
    out.unlink()
    err.unlink()
    if status is None:
        messages += b"\n[the fuzz: it hung]"
    # The copy begins with the memory of this process.
    memory -= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (-signal.SIGKILL if status is None else status), written, messages, memory


def _become(case: Case, folder: Path, temporary: Path, out: Path, err: Path) -> None:
    """Be the program in its folder, with its streams."""
    from semihmm.cli.program import run_program

    os.setsid()
    stdin = os.devnull if case.stdin is None else folder / case.stdin
    writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, (path, flags) in enumerate(
        ((Path(stdin), os.O_RDONLY), (out, writing), (err, writing))
    ):
        os.dup2(os.open(path, flags, 0o600), number)
    os.chdir(folder)
    os.environ["TMPDIR"] = str(temporary)
    tempfile.tempdir = None
    sys.argv = ["semihmm", *case.line]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (the program's own)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    try:
        status = run_program()
    except SystemExit as stopped:
        status = stopped.code if isinstance(stopped.code, int) else 1
    except BaseException:
        traceback.print_exc()
        status = 1
    os._exit(status)


def _limit(limits: dict[int, int]) -> None:
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    for what, most in limits.items():
        resource.setrlimit(what, (most, most))


def _wait(process: int) -> tuple[int | None, int]:
    """Wait for a process; return its status, ``None`` for one that hangs, and its memory."""
    end = time.monotonic() + HANGS_AFTER
    while time.monotonic() < end:
        pid, status, usage = os.wait4(process, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status), usage.ru_maxrss
        time.sleep(0.02)
    os.killpg(process, signal.SIGKILL)
    _, _, usage = os.wait4(process, 0)
    return None, usage.ru_maxrss


def _left_running(name: str) -> list[str]:
    """Return what is left of a case's processes, and end it."""
    left = []
    for _ in range(3):
        left = list(_processes_of(name))
        if not left:
            return []
        time.sleep(0.5)  # what was told to end needs a moment
    for pid, _ in left:
        os.kill(pid, signal.SIGKILL)
    return [command for _, command in left]


def _processes_of(name: str) -> list[tuple[int, str]]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"SEMIHMM_FUZZ={name}\0".encode() in (folder / "environ").read_bytes() + b"\0":
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                if command:  # or a zombie
                    found.append((int(folder.name), command.decode(errors="replace")[:120]))
        except OSError:
            continue
    return found


def of_messages(case: Case, status: int, out: bytes, err: bytes) -> list[str]:
    """Return what is bad about a status and what was said."""
    problems = []
    messages = err.decode(errors="replace")
    if "[the fuzz: " in messages:
        problems.append(messages[messages.index("[the fuzz: ") :])
    if ugly := UGLY.search(messages + out.decode(errors="replace")):
        problems.append(f"traceback or noise: {ugly.group()}")
    if status not in case.statuses:
        problems.append(f"status {status}")
    if case.bad and status == 0:
        problems.append("status 0 for bad input")
    if case.bad is False and status != 0:
        problems.append("refused although good")
    if status in (1, 2) and not case.silent:
        if "semihmm" not in messages:
            problems.append("no message")
        elif case.names and not any(name in messages for name in case.names):
            problems.append(f"the message names none of {case.names}")
    if len(messages) > LONGEST_MESSAGE:
        problems.append(f"a message of {len(messages)} characters")
    return problems


def of_files(case: Case, status: int, before: dict[str, Mark], after: dict[str, Mark]) -> list[str]:
    """Return what happened to files that should not."""
    problems = []
    for name, mark in before.items():
        may_change = status == 0 and _is_output(name, case.outputs)
        if after.get(name) != mark and not may_change:
            lost = "lost" if name not in after else "changed"
            if not (case.may_stay and re.match(case.may_stay, name)):
                problems.append(f"{lost}: {name}")
    for name in after.keys() - before.keys():
        may_be = status == 0 and _is_output(name, case.outputs)
        if (not may_be and not (case.may_stay and re.match(case.may_stay, name))) or (
            name.endswith((".tmp", ".partial", ".lock")) and status == 0
        ):
            problems.append(f"left behind: {name}")
    return problems


def _is_output(name: str, outputs: tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(one + "/") for one in outputs)


def _marks(folder: Path) -> dict[str, Mark]:
    """Return what each file of a folder is: its type, mode and content."""
    marks = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = ""
        if stat.S_ISREG(status.st_mode):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        elif stat.S_ISLNK(status.st_mode):
            content = os.readlink(path)
        marks[str(path.relative_to(folder))] = (status.st_mode, status.st_nlink, content)
    return marks


def _no_number(name: str) -> None:
    raise ValueError(name)


def require_json(*names: str, after_failure: bool = False) -> Callable[[Path, int], str | None]:
    """Make a check that outputs are JSON, or JSON lines, without numbers that JSON has not.

    ``after_failure``  whether outputs of commands that failed are looked at too.
    """

    def check(folder: Path, status: int) -> str | None:
        for name in names:
            path = folder / name
            failed = status != 0 and not after_failure
            if failed or not path.is_file() or ".json" not in name:
                continue
            try:
                text = path.read_text(encoding="utf-8")
                lines = text.rstrip("\n").split("\n") if name.endswith(".jsonl") else [text]
                for line in lines:
                    json.loads(line, parse_constant=_no_number)
            except ValueError as error:
                return f"{name} is no JSON: {error}"
        return None

    return check
