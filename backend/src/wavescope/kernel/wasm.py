"""The one file that knows wasmtime: a module for the process, an instance with its buffers for each thread."""

from __future__ import annotations

import ctypes
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import wasmtime
from numpy.typing import NDArray

from wavescope.geometry import HALF, TILE
from wavescope.kernel.buffers import Kernel
from wavescope.kernel.structs import ADDRESS, CHANNELS, LAYERS, OUTPUT, PARAMETERS, TUNING, WINDOW

_PAGE = 65536


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


class Instance(Kernel):
    """One kernel with its own memory and fixed buffers in it; the memory never grows again."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module) -> None:
        self._store = wasmtime.Store(engine)
        self._exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
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
        heap_base: Any = self._exports["__heap_base"]
        top = int(heap_base.value(self._store))
        for name, size in sizes.items():
            top = -(-top // 64) * 64
            address[name] = top
            top += size
        memory: Any = self._exports["memory"]
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
        return int(self._exports[function](self._store, *arguments))


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
