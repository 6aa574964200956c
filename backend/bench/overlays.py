"""Bytes and times of overlays: cells as QuPath's GeoJSON to a pyramid.

    npm run bench -- overlays [--cells 100000] [--json]

The cells are uneven ellipses of 20 corners with noise, as a model draws them; and those of the specimen.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from wavescope.overlays.archive import Archive
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.geojson import read_geojson
from wavescope.overlays.shapes import shapes_of
from wavescope.source.specimen.spec import parse_spec
from wavescope.source.specimen.truth import CLASSES, outlines

AREA = 1200
"""Pixels of the slide for each cell: 13,000 cells per mm2 at 0.25 micrometres."""
CORNERS = 20
NAMES = ("Tumor", "Stroma", "Immune cells")


def cells(count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Corners (n, 20, 2) and probabilities (n,) of cells all over a square of AREA pixels for each."""
    rng = np.random.default_rng(1)
    side = (count * AREA) ** 0.5
    for begin in range(0, count, 10_000):
        n = min(10_000, count - begin)
        long, turn = rng.uniform(9, 20, (n, 1)), rng.uniform(0, np.pi, (n, 1))
        short = long * rng.uniform(0.5, 1, (n, 1))
        angle = np.arange(CORNERS) * (2 * np.pi / CORNERS)
        along, across = long * np.cos(angle), short * np.sin(angle)
        x, y = along * np.cos(turn) - across * np.sin(turn), along * np.sin(turn) + across * np.cos(turn)
        corners = np.stack([x, y], axis=2) + rng.uniform(0, side, (n, 1, 2)) + rng.normal(0, 0.25, (n, CORNERS, 2))
        yield corners, rng.beta(8, 2, n)


def write_geojson(path: Path, count: int) -> None:
    with path.open("w") as file:
        file.write('{"type":"FeatureCollection","features":[')
        number = 0
        for corners, scores in cells(count):
            for ring, score in zip(corners.round(2).tolist(), scores.tolist(), strict=True):
                feature = {
                    "type": "Feature",
                    "id": f"a0b1c2d3-0000-4000-8000-{number:012}",
                    "geometry": {"type": "Polygon", "coordinates": [[*ring, ring[0]]]},
                    "properties": {
                        "objectType": "detection",
                        "classification": {"name": NAMES[number % 3], "color": [200, 0, number % 3]},
                        "measurements": {"Probability": score},
                    },
                }
                file.write(("," if number else "") + json.dumps(feature, separators=(",", ":")))
                number += 1
        file.write("]}")


def write_corners(path: Path, count: int, of: int) -> None:
    """The first cells of so many as float32 x, y of closed rings, without anything else."""
    with path.open("wb") as file:
        for corners, _ in cells(of):
            part = corners[:count]
            file.write(np.concatenate([part, part[:, :1]], axis=1).astype("<f4").tobytes())
            count -= len(part)
            if count == 0:
                return


def report(path: Path, shapes: int) -> None:
    data = path.read_bytes()
    archive = Archive(lambda offset, length: data[offset : offset + length])
    levels: dict[int, list[int]] = {}
    for level, x, y in archive.places():
        levels.setdefault(level, []).append(len(archive.member(level, x, y) or b""))
    print(f"  {len(data) / shapes:.1f} bytes a cell with all levels")
    for level, sizes in sorted(levels.items()):
        print(f"  level {level}: {sum(sizes) / shapes:6.2f} bytes a cell, {len(sizes)} tiles of {np.mean(sizes):,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=100_000)
    parser.add_argument("--json", action="store_true", help="also json.load of the whole document")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        document = folder / "cells.geojson"
        write_geojson(document, options.cells)
        side = int((options.cells * AREA) ** 0.5)
        (folder / "work").mkdir()
        begin = time.process_time()
        builder = Builder(folder / "work", side, side, "Probability")
        with document.open("rb") as stream:
            read_geojson(stream, document.name, builder, "Probability")
        read = time.process_time()
        _, manifest = builder.finish(folder / "overlay")
        end = time.process_time()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        million = 1e6 / options.cells
        print(f"QuPath's GeoJSON, {options.cells:,} cells, {document.stat().st_size / 1e6:.0f} MB")
        print(f"  CPU for a million: read {(read - begin) * million:.1f} s, write {(end - read) * million:.1f} s (30)")
        print(f"  peak memory {peak:.0f} MiB (goal 1 GB)")
        report(folder / "overlay", manifest.shapes)
        if options.json:
            begin = time.process_time()
            with document.open() as text:
                json.load(text)
            print(f"  json.load alone: {(time.process_time() - begin) * million:.1f} s for a million")
        specimen(folder)
    finally:
        shutil.rmtree(folder)


def specimen(folder: Path) -> None:
    spec = parse_spec("specimen:12000x9000?seed=1")
    (folder / "truth").mkdir()
    builder = Builder(folder / "truth", spec.width, spec.height, "probability")
    for name in CLASSES:
        builder.class_number(name)
    for one in outlines(spec):
        ends = np.arange(1, len(one.corners) + 1)
        nothing = np.zeros(len(ends), np.uint8)
        shapes = shapes_of(one.corners.reshape(-1, 2), ends * CORNERS, ends, one.classes.astype(np.uint8), nothing)
        builder.add(shapes, one.scores.astype(np.float32))
    _, manifest = builder.finish(folder / "truth-overlay")
    print(f"specimen, {manifest.shapes:,} cells")
    report(folder / "truth-overlay", manifest.shapes)


if __name__ == "__main__":
    main()
