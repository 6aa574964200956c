"""The kernel as a library of this machine, for encoding: the same bytes as kernel.wasm in less time.

What decodes runs in kernel.wasm alone, whose memory is its own: it reads bytes that others made. An encoder reads
pixels, of any values but of known number.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavescope.geometry import HALF, TILE
from wavescope.kernel.buffers import Kernel
from wavescope.kernel.structs import ADDRESS, CHANNELS, LAYERS, PARAMETERS, TUNING
from wavescope.kernel.wasm import wasm_path

X86_FEATURES = frozenset({"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"})
"""Of Linux's list, what its library needs on x86-64 (x86-64-v3). That of macOS runs on all its machines."""
_ALIGNMENT = 64
_POINTER, _NUMBER = ctypes.c_void_p, ctypes.c_uint32
_ARGUMENTS = {
    "ws_samples_from_pixels": (_POINTER, _NUMBER, _NUMBER, _POINTER, _POINTER, _POINTER),
    "ws_extend": (_POINTER, _NUMBER, _NUMBER, _NUMBER, _NUMBER, _POINTER),
    "ws_means": (_POINTER, _NUMBER, _POINTER),
    "ws_encode": (_POINTER,) * 7,
}


class _Output(ctypes.Structure):
    """ws_output"""

    _fields_ = (("bytes", _POINTER), ("capacity", _NUMBER), ("sizes", _POINTER))


class NativeKernel(Kernel):
    """Buffers for one thread. Inputs that lie as the kernel needs them are read where they are."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        sizes = {
            "parameters": PARAMETERS.size,
            "address": ADDRESS.size,
            "tuning": TUNING.size,
            "output": ctypes.sizeof(_Output),
            "sizes": 4 * LAYERS,
            "pixels": TILE * TILE * CHANNELS,
            "samples": CHANNELS * TILE * TILE * 2,
            "parent": CHANNELS * TILE * TILE * 2,
            "ll": CHANNELS * HALF * HALF * 2,
            "bytes": library.ws_encode_bound(),
            "scratch": library.ws_scratch_bytes(),
        }
        views = {name: _aligned(size) for name, size in sizes.items()}
        super().__init__(views, {name: int(view.ctypes.data) for name, view in views.items()})
        output = _Output(self.address["bytes"], sizes["bytes"], self.address["sizes"])
        self.write("output", bytes(output))

    def call(self, function: str, *arguments: int) -> int:
        """The plain result of a function of ``_ARGUMENTS`` (the GIL is released while it runs)."""
        return int(getattr(self._library, function)(*arguments))

    def put(self, buffer: str, array: NDArray[np.generic]) -> int:
        """Where the kernel reads the array: the array itself, or a copy in the buffer."""
        at = int(array.ctypes.data)
        return at if array.flags.c_contiguous and at % 16 == 0 else super().put(buffer, array)

    def result(self, buffer: str, *shape: int) -> tuple[int, NDArray[np.int16]]:
        """A new array."""
        array = np.empty(shape, np.int16)
        return (int(array.ctypes.data), array) if array.ctypes.data % 16 == 0 else super().result(buffer, *shape)


def _aligned(size: int) -> NDArray[np.uint8]:
    buffer = np.empty(size + _ALIGNMENT, np.uint8)
    start = -int(buffer.ctypes.data) % _ALIGNMENT
    return buffer[start : start + size]


def library_path() -> Path:
    """Beside kernel.wasm."""
    return wasm_path().with_name(f"kernel-{sys.platform}-{platform.machine()}.so")


@cache
def library() -> ctypes.CDLL | None:
    """The library; None where it is not built, where the processor lacks something, or $WAVESCOPE_KERNEL is set."""
    path = library_path()
    if os.environ.get("WAVESCOPE_KERNEL") or not path.is_file() or not _processor_fits():
        return None
    found = ctypes.CDLL(str(path))
    for name, arguments in _ARGUMENTS.items():
        getattr(found, name).argtypes = arguments
    return found


def _processor_fits() -> bool:
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return True
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return False
    return any(line.startswith("flags") and set(line.split()) >= X86_FEATURES for line in lines)


_local = threading.local()


def native_kernel() -> NativeKernel | None:
    """This thread's kernel; None if there is no library."""
    found = library()
    if found is None:
        return None
    mine: NativeKernel | None = getattr(_local, "kernel", None)
    if mine is None:
        mine = _local.kernel = NativeKernel(found)
    return mine
