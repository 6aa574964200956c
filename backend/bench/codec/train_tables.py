"""Makes shared/spec/codestream-tables.json and shared/kernel/src/tables.c: where the entropy coder's models begin.

Usage: .venv/bin/python backend/bench/codec/train_tables.py IMAGES.npz     (arrays NAME@LEVEL of h x w x 3 pixels)

The whole pyramid of every image is coded natively at several qualities, as if the image were LEVEL of a slide; the
share of ones that each model saw becomes its first estimate. Run it only together with a new version of the format:
the tables are frozen into it.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from wavescope import kernel, rd
from wavescope.geometry import TILE, Pyramid

ROOT = Path(__file__).resolve().parents[3]
SYMBOL_MODELS, BIT_MODELS, ESTIMATES = 196, 13, 7
SHAPE = (2, 2, 2, 2, SYMBOL_MODELS * ESTIMATES + BIT_MODELS)  # [two models][later layer][chroma][HH]
CODINGS: tuple[tuple[kernel.Profile, float], ...] = (("visual", 0.8), ("visual", 1.15), ("lossless", 1.0))
COARSEST_LOSSLESS = 1  # an image of a coarser level teaches the lossless profile too little that is its own
NEUTRAL = 12  # as if so many bits had been seen at the pooled estimate


class Output(ctypes.Structure):
    """A ws_output."""

    _fields_ = [
        ("bytes", ctypes.c_void_p),
        ("capacity", ctypes.c_uint32),
        ("sizes", ctypes.c_void_p),
    ]


def build(folder: Path) -> ctypes.CDLL:
    """The kernel as a native library that counts bits."""
    library = folder / "kernel.so"
    sources = [str(p) for p in sorted((ROOT / "shared/kernel/src").glob("*.c"))]
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-O2",
        "-std=c11",
        "-DWS_TRAIN",
        "-shared",
        "-fPIC",
    ]
    subprocess.run(
        [*command, f"-I{ROOT}/shared/kernel/include", *sources, "-o", str(library)],
        check=True,
    )
    return ctypes.CDLL(str(library))


def aligned(size: int) -> np.ndarray:
    """Zeroed bytes at an address divisible by 64."""
    raw = np.zeros(size + 64, np.uint8)
    return raw[-raw.ctypes.data % 64 :][:size]


class Trainer:
    """Encodes with a kernel that counts. ``total``: counts [two models][later][chroma][HH][model][symbol] of symbols
    and of bits, of which no image has more than 2000 per model."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        shapes = (*SHAPE[:4], SYMBOL_MODELS, 8), (*SHAPE[:4], BIT_MODELS, 2)
        self._counts = [
            np.ctypeslib.as_array((ctypes.c_uint32 * int(np.prod(shape))).in_dll(library, name)).reshape(shape)
            for name, shape in zip(("ws_symbol_counts", "ws_bit_counts"), shapes, strict=True)
        ]
        self.total = [np.zeros(shape) for shape in shapes]
        self._buffers = [aligned(size) for size in (3 * TILE * TILE * 2, 3 * TILE * TILE * 2, 16 << 20, 6 << 20)]

    def learn(self, image: np.ndarray, level: int, profile: kernel.Profile, quality: float) -> None:
        """Counts one image, coded as ``level`` of a slide."""
        for count in self._counts:
            count[:] = 0
        codec = kernel.choose_codec(profile, image, quality)
        height, width, _ = image.shape
        pyramid = Pyramid(width, height)
        tiles = {
            (x, y): kernel.samples_from_pixels(image[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE], codec)
            for x, y in np.ndindex(pyramid.tiles(0))
        }
        for own in range(pyramid.top):
            above = rd.parents({place: kernel.means(samples) for place, samples in tiles.items()})
            for (x, y), samples in tiles.items():
                parameters, tuning = codec.parameter_set(level + own), codec.tuning(*pyramid.tile_size(own, x, y))
                self._encode(samples, above[x // 2, y // 2], parameters, tuning, (x, y))
            tiles = above
        parameters = codec.parameter_set(level + pyramid.top, approximation=True)
        self._encode(tiles[0, 0], tiles[0, 0], parameters, codec.tuning(*pyramid.tile_size(pyramid.top, 0, 0)), (0, 0))
        for sums, count in zip(self.total, self._counts, strict=True):
            seen = count.astype(float)
            sums += seen / np.maximum(1.0, seen.sum(-1, keepdims=True) / 2000.0)

    def _encode(
        self, samples: np.ndarray, parent: np.ndarray, parameter_set: bytes, tuning: bytes, at: tuple[int, int]
    ) -> None:
        for buffer, array in zip(self._buffers, (samples, parent), strict=False):
            buffer[: array.nbytes] = np.ascontiguousarray(array).view(np.uint8).ravel()
        arrays = [buffer.ctypes.data_as(ctypes.c_void_p) for buffer in self._buffers]
        sizes, address = (ctypes.c_uint32 * 4)(), np.array([0, *at], np.uint32).tobytes()
        output = Output(arrays[2], self._buffers[2].size, ctypes.cast(sizes, ctypes.c_void_p))
        raw = bytes(kernel.read_parameters(parameter_set).raw)
        result = self._library.ws_encode(arrays[0], raw, tuning, arrays[1], address, ctypes.byref(output), arrays[3])
        assert result == 0


def train(library: ctypes.CDLL, images: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Counts of symbols and of bits over all images; the keys end with @LEVEL."""
    trainer = Trainer(library)
    for name, image in images.items():
        level = int(name.rsplit("@", 1)[1])
        for profile, quality in CODINGS:
            if profile == "visual" or level <= COARSEST_LOSSLESS:
                trainer.learn(image, level, profile, quality)
    return trainer.total


def estimates(total: list[np.ndarray]) -> np.ndarray:
    """P(symbol > i) and P(1) in 1/65536 per model; models that saw little lean on the same model of the other sets."""
    parts = []
    for counts in total:
        pooled = counts.sum((2, 3), keepdims=True) + 0.5 / counts.shape[-1]
        share = (counts + NEUTRAL * pooled / pooled.sum(-1, keepdims=True)) / (counts.sum(-1, keepdims=True) + NEUTRAL)
        above = 1 - np.cumsum(share, -1)[..., :-1]
        parts.append(np.clip(np.rint(above * 65536), 0, 65535).astype(int).reshape(*SHAPE[:4], -1))
    return np.concatenate(parts, -1)


def write(tables: np.ndarray) -> None:
    """The JSON that belongs to the format document, and the same numbers as C."""
    nested = json.dumps({"version": 1, "start": tables.tolist()}, separators=(",", ":"))
    (ROOT / "shared/spec/codestream-tables.json").write_text(nested.replace("]],", "]],\n") + "\n")
    lines = [
        "/* Generated by backend/bench/codec/train_tables.py from shared/spec/codestream-tables.json's numbers. */",
        '#include "internal.h"',
        "",
        "const uint16_t WS_START[2][2][2][2][WS_SET_STARTS] = {",
    ]
    for i, row in enumerate(tables.reshape(-1, SHAPE[-1])):
        start, end = (
            "{" * (1 + (i % 2 == 0) + (i % 4 == 0) + (i % 8 == 0)),
            "}" * (1 + (i % 2 == 1) + (i % 4 == 3) + (i % 8 == 7)),
        )
        parts = [", ".join(map(str, row[k : k + 40])) for k in range(0, SHAPE[-1], 40)]
        lines.append(f"    {start}" + ",\n     ".join(parts) + end + ",")
    (ROOT / "shared/kernel/src/tables.c").write_text("\n".join(lines) + "\n};\n")


if __name__ == "__main__":
    target = ROOT / "shared/kernel/src/tables.c"
    if not target.exists():
        write(np.full(SHAPE, 32768))
    with np.load(sys.argv[1]) as data, tempfile.TemporaryDirectory() as folder:
        write(estimates(train(build(Path(folder)), {name: data[name] for name in data.files})))
