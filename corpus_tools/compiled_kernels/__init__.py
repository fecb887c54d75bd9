"""Calls kernels that numba compiles, and keeps their machine code in a cache folder.

Kernels are functions over arrays and numbers: no objects, no callbacks, no printing. They release
the interpreter's lock. What Python calls is a door, a function of the machine that takes all
arguments from one array of numbers, whatever their types. A door that was compiled before is loaded
by llvmlite alone: to import numba takes longer than to align a pair.

A cached kernel is out of date if any kernel file changes, also one that it calls. So the cache
folder is named by a hash of all kernel files: a change to any of them starts a new folder, and all
copies of the program with the same kernels share one.

The functions of one kernel module must have different names: the code that several processes cached
is told apart by them. With ``NUMBA_DISABLE_JIT=1`` in the environment kernels run as Python, for
debuggers and coverage.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
import os
import struct
import sys
import warnings
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module, util
from importlib.machinery import PathFinder
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from corpus_tools.errors import PACKAGES, BadData, SemiHmmError, SemiHmmWarning
from corpus_tools.storage.files import cache_folder, make_folder, replacing_bytes


@functools.cache
def _folder_of(package: str) -> Path:
    """Return where a package is, which is not imported."""
    spec = util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    return Path(spec.origin).parent


def _fingerprint() -> str:
    """Return a hash of the versions of numba and llvmlite and of all kernel files."""
    digest = hashlib.sha256()
    files = [_folder_of(package) / "_version.py" for package in ("numba", "llvmlite")]
    for package in PACKAGES:
        files += sorted((Path(__file__).parents[2] / package).rglob("*kernel*.py"))
    for file in [*files, Path(__file__)]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


FOLDER = cache_folder() / f"kernels-{_fingerprint()}"

IS_PYTHON = os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}

Door = Callable[[Sequence[Any], list[int]], Any]
"""What is called with the arguments and with the numbers that stand for them."""


def compiled(function: Callable[..., Any] | None = None, **flags: Any) -> Callable[..., Any]:
    """Compile a kernel with numba: without the interpreter's lock, cached on disk.

    A division by zero gives infinity or NaN, as in numpy: code that raises takes time to compile.

    ``flags``  options of ``numba.njit``. ``fastmath`` may only be ``{"reassoc"}`` (sums in any
               order); the flags that assume that no infinity occurs would turn impossible states
               into NaN.
    """
    if function is None:
        return lambda kernel: compiled(kernel, **flags)
    return function if IS_PYTHON else Kernel(function, flags)


def inner(
    function: Callable[..., Any] | None = None, makes_arrays: bool = False
) -> Callable[..., Any]:
    """Compile a kernel that kernels alone call: it is linked into their doors.

    ``makes_arrays``  whether the kernel makes arrays, or gets them from one that does. All others
                      count no references to arrays: that took half of the time of an E-step.
    """
    return compiled(function, _nrt=makes_arrays)


class Kernel:
    """A kernel, which is compiled when it is called with arguments of new types.

    ``function``  the kernel in Python.
    ``flags``     options of ``numba.njit``.
    """

    def __init__(self, function: Callable[..., Any], flags: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.flags = flags
        self._doors: dict[tuple[Any, ...], Door] = {}

    @property
    def _numba_type_(self) -> Any:
        """Return what numba takes the kernel for in other kernels that call it."""
        from corpus_tools.compiled_kernels.numba_kernels import linked

        return linked(self)._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        types: list[Any] = []
        numbers: list[int] = []
        for argument in arguments:
            _lay_out(argument, types, numbers)
        key = tuple(types)
        door = self._doors.get(key) or self._opened(key, arguments)
        return door(arguments, numbers)

    def _opened(self, types: tuple[Any, ...], arguments: Sequence[Any]) -> Door:
        with _ONE_AT_A_TIME:
            if types not in self._doors:
                name = hashlib.sha256(f"{types} {_machine()}".encode()).hexdigest()[:16]
                module = self.function.__module__
                start = f"{module.rpartition('.')[2]}.{self.function.__qualname__}"
                path = FOLDER / module.rpartition(".")[0] / f"{start}.{name}.door"
                self._doors[types] = _read(path) or self._compiled(path, arguments)
            return self._doors[types]

    def _compiled(self, path: Path, arguments: Sequence[Any]) -> Door:
        from corpus_tools.compiled_kernels.numba_kernels import called, door_of

        made = door_of(self, arguments)
        door = made and _loaded(*made)
        if made is None or door is None:
            kernel = called(self)
            return lambda arguments, _: kernel(*arguments)
        head, code = made
        _keep(path, json.dumps(head).encode() + b"\n" + code)
        return door


_ONE_AT_A_TIME = RLock()


BY_ROWS, BY_COLUMNS, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400
"""numpy's flags that tell types of arrays apart for numba: NPY_ARRAY_C_CONTIGUOUS and so on."""

LAYOUTS = BY_COLUMNS | ALIGNED | WRITEABLE, BY_ROWS | ALIGNED | WRITEABLE
"""Which flags count of arrays that do not lie by rows, and of those that do."""


def _lay_out(argument: Any, types: list[Any], numbers: list[int]) -> None:
    """Append what tells the type of an argument, and the numbers that stand for it.

    They are an array's address, shape and strides; a float's bits; those of all that a tuple has.
    """
    if isinstance(argument, np.ndarray):
        flags = argument.flags.num
        types += (argument.dtype, argument.ndim, flags & LAYOUTS[flags & BY_ROWS])
        numbers += (argument.__array_interface__["data"][0], *argument.shape, *argument.strides)
    elif isinstance(argument, tuple):
        types += (type(argument), len(argument))
        for part in argument:
            _lay_out(part, types, numbers)
    elif isinstance(argument, int | np.integer | np.bool_):
        types.append(type(argument))
        numbers.append(int(argument))
    elif isinstance(argument, float):
        types.append(float)
        numbers += struct.unpack("q", struct.pack("d", argument))
    else:
        # Of None nothing need be known. What else there may be, numba refuses.
        types.append(type(argument))


# The doors of other processes


def _keep(path: Path, content: bytes) -> None:
    """Write a door, with a hash: whatever else is read as code of the machine ends the process."""
    try:
        make_folder(path.parent, "the cache of compiled kernels")
        with replacing_bytes(path, durable=False) as file:
            file.write(hashlib.sha256(content).digest() + content)
    except SemiHmmError as error:
        warn(error)


def _read(path: Path) -> Door | None:
    """Return the door in a file, or ``None`` if there is none that can be used."""
    try:
        content = path.read_bytes()
        digest, content = content[:32], content[32:]
        if hashlib.sha256(content).digest() != digest:
            raise BadData("is damaged", path)
        head, _, code = content.partition(b"\n")
        return _loaded(json.loads(head), code)
    except FileNotFoundError:
        return None
    except (OSError, BadData) as error:
        warn(error)
        return None


HELPERS = {"numba._helperlib": "numba_", "numba.core.runtime._nrt_python": "NRT_"}
"""numba's modules with functions that kernels call, and how the names of these begin."""


@functools.cache
def _llvm() -> Any:
    """Import LLVM, and let it know the functions of numba's that kernels call."""
    from llvmlite import binding

    with suppress(RuntimeError):  # from version 0.45 on it is done already
        binding.initialize()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    for name, prefix in HELPERS.items():
        for function, address in _extension(name).c_helpers.items():
            binding.add_symbol(function if function[0] == "_" else prefix + function, address)
    return binding


def _extension(name: str) -> Any:
    """Return a module of numba's that is written in C, without importing numba."""
    _, *folders, _ = name.split(".")
    spec = PathFinder.find_spec(name, [str(_folder_of("numba").joinpath(*folders))])
    if name in sys.modules or spec is None or spec.loader is None:
        return import_module(name)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # If numba is imported later, it is to find nothing of its own there.
    sys.modules.pop(name, None)
    return module


@functools.cache
def _machine() -> str:
    """Say for which processor, and with which settings of numba, kernels are compiled."""
    llvm = _llvm()
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features} {settings}"


def _loaded(head: dict[str, Any], code: bytes) -> Door | None:
    """Load a door, if all that it needs is there: for what is not, LLVM would end the process."""
    llvm = _llvm()
    if not all(map(llvm.address_of_symbol, head["needs"])):
        return None
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _ENGINES.append(engine)
    run = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(engine.get_function_address(DOOR))
    result = RESULTS[head["result"]]

    def door(_: Sequence[Any], numbers: list[int]) -> Any:
        numbers.append(0)
        slots = array("q", numbers)
        if run(slots.buffer_info()[0]):
            raise MemoryError("a kernel found no memory")
        return result(slots[-1])

    return door


_ENGINES: list[Any] = []
"""What the code of the doors that are loaded belongs to."""

DOOR = "door"
"""The name of each door in its code."""

RESULTS: dict[str, Callable[[int], Any]] = {
    "none": lambda _: None,
    "bool": bool,
    "int": int,
    "float": lambda bits: struct.unpack("d", struct.pack("q", bits))[0],
}
"""How each result is read that a door may have: it stands behind the arguments."""


def warn(error: Exception) -> None:
    """Warn once that kernels are compiled again."""
    if not _warned:
        _warned.append(True)
        what = f"{FOLDER}: compiled kernels cannot be kept or read there"
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        problem = f"{what} ({reason or type(error).__name__}): they are compiled anew"
        warnings.warn(SemiHmmWarning(problem), stacklevel=2)


_warned: list[bool] = []
