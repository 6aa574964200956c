"""What the microscope must show, by the slow Python decoder that shares no code with the kernel.

usage: expected_pixels.py ADDRESS SLIDE PLANE TILES        TILES: [[level, x, y], ...] as JSON

Asks the service for the layers of each tile and of its ancestors, decodes them with backend/tests/reference and prints
for every tile and every number of layers K one JSON line: {level, x, y, layers, nonzero, sha256} (of its RGB bytes).
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import urllib.request
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "backend" / "tests"))
from reference import decoder
from reference.stream import FULL, Header, Position, read_parameters

Tile = tuple[int, int, int]


def ask(address: str) -> bytes:
    """The body of a GET; empty for 204."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        return bytes(answer.read())


@cache
def manifest(address: str, slide: str) -> dict[str, Any]:
    return dict(json.loads(ask(f"{address}/api/v1/slides/{slide}")))


def split(address: str, slide: str, path: str) -> list[bytes]:
    """The layers at a path, each asked for alone; [] for an empty block."""
    found = manifest(address, slide)
    layers = [ask(f"{address}{found['url']}/{path}?from={k}&to={k + 1}") for k in range(found["layers"])]
    return layers if layers[0] else []


def parameters(address: str, slide: str, level: int) -> Header:
    """The parameter set of a level, from the manifest."""
    return read_parameters(bytes.fromhex(manifest(address, slide)["parameters"][level][0]))


def decode(address: str, slide: str, z: int, tile: Tile) -> list[decoder.Coefficients | None]:
    """The decoded coefficients of a block after each of its layers: the costly part, so each layer is decoded once."""
    level, x, y = tile
    layers = split(address, slide, f"blocks/{z}/0/{level}/{x}/{y}")
    if not layers:
        return [None] * manifest(address, slide)["layers"]
    return list(decoder.decode_prefixes(parameters(address, slide, level), Position(z, x, y), layers))


def chain(tile: Tile, top: int) -> list[Tile]:
    """A tile's blocks from the coarsest to its own."""
    level, x, y = tile
    return [(n, x >> (n - level), y >> (n - level)) for n in range(top - 1, level - 1, -1)]


def main() -> None:
    address, slide, plane = sys.argv[1], sys.argv[2], int(sys.argv[3])
    tiles = [tuple(tile) for tile in json.loads(sys.argv[4])]
    found = manifest(address, slide)
    top, count = found["levels"] - 1, found["layers"]
    approximation = split(address, slide, f"approximation/{plane}/0")
    wanted = sorted({block for tile in tiles for block in chain(tile, top)}, reverse=True)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        decoded = [pool.submit(decode, address, slide, plane, tile) for tile in wanted]
        blocks = {tile: one.result() for tile, one in zip(wanted, decoded, strict=True)}
    sizes = {size["level"]: (size["width"], size["height"]) for size in found["sizes"]}
    for k in range(count):
        header = parameters(address, slide, top)
        made = {(top, 0, 0): decoder.decode_approximation(header, Position(plane, 0, 0), approximation[: k + 1])}
        for level, x, y in wanted:
            parent = made[(level + 1, x // 2, y // 2)]
            made[(level, x, y)] = decoder.refine(header, parent, (x % 2, y % 2), blocks[(level, x, y)][k], k)
        for level, x, y in tiles:
            width, height = (
                min(FULL.tile, side - FULL.tile * at) for side, at in zip(sizes[level], (x, y), strict=True)
            )
            rgb = decoder.pixels(made[(level, x, y)], header, width, height)
            line = {"level": level, "x": x, "y": y, "layers": k + 1, "nonzero": nonzero(blocks.get((level, x, y)), k)}
            print(json.dumps({**line, "sha256": hashlib.sha256(rgb.tobytes()).hexdigest()}))


def nonzero(block: list[decoder.Coefficients | None] | None, k: int) -> float:
    """The share of coefficients that are not zero with k + 1 layers; 1 for the approximation, which has no block."""
    if block is None:
        return 1.0
    coded = block[k]
    return 0.0 if coded is None else float(np.mean([np.mean(plane != 0) for plane in coded[1][0]]))


if __name__ == "__main__":
    main()
