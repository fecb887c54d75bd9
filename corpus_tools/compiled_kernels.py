"""Compiles kernels with numba and keeps the compiled code in a cache folder.

Kernels are functions over arrays and numbers: no objects, no callbacks, no printing. They release
the interpreter's lock. numba decides from the kernel's own file alone whether a cached kernel is
out of date, not from the files of the kernels that it calls. So the cache folder is named by a hash
of all kernel files: a change to any of them starts a new folder, and all copies of the program with
the same kernels share one.

The functions of one kernel module must have different names: numba tells the code that several
processes cached apart by them. With ``NUMBA_DISABLE_JIT=1`` in the environment kernels run as
Python, for debuggers and coverage.
"""

from __future__ import annotations

import functools
import hashlib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from types import SimpleNamespace
from typing import Any

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.core.environment import Environment
from numba.core.runtime import rtsys

from corpus_tools.errors import PACKAGES, SemiHmmError, SemiHmmWarning
from corpus_tools.packages import hidden
from corpus_tools.progress import is_quiet, write_beside_bars
from corpus_tools.storage.files import cache_folder, locked, make_folder


def _fingerprint() -> str:
    """Return a hash of numba's version and of all kernel files."""
    digest = hashlib.sha256(numba.__version__.encode())
    for package in PACKAGES:
        for file in sorted((Path(__file__).parents[1] / package).rglob("*kernel*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


PATIENCE_SECONDS = 60.0
"""How long to wait for another process that writes a kernel, which takes milliseconds."""

FOLDER = cache_folder() / f"kernels-{_fingerprint()}"


def compiled(function: Callable[..., Any] | None = None, **flags: Any) -> Callable[..., Any]:
    """Compile a kernel with numba: without the interpreter's lock, cached on disk.

    A division by zero gives infinity or NaN, as in numpy: code that raises takes time to compile.

    ``flags``  options of ``numba.njit``. ``fastmath`` may only be ``{"reassoc"}`` (sums in any
               order); the flags that assume that no infinity occurs would turn impossible states
               into NaN.
    """
    if function is None:
        return lambda kernel: compiled(kernel, **flags)
    kernel: Callable[..., Any] = numba.njit(nogil=True, error_model="numpy", **flags)(function)
    if isinstance(kernel, Dispatcher):  # and not the function itself, which is not compiled
        dispatcher: Any = kernel  # numba's types do not list the attribute
        dispatcher._cache = _KernelCache(function)
    return kernel


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that kernels alone call: it has no door for Python.

    It is linked into those that are called from Python. Only these are optimised, and become code
    of the machine: that is most of the time that compiling takes.
    """
    doors = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return compiled(function, pipeline_class=_InnerCompiler, **doors)


class _InnerLibrary(JITCodeLibrary):
    """The code of an inner kernel as it is before it is optimised.

    There is no code of the machine, and no place in it for numba's environment of Python objects.
    """

    @property
    def codegen(self) -> Any:
        """Return what numba asks of the generator of code."""
        return SimpleNamespace(set_env=lambda *_: None, magic_tuple=self._codegen.magic_tuple)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        """Return what the cache on disk keeps."""
        return self.serialize_using_bitcode()


class _InnerCompiler(Compiler):
    """numba's compiler, but for the library that it writes the code into."""

    def define_pipelines(self) -> Any:
        """Return numba's passes."""
        self.state.library = _InnerLibrary(self.state.targetctx.codegen(), "inner")
        return super().define_pipelines()


@dataclass
class _Place(_CacheLocator):
    """Where a kernel is kept: by the name of its module, wherever the module's file is."""

    kernel: Callable[..., Any]

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Place:
        return cls(py_func)

    def get_cache_path(self) -> str:
        return str(FOLDER / self.kernel.__module__.rpartition(".")[0])

    def get_source_stamp(self) -> str:
        """Return what is the same as long as the kernel is: the folder has its hash."""
        return FOLDER.name

    def get_disambiguator(self) -> str:
        return str(self.kernel.__code__.co_firstlineno)


class _KeptKernel(CompileResultCacheImpl):
    _locator_classes: Any = (_Place,)

    def reduce(self, data: Any) -> Any:
        """Return what is pickled: without modules of numba's that loading would import for nothing.

        They are those of its functions that are part of the kernel, and use no objects of Python.
        """
        *kept, environments = super().reduce(data)
        return *kept, tuple(map(_without_module, environments))


def _without_module(environment: Environment) -> Environment:
    if environment.consts or not environment.globals["__name__"].startswith("numba."):
        return environment
    same = Environment({"__name__": "numba"})
    same.env_name = environment.env_name
    return same


class _KernelCache(FunctionCache):
    """numba's cache of a kernel, which can be shared, damaged or full.

    What cannot be read is compiled. What cannot be written will be compiled the next time.
    """

    _impl_class = _KeptKernel

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return a compiled kernel, or ``None`` if there is none that can be read.

        numba's own method first imports all that it could compile with, which takes longer than
        everything else here. What is compiled already wants only the counter of references.
        """
        try:
            rtsys.initialize(target)
            kept = super()._load_overload(signature, target)
        except Exception as error:
            # Pickles that are damaged raise whatever their bytes happen to say.
            _warn(error)
            kept = None
        if kept is None:
            _prepare_to_compile()
        return kept

    def save_overload(self, *arguments: Any) -> None:
        """Write a compiled kernel.

        Processes take turns: numba's index of a kernel's files is read, changed and written again.
        """
        try:
            make_folder(FOLDER, "the cache of compiled kernels")
            with locked(FOLDER / ".lock", f"the cache of kernels in {FOLDER}", PATIENCE_SECONDS):
                try:
                    super().save_overload(*arguments)
                except (ValueError, LookupError, EOFError, UnpicklingError):
                    # The index is damaged, which reading has told.
                    self.flush()
                    super().save_overload(*arguments)
        except (OSError, SemiHmmError) as error:
            _warn(error)


@functools.cache
def _prepare_to_compile() -> None:
    """Import numba's functions of arrays, without scipy.linalg.

    numba imports it to see that it is there, as it is: that takes longer than loading all kernels.
    """
    with hidden("scipy.linalg"):
        from numba.np import arraymath
    arraymath._HAVE_BLAS = True


class _Told(event.Listener):
    """Says once a process that kernels are compiled, and counts them."""

    def __init__(self) -> None:
        self.is_told = False
        self.done = 0

    def on_start(self, event: Any) -> None:
        """Tell of the first kernel."""
        if not (self.is_told or is_quiet()) and _is_ours(event):
            self.is_told = True
            write_beside_bars(
                "semihmm: compiling the kernels, which takes about a minute, once for each "
                f"version (kept in {FOLDER})"
            )

    def on_end(self, event: Any) -> None:
        """Count the kernel."""
        self.done += _is_ours(event)


def _is_ours(event: Any) -> bool:
    module: str = event.data["dispatcher"].py_func.__module__
    return module.partition(".")[0] in PACKAGES


TOLD = _Told()
event.register("numba:compile", TOLD)


def _warn(error: Exception) -> None:
    """Warn once that kernels are compiled again."""
    if not _warned:
        _warned.append(True)
        what = f"{FOLDER}: compiled kernels cannot be kept or read there"
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        problem = f"{what} ({reason or type(error).__name__}): they are compiled anew"
        warnings.warn(SemiHmmWarning(problem), stacklevel=2)


_warned: list[bool] = []
