"""Compiles kernels with numba, and the doors that Python calls them by."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pickle import UnpicklingError
from types import SimpleNamespace
from typing import Any, ClassVar

import numba
from llvmlite import ir
from numba.core import event, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import Environment
from numba.core.runtime import rtsys

from corpus_tools import compiled_kernels
from corpus_tools.compiled_kernels import DOOR, Kernel, warn
from corpus_tools.errors import PACKAGES, SemiHmmError
from corpus_tools.packages import hidden
from corpus_tools.progress import is_quiet, write_beside_bars
from corpus_tools.storage.files import locked, make_folder

PATIENCE_SECONDS = 60.0
"""How long to wait for another process that writes a kernel, which takes milliseconds."""


@functools.cache
def linked(kernel: Kernel) -> Any:
    """Return numba's dispatcher of a kernel that is linked into others, and into doors.

    Only doors are optimised, and become code of the machine: that is most of the time that
    compiling takes.
    """
    doors = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return _dispatcher(kernel, _KernelCache, pipeline_class=_InnerCompiler, **doors)


@functools.cache
def called(kernel: Kernel) -> Any:
    """Return numba's dispatcher of a kernel that has results, or takes what, no door can have."""
    return _dispatcher(kernel, _CalledCache)


def _dispatcher(kernel: Kernel, cache: type[_KernelCache], **options: Any) -> Any:
    options |= kernel.flags
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **options)(kernel.function)
    dispatcher._cache = cache(kernel.function)
    return dispatcher


def door_of(kernel: Kernel, arguments: Sequence[Any]) -> tuple[dict[str, Any], bytes] | None:
    """Compile the door of a kernel for such arguments: what it is, and its code.

    Return ``None`` if its arguments or its results are no numbers, arrays and tuples of these.

    ``result``  one of ``compiled_kernels.RESULTS``.
    ``needs``   the functions that must be there.
    """
    of = tuple(map(numba.typeof, arguments))
    result = None
    if all(map(_is_simple, of)):
        dispatcher = linked(kernel)
        dispatcher.compile(of)
        overload = dispatcher.overloads[of]
        result = _result_of(overload.signature.return_type)
    if result is None:
        return None
    needs, code = _door_code(overload)
    return {"result": result, "needs": needs}, code


def _is_simple(kind: Any) -> bool:
    if hasattr(kind, "types"):  # a tuple
        return all(map(_is_simple, kind.types))
    plain = types.Array | types.Integer | types.Boolean | types.NoneType
    return isinstance(kind, plain) or kind == types.float64


def _result_of(kind: Any) -> str | None:
    if isinstance(kind, types.NoneType):
        return "none"
    if isinstance(kind, types.Boolean):
        return "bool"
    if isinstance(kind, types.Integer):
        return "int"
    return "float" if kind == types.float64 else None


def _door_code(overload: Any) -> tuple[list[str], bytes]:
    """Return the functions that a door calls in the process, and its code."""
    context, signature = overload.target_context, overload.signature
    _prepare_to_compile()
    context.refresh()
    library = context.codegen().create_library(DOOR)
    library.enable_object_caching()
    module = library.create_ir_module(DOOR)
    takes = ir.FunctionType(ir.IntType(32), [NUMBER.as_pointer()])
    builder = ir.IRBuilder(ir.Function(module, takes, DOOR).append_basic_block())
    slots = (_slot(builder, place) for place in count())
    arguments = [_argument(context, builder, slots, kind) for kind in signature.args]
    kernel = context.declare_function(module, overload.fndesc)
    status, result = context.call_conv.call_function(
        builder, kernel, signature.return_type, signature.args, arguments
    )
    _store(builder, result, signature.return_type, next(slots))
    builder.ret(builder.zext(status.is_error, ir.IntType(32)))
    library.add_ir_module(module)
    library.add_linking_library(overload.library)
    with global_compiler_lock:
        library.finalize()
    declared = [one for one in library._final_module.functions if one.is_declaration]
    needs = [one.name for one in declared if not one.name.startswith("llvm.")]
    return needs, library._get_compiled_object()


NUMBER = ir.IntType(64)


def _slot(builder: Any, place: int) -> Any:
    """Return the pointer to a number among those that a door takes."""
    return builder.gep(builder.function.args[0], [ir.Constant(NUMBER, place)])


def _argument(context: Any, builder: Any, slots: Any, kind: Any) -> Any:
    """Return an argument of a kernel, from the numbers of ``compiled_kernels._lay_out``."""
    if hasattr(kind, "types"):
        parts = [_argument(context, builder, slots, part) for part in kind.types]
        return context.make_tuple(builder, kind, parts)
    if isinstance(kind, types.NoneType):
        return context.get_dummy_value()
    if isinstance(kind, types.Array):
        return _array(context, builder, slots, kind)
    number, own = builder.load(next(slots)), context.get_value_type(kind)
    if own == NUMBER:
        return number
    return builder.trunc(number, own) if kind != types.float64 else builder.bitcast(number, own)


def _array(context: Any, builder: Any, slots: Any, kind: Any) -> Any:
    from numba.np.arrayobj import populate_array

    made = context.make_array(kind)(context, builder)
    address, *sizes = (builder.load(next(slots)) for _ in range(1 + 2 * kind.ndim))
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    populate_array(
        made,
        builder.inttoptr(address, made.data.type),
        sizes[: kind.ndim],
        sizes[kind.ndim :],
        context.get_constant(types.intp, size),
        None,
    )
    return made._getvalue()


def _store(builder: Any, result: Any, kind: Any, slot: Any) -> None:
    """Write the result of a kernel behind the arguments of its door."""
    if isinstance(kind, types.NoneType):
        return
    if kind == types.float64:
        result = builder.bitcast(result, NUMBER)
    elif result.type != NUMBER:
        is_signed = getattr(kind, "signed", False)
        result = (builder.sext if is_signed else builder.zext)(result, NUMBER)
    builder.store(result, slot)


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
    ending: ClassVar[str] = ""

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Place:
        return cls(py_func)

    def get_cache_path(self) -> str:
        return str(compiled_kernels.FOLDER / self.kernel.__module__.rpartition(".")[0])

    def get_source_stamp(self) -> str:
        """Return what is the same as long as the kernel is: the folder has its hash."""
        return compiled_kernels.FOLDER.name

    def get_disambiguator(self) -> str:
        return f"{self.kernel.__code__.co_firstlineno}{self.ending}"


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
            warn(error)
            kept = None
        if kept is None:
            _prepare_to_compile()
        return kept

    def save_overload(self, *arguments: Any) -> None:
        """Write a compiled kernel.

        Processes take turns: numba's index of a kernel's files is read, changed and written again.
        """
        try:
            folder = compiled_kernels.FOLDER
            make_folder(folder, "the cache of compiled kernels")
            with locked(folder / ".lock", f"the cache of kernels in {folder}", PATIENCE_SECONDS):
                try:
                    super().save_overload(*arguments)
                except (ValueError, LookupError, EOFError, UnpicklingError):
                    # The index is damaged, which reading has told.
                    self.flush()
                    super().save_overload(*arguments)
        except (OSError, SemiHmmError) as error:
            warn(error)


class _CalledPlace(_Place):
    """Where the code is kept that numba calls a kernel by."""

    ending = "-called"


class _CalledKernel(_KeptKernel):
    _locator_classes: Any = (_CalledPlace,)


class _CalledCache(_KernelCache):
    _impl_class = _CalledKernel


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
                f"version (kept in {compiled_kernels.FOLDER})"
            )

    def on_end(self, event: Any) -> None:
        """Count the kernel."""
        self.done += _is_ours(event)


def _is_ours(event: Any) -> bool:
    module: str = event.data["dispatcher"].py_func.__module__
    return module.partition(".")[0] in PACKAGES


TOLD = _Told()
event.register("numba:compile", TOLD)
