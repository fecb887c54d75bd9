"""The limit of a process's address space (``ulimit -v``), of which libraries take a large part."""

from __future__ import annotations

import resource

from corpus_tools.errors import BadUsage

MIB = 2**20

FOR_KERNELS = 600 * MIB
"""Bytes of addresses for the libraries, the compiled kernels and small pairs.

Measured on Linux with numba 0.65: commands that use kernels take 500 to 550 MiB. With less, LLVM
aborts the process, or any library fails anywhere; some wait for ever.
"""

FOR_COMPILATION = 950 * MIB
"""The same where kernels are compiled, which the cache does not have yet: 500 to 880 MiB."""


def address_limit() -> int | None:
    """Return how many bytes of addresses this process may have, or ``None`` without a limit."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def limit_in_words() -> str:
    """Say which limit there is, as the end of a message; nothing if there is none."""
    limit = address_limit()
    return "" if limit is None else f"; the limit of memory (ulimit -v) is {limit // MIB} MiB"


def require_addresses_for_kernels() -> None:
    """Raise ``BadUsage`` if the libraries that compile and run kernels do not fit in the limit."""
    _require(FOR_KERNELS, "the compiled kernels and their libraries need", "raise it")


def require_addresses_for_compilation() -> None:
    """Raise ``BadUsage`` if what compiles kernels does not fit in the limit."""
    remedy = "raise it, or run the command once without it, which keeps the kernels"
    _require(FOR_COMPILATION, "the kernels are not compiled yet, which needs", remedy)


def _require(size: int, what: str, remedy: str) -> None:
    limit = address_limit()
    if limit is not None and limit < size:
        raise BadUsage(f"{what} {size // MIB} MiB of addresses{limit_in_words()}: {remedy}")
