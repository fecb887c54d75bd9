"""Compiles kernels with numba, and keeps the machine code in a cache folder.

A kernel is a function of arrays and numbers, without objects, callbacks or printing. It releases
the interpreter's lock. ``NUMBA_DISABLE_JIT=1`` in the environment runs kernels as Python.
"""

import functools
import hashlib
import os
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from corpus_tools.base.errors import PACKAGES, SemiHmmWarning
from corpus_tools.base.files import cache_folder
from corpus_tools.base.packages import loading
from corpus_tools.base.progress import is_quiet, write_above_bars

with loading("numba", ".numba_config.yaml"):
    import numba
    from numba.core import caching, codegen, compiler, config, cpu
    from numba.core.runtime import rtsys

# Private: numba would read the file in the current folder before it compiles a kernel.
config._config_fname = os.devnull

# The name of the folder changes with the source of any kernel: numba does not notice that a kernel
# of another file, which a cached kernel calls, has changed.
_FILES = [(Path(__file__).parents[2] / package).rglob("*kernel*.py") for package in PACKAGES]
_SOURCE = b"".join(file.read_bytes() for files in _FILES for file in sorted(files))
FOLDER = cache_folder() / f"kernels-{numba.__version__}-{hashlib.sha256(_SOURCE).hexdigest()[:16]}"

COMPILED: list[str] = []
"""The kernels that this process has compiled, since the cache lacked them."""


def compiled(function: Any = None, **flags: Any) -> Any:
    """Compile a kernel that Python calls. ``flags`` are options of ``numba.njit``.

    Division by zero gives infinity or NaN, so ``fastmath``, which excludes them, is not allowed.
    """
    if function is None:
        return lambda kernel: compiled(kernel, **flags)
    kernel = numba.njit(nogil=True, error_model="numpy", **flags)(function)
    if kernel is not function:  # with NUMBA_DISABLE_JIT it is
        with suppress(RuntimeError):  # it is in no file
            # Private: a damaged file or a full disk raises in numba's own cache.
            kernel._cache = _Cache(function)
    return kernel


def inner(function: Any = None, makes_arrays: bool = False) -> Any:
    """Compile a kernel that only kernels call.

    ``makes_arrays``  whether the kernel makes arrays, or gets arrays that its callers make for it.
    """
    flags = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if hasattr(cpu.CPUTargetOptions, "_nrt"):
        # Private: otherwise references to arrays are counted. An E-step takes 2.4 times as long.
        flags["_nrt"] = makes_arrays
    return compiled(function, pipeline_class=_InnerCompiler, **flags)


class _InnerLibrary(codegen.JITCodeLibrary):
    def _optimize_final_module(self) -> None:
        """Leave the kernel to its callers: each caller is optimised together with a copy of it.

        Private: numba would also optimise the kernel alone. In the process that compiles, this
        machine code would replace the copies, and E-steps would take twice as long.
        """
        self._shared_module = self._final_module.clone()
        _link(self._shared_module, "linkonce_odr")
        _link(self._final_module, "available_externally")


def _link(module: Any, linkage: str) -> None:
    """Set the linkage of all functions of a module of LLVM."""
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = linkage


class _InnerCompiler(compiler.Compiler):
    def define_pipelines(self) -> Any:
        self.state.library = _InnerLibrary(self.state.targetctx.codegen(), "inner")
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class _Place(caching._CacheLocator):
    """Tells numba where to cache a kernel.

    Private: numba's own locator depends on the folder in which the program is installed.
    """

    def __init__(self, kernel: Any, file: str) -> None:
        self._py_file = file  # numba's messages name it
        self._name = f"{kernel.__code__.co_firstlineno}-{_digest(file)}"

    @classmethod
    def from_function(cls, kernel: Any, file: str) -> Self | None:
        return cls(kernel, file) if Path(file).is_file() else None

    def get_cache_path(self) -> str:
        return str(FOLDER)

    def get_source_stamp(self) -> str:
        return self._name

    get_disambiguator = get_source_stamp


@functools.cache
def _digest(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]


class _Kept(caching.CompileResultCacheImpl):
    _locator_classes = [_Place]  # noqa: RUF012  # as numba has it


class _Cache(caching.FunctionCache):
    _impl_class = _Kept

    def load_overload(self, *arguments: Any) -> Any:
        kernel = None
        try:
            rtsys.initialize(arguments[1])
            # Private: the public method first imports all that numba compiles with.
            kernel = getattr(self, "_load_overload", super().load_overload)(*arguments)
        except Exception as error:  # a damaged pickle may raise anything
            _warn(type(error).__name__)
            with suppress(OSError):
                self.flush()
        if kernel is None:
            if not (COMPILED or is_quiet()):
                write_above_bars(f"semihmm: compiling, once for each version (kept in {FOLDER})")
            COMPILED.append(str(self))
        return kernel

    def save_overload(self, *arguments: Any) -> None:
        try:
            super().save_overload(*arguments)
        except OSError as error:
            _warn(str(error.strerror))


@functools.cache
def _warn(reason: str) -> None:
    problem = f"compiled kernels cannot be kept or read ({reason}): they are compiled anew"
    warnings.warn(SemiHmmWarning(f"{FOLDER}: {problem}"), stacklevel=3)
