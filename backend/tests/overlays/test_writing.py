"""Shapes as files of other software, read by its own libraries (OV33, OV39)."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geopandas
import highdicom
import numpy as np
import pytest
import shapely

from overlays.shapes import cells, mixed
from overlays.test_builder import opened
from overlays.test_reading import counts, read, slide_instance
from wavescope.cielab import lab_of, rgb_of
from wavescope.errors import TooLarge
from wavescope.overlays.archive import Archive
from wavescope.overlays.builder import Builder
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.reading.files import Reading
from wavescope.overlays.region import Region
from wavescope.overlays.selection import shapes_in
from wavescope.overlays.shapes import QUARTERS, Floats, Shapes, joined
from wavescope.overlays.tile import TILE
from wavescope.overlays.writing import dicom_annotations, geoparquet
from wavescope.overlays.writing.dicom_annotations import dicom_annotations as annotation_file
from wavescope.overlays.writing.vector_tile import vector_tile

NAMES = ("Tumour", "Immune", "Unclassified", "Other")


def frame() -> geopandas.GeoDataFrame:
    """Geometries of every kind in quarters of a pixel, with scores that are stored exactly."""
    rng = np.random.default_rng(5)

    def ring(x: float, y: float, radius: float, corners: int = 12) -> Floats:
        angles = 2 * np.pi * np.arange(corners) / corners
        return np.round(4 * (np.array([x, y]) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))) / 4

    cells_ = [shapely.Polygon(ring(x, y, 7)) for x, y in rng.uniform(20, 480, (40, 2))]
    ring_shaped = shapely.Polygon(ring(200, 200, 90, 40), [ring(180, 200, 20), ring(230, 210, 25)])
    several = shapely.MultiPolygon(
        [shapely.Polygon(ring(440, 60, 9)), ring_shaped, shapely.Polygon(ring(400, 400, 30))]
    )
    others = [
        shapely.Point(3.25, 4.5),
        shapely.MultiPoint([[1, 2], [30, 40]]),
        shapely.LineString([[5, 5], [80.75, 9]]),
    ]
    geometries = [*cells_, ring_shaped, several, *others]
    classes = [NAMES[n % 2] if n % 3 else None for n in range(len(geometries))]
    scores = [(17 * n % 256) / 255 for n in range(len(geometries))]
    return geopandas.GeoDataFrame({"class": classes, "p": scores}, geometry=geometries)


def comparable(table: geopandas.GeoDataFrame) -> Counter[tuple[bytes, str | None, int]]:
    """Rows in any order; rings that begin anywhere."""
    texts = [None if one is None or one != one else one for one in table["class"]]
    forms = shapely.to_wkb(shapely.normalize(table.geometry.to_numpy()))
    return Counter(zip(forms, texts, np.rint(255 * table["p"]).astype(int).tolist(), strict=True))


def test_what_geopandas_wrote_comes_back_equal_to_geopandas_ov33(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(geoparquet, "ROWS", 9)
    given = frame()
    given.to_parquet(tmp_path / "in.parquet")
    archive = imported(tmp_path / "in.parquet", Reading("p"))
    pieces = list(geoparquet.geoparquet(shapes_in(archive, None), archive.manifest))
    assert len(pieces) >= 2
    found = geopandas.read_parquet(io.BytesIO(b"".join(pieces)))
    assert list(found.columns) == ["geometry", "class", "p"]
    assert found.crs is None
    assert comparable(found) == comparable(given)
    assert np.allclose(sorted(found["p"]), sorted(given["p"]))
    nothing = geopandas.read_parquet(io.BytesIO(b"".join(geoparquet.geoparquet([], archive.manifest))))
    assert len(nothing) == 0


def imported(path: Path, reading: Reading) -> Archive:
    read(path, reading)
    return opened(path.with_name(path.name + ".overlay"))


def built(folder: Path, shapes: Shapes, side: int = 3000, score: str | None = "p") -> Archive:
    (folder / "work").mkdir()
    builder = Builder(folder / "work", side, side, score)
    for name in NAMES:
        builder.class_number(name)
    builder.add(shapes, None if score is None else (shapes.scores / 255.0).astype(np.float32))
    builder.finish(folder / "overlay")
    return opened(folder / "overlay")


def annotated(archive: Archive, region: Region | None = None) -> bytes:
    image = slide_instance()
    image.Manufacturer = image.ManufacturerModelName = image.DeviceSerialNumber = image.SoftwareVersions = "m"
    return annotation_file(shapes_in(archive, region), archive.manifest, image, "Nuclei", "a" * 64)


def test_highdicom_reads_the_annotations_and_what_is_imported_again_is_equal_ov33_ov38(tmp_path: Path) -> None:
    shapes = joined([cells(4, 200, 490.0), mixed(3, 480.0)])
    simple = shapes.select(np.flatnonzero(shapes.ring_counts() == 1))
    archive = built(tmp_path, simple, 500)
    path = tmp_path / "out.dcm"
    path.write_bytes(annotated(archive))
    file = highdicom.ann.annread(path)
    groups = file.get_annotation_groups()
    kinds = Counter((one.label, one.graphic_type.value) for one in groups)
    assert set(kinds.values()) == {1}
    total = 0
    for group in groups:
        names, values, _ = group.get_measurements()
        assert [name.meaning for name in names] == ["p"]
        assert len(values) == group.number_of_annotations == len(group.get_graphic_data("2D"))
        total += len(values)
    assert total == len(simple)
    again, manifest, left = read(path, Reading("p"))
    assert left.count == 0
    assert rows(again, manifest) == rows(joined(list(shapes_in(archive, None))), archive.manifest)
    colors = {one.name: one.color for one in manifest.classes}
    assert colors == {one.name: one.color for one in archive.manifest.classes if one.count}
    assert annotated(archive, Region(0, 0, 10, 10)) != path.read_bytes()


def rows(shapes: Shapes, manifest: OverlayManifest) -> Counter[tuple[str, int, str]]:
    starts, ends = shapes.first_corners(), np.append(shapes.first_corners()[1:], len(shapes.corners))
    names = [manifest.classes[n].name for n in shapes.classes.tolist()]
    corners = [str(shapes.corners[a:b].tolist()) for a, b in zip(starts, ends, strict=True)]
    return Counter(zip(names, shapes.scores.tolist(), corners, strict=True))


def test_annotations_have_the_outer_rings_of_a_shape_and_no_holes_ov33(tmp_path: Path) -> None:
    frame().to_parquet(tmp_path / "in.parquet")
    archive = imported(tmp_path / "in.parquet", Reading())
    (tmp_path / "out.dcm").write_bytes(annotated(archive))
    groups = highdicom.ann.annread(tmp_path / "out.dcm").get_annotation_groups()
    found = Counter(group.graphic_type.value for group in groups for _ in group.get_graphic_data("2D"))
    assert found == {"POLYGON": 40 + 1 + 3, "POINT": 3, "POLYLINE": 1}
    assert all(group.get("MeasurementsSequence") is None for group in groups)


def test_too_many_corners_for_one_file_are_refused_ov33(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = built(tmp_path, cells(4, 200, 2900.0))
    monkeypatch.setattr(dicom_annotations, "MAX_CORNERS", 1000)
    with pytest.raises(TooLarge, match="corners"):
        annotated(archive)


@pytest.mark.parametrize("color", ["000000", "FFFFFF", "377EB8", "E41A1C", "FFD92F", "00FF00", "0000FF"])
def test_colours_come_back_from_cielab(color: str) -> None:
    assert rgb_of(lab_of(color)) == color


def test_cielab_is_that_of_the_standard_white() -> None:
    assert lab_of("FFFFFF")[0] == 65535
    assert all(abs(one - 32896) < 40 for one in lab_of("FFFFFF")[1:])


# -- vector tiles


def layers(folder: Path, tile: bytes) -> dict[str, geopandas.GeoDataFrame]:
    """By GDAL, in units of the tile."""
    path = folder / "0.mvt"
    path.write_bytes(tile)
    with_names = geopandas.list_layers(path)["name"].tolist()
    return {name: geopandas.read_file(path, layer=name, CLIP="NO") for name in with_names}


def places(archive: Archive, level: int) -> Iterator[tuple[int, int]]:
    count = -(-archive.manifest.width // (TILE << level))
    yield from ((x, y) for x in range(count) for y in range(count))


@pytest.mark.parametrize("level", [0, 1])
def test_gdal_reads_the_outlines_of_a_tile_exactly_ov39(tmp_path: Path, level: int) -> None:
    shapes = joined([mixed(3, 2800.0), cells(8, 500, 2990.0)])
    archive = built(tmp_path, shapes)
    seen = 0
    for x, y in places(archive, level):
        side = TILE << level
        expected = joined(list(shapes_in(archive, Region(x * side, y * side, side, side))))
        tile = vector_tile(archive, level, x, y)
        assert bool(tile) == bool(len(expected))
        if not tile:
            continue
        found = layers(tmp_path, tile)
        assert set(found) == {"shapes"}
        table = found["shapes"]
        names = Counter(archive.manifest.classes[n].name for n in expected.classes.tolist())
        assert Counter(table["class"]) == names
        assert np.allclose(sorted(table["p"]), sorted(expected.scores / 255))
        least, most = table.geometry.total_bounds[:2], table.geometry.total_bounds[2:]
        units = 8 / (1 << level)
        low, high = expected.boxes[0].min(axis=0) / QUARTERS, expected.boxes[1].max(axis=0) / QUARTERS
        own = (low - [x * side, y * side]) * units, (high - [x * side, y * side]) * units
        assert np.allclose(upright(least, most), own)
        areas = table.geometry[table.geometry.geom_type.str.contains("Polygon")].area.sum() / units**2
        assert np.isclose(areas, polygon_area(archive.manifest, expected))
        seen += len(table)
    assert seen >= len(shapes)


def upright(least: np.ndarray, most: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """GDAL turns y around within the tile of 4096 units."""
    return np.array([least[0], 4096 - most[1]]), np.array([most[0], 4096 - least[1]])


def polygon_area(manifest: OverlayManifest, shapes: Shapes) -> float:
    data = b"".join(geoparquet.geoparquet([shapes], manifest))
    return float(geopandas.read_parquet(io.BytesIO(data)).area.sum())


def test_above_the_outlines_a_tile_has_symbols_then_exact_counts_ov39(tmp_path: Path) -> None:
    shapes = cells(8, 900, 7900.0, classes=2)
    archive = built(tmp_path, shapes, 8000)
    symbols = [layers(tmp_path, tile) for x, y in places(archive, 2) if (tile := vector_tile(archive, 2, x, y))]
    assert sum(len(one["symbols"]) for one in symbols) == len(shapes)
    assert {name for one in symbols for name in one} == {"symbols"}
    top = layers(tmp_path, vector_tile(archive, archive.manifest.top, 0, 0))["counts"]
    assert {name: int(part["count"].sum()) for name, part in top.groupby("class")} == {
        NAMES[n]: int((shapes.classes == n).sum()) for n in range(2)
    }
    mean = float((top["p"] * top["count"]).sum() / top["count"].sum())
    assert np.isclose(mean, shapes.scores.mean() / 255)


def test_tiles_beyond_the_slide_and_its_levels_are_empty_ov39(tmp_path: Path) -> None:
    archive = built(tmp_path, cells(8, 50, 2900.0), score=None)
    for place in ((-1, 0, 0), (0, 6, 0), (0, 0, 1 << 40), (archive.manifest.top + 1, 0, 0), (0, -1, 0)):
        assert vector_tile(archive, *place) == b""
    assert "p" not in layers(tmp_path, vector_tile(archive, 0, 1, 1))["shapes"].columns


def test_the_counts_of_a_manifest_are_those_of_the_file_ov33(tmp_path: Path) -> None:
    frame().to_parquet(tmp_path / "in.parquet")
    _, manifest, _ = read(tmp_path / "in.parquet", Reading("p"))
    given: dict[Any, int] = frame()["class"].fillna("Unclassified").value_counts().to_dict()
    assert counts(manifest) == given
