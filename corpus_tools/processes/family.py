"""Makes a family of processes, which ends when the process that made it does, however it ends.

All members are of one process group, which is not that of the maker. A guard, a shell of a few
hundred kilobytes, waits for the end of a pipe that only the maker holds open: then it kills the
group, itself included. So programs end too that a member started, and a member that is in the
midst of a long kernel. Nothing in it depends on Linux.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

GUARD = ("/bin/sh", "-c", "read -r line; kill -KILL 0")


@contextmanager
def family() -> Iterator[int]:
    """Make a family; at the end, kill all members that are left.

    Yields the process group, which members join by ``join_family``. Raises ``OSError`` where no
    process can be started.
    """
    guard = subprocess.Popen(
        GUARD,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    try:
        yield guard.pid
    finally:
        guard.communicate()  # closes the pipe


def join_family(group: int) -> None:
    """Make this process, and those that it will start, members of the family.

    The process ends at once if the family is no more. Its group may outlive the guard by a moment:
    who joins then finds its own maker gone.
    """
    maker = multiprocessing.parent_process()
    try:
        os.setpgid(0, group)
    except OSError:
        os._exit(1)
    if maker is not None and os.getppid() != maker.pid:
        os._exit(1)
