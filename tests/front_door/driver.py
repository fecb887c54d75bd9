"""Runs blocks of shell and Python one after another, as a reader does who pastes them.

It is started by the Python of the installation that is tried, which does not know the tests. The
program's commands run in this process, all else in one of its own: importing takes longest. A
command that several pages have is run once on the same files, and what it made is copied.
"""

import contextlib
import gc
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import traceback
import urllib.request
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from semihmm.cli.main import GARBAGE_THRESHOLDS, main
from semihmm.model import settings

runs: dict[object, tuple[dict[str, str], dict[Path, bytes]]] = {}
"""What each command wrote to its streams and to files, by its words and the files that it reads."""


class WatchedStream(io.TextIOWrapper):
    """A stream that asks for the pages whose addresses are written to it, then interrupts."""

    def write(self, text: str) -> int:
        """Write a text."""
        self.addresses = [*getattr(self, "addresses", []), *re.findall(r"http://[^\s()]+", text)]
        if "Ctrl-C ends it" in text:
            threading.Thread(target=self.visit).start()
        return super().write(text)

    def visit(self) -> None:
        """Ask for the pages, and interrupt the program."""
        try:
            for address in self.addresses:
                urllib.request.urlopen(address).close()
        except OSError as error:
            self.write(f"no page: {error}\n")
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


@contextlib.contextmanager
def captured(said: dict[str, str]) -> Iterator[None]:
    """Keep what is written to stdout and stderr, which are files as the program expects them."""
    written = {"out": io.BytesIO(), "err": io.BytesIO()}
    streams = {name: WatchedStream(content, "utf-8") for name, content in written.items()}
    with contextlib.redirect_stdout(streams["out"]), contextlib.redirect_stderr(streams["err"]):
        try:
            yield
        except (Exception, SystemExit):
            said["error"] = traceback.format_exc()
    for name, stream in streams.items():
        stream.flush()
        said[name] += written[name].getvalue().decode()


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
    elif words[0] != "semihmm" or {"|", ">", "&&"} & {*words}:
        in_process(["bash", "-o", "pipefail", "-c", line], said)
    else:
        before = files()
        named = {word for option, word in pairwise(words) if option != "--output"}
        key = (*words, *(file for file in before.items() if named & {*file[0].parts}))
        if key not in runs:
            own = {"out": "", "err": ""}
            serves = words[1] == "annotate" or words[1:] == ["view"]
            with captured(own):
                status = main([*words[1:], *["--no-browser"] * serves])
                assert status == (128 + signal.SIGINT if serves else 0), f"{line}: {status}"
            if "no page: " in own["err"]:
                own["error"] = own["err"]
            runs[key] = own, dict(files().items() - before.items())
        own, made = runs[key]
        for name, text in own.items():
            said[name] += text
        for path, content in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def files() -> dict[Path, bytes]:
    """Return the contents of all files in the current folder and below."""
    return {path: path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


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


if __name__ == "__main__":
    # A shell starts what runs in the background with interrupts ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.set_threshold(*GARBAGE_THRESHOLDS)
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
