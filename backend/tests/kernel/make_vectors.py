"""Makes shared/vectors/codestream and the fuzzer's first inputs. They are pinned: replace them only with a new format.

Usage: .venv/bin/python backend/tests/kernel/make_vectors.py SLIDE.svs --replace     (CMU-1-Small-Region.svs)
       .venv/bin/python backend/tests/kernel/make_vectors.py --add      vectors that need no slide and are missing
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import openslide

from wavescope import kernel, rd
from wavescope.geometry import TILE, Address
from wavescope.kernel.parameter_set import pixel_dtype
from wavescope.kernel.parameters import lossless_codec
from wavescope.kernel.tiles import DEFAULT_TOP_LEVEL

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "shared/vectors/codestream"
CORPUS = ROOT / "shared/kernel/fuzz/corpus"
LONGEST_INPUT = 1 << 16  # of the fuzzers


def bricks(side: int, channels: int) -> np.ndarray:
    """Rectangles: cheap to code, not symmetric in x and y, different in every channel."""
    y, x = np.mgrid[:side, :side]
    values = [(x // 37 * (13 + 5 * c) + y // 53 * (29 - 7 * c) + 50 * c) % 230 + 10 for c in range(channels)]
    return np.stack(values, 2).astype(np.uint8)


def spot(channels: int) -> np.ndarray:
    """Glass with one noisy spot."""
    image = np.full((TILE, TILE, channels), 200, np.uint8)
    noise = np.random.default_rng(1).integers(0, 120, (20, 40, channels))
    image[70:90, 60:100] -= noise.astype(np.uint8)
    return image


def digest(array: np.ndarray) -> str:
    """SHA-256 of the array's little-endian bytes."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def expectations(coded: rd.Coded) -> list[dict[str, Any]]:
    """Samples and pixels of every tile, for every number of layers and some mixed states of the chain."""
    pyramid, top = coded.pyramid, coded.pyramid.top
    count = coded.codec.layers
    chains = [[k] * (top + 1) for k in range(1, count + 1)]
    if top:
        chains += [[count] * top + [1], [1] * top + [count]]  # by level, 0 first
    expect = []
    for chain in chains:
        tiles = {(0, 0): kernel.decode_approximation(coded.approximation[: chain[top]], coded.parameters(top))}
        for level in range(top, -1, -1):
            if level < top:
                tiles = {
                    (x, y): kernel.decode_tile(
                        tiles[x // 2, y // 2],
                        coded.blocks[level, x, y][: chain[level]],
                        coded.parameters(level),
                        Address(0, 0, level, x, y),
                    )
                    for x, y in np.ndindex(pyramid.tiles(level))
                }
            for (x, y), tile in tiles.items():
                width, height = pyramid.tile_size(level, x, y)
                picture = kernel.pixels(tile, coded.parameters(level), width, height)
                place = {
                    "level": level,
                    "x": x,
                    "y": y,
                    "layers": chain[level:],
                    "width": width,
                    "height": height,
                }
                expect.append({**place, "samples": digest(tile), "pixels": digest(picture)})
    return expect


def patches(seed: int) -> np.ndarray:
    """Squares of 4 x 4 pixels of any colour."""
    colours = np.random.default_rng(seed).integers(0, 256, (6, 8, 3))
    return np.kron(colours, np.ones((4, 4, 1), int)).astype(np.uint8)


def case(name: str, image: np.ndarray, codec: kernel.Codec) -> dict[str, Any]:
    """Writes one .bin of all layers; returns its entry."""
    coded = rd.encode_image(image, replace(codec, key=hashlib.sha256(name.encode()).hexdigest()[:32]))
    blocks = [
        {"level": level, "x": x, "y": y, "layers": [len(layer) for layer in layers]}
        for (level, x, y), layers in coded.blocks.items()
    ]
    every = [
        *coded.approximation,
        *(layer for layers in coded.blocks.values() for layer in layers),
    ]
    (VECTORS / f"{name}.bin").write_bytes(b"".join(every))
    height, width, channels = image.shape
    return {
        "name": name,
        "profile": codec.profile,
        "width": width,
        "height": height,
        "channels": channels,
        "source": digest(image),
        "parameters": [coded.parameters(level).data.hex() for level in range(coded.pyramid.top + 1)],
        "approximation": [len(layer) for layer in coded.approximation],
        "blocks": blocks,
        "expect": expectations(coded),
    }


def write_corpus() -> None:
    """One input per call, profile and number of channels, small, and of deep channels."""
    for old in CORPUS.glob("seed-*"):
        old.unlink()
    profiles: tuple[kernel.Profile, ...] = ("visual", "lossless")
    shallow = [(f"{c}-{p}", spot(c), kernel.choose_codec(p, spot(c))) for c in (1, 3) for p in profiles]
    deep = [(f"deep-{p}", fluorescence(14), kernel.choose_channel_codec(p, fluorescence(14), 14)) for p in profiles]
    deep.append(("steep", steep(), kernel.choose_channel_codec("lossless", steep())))
    for name, image, codec in shallow + [(name, image[:40, :70], codec) for name, image, codec in deep]:
        samples = kernel.samples_from_pixels(image, codec)
        parent = kernel.parent_of({(0, 0): kernel.means(samples)})
        block = b"".join(kernel.encode_tile(samples, parent, Address(0, 0, 0, 0, 0), codec))
        top = b"".join(kernel.encode_approximation(samples, codec))
        sets = codec.parameter_set(0), codec.parameter_set(DEFAULT_TOP_LEVEL, approximation=True)
        for call, data in ((0, block), (130, block), (129, top), (131, block)):
            parameters = sets[call == 129]
            head = bytes([call]) + len(parameters).to_bytes(2, "little") + parameters
            if len(head + data) <= LONGEST_INPUT:
                (CORPUS / f"seed-{name}-{call}").write_bytes(head + data)


def chosen(name: str, image: np.ndarray, profile: kernel.Profile) -> dict[str, Any]:
    """A case with the parameters that an ingest chooses."""
    return case(name, image, kernel.choose_codec(profile, image))


def colour_cases() -> dict[str, Callable[[], dict[str, Any]]]:
    """Every reversible colour transform with parameters that are not 0 (CS40)."""

    def of(colour: int) -> dict[str, Any]:
        codec = lossless_codec(3, colour, (5 - colour, 2 * colour - 3, -colour))
        return case(f"colour-{colour}", patches(colour), codec)

    return {f"colour-{colour}": partial(of, colour) for colour in range(2, 8)}


def fluorescence(bits: int, signed: bool = False) -> np.ndarray:
    """Cells on a dim ground with shot and read noise."""
    random, (y, x) = np.random.default_rng(bits), np.mgrid[:70, :290]
    light = 40 + 900 * np.exp(-((x - 60) ** 2 + (y - 30) ** 2) / 90) + 300 * (((x - 200) ** 2 + (y - 40) ** 2) < 500)
    noisy = random.poisson(light) + random.normal(0, 3, light.shape) + 20
    values = np.clip(noisy * 2 ** (bits - 11), 0, 2**bits - 1) - (2 ** (bits - 1) if signed else 0)
    return values.astype(pixel_dtype(bits, signed))[..., None]


def steep() -> np.ndarray:
    """Edges between the least and the largest value of 16 bits, and a part of noise of the whole range."""
    y, x = np.mgrid[:70, :270]
    values = ((x // 7 + y // 5) % 2 * 65535).astype(np.uint16)
    values[20:40, 30:60] = np.random.default_rng(16).integers(0, 65536, (20, 30))
    return values[..., None]


def depth_cases() -> dict[str, Callable[[], dict[str, Any]]]:
    """One channel of 8 to 16 bits (CS49 to CS52), some in a group of several."""

    def of(name: str, image: np.ndarray, bits: int, profile: kernel.Profile, groups: int = 1) -> dict[str, Any]:
        codec = kernel.choose_channel_codec(profile, image, bits)
        return case(name, image, replace(codec, groups=groups, group=groups - 1))

    pictures: dict[str, tuple[np.ndarray, int, kernel.Profile, int]] = {
        "depth-8-signed": (fluorescence(8, signed=True), 8, "lossless", 2),
        "depth-9": (fluorescence(9), 9, "lossless", 1),
        "depth-12": (fluorescence(12), 12, "lossless", 64),
        "depth-14-signed": (fluorescence(14, signed=True), 14, "lossless", 1),
        "depth-16": (fluorescence(16), 16, "lossless", 1),
        "depth-16-steep": (steep(), 16, "lossless", 1),
        "noise-12": (fluorescence(12), 12, "visual", 3),
        "noise-16": (fluorescence(16), 16, "visual", 1),
    }
    return {name: partial(of, name, *rest) for name, rest in pictures.items()}


def write_cases(cases: list[dict[str, Any]]) -> None:
    (VECTORS / "vectors.json").write_text(json.dumps({"version": "1.1", "cases": cases}, indent=1) + "\n")


def replace_all(slide: str) -> None:
    VECTORS.mkdir(parents=True, exist_ok=True)
    CORPUS.mkdir(parents=True, exist_ok=True)
    with openslide.OpenSlide(slide) as opened:
        tissue, glass = (
            np.asarray(opened.read_region(corner, 0, (380, 330)).convert("RGB"))
            for corner in ((1200, 1200), (570, 1390))
        )
    cases = [chosen(f"side-{side}", bricks(side, 3), "lossless") for side in (1, 2, 255, 256, 257, 513)]
    cases += [
        chosen("tissue-visual", tissue, "visual"),
        chosen("tissue-lossless", tissue[:260, :270], "lossless"),
    ]
    cases += [
        chosen("grey-visual", glass[:256, :300, 1:2], "visual"),  # short: the worked example
        chosen("grey-lossless", bricks(300, 1), "lossless"),
    ]
    # blocks and an approximation of coarse levels (CS48)
    cases += [chosen("levels-visual", np.tile(tissue[:40], (1, 3, 1))[:, :1030], "visual")]
    cases += [chosen("spot-visual", np.tile(spot(3), (2, 1, 1)), "visual")]
    cases += [make() for make in (colour_cases() | depth_cases()).values()]
    write_cases(cases)
    write_corpus()


def add_missing() -> None:
    """The other vectors stay as they are."""
    cases = json.loads((VECTORS / "vectors.json").read_text())["cases"]
    names = {entry["name"] for entry in cases}
    write_cases([*cases, *(make() for name, make in (colour_cases() | depth_cases()).items() if name not in names)])


if __name__ == "__main__":
    if sys.argv[1:] == ["--add"]:
        add_missing()
    elif len(sys.argv) == 3 and sys.argv[2] == "--replace":
        replace_all(sys.argv[1])
    else:
        sys.exit(__doc__)
