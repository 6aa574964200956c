"""Shapes of a region, and shapes as text (OV33)."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overlays.shapes import cells, mixed, ring, shape
from overlays.test_builder import opened
from wavescope.errors import TooLarge
from wavescope.overlays import selection
from wavescope.overlays.archive import Archive
from wavescope.overlays.builder import Builder, _Above
from wavescope.overlays.region import Region
from wavescope.overlays.selection import shapes_in, touching
from wavescope.overlays.shapes import QUARTERS, Floats, Shapes, joined, shapes_of
from wavescope.overlays.tile import Counts
from wavescope.overlays.writing.geometry import areas, geometry_of
from wavescope.overlays.writing.text import geojson, geojson_geometry, table

WIDTH, HEIGHT = 5000, 1700


def moved(shapes: Shapes, x: int, y: int) -> Shapes:
    corners = shapes.corners + np.array([[x, y]], np.int32) * QUARTERS
    return Shapes(corners, shapes.ring_ends, shapes.shape_ends, shapes.classes, shapes.scores)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Archive, Shapes]:
    """An overlay with shapes everywhere, also beyond the slide, some of them large."""
    folder = tmp_path_factory.mktemp("selection")
    (folder / "work").mkdir()
    shapes = joined([moved(mixed(n, 1600), 900 * n - 400, -200 + 70 * n) for n in range(7)])
    builder = Builder(folder / "work", WIDTH, HEIGHT, "p")
    for n in range(4):
        builder.class_number(f"class {n}")
    builder.add(shapes, (shapes.scores / 255.0).astype(np.float32))
    builder.finish(folder / "overlay")
    return opened(folder / "overlay"), shapes


def rows(shapes: Shapes) -> list[str]:
    ends = [0, *shapes.ring_ends.tolist()]
    firsts = [0, *shapes.shape_ends.tolist()]
    return sorted(
        str([shapes.corners[ends[r] : ends[r + 1]].tolist() for r in range(firsts[n], firsts[n + 1])])
        for n in range(len(shapes))
    )


@pytest.mark.parametrize("lookups", [0, 1 << 16])
def test_a_region_has_exactly_the_shapes_whose_box_touches_it_ov33(
    made: tuple[Archive, Shapes], monkeypatch: pytest.MonkeyPatch, lookups: int
) -> None:
    monkeypatch.setattr(selection, "MAX_LOOKUPS", lookups)
    archive, shapes = made
    generator = np.random.default_rng(3)
    regions = [Region(*generator.uniform(-700, 5600, 2), *generator.uniform(0, 900, 2)) for _ in range(25)]
    regions += [Region(-900, -900, 600, 4000), Region(5000, 0, 3000, 1700), Region(-1e6, -1e6, 2e6, 2e6)]
    for region in regions:
        found = joined(list(shapes_in(archive, region)))
        assert rows(found) == rows(touching(shapes, region)), region
    assert rows(joined(list(shapes_in(archive, None)))) == rows(shapes)
    assert any(len(touching(shapes, one)) > 50 for one in regions)


def test_counts_wait_for_one_tile_of_each_level_at_a_time() -> None:
    top, written, most = 9, [], 0

    def write(key: tuple[int, int, int], counts: Counts) -> None:
        written.append((key, int(counts.shapes[0].sum())))

    above = _Above(3, top, write)
    from pmtiles.tile import tileid_to_zxy, zxy_to_tileid

    first = zxy_to_tileid(top - 3, 0, 0)
    for number in range(1 << 2 * (top - 3)):
        _, x, y = tileid_to_zxy(first + number)
        above.add(3, (x, y), Counts({0: np.ones((32, 32), np.int64)}, {0: np.zeros((32, 32), np.int64)}))
        most = max(most, sum(len(children) for _, children in above._waiting.values()))
    above.end()
    assert most <= 4 * (top - 3)
    assert len(written) == sum(1 << 2 * (top - level) for level in range(4, top + 1))
    assert all(total == 1024 << 2 * (key[0] - 3) for key, total in written)


def geometry(rings: list[Floats]) -> dict[str, Any]:
    return geojson_geometry(geometry_of(rings))


def test_rings_inside_others_are_holes_ov33() -> None:
    island, outer, hole = ring(50, 50, 5, 8), ring(50, 50, 40, 30), ring(50, 50, 20, 20)
    apart = ring(200, 50, 10, 9)
    found = geometry([hole, island, outer, apart])
    assert found["type"] == "MultiPolygon"
    polygons = {len(polygon[0]) - 1: [len(part) - 1 for part in polygon[1:]] for polygon in found["coordinates"]}
    assert polygons == {30: [20], 8: [], 9: []}
    assert geometry([outer, hole])["type"] == "Polygon"
    assert geometry([outer, hole[:1]]) == geometry([outer])
    assert geometry([hole[:1]]) == {"type": "Point", "coordinates": hole[0].tolist()}
    assert geometry([hole[:1], island[:1]])["type"] == "MultiPoint"
    assert geometry([hole[:2], island[:2]])["type"] == "MultiLineString"


def test_a_table_has_middles_sides_areas_and_scores_ov33(made: tuple[Archive, Shapes]) -> None:
    archive, shapes = made
    text = b"".join(table([shapes], archive.manifest)).decode()
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["x", "y", "width", "height", "area", "class", "p"]
    assert len(lines) == 1 + len(shapes)
    square = np.array([[10, 10], [30, 10], [30, 40], [10, 40]], float)
    hole = np.array([[15, 15], [20, 15], [20, 20], [15, 20]], float)
    one = shape(square, hole, of_class=2)
    assert areas(one).tolist() == [20 * 30 - 25]
    line = list(csv.reader(io.StringIO(b"".join(table([one], archive.manifest)).decode())))[1]
    assert line == ["20.0", "25.0", "20.0", "30.0", "575.0", "class 2", "0.027451"]


def test_no_shapes_are_an_empty_document_ov33(made: tuple[Archive, Shapes]) -> None:
    nothing = [joined([]), joined([])]
    assert json.loads(b"".join(geojson(nothing, made[0].manifest))) == {"type": "FeatureCollection", "features": []}
    assert len(b"".join(table(nothing, made[0].manifest)).splitlines()) == 1


def test_more_corners_in_one_place_than_a_tile_may_have_are_refused_before_they_are_in_memory_ov27(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavescope.overlays.builder.BASE_CORNERS", 5000)
    monkeypatch.setattr("wavescope.overlays.builder.SPILL_CORNERS", 1000)
    monkeypatch.setattr("wavescope.overlays.builder.MAX_PARTS", 500)
    many = joined([cells(seed, 50, 4000) for seed in range(40)])
    with pytest.raises(TooLarge, match="corners in one tile"):
        Builder(tmp_path, 9000, 9000).add(many)
    large = np.concatenate([ring(4000, 4000, 3000, 100) for _ in range(12)])
    ends = np.arange(1, 13)
    one = shapes_of(large, 100 * ends, ends, np.zeros(12, np.uint8), np.zeros(12, np.uint8))
    with pytest.raises(TooLarge, match="corners in one tile"):
        Builder(tmp_path, 9000, 9000).add(one)
