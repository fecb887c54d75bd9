"""Runs blocks of shell and Python one after another, as a reader does who pastes them.

It is started by the Python of the installation that is tried, which does not know the tests. The
program's commands run in this process, all else in one of its own: importing takes longest.
"""

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import traceback
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from semihmm.cli.main import main
from semihmm.model import settings

PROGRAM = [str(Path(sys.executable).with_name("semihmm"))]
demos: list[Path] = []


@contextlib.contextmanager
def captured(said: dict[str, str]) -> Iterator[None]:
    """Keep what is written to stdout and stderr, which are files as the program expects them."""
    streams = {name: io.TextIOWrapper(io.BytesIO(), "utf-8") for name in ("out", "err")}
    with contextlib.redirect_stdout(streams["out"]), contextlib.redirect_stderr(streams["err"]):
        try:
            yield
        except (Exception, SystemExit):
            said["error"] = traceback.format_exc()
    for name, stream in streams.items():
        stream.flush()
        said[name] += stream.buffer.getvalue().decode()


def paste(code: str, language: str) -> dict[str, str]:
    """Run a block; return what it wrote, with the traceback or the status if it failed."""
    settings.WARNINGS_GIVEN.clear()
    said = {"out": "", "err": "", "error": ""}
    if language == "sh":
        for line in code.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words and not said["error"]:
                paste_line(line, words, said)
    elif "__main__" in code:
        Path("script.py").write_text(code)
        in_process([sys.executable, "script.py"], said)
    else:
        with captured(said):
            exec(compile(code, "block", "exec"), {"__name__": "__main__"})
    return said


def paste_line(line: str, words: list[str], said: dict[str, str]) -> None:
    """Run a line of a shell block."""
    if words[0] == "cd":
        os.chdir(words[1])
    elif words[:2] == ["semihmm", "annotate"] or words == ["semihmm", "view"]:
        serve(words, said)
    elif words[0] != "semihmm" or {"|", ">", "&&"} & {*words}:
        in_process(["bash", "-o", "pipefail", "-c", line], said)
    elif words[1] == "demo" and demos:
        shutil.copytree(demos[0], words[2])
    else:
        with captured(said):
            status = main(words[1:])
            assert status == 0, f"{line}: status {status}"
        if words[1] == "demo":
            demos.append(Path(shutil.copytree(words[2], "first-demo")).absolute())


def in_process(command: list[str], said: dict[str, str]) -> None:
    """Run a program in a process of its own."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    said["out"] += run.stdout
    said["err"] += run.stderr
    if run.returncode:
        said["error"] = f"{command}: status {run.returncode}\n{run.stderr}"


def serve(words: list[str], said: dict[str, str]) -> None:
    """Start a command that serves a page, ask for the page, and stop it by Ctrl-C."""
    command = [*PROGRAM, *words[1:], "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            said["err"] += line
            if address := re.search(r"http://\S+", line):
                with urllib.request.urlopen(address.group()) as page:
                    said["out"] += page.read().decode()
            if "Ctrl-C ends it" in line:
                process.send_signal(signal.SIGINT)
    if process.returncode != 128 + signal.SIGINT:
        said["error"] = f"{words}: status {process.returncode}\n{said['err']}"


if __name__ == "__main__":
    # A shell starts what runs in the background with interrupts ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    work = Path.cwd()
    results = []
    entered = set()
    for folder, code, language in json.load(sys.stdin):
        if folder not in entered:
            entered.add(folder)
            (work / folder).mkdir(exist_ok=True)
            os.chdir(work / folder)
        results.append(paste(code, language))
    print(json.dumps(results))
