"""Makes the process that imports it quiet: a worker of a local Dask cluster.

Dask writes a traceback if the scheduler ends while a worker talks to it, as it does at each signal.
What fails in a task comes back to the program that asked for it.
"""

from __future__ import annotations

import os


def dask_setup(worker: object) -> None:
    """Send all that the process writes to stderr to nobody. Dask calls it in each worker."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)
