"""Makes rasters-3.json of shared/vectors/overlays:
`cd backend/tests && ../../.venv/bin/python -m overlays.make_raster_vectors`."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from typing import Any

import numpy as np

from overlays.make_vectors import VECTORS
from wavescope.overlays.columns import column
from wavescope.overlays.raster import SIDE, Kind, Raster, Samples, encoded_raster

RASTERS = VECTORS / "rasters-3.json"
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


def cases() -> list[dict[str, Any]]:
    """Pinned by their seeds; every predictor."""
    rng = np.random.default_rng(7)
    y, x = np.mgrid[:70, :60]
    smooth = (30000 + 25000 * np.sin(x / 9) * np.cos(y / 7)).astype(np.uint16)
    patches = np.kron(rng.integers(0, 65536, (7, 6)), np.ones((10, 10), int)).astype(np.uint16)
    steps = np.repeat(rng.integers(0, 65536, (70, 1)), 60, axis=1).astype(np.uint16)
    found = [
        ("smooth values", smooth, "values", 0),
        ("patches of labels", patches, "labels", 0),
        ("rows of labels", steps, "labels", 0),
        ("columns of labels", np.ascontiguousarray(steps.T), "labels", 0),
        ("noise", rng.integers(0, 65536, (33, 65)).astype(np.uint16), "values", 0),
        ("zeros", np.zeros((9, 11), np.uint16), "labels", 0),
        ("the corner of a level above", smooth[:20, :30], "values", 1),
    ]
    made = []
    for name, samples, kind, level in found:
        height, width = (size << level for size in samples.shape)
        place = (0, 0)
        if level:  # the last of four tiles
            width, height, place = width + 2 * SIDE, height + 2 * SIDE, (1, 1)
        raster = Raster(kind, width, height, 65535, IDENTITY, True)  # type: ignore[arg-type]
        member = encoded_raster(np.ascontiguousarray(samples), raster.kind)
        made.append(_case(name, raster, (level, *place), member) | {"samples": digest(samples)})
    return made


def damaged() -> list[dict[str, Any]]:
    """Members that a reader refuses (OV21)."""
    samples = np.arange(2500, dtype=np.uint16).reshape(50, 50)
    raster = Raster("labels", 50, 50, 2499, IDENTITY, True)
    whole = encoded_raster(samples, "labels")
    plain = gzip.decompress(whole)
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 4
    kind: Kind = "labels"
    found = [
        ("a flipped bit", raster, bytes(flipped)),
        ("a member that ends early", raster, whole[:-9]),
        ("an empty member", raster, b""),
        ("nothing at all", raster, _zipped(b"")),
        ("samples that end early", raster, _zipped(plain[:-1])),
        ("bytes after the end", raster, _zipped(plain + b"\0")),
        ("unknown differences", raster, _zipped(b"\4" + plain[1:])),
        ("a column of five bytes a number", raster, _zipped(b"\0\5" + bytes(5 * 2500))),
        ("a sample beyond the largest one", Raster(kind, 50, 50, 2498, IDENTITY, True), whole),
        ("another size", Raster(kind, 51, 50, 2499, IDENTITY, True), whole),
    ]
    made = [_case(name, of, (0, 0, 0), member) for name, of, member in found]
    wide = b"".join([b"\0", *column(np.full(2500, 70000))])
    return [
        *made,
        _case("outside", raster, (0, 1, 0), whole),
        _case("numbers beyond", raster, (0, 0, 0), _zipped(wide)),
    ]


def digest(samples: Samples) -> str:
    """SHA-256 of samples of 16 bits, little-endian, row by row."""
    return hashlib.sha256(np.ascontiguousarray(samples).astype("<u2").tobytes()).hexdigest()


def _case(name: str, raster: Raster, place: tuple[int, int, int], member: bytes) -> dict[str, Any]:
    level, x, y = place
    at = {"level": level, "x": x, "y": y}
    return {"name": name, "raster": raster.document(), **at, "member": base64.b64encode(member).decode()}


def _zipped(plain: bytes) -> bytes:
    return gzip.compress(plain, 6, mtime=0)


if __name__ == "__main__":
    RASTERS.write_text(json.dumps({"cases": cases(), "damaged": damaged()}, separators=(",", ":")) + "\n")
