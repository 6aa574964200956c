"""Kernel: megapixels a second of decoding a tile, in Python (wasmtime), one and two threads, and in Node."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from setting import ROOT, bench_slide, missing, table, work_folder

from wavescope import kernel
from wavescope.geometry import TILE, Address
from wavescope.kernel.tiles import DEFAULT_TOP_LEVEL
from wavescope.source.open import open_source

ROUNDS, MEGAPIXELS = 40, TILE * TILE / 1e6


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


def node_rate(work: Path, blocks: Mapping[str, tuple[kernel.ParameterSet, list[bytes]]]) -> float:
    """The same tile decoded by the browser's binding in Node."""
    for name, (parameters, parts) in blocks.items():
        (work / f"{name}.parameters").write_bytes(parameters.data)
        for number, part in enumerate(parts):
            (work / f"{name}.{number}").write_bytes(part)
    script = ROOT / "frontend/bench/kernel.mjs"
    answer = subprocess.run(["node", script, work, str(ROUNDS), str(TILE)], check=True, capture_output=True, text=True)
    return float(json.loads(answer.stdout)["megapixels_per_second"])


if __name__ == "__main__":
    main()
