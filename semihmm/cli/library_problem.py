"""Says which library cannot be loaded, and which variable of the environment is to blame."""

from __future__ import annotations

import os
import sys
from types import TracebackType

PACKAGES = ("semihmm", "corpus_tools", "jump_models", "rewrite_models")


def library_problem(error: BaseException) -> str | None:
    """Say what is wrong if an error was raised while a library was being imported, or ``None``.

    Libraries read variables of the environment when they are imported, and few of them say so when
    a value makes no sense.
    """
    library = _imported_library(error.__traceback__)
    if library is None or not isinstance(error, Exception):
        return None
    blamed = [name for name, value in os.environ.items() if value and repr(value) in str(error)]
    advice = "; is it installed whole?"
    if blamed:
        advice = f"; look at the environment's {' and '.join(blamed)}"
    said = f": {error}" if str(error) else ""
    return f"cannot load the library {library}: {type(error).__name__}{said}{advice}"


def _imported_library(traceback: TracebackType | None) -> str | None:
    """Return the library that raised an error if a module of it was being run.

    Errors of Python's own modules are those of the library that called them.
    """
    library, importing = "", set()
    while traceback is not None:
        frame = traceback.tb_frame
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package not in sys.stdlib_module_names:
            library = package
        if frame.f_code.co_name == "<module>":
            importing.add(package)
        traceback = traceback.tb_next
    return library if library in importing and library not in PACKAGES else None
