"""The one file that knows wasmtime: a module for the process, an instance with its buffers for each thread."""

from __future__ import annotations

import ctypes
import hashlib
import os
import struct
import threading
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wavescope.deferred import deferred
from wavescope.geometry import HALF, TILE
from wavescope.installation import kernel_folder
from wavescope.kernel.buffers import Kernel
from wavescope.kernel.structs import ADDRESS, CHANNELS, LAYERS, OUTPUT, PARAMETERS, TUNING, WINDOW

if TYPE_CHECKING:
    import wasmtime
    from wasmtime import _ffi
else:
    wasmtime, _ffi = deferred("wasmtime"), deferred("wasmtime._ffi")

_PAGE = 65536
_MAX_ARGUMENTS = 8
_ARGUMENTS = [struct.Struct("<" + "i12x" * count) for count in range(_MAX_ARGUMENTS + 1)]  # each in 16 bytes


class KernelNotBuilt(RuntimeError):
    """kernel.wasm is not there; the message names the command that builds it."""


def wasm_path() -> Path:
    """$WAVESCOPE_KERNEL, else that of this installation."""
    override = os.environ.get("WAVESCOPE_KERNEL")
    return Path(override) if override else kernel_folder() / "kernel.wasm"


def digest() -> str:
    """The SHA-256 of the kernel, in hexadecimal. Raises KernelNotBuilt."""
    return hashlib.sha256(wasm_bytes()).hexdigest()


def wasm_bytes() -> bytes:
    """The kernel itself, as this process uses it. Raises KernelNotBuilt."""
    return _content(wasm_path())


@lru_cache(maxsize=1)
def _content(path: Path) -> bytes:
    if not path.is_file():
        raise KernelNotBuilt(f"{path} does not exist; build it with: node shared/tools/build-kernel.mjs")
    return path.read_bytes()


def _load_module() -> tuple[wasmtime.Engine, wasmtime.Module]:
    engine = wasmtime.Engine(_with_cache())
    return engine, wasmtime.Module(engine, wasm_bytes())


def _with_cache() -> wasmtime.Config:
    """Compiled modules are kept in the user's cache folder, if it can be written."""
    config = wasmtime.Config()
    with suppress(wasmtime.WasmtimeError):
        config.cache = True
    return config


class _Function:
    """An exported function of int32 numbers.

    Called without wasmtime's own method, which looks up the function's type and converts each argument in every call.
    """

    def __init__(self, store: wasmtime.Store, function: wasmtime.Func) -> None:
        types = function.type(store)
        if len(types.params) > _MAX_ARGUMENTS or len(types.results) != 1:
            raise TypeError(f"{len(types.params)} arguments, {len(types.results)} results")
        self._store, self._context, self._function = store, store._context(), function._func
        self._arguments = _ARGUMENTS[len(types.params)]
        self._numbers = (_ffi.wasmtime_val_raw_t * _MAX_ARGUMENTS)()  # arguments, then the result

    def __call__(self, *arguments: int) -> int:
        """Raises struct.error if their number is wrong, WasmtimeError and Trap if the kernel itself is at fault."""
        self._arguments.pack_into(self._numbers, 0, *arguments)
        trap = ctypes.POINTER(_ffi.wasm_trap_t)()
        error = _ffi.wasmtime_func_call_unchecked(
            self._context, ctypes.byref(self._function), self._numbers, _MAX_ARGUMENTS, ctypes.byref(trap)
        )
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise wasmtime.Trap._from_ptr(trap)
        return int(self._numbers[0].i32)


class Instance(Kernel):
    """One kernel with its own memory and fixed buffers in it; the memory never grows again."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module) -> None:
        self._store = wasmtime.Store(engine)
        exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._functions = {
            name: _Function(self._store, export)
            for name, export in exports.items()
            if isinstance(export, wasmtime.Func)
        }
        sizes = {
            "parameters": PARAMETERS.size,
            "address": ADDRESS.size,
            "tuning": TUNING.size,
            "output": OUTPUT.size,
            "sizes": 4 * LAYERS,
            "window": WINDOW.size,
            "pixels": TILE * TILE * 4,
            "samples": CHANNELS * TILE * TILE * 2,
            "parent": CHANNELS * TILE * TILE * 2,
            "ll": CHANNELS * HALF * HALF * 2,
            "details": CHANNELS * 3 * HALF * HALF * 2,
            "bytes": self.call("ws_encode_bound"),
            "scratch": self.call("ws_scratch_bytes"),
        }
        address: dict[str, int] = {}
        heap_base: Any = exports["__heap_base"]
        top = int(heap_base.value(self._store))
        for name, size in sizes.items():
            top = -(-top // 64) * 64
            address[name] = top
            top += size
        memory: Any = exports["memory"]
        missing = -(-top // _PAGE) - int(memory.size(self._store))
        if missing > 0:
            memory.grow(self._store, missing)
        base = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value
        assert base is not None
        views: dict[str, NDArray[np.uint8]] = {
            name: np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(base + address[name]))
            for name, size in sizes.items()
        }
        super().__init__(views, address)
        self.write("output", OUTPUT.pack(self.address["bytes"], sizes["bytes"], self.address["sizes"]))

    def call(self, function: str, *arguments: int) -> int:
        """The plain result of an exported function (the GIL is released while it runs)."""
        return self._functions[function](*arguments)


_lock = threading.Lock()
_local = threading.local()
_loaded: tuple[wasmtime.Engine, wasmtime.Module] | None = None


def prepare() -> tuple[wasmtime.Engine, wasmtime.Module]:
    """The compiled kernel of this process. Loading wasmtime and compiling take some tenths of a second, in which other
    threads run; the next process finds it compiled.

    Raises KernelNotBuilt.
    """
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _load_module()
        return _loaded


def instance() -> Instance:
    """This thread's kernel. Raises KernelNotBuilt."""
    mine: Instance | None = getattr(_local, "instance", None)
    if mine is None:
        mine = _local.instance = Instance(*prepare())
    return mine
