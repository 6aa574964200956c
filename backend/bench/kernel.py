"""Kernel: megapixels a second of decoding a tile, in Python (wasmtime), one and two threads, and in Node; there also a
picture at 40 dB beside HTJ2K by OpenJPH and by OpenHTJ2K, if WAVESCOPE_BENCH_OPENHTJ2K names the folder of a built one.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import imagecodecs
import numpy as np
from numpy.typing import NDArray
from setting import ROOT, bench_slide, missing, table, work_folder

from wavescope import kernel
from wavescope.geometry import TILE, Address
from wavescope.kernel.tiles import DEFAULT_TOP_LEVEL
from wavescope.source.open import open_source

ROUNDS, MEGAPIXELS = 40, TILE * TILE / 1e6
SIDE, PSNR = 2048, 40.0  # of the picture beside HTJ2K
Pixels = NDArray[np.uint8]


def best_rate(work: Callable[[], object], rounds: int = ROUNDS, threads: int = 1) -> float:
    """Megapixels a second, the median over rounds; with threads, all of them together."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: work(), range(threads)))
        seconds = []
        for _ in range(max(1, rounds // threads)):
            begin = time.perf_counter()
            list(pool.map(lambda _: work(), range(threads)))
            seconds.append(time.perf_counter() - begin)
    return MEGAPIXELS * threads / float(np.median(seconds))


FIRST = Address(0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Tile:
    """One tile of a slide: its samples, those of its parent, the codec, and what they are encoded to."""

    samples: kernel.Samples
    parent: kernel.Samples
    codec: kernel.Codec
    layers: list[bytes]
    approximation: list[bytes]
    sets: tuple[kernel.ParameterSet, kernel.ParameterSet]

    def blocks(self) -> Mapping[str, tuple[kernel.ParameterSet, list[bytes]]]:
        """What ``node_rate`` decodes."""
        return {"approximation": (self.sets[1], self.approximation), "block": (self.sets[0], self.layers)}


def middle_tile(slide: Path) -> Tile:
    """The tile in the middle of a slide."""
    source = open_source(slide)
    x, y = source.info.width // 2, source.info.height // 2
    pixels = source.read_region(0, x, y, TILE, TILE)
    codec = kernel.choose_codec("visual", pixels)
    samples = kernel.samples_from_pixels(pixels, codec)
    parent = kernel.parent_of({(0, 0): kernel.means(samples)})
    layers = kernel.encode_tile(samples, parent, FIRST, codec)
    approximation = kernel.encode_approximation(parent, codec)
    sets = (
        kernel.read_parameters(codec.parameter_set(0)),
        kernel.read_parameters(codec.parameter_set(DEFAULT_TOP_LEVEL, approximation=True)),
    )
    return Tile(samples, parent, codec, layers, approximation, sets)


def main() -> None:
    if missing("node"):
        raise SystemExit("node is needed to measure the browser's binding and is not installed")
    with work_folder() as work:
        slide = bench_slide(work)
        tile = middle_tile(slide)
        decoded = kernel.decode_approximation(tile.approximation, tile.sets[1])

        def encode() -> object:
            return kernel.encode_tile(tile.samples, tile.parent, FIRST, tile.codec)

        def decode() -> object:
            return kernel.pixels(
                kernel.decode_tile(decoded, tile.layers, tile.sets[0], FIRST), tile.sets[0], TILE, TILE
            )

        rows = [
            ("encode, Python, 1 thread", best_rate(encode)),
            ("encode, Python, 2 threads", best_rate(encode, threads=2)),
            ("decode to pixels, Python, 1 thread", best_rate(decode)),
            ("decode to pixels, Python, 2 threads", best_rate(decode, threads=2)),
        ]
        rows.append(("decode to RGBA, Node", node_rate(work, tile.blocks())))
        base = rows[2][1]
        bits = 8 * sum(map(len, tile.layers)) / TILE**2
        table(
            f"Kernel on one tile of {slide.name} ({bits:.2f} bits per pixel in its details)",
            ["", "Mpx/s", "ms a tile", "x decode in Python"],
            [(name, rate, MEGAPIXELS / rate * 1000, rate / base) for name, rate in rows],
        )
        beside_htj2k(slide, work)


def node_rate(work: Path, blocks: Mapping[str, tuple[kernel.ParameterSet, list[bytes]]]) -> float:
    """The same tile decoded by the browser's binding in Node."""
    for name, (parameters, parts) in blocks.items():
        (work / f"{name}.parameters").write_bytes(parameters.data)
        for number, part in enumerate(parts):
            (work / f"{name}.{number}").write_bytes(part)
    script = ROOT / "frontend/bench/kernel.mjs"
    answer = subprocess.run(["node", script, work, str(ROUNDS), str(TILE)], check=True, capture_output=True, text=True)
    return float(json.loads(answer.stdout)["megapixels_per_second"])


def beside_htj2k(slide: Path, work: Path) -> None:
    """Decoding the middle of a slide at 40 dB: our tiles, their parents decoded, beside one HTJ2K codestream."""
    source = open_source(slide)
    side = min(SIDE, source.info.width // TILE * TILE, source.info.height // TILE * TILE)
    x, y = (source.info.width - side) // 2, (source.info.height - side) // 2
    picture = np.ascontiguousarray(source.read_region(0, x, y, side, side)[..., :3])
    ours = least(lambda factor: write_tiles(picture, factor, work), 0.3, 8.0)
    theirs = least(lambda fineness: write_htj2k(picture, 1 / fineness, work), 1.0, 2000.0)
    script, peer = ROOT / "frontend/bench/htj2k.mjs", os.environ.get("WAVESCOPE_BENCH_OPENHTJ2K", "")
    if not peer:
        print("OpenHTJ2K is not compared: WAVESCOPE_BENCH_OPENHTJ2K names no folder of a built one", flush=True)
    command: list[str | Path] = ["node", script, work, str(side), "15", peer]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    times: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])
    base = times["ours, RGBA"]
    table(
        f"Decoding {side} x {side} at {PSNR:g} dB in Node: ours {ours:,} bytes, its parents decoded; HTJ2K {theirs:,}",
        ["", "ms", "Mpx/s", "x ours, RGBA"],
        [(name, taken, side**2 / taken / 1000, taken / base) for name, taken in times.items()],
    )


def least(write: Callable[[float], tuple[float, int]], low: float, high: float) -> int:
    """The bytes of what ``write`` makes with the lowest parameter that gives the PSNR, which it has made last."""
    for _ in range(7):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if write(middle)[0] >= PSNR else (middle, high)
    return write(high)[1]


def write_tiles(picture: Pixels, quality: float, work: Path) -> tuple[float, int]:
    """The tiles of a picture for htj2k.mjs, each with its parent: PSNR, and bytes without the parents'."""
    codec = kernel.choose_codec("visual", picture, quality)
    block = kernel.read_parameters(codec.parameter_set(0))
    approximation = kernel.read_parameters(codec.parameter_set(1, approximation=True))
    (work / "block.parameters").write_bytes(block.data)
    (work / "approximation.parameters").write_bytes(approximation.data)
    error, size = 0.0, 0
    corners = [(x, y) for y in range(0, len(picture), TILE) for x in range(0, len(picture), TILE)]
    for number, (x, y) in enumerate(corners):
        tile = np.ascontiguousarray(picture[y : y + TILE, x : x + TILE])
        fine = kernel.samples_from_pixels(tile, codec)
        above = kernel.parent_of({(0, 0): kernel.means(fine)})
        layers, parent = kernel.encode_tile(fine, above, FIRST, codec), kernel.encode_approximation(above, codec, 1)
        for name, parts in (("block", layers), ("approximation", parent)):
            for k, part in enumerate(parts):
                (work / f"{name}-{number}.{k}").write_bytes(part)
        samples = kernel.decode_tile(kernel.decode_approximation(parent, approximation), layers, block, FIRST)
        error += squared(tile, kernel.pixels(samples, block, TILE, TILE)) / len(corners)
        size += sum(map(len, layers))
    return float(10 * np.log10(255**2 / error)), size


def write_htj2k(picture: Pixels, step: float, work: Path) -> tuple[float, int]:
    """The picture as one HTJ2K codestream: PSNR, and bytes."""
    data = bytes(imagecodecs.htj2k_encode(picture, level=step, reversible=False))
    (work / "htj2k").write_bytes(data)
    return float(10 * np.log10(255**2 / squared(picture, imagecodecs.jpeg2k_decode(data)))), len(data)


def squared(one: Pixels, other: Pixels) -> float:
    """The mean squared error."""
    return float(np.mean((one.astype(np.float32) - other[..., :3]) ** 2))


if __name__ == "__main__":
    main()
