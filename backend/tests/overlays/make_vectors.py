"""Makes tiles-5.json and archive.pmtiles of shared/vectors/overlays:
`cd backend/tests && ../../.venv/bin/python -m overlays.make_vectors`.

Those of versions 1, 2 and 4 (`tiles-1.json`, `tiles-2.json`, `tiles-4.json`) are not made any more; they are read.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pmtiles.tile import tileid_to_zxy, zxy_to_tileid

from overlays.shapes import cells, mixed, points, ring, shape
from wavescope.overlays import rings
from wavescope.overlays.archive import ArchiveWriter
from wavescope.overlays.columns import decompressed, planes
from wavescope.overlays.manifest import OverlayClass, OverlayManifest
from wavescope.overlays.pyramid import counted
from wavescope.overlays.shapes import Shapes, joined
from wavescope.overlays.tile import Place, Tile, decoded, encoded, symbols_of

VECTORS = Path(__file__).parents[3] / "shared" / "vectors" / "overlays"
ARCHIVE = VECTORS / "archive.pmtiles"
TOP = 7
NOTHING = joined([])


def tiles() -> list[tuple[str, Tile, Place]]:
    """Pinned by their seeds; every section, with and without scores."""
    far = Place(4, 700, 900, scored=True)
    there = shape(ring(far.left + 4000, far.top + 4000, 1900, 300), of_class=255)
    some = cells(5, 400, 4096.0)
    place = Place(3, 0, 0, scored=True)
    return [
        ("cells with scores", Tile(cells(1, 60, 512.0)), Place(0, 0, 0, scored=True)),
        ("cells without scores", Tile(_unscored(cells(2, 60, 512.0))), Place(0, 0, 0, scored=False)),
        ("regions, holes, lines and points", Tile(mixed(3, 1024.0)), Place(1, 0, 0, scored=True)),
        ("corners of long rings", Tile(shape(ring(256, 256, 240, 5000))), Place(0, 0, 0, scored=True)),
        ("far from the slide's beginning", Tile(there, counts=counted(there, far, 1 << 24, 1 << 24)), far),
        ("symbols", Tile(points(4, 3, 2048.0), symbols_of(cells(4, 300, 2048.0))), Place(2, 0, 0, scored=True)),
        ("symbols without scores", Tile(NOTHING, symbols_of(cells(6, 20, 2048.0))), Place(2, 0, 0, scored=False)),
        ("counts and sums", Tile(NOTHING, counts=counted(some, place, 4096, 4096)), place),
        ("counts without scores", Tile(NOTHING, counts=counted(some, place, 4096, 4096)), Place(3, 0, 0, scored=False)),
        ("nothing", Tile(NOTHING), Place(5, 0, 0, scored=True)),
    ]


def cases() -> list[dict[str, Any]]:
    predicted = Tile(mixed(9, 1024.0)), Place(1, 1, 2, scored=True)
    members = [(name, place, encoded(tile, place)) for name, tile, place in tiles()]
    for number in range(rings.MAX_PREDICTION + 1):
        members.append((f"prediction {number}", predicted[1], encoded(*predicted, number)))
    made = []
    for name, place, member in members:
        made.append(
            {
                "name": name,
                **_placed(place),
                "member": base64.b64encode(member).decode(),
                "expect": expected(decoded(member, place), place),
            }
        )
    return made


def expected(tile: Tile, place: Place) -> dict[str, Any]:
    """What a reader gets: hashes of columns of int32, corners and middles from the tile's beginning."""
    shapes, symbols, counts = tile.shapes, tile.symbols, tile.counts
    begin = np.array([place.left, place.top])
    found: dict[str, Any] = {
        "shapes": len(shapes),
        "outlines": {
            "corners": _hash(shapes.corners - 4 * begin),
            "ring_ends": _hash(shapes.ring_ends),
            "shape_ends": _hash(shapes.shape_ends),
            "classes": _hash(shapes.classes),
            "scores": _hash(shapes.scores),
        },
    }
    if symbols is not None:
        columns = ("long", "short", "turns", "classes", "scores")
        found["symbols"] = {
            "middles": _hash(symbols.middles - begin),
            **{name: _hash(getattr(symbols, name)) for name in columns},
        }
    if counts is not None:
        found["counts"] = [
            {"class": of, "shapes": _hash(counts.shapes[of]), "scores": _hash(counts.scores.get(of, np.zeros(1024)))}
            for of in sorted(counts.shapes)
        ]
    return found


def damaged() -> list[dict[str, Any]]:
    """Members that a reader refuses (OV21)."""
    place = Place(2, 0, 0, scored=True)
    whole = encoded(Tile(cells(7, 20, 2048.0), symbols_of(cells(8, 20, 2048.0))), place)
    plain = decompressed(whole)
    counts = Place(3, 0, 0, scored=False)
    counted_ = decompressed(encoded(Tile(NOTHING, counts=counted(cells(5, 9, 4096.0), counts, 4096, 4096)), counts))
    flipped = bytearray(whole)
    flipped[len(flipped) // 2] ^= 4
    sum_ = bytearray(whole)
    sum_[-7] ^= 1
    nothing = bytes(4)
    many = (5 << 20).to_bytes(4, "little")
    made = [
        ("a flipped bit", place, bytes(flipped)),
        ("a wrong checksum", place, bytes(sum_)),
        ("a member that ends early", place, whole[:-9]),
        ("no member", place, b"a tile"),
        ("an empty member", place, b""),
        ("columns that end early", place, _zipped(plain[:-1])),
        ("bytes after the end", place, _zipped(plain + b"\0")),
        (
            "a column of five bytes a number",
            Place(0, 0, 0, True),
            _zipped((1).to_bytes(4, "little") + b"\5" + bytes(5)),
        ),
        ("too many shapes", Place(0, 0, 0, True), _zipped(many + bytes(9))),
        ("an unknown prediction", Place(0, 0, 0, True), _zipped(b"\0\0\0\46" + bytes(14))),
        ("too many rings", Place(0, 0, 0, False), _zipped(b"\1\0\0\0\0\0\0\4\xff\xff\xff\xff" + bytes(6))),
        ("a ring of too many corners", Place(0, 0, 0, False), _zipped(b"\1\0\0\0\0\0\0\0\3\xa0\x86\1" + bytes(6))),
        ("a class of more than 255", Place(0, 0, 0, False), _zipped(b"\1\0\0\0\0\0\2\0\1" + bytes(6))),
        (
            "a corner too far away",
            Place(0, 0, 0, False),
            _zipped(b"\1\0\0\0\4\2\0\0\x20\0\0\0\0\0\0\0\0"),
        ),
        ("a symbol in an unknown direction", place, _zipped(bytes(4 + 10) + _symbol(long=2, short=1, turn=16))),
        ("a symbol without a size", place, _zipped(bytes(4 + 10) + _symbol(long=0, short=1, turn=0))),
        ("too many symbols", place, _zipped(bytes(4 + 10) + many + bytes(7))),
        ("counts that end early", counts, _zipped(counted_[:-3])),
        ("classes of counts in disorder", counts, _zipped(bytes(4 + 9) + b"\2\0\0\0\1\3\2" + bytes(2))),
        ("sections of another level", Place(0, 0, 0, True), _zipped(plain)),
        ("nothing at all", place, _zipped(b"")),
        ("half a number", place, _zipped(nothing[:2])),
        *_damaged_codes(),
    ]
    return [{"name": name, **_placed(at), "member": base64.b64encode(member).decode()} for name, at, member in made]


def _damaged_codes() -> list[tuple[str, Place, bytes]]:
    """What version 5 has: codes (OV79), places (OV80), sums (OV81)."""
    place, counts = Place(0, 0, 0, scored=False), Place(3, 0, 0, scored=True)
    wide = b"".join(planes(np.array([0, 0, 9, 4]), signed=True))
    rest = bytes(9)
    sums = b"\0\0\0\x80" + bytes(11) + (1).to_bytes(4, "little") + b"\0" + b"\1\2" + bytes(1023)
    found = [
        ("codes of an unknown kind", 1, b"\x80" + bytes(40)),
        ("codes of too many bits", 1, b"\x39" + bytes(40)),
        ("codes that end early", 1, b"\x22\0" + bytes(3)),
        ("codes without an end", 1, b"\x22\0" + bytes(40)),
        ("codes beyond 32 bits", 16, wide + b"\x38" + bytes(48) + bytes(33) + b"\xff\xff" + rest),
        ("codes below 0", 1, wide + b"\x40\1\4" + rest),
        ("rows without a width", 1, b"".join(planes(np.array([0, 0, -1, 4]), signed=True)) + rest),
        ("rows that are too high", 1, b"".join(planes(np.array([0, 0, 9, 29]), signed=True)) + rest),
        ("a place beyond all rows", 2, wide + b"\4" + 8 * b"\xff" + rest),
        ("a place that is too far away", 1, wide + b"\4\0\0\0\xff" + rest),
    ]
    return [
        *((name, place, _zipped((count | 1 << 31).to_bytes(4, "little") + plain)) for name, count, plain in found),
        ("a sum of scores that is too large", counts, _zipped(sums + b"\1\xff" + b"\2\0\2" + b"\0")),
        ("a sum of scores below 0", counts, _zipped(sums + b"\0" + b"\1\1" + b"\0")),
        ("a sum of scores beyond 2^53", counts, _zipped(sums + b"\0" + b"\0" + b"\4\xff\xff\xff\xff")),
        ("a mean score of more than 255", counts, _zipped(sums + b"\2\0\1" + bytes(2))),
    ]


def _symbol(long: int, short: int, turn: int) -> bytes:
    return b"\1\0\0\0" + bytes(4) + b"".join(b"\1" + bytes([one]) if one else b"\0" for one in (long, short, turn))


def _placed(place: Place) -> dict[str, Any]:
    return {"level": place.level, "x": place.x, "y": place.y, "scored": place.scored}


def _unscored(shapes: Shapes) -> Shapes:
    return Shapes(shapes.corners, shapes.ring_ends, shapes.shape_ends, shapes.classes, 0 * shapes.scores)


def _zipped(plain: bytes) -> bytes:
    return gzip.compress(plain, 6, mtime=0)


def _hash(values: NDArray[Any]) -> str:
    return hashlib.sha256(np.ascontiguousarray(values).astype("<i4").tobytes()).hexdigest()


def write_archive(path: Path) -> None:
    """So many tiles that the directory has leaves; of level 0 odd rows are missing. The bytes of a tile name it."""
    with tempfile.TemporaryDirectory() as folder:
        writer = ArchiveWriter(Path(folder), TOP)
        for zoom in range(TOP + 1):
            for number in range(zxy_to_tileid(zoom, 0, 0), zxy_to_tileid(zoom + 1, 0, 0)):
                _, x, y = tileid_to_zxy(number)
                if zoom < TOP or y % 2 == 0:
                    writer.add(TOP - zoom, x, y, bytes([TOP - zoom, x, y]))
        side = 512 << TOP
        writer.finish(path, OverlayManifest(side, side, TOP, 0, (OverlayClass("", "000000", 0),), None))


if __name__ == "__main__":
    write_archive(ARCHIVE)
    made = {"cases": cases(), "damaged": damaged()}
    (VECTORS / "tiles-5.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")
