"""Makes shared/spec/codestream-tables.json and shared/kernel/src/tables.c: where the entropy coder's models begin.

Usage: .venv/bin/python backend/bench/codec/train_tables.py IMAGES.npz     (arrays of one tile, T x T x 3 pixels)

Every image is coded natively at several qualities, on three levels; the share of ones that each model saw becomes its
first estimate. Run it only together with a new version of the format: the tables are frozen into it.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from wavescope import kernel
from wavescope.geometry import TILE

ROOT = Path(__file__).resolve().parents[3]
SYMBOL_MODELS, BIT_MODELS, ESTIMATES = 196, 13, 7
SHAPE = (2, 2, 3, SYMBOL_MODELS * ESTIMATES + BIT_MODELS)
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


def train(library: ctypes.CDLL, images: list[np.ndarray]) -> list[np.ndarray]:
    """Counts [layer kind][chroma][band][model][symbol] of symbols and of bits over all images."""
    shapes = (2, 2, 3, SYMBOL_MODELS, 8), (2, 2, 3, BIT_MODELS, 2)
    names = "ws_symbol_counts", "ws_bit_counts"
    counts = [
        np.ctypeslib.as_array((ctypes.c_uint32 * int(np.prod(shape))).in_dll(library, name)).reshape(shape)
        for name, shape in zip(names, shapes, strict=True)
    ]
    total = [np.zeros(shape) for shape in shapes]
    scratch, out, above = aligned(6 << 20), aligned(16 << 20), aligned(3 * TILE * TILE * 2)

    def encode(samples: np.ndarray, parent: np.ndarray, codec: kernel.Codec, level: int, approximation: bool) -> None:
        data = aligned(samples.nbytes)
        data[:] = np.ascontiguousarray(samples).view(np.uint8).ravel()
        above[:] = np.ascontiguousarray(parent).view(np.uint8).ravel()
        parameters = kernel.read_parameters(codec.parameter_set(level, approximation)).raw
        tuning, sizes, address = codec.tuning(), (ctypes.c_uint32 * 4)(), bytes(12)
        arrays = [a.ctypes.data_as(ctypes.c_void_p) for a in (data, above, out, scratch)]
        output = Output(arrays[2], out.size, ctypes.cast(sizes, ctypes.c_void_p))
        assert (
            library.ws_encode(arrays[0], parameters, tuning, arrays[1], address, ctypes.byref(output), arrays[3]) == 0
        )

    for image in images:
        for profile, quality in (
            ("visual", 0.6),
            ("visual", 0.85),
            ("visual", 1.3),
            ("lossless", 1.0),
        ):
            for count in counts:
                count[:] = 0
            codec = kernel.choose_codec(profile, image, quality)
            samples = kernel.samples_from_pixels(image, codec)
            for level in (0, 1):
                mean = kernel.means(samples)
                flipped = np.concatenate([mean, mean[:, :, ::-1]], axis=2)
                parent = np.concatenate([flipped, flipped[:, ::-1]], axis=1)
                encode(samples, parent, codec, level, False)
                samples = parent
            encode(samples, samples, codec, 2, True)
            for sums, count in zip(total, counts, strict=True):
                seen = count.astype(float)
                sums += seen / np.maximum(1.0, seen.sum(-1, keepdims=True) / 2000.0)  # no image speaks loudest
    return total


def estimates(total: list[np.ndarray]) -> np.ndarray:
    """P(symbol > i) and P(1) in 1/65536 per model; models that saw little lean on the same model of the other bands."""
    parts = []
    for counts in total:
        pooled = counts.sum((1, 2), keepdims=True) + 0.5 / counts.shape[-1]
        share = (counts + NEUTRAL * pooled / pooled.sum(-1, keepdims=True)) / (counts.sum(-1, keepdims=True) + NEUTRAL)
        above = 1 - np.cumsum(share, -1)[..., :-1]
        parts.append(np.clip(np.rint(above * 65536), 0, 65535).astype(int).reshape(2, 2, 3, -1))
    return np.concatenate(parts, -1)


def write(tables: np.ndarray) -> None:
    """The JSON that belongs to the format document, and the same numbers as C."""
    nested = json.dumps({"version": 1, "start": tables.tolist()}, separators=(",", ":"))
    (ROOT / "shared/spec/codestream-tables.json").write_text(nested.replace("]],", "]],\n") + "\n")
    lines = [
        "/* Generated by backend/bench/codec/train_tables.py from shared/spec/codestream-tables.json's numbers. */",
        '#include "internal.h"',
        "",
        "const uint16_t WS_START[2][2][WS_BANDS][WS_SET_STARTS] = {",
    ]
    for i, row in enumerate(tables.reshape(-1, SHAPE[-1])):
        start, end = (
            "{" * (1 + (i % 3 == 0) + (i % 6 == 0)),
            "}" * (1 + (i % 3 == 2) + (i % 6 == 5)),
        )
        parts = [", ".join(map(str, row[k : k + 40])) for k in range(0, SHAPE[-1], 40)]
        lines.append(f"    {start}" + ",\n     ".join(parts) + end + ",")
    (ROOT / "shared/kernel/src/tables.c").write_text("\n".join(lines) + "\n};\n")


if __name__ == "__main__":
    target = ROOT / "shared/kernel/src/tables.c"
    if not target.exists():
        write(np.tile(np.full(SHAPE[-1], 32768), (2, 2, 3, 1)))
    with np.load(sys.argv[1]) as data, tempfile.TemporaryDirectory() as folder:
        write(estimates(train(build(Path(folder)), [data[name] for name in data.files])))
