"""Processor time of a tile in one run: Node beside HTJ2K, wasmtime beside native, encoding beside OpenJPEG."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
from images import ROOT
from numpy.typing import NDArray
from peers import psnr

from wavescope import kernel
from wavescope.geometry import TILE, Address

TARGET = 40.0
FIRST = Address(0, 0, 0, 0, 0)
Sets = tuple[kernel.ParameterSet, kernel.ParameterSet]
Pixels = NDArray[np.uint8]


def bisect(good: Callable[[float], bool], low: float, high: float) -> float:
    """The parameter, on a logarithmic scale, where ``good`` begins to hold; it holds at ``high``."""
    for _ in range(10):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def milliseconds(work: Callable[[], object], rounds: int = 15) -> float:
    """The median of processor time."""
    work()
    taken = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        taken.append(1000 * (time.process_time() - begin))
    return float(np.median(taken))


def native(folder: Path, name: str, processor: str, *arguments: Path) -> float:
    """Milliseconds that bench_NAME.c measures, built for this ("native") or any ("baseline") processor."""
    program = folder / f"{name}-{processor}"
    if not program.exists():
        sources = [
            *sorted((ROOT / "shared/kernel/src").glob("*.c")),
            ROOT / f"shared/kernel/bench/bench_{name}.c",
        ]
        flags = [
            "-O3",
            "-std=c11",
            f"-mcpu={processor}",
            "-fno-sanitize=undefined",
            f"-I{ROOT}/shared/kernel/include",
        ]
        subprocess.run(
            [sys.executable, "-m", "ziglang", "cc", *flags, *sources, "-o", program],
            check=True,
        )
    answer = subprocess.run([program, *arguments, "30"], check=True, capture_output=True, text=True)
    return float(answer.stdout.split(":")[1].split()[0])


def speed(tile: Pixels) -> None:
    """Prints the three comparisons on an RGB tile."""
    tile = np.ascontiguousarray(tile)
    parent, layers, sets = our_tile(tile)
    theirs = bisect(lambda k: psnr(tile, htj2k(tile, k)[1]) >= TARGET, 1.0, 2000.0)
    stream = htj2k(tile, theirs)[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for name, parameters in (("block", sets[0]), ("approximation", sets[1])):
            (folder / f"{name}.parameters").write_bytes(parameters.data)
        (folder / "block").write_bytes(b"".join(layers))
        (folder / "pixels").write_bytes(tile.tobytes())
        (folder / "htj2k").write_bytes(stream)
        for number, part in enumerate(parent):
            (folder / f"approximation.{number}").write_bytes(part)
        for number, part in enumerate(layers):
            (folder / f"block.{number}").write_bytes(part)
        print(f"\nA tile at {TARGET:g} dB: ours {sum(map(len, layers)):,} bytes, HTJ2K {len(stream):,}; processor time")
        in_node(folder)
        decoded = kernel.decode_approximation(parent, sets[1])
        wasm = milliseconds(lambda: kernel.decode_tile(decoded, layers, sets[0], FIRST), 40)
        for processor, words in (
            ("baseline", "for any such processor"),
            ("native", "for this very processor"),
        ):
            plain = native(folder, "decode", processor, folder / "block.parameters", folder / "block")
            print(
                f"  decode, wasmtime with numpy's copies {wasm:.2f} ms, native {words} {plain:.2f} ms: "
                f"{plain / wasm:.2f} x its speed"
            )
        size = sum(map(len, layers))
        peer = milliseconds(lambda: openjpeg(tile, TARGET))
        ours = native(folder, "encode", "native", folder / "pixels", folder / "block.parameters")
        print(f"  encode, native {ours:.2f} ms ({size:,} bytes), OpenJPEG {peer:.2f} ms: {peer / ours:.2f} x its speed")


def our_tile(tile: Pixels) -> tuple[list[bytes], list[bytes], Sets]:
    """An approximation that serves as the tile's parent, its block, at TARGET, and the parameter sets of block and
    approximation."""

    def coded(quality: float) -> tuple[float, list[bytes], list[bytes], Sets]:
        codec = kernel.choose_codec("visual", tile, quality)
        fine = kernel.samples_from_pixels(tile, codec)
        above = kernel.parent_of({(0, 0): kernel.means(fine)})
        layers = kernel.encode_tile(fine, above, FIRST, codec)
        sets = (
            kernel.read_parameters(codec.parameter_set(0)),
            kernel.read_parameters(codec.parameter_set(1, approximation=True)),
        )
        parent = kernel.encode_approximation(above, codec, 1)
        samples = kernel.decode_approximation(parent, sets[1])
        pixels = kernel.pixels(kernel.decode_tile(samples, layers, sets[0], FIRST), sets[0], TILE, TILE)
        return psnr(tile, pixels), parent, layers, sets

    return coded(bisect(lambda quality: coded(quality)[0] >= TARGET, 0.3, 8.0))[1:]


def htj2k(tile: Pixels, fineness: float) -> tuple[bytes, Pixels]:
    """HTJ2K at a quantisation step of 1 / fineness, decoded by OpenJPEG."""
    data = imagecodecs.htj2k_encode(tile, level=1 / fineness, reversible=False)
    return bytes(data), imagecodecs.jpeg2k_decode(data)


def openjpeg(tile: Pixels, level: Any) -> bytes:
    return bytes(
        imagecodecs.jpeg2k_encode(
            tile,
            level=level,
            reversible=False,
            mct=True,
            codecformat="J2K",
            numthreads=1,
        )
    )


def in_node(folder: Path) -> None:
    """From bytes and parent to RGBA by the browser's binding, beside @cornerstonejs/codec-openjph."""
    answer = subprocess.run(
        ["node", ROOT / "frontend/bench/speed.mjs", folder, str(TILE)], check=True, capture_output=True, text=True
    )
    ours, raw, rgba = (json.loads(answer.stdout)[key] for key in ("ours", "openjph", "openjphToRgba"))
    print(
        f"  decode to RGBA, Node {ours:.2f} ms; openjph {raw:.2f} ms, {rgba:.2f} ms with its RGB made RGBA: "
        f"{raw / ours:.2f} x and {rgba / ours:.2f} x its speed"
    )
