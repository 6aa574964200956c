"""The kernel as built for other machines, with small tiles: vector instructions and plain C, native and wasm.

Each build decodes the same bytes; `differential.py` compares them with the reference decoder. The compiler of
kernel.wasm makes them, in shared/kernel/build/native, once per state of the sources.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import struct
import subprocess
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, cast

import numpy as np
import wasmtime
from numpy.typing import NDArray

from reference.stream import Position, Size

KERNEL = Path(__file__).resolve().parents[3] / "shared/kernel"
OUT = KERNEL / "build/native"
SMALL = Size(64, 2)  # WS_SMALL_TILES
CHANNELS, BANDS, LAYERS = 3, 3, 4
PARAMETERS = struct.Struct(f"<{12 + 9 + (LAYERS + 1) * SMALL.depth * CHANNELS * BANDS}i")
ADDRESS = struct.Struct("<3I")
TUNING = struct.Struct("<13i")
SAMPLES = CHANNELS * SMALL.tile**2
BUFFERS = {
    "parameters": PARAMETERS.size,
    "address": ADDRESS.size,
    "tuning": TUNING.size,
    "output": 32,
    "sizes": 4 * LAYERS,
    "samples": 2 * SAMPLES,
    "parent": 2 * SAMPLES,
    "pixels": 4 * SMALL.tile**2,
    "bytes": 1 << 20,
    "scratch": 6 << 20,
}
ERRORS = "truncated magic newer-version checksum order binding header unsupported space argument kind"
ERRORS += " unsupported-channels unsupported-depth unsupported-tile"
DECODERS = [
    "ws_read_parameters",
    "ws_read_address",
    "ws_decode_block",
    "ws_decode_tile",
    "ws_decode_approximation",
    "ws_pixels_from_samples",
]
WASM = [
    "-target",
    "wasm32-freestanding",
    "-fno-slp-vectorize",
    "-mbulk-memory",
    "-nostdlib",
    "-Wl,--no-entry",
    "-Wl,--export=__heap_base",
]
WASM += [f"-Wl,--export={name}" for name in DECODERS]
FLAGS = {
    "native": ["-shared", "-fPIC"],
    "native-scalar": ["-shared", "-fPIC", "-U__SSE2__"],
    "wasm": [*WASM, "-msimd128"],
    "wasm-scalar": WASM,
}
COMMON = ["-std=c11", "-O2", "-g0", "-fno-sanitize=undefined", "-Wall", "-Wextra", "-Werror", "-DWS_SMALL_TILES"]

Shorts = NDArray[np.int16]


class Refused(Exception):
    """The kernel refuses the bytes; the text is the name of the error (CS7)."""


class Build(ABC):
    """One build with buffers of its own; not to be shared between threads."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def address(self, buffer: str) -> int:
        """Where a buffer of BUFFERS begins, for `call`."""

    @abstractmethod
    def view(self, buffer: str) -> NDArray[np.uint8]:
        """A buffer as bytes."""

    @abstractmethod
    def call(self, function: str, *arguments: int) -> int:
        """The result of a function of the kernel."""

    def shorts(self, buffer: str, *shape: int) -> Shorts:
        """A copy of the start of a buffer."""
        return self.view(buffer)[: 2 * int(np.prod(shape))].view(np.int16).reshape(shape).copy()

    def write(self, buffer: str, data: bytes) -> None:
        """Copies bytes to the start of a buffer."""
        self.view(buffer)[: len(data)] = np.frombuffer(data, np.uint8)

    def checked(self, function: str, *arguments: int) -> None:
        """Like call(); raises Refused for a negative result."""
        result = self.call(function, *arguments)
        if result < 0:
            raise Refused(ERRORS.split()[-result - 1])

    def read_parameters(self, data: bytes) -> bytes:
        """Reads a parameter set, which the calls after it use; the kernel's structure."""
        self.write("bytes", data)
        self.checked("ws_read_parameters", *self._at("bytes"), len(data), *self._at("parameters"))
        return self.view("parameters").tobytes()

    def read_address(self, data: bytes) -> Position:
        """The address in the bytes of layer 0."""
        self.write("bytes", data)
        self.checked("ws_read_address", *self._at("bytes"), len(data), *self._at("parameters", "address"))
        return Position(*ADDRESS.unpack(self.view("address").tobytes()))

    def _block(self, position: Position, data: bytes) -> list[int]:
        self.write("bytes", data)
        self.write("address", ADDRESS.pack(*position))
        return [*self._at("parameters", "address", "bytes"), len(data)]

    def decode_block(self, position: Position, data: bytes, channels: int) -> Shorts:
        """Quantised coefficients (C, 3, n, n)."""
        self.checked("ws_decode_block", *self._block(position, data), *self._at("samples", "scratch"))
        return self.shorts("samples", channels, BANDS, SMALL.half, SMALL.half)

    def decode_approximation(self, position: Position, data: bytes, channels: int) -> Shorts:
        """Samples (C, t, t)."""
        self.checked("ws_decode_approximation", *self._block(position, data), *self._at("samples", "scratch"))
        return self.shorts("samples", channels, SMALL.tile, SMALL.tile)

    def decode_tile(self, position: Position, parent: Shorts, data: bytes) -> Shorts:
        """Samples (C, t, t) of the tile in its quadrant of ``parent``."""
        self.write("parent", parent.tobytes())
        arguments = [*self._at("parent"), *self._block(position, data), *self._at("samples", "scratch")]
        self.checked("ws_decode_tile", *arguments)
        return self.shorts("samples", *parent.shape)

    def pixels(self, samples: Shorts, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Pixels (t, t, C) of samples, of the type that the parameters say."""
        channels, side = len(samples), SMALL.tile
        self.write("samples", samples.tobytes())
        arguments = [*self._at("samples", "parameters"), side, side, channels, *self._at("pixels")]
        self.checked("ws_pixels_from_samples", *arguments)
        pixels = self.view("pixels")[: channels * side * side * dtype.itemsize].view(dtype)
        return pixels.reshape(side, side, channels).copy()

    def _at(self, *buffers: str) -> list[int]:
        return [self.address(buffer) for buffer in buffers]


class Native(Build):
    """A shared library of this machine; the only build that also encodes."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._library = ctypes.CDLL(str(built(name)))
        self._buffers = {buffer: _aligned(size) for buffer, size in BUFFERS.items()}

    def address(self, buffer: str) -> int:
        return int(self._buffers[buffer].ctypes.data)

    def view(self, buffer: str) -> NDArray[np.uint8]:
        return self._buffers[buffer]

    def call(self, function: str, *arguments: int) -> int:
        return int(getattr(self._library, function)(*(ctypes.c_size_t(argument) for argument in arguments)))

    def encode(self, samples: Shorts, position: Position, dead_zone: int, trade: int) -> list[bytes]:
        """The layers of samples (C, t, t): a block, or an approximation, with the parameters read last. ``trade``:
        ws_tuning's lambda."""
        self.write("samples", samples.tobytes())
        self.write("address", ADDRESS.pack(*position))
        self.write("tuning", TUNING.pack(*[0] * 9, dead_zone, trade, SMALL.tile, SMALL.tile))
        addresses = self.address("bytes"), BUFFERS["bytes"], self.address("sizes")
        self.write("output", struct.pack("@PIP", *addresses))
        self.view("parent")[:] = 0
        self.checked(
            "ws_encode", *self._at("samples", "parameters", "tuning", "parent", "address", "output", "scratch")
        )
        lengths = self.view("sizes").view(np.uint32)
        ends = np.cumsum(lengths)
        data = self.view("bytes")
        return [data[end - length : end].tobytes() for length, end in zip(lengths, ends, strict=True) if length]


class Wasm(Build):
    """A module in wasmtime."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, built(name).read_bytes())
        self._exports = cast(Any, wasmtime.Instance(self._store, module, []).exports(self._store))
        self._addresses, top = {}, int(self._exports["__heap_base"].value(self._store))
        for buffer, size in BUFFERS.items():
            self._addresses[buffer] = -(-top // 64) * 64
            top = self._addresses[buffer] + size
        memory = self._exports["memory"]
        memory.grow(self._store, -(-top // 65536))
        base = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value or 0
        self._views = {
            buffer: np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(base + self._addresses[buffer]))
            for buffer, size in BUFFERS.items()
        }

    def address(self, buffer: str) -> int:
        return self._addresses[buffer]

    def view(self, buffer: str) -> NDArray[np.uint8]:
        return self._views[buffer]

    def call(self, function: str, *arguments: int) -> int:
        return int(self._exports[function](self._store, *arguments))


def _aligned(size: int) -> NDArray[np.uint8]:
    """Zeros, aligned to 16 bytes."""
    buffer = np.zeros(size + 16, np.uint8)
    start = -buffer.ctypes.data % 16
    return buffer[start : start + size]


def built(name: str) -> Path:
    """The file of a build, compiled if the sources have changed."""
    sources = sorted([*KERNEL.glob("src/**/*.[ch]"), *KERNEL.glob("include/*.h")])
    key = hashlib.sha256(repr((name, FLAGS[name], COMMON)).encode())
    for source in sources:
        key.update(source.read_bytes())
    out = OUT / f"small-{name}-{key.hexdigest()[:16]}"
    if not out.is_file():
        OUT.mkdir(parents=True, exist_ok=True)
        for old in OUT.glob(f"small-{name}-{'?' * 16}"):
            old.unlink()
        temporary = out.with_suffix(f".{os.getpid()}")
        units = [str(source) for source in sources if source.suffix == ".c"]
        command = [sys.executable, "-m", "ziglang", "cc", *COMMON, *FLAGS[name], f"-I{KERNEL / 'include'}", *units]
        subprocess.run([*command, "-o", str(temporary)], check=True, cwd=KERNEL)
        temporary.replace(out)
    return out


def all_builds() -> list[Build]:
    """Every build, natively vectorised first."""
    return [Native(name) if name.startswith("native") else Wasm(name) for name in FLAGS]
