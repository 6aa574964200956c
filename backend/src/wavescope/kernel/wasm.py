"""The one file that knows wasmtime: a module for the process, an instance with its buffers for each thread."""

from __future__ import annotations

import ctypes
import math
import os
import struct
import threading
from pathlib import Path
from typing import Any

import numpy as np
import wasmtime
from numpy.typing import NDArray
from wasmtime import _ffi

from wavescope.errors import CodecError
from wavescope.geometry import HALF, TILE
from wavescope.kernel.structs import ADDRESS, CHANNELS, LAYERS, OUTPUT, PARAMETERS, TUNING, WINDOW

_PAGE = 65536
_MOST_ARGUMENTS = 8
_ARGUMENTS = [struct.Struct("<" + "i12x" * count) for count in range(_MOST_ARGUMENTS + 1)]  # each in 16 bytes
_RESULTS = {
    -1: "truncated",
    -2: "magic",
    -3: "newer-version",
    -4: "checksum",
    -5: "order",
    -6: "binding",
    -7: "header",
    -8: "unsupported",
    -9: "space",
    -10: "argument",
    -11: "kind",
    -12: "unsupported-channels",
    -13: "unsupported-depth",
    -14: "unsupported-tile",
}


class KernelNotBuilt(RuntimeError):
    """kernel.wasm is not there; the message names the command that builds it."""


def wasm_path() -> Path:
    """$WAVESCOPE_KERNEL, else shared/kernel/build/kernel.wasm of this repository."""
    override = os.environ.get("WAVESCOPE_KERNEL")
    if override:
        return Path(override)
    return Path(__file__).resolve().parents[4] / "shared" / "kernel" / "build" / "kernel.wasm"


def _load_module() -> tuple[wasmtime.Engine, wasmtime.Module]:
    path = wasm_path()
    if not path.is_file():
        raise KernelNotBuilt(f"{path} does not exist; build it with: node shared/tools/build-kernel.mjs")
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, path.read_bytes())


class _Function:
    """An exported function of int32 numbers.

    Called without wasmtime's own method, which looks up the function's type and converts each argument in every call.
    """

    def __init__(self, store: wasmtime.Store, function: wasmtime.Func) -> None:
        types = function.type(store)
        if len(types.params) > _MOST_ARGUMENTS or len(types.results) != 1:
            raise TypeError(f"{len(types.params)} arguments, {len(types.results)} results")
        self._store, self._context, self._function = store, store._context(), function._func
        self._arguments = _ARGUMENTS[len(types.params)]
        self._numbers = (_ffi.wasmtime_val_raw_t * _MOST_ARGUMENTS)()  # arguments, then the result

    def __call__(self, *arguments: int) -> int:
        """Raises struct.error if their number is wrong, WasmtimeError and Trap if the kernel itself is at fault."""
        self._arguments.pack_into(self._numbers, 0, *arguments)
        trap = ctypes.POINTER(_ffi.wasm_trap_t)()
        error = _ffi.wasmtime_func_call_unchecked(
            self._context, ctypes.byref(self._function), self._numbers, _MOST_ARGUMENTS, ctypes.byref(trap)
        )
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise wasmtime.Trap._from_ptr(trap)
        return int(self._numbers[0].i32)


class Instance:
    """One kernel with its own memory and fixed buffers in it. Not to be shared between threads."""

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
        self.address: dict[str, int] = {}
        heap_base: Any = exports["__heap_base"]
        top = int(heap_base.value(self._store))
        for name, size in sizes.items():
            top = -(-top // 64) * 64
            self.address[name] = top
            top += size
        memory: Any = exports["memory"]
        missing = -(-top // _PAGE) - int(memory.size(self._store))
        if missing > 0:
            memory.grow(self._store, missing)
        base = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value
        assert base is not None
        self._views: dict[str, NDArray[np.uint8]] = {
            name: np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(base + self.address[name]))
            for name, size in sizes.items()
        }
        self.write("output", OUTPUT.pack(self.address["bytes"], sizes["bytes"], self.address["sizes"]))

    def call(self, function: str, *arguments: int) -> int:
        """The plain result of an exported function (the GIL is released while it runs)."""
        return self._functions[function](*arguments)

    def checked(self, function: str, *arguments: int) -> None:
        """Like call(), a negative result raised as CodecError."""
        result = self.call(function, *arguments)
        if result < 0:
            raise CodecError(_RESULTS.get(result, str(result)), f"by {function}")

    def view(self, buffer: str) -> NDArray[np.uint8]:
        """A buffer as bytes; valid as long as the instance (its memory never grows again)."""
        return self._views[buffer]

    def shorts(self, buffer: str, *shape: int) -> NDArray[np.int16]:
        """The start of a buffer as int16 of the given shape."""
        count = math.prod(shape)
        return self._views[buffer][: 2 * count].view(np.int16).reshape(shape)

    def write(self, buffer: str, data: bytes) -> int:
        """Copies bytes to the start of a buffer; returns how many. Too many are the caller's bad input."""
        view = self._views[buffer]
        if len(data) > view.size:
            raise CodecError("header", f"{len(data)} bytes are more than any block has")
        view[: len(data)] = np.frombuffer(data, np.uint8)
        return len(data)


_lock = threading.Lock()
_local = threading.local()
_loaded: tuple[wasmtime.Engine, wasmtime.Module] | None = None


def prepare() -> tuple[wasmtime.Engine, wasmtime.Module]:
    """The compiled kernel of this process. Compiling takes a tenth of a second, in which other threads run.

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
