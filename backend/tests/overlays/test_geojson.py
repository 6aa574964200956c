"""GeoJSON as shapes: QuPath's ways of writing it, in pieces of any length, and what is refused or skipped."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlays.test_builder import opened
from wavescope.errors import UnreadableSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading import geojson
from wavescope.overlays.reading.geojson import read_geojson
from wavescope.overlays.reading.skipped import Skipped
from wavescope.overlays.shapes import Shapes, joined


def cell(number: int, **properties: Any) -> dict[str, Any]:
    x, y = 10.0 * number, 5.0 * number
    ring = [[x, y], [x + 8, y], [x + 8, y + 4.25], [x, y + 4], [x, y]]
    return {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring]}, "properties": properties}


def collection(features: list[Any], **others: Any) -> bytes:
    return json.dumps({"type": "FeatureCollection", **others, "features": features}).encode()


def read(folder: Path, text: bytes, score: str | None = None) -> tuple[Shapes, list[str], Skipped]:
    """The shapes in the order of the file, the names of the classes, what was skipped."""
    folder.mkdir(exist_ok=True)
    work = folder / "work"
    work.mkdir()
    builder = Builder(work, 500, 500, score)
    skipped = read_geojson(io.BytesIO(text), "cells.geojson", builder, score)
    _, manifest = builder.finish(folder / "overlay")
    archive = opened(folder / "overlay")
    tiles = [archive.tile(*place) for place in archive.places()]
    return joined([tile.shapes for tile in tiles if tile]), [one.name for one in manifest.classes], skipped


@pytest.mark.parametrize("piece", [1, 7, 100, 4096])
def test_features_are_found_in_pieces_of_any_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(geojson, "HEAD", 200)
    monkeypatch.setattr(geojson, "PIECE", piece)
    awkward = {"name": 'a "{[}]" b \\', "note": "\\\\", "empty": "", "nested": {"a": [{"b": "}"}]}}
    text = collection([cell(n, **awkward) for n in range(40)], crs={"features": 1}, name="features")
    shapes, names, skipped = read(tmp_path, text)
    assert len(shapes) == 40
    assert names == ["Unclassified"]
    assert skipped.count == 0
    assert sorted(shapes.corners[shapes.first_corners()][:, 0].tolist()) == [40 * n for n in range(40)]


@given(names=st.lists(st.text(max_size=8), max_size=12), indent=st.sampled_from([None, 1]))
def test_features_are_found_whatever_their_texts_contain(names: list[str], indent: int | None) -> None:
    text = json.dumps({"features": [{"a": name, name: {}} for name in names], "b": {"c": 1}}, indent=indent).encode()
    found = [feature for piece in geojson._features(io.BytesIO(text), "a") for feature in piece.features]
    assert found == [{"a": name, name: {}} for name in names]


@pytest.mark.parametrize("text", [collection, lambda found: json.dumps(found).encode()])
def test_a_collection_and_a_bare_list_are_read(tmp_path: Path, text: Any) -> None:
    assert len(read(tmp_path, text([cell(1), cell(2)]))[0]) == 2
    assert len(read(tmp_path / "none", text([]))[0]) == 0


def test_a_single_feature_is_read(tmp_path: Path) -> None:
    assert len(read(tmp_path, json.dumps(cell(3)).encode())[0]) == 1


@pytest.mark.parametrize(
    ("classification", "name", "color"),
    [
        ({"name": "Tumor", "color": [200, 0, 10]}, "Tumor", "C8000A"),
        ({"names": ["Tumor", "Positive"], "color": [1, 2, 3]}, "Tumor: Positive", "010203"),
        ({"name": "Stroma", "colorRGB": -6895466}, "Stroma", "96C896"),
        ("Other", "Other", None),
        (None, "Unclassified", "999999"),
    ],
)
def test_classes_as_qupath_writes_them(tmp_path: Path, classification: Any, name: str, color: str | None) -> None:
    text = collection([cell(1, classification=classification)])
    work = tmp_path / "work"
    work.mkdir()
    builder = Builder(work, 500, 500)
    read_geojson(io.BytesIO(text), "a", builder, None)
    _, manifest = builder.finish(tmp_path / "overlay")
    assert (manifest.classes[0].name, manifest.classes[0].count) == (name, 1)
    assert color is None or manifest.classes[0].color == color


def test_scores_are_measurements_of_both_kinds_and_properties(tmp_path: Path) -> None:
    cells = [
        cell(1, measurements={"p": 0.0}),
        cell(2, measurements=[{"name": "q", "value": 9}, {"name": "p", "value": 0.5}]),
        cell(3, p=1),
        cell(4, measurements={"q": 1}),
        cell(5, p="1"),
    ]
    shapes, _, skipped = read(tmp_path, collection(cells), "p")
    assert sorted(shapes.scores.tolist()) == [0, 128, 255]
    assert skipped.count == 2
    assert [reason.partition(":")[0] for reason in skipped.reasons] == ["feature 4", "feature 5"]


def test_geometries_of_every_kind(tmp_path: Path) -> None:
    kinds = {
        "Point": [5, 6],
        "MultiPoint": [[5, 6], [7, 8, 9]],
        "LineString": [[0, 0], [3, 4]],
        "MultiLineString": [[[0, 0], [3, 4]], [[1, 1], [2, 2]]],
        "MultiPolygon": [[[[0, 0], [9, 0], [9, 9], [0, 0]], [[3, 2], [4, 2], [4, 3], [3, 2]]]],
    }
    features = [{"geometry": {"type": kind, "coordinates": found}, "properties": None} for kind, found in kinds.items()]
    shapes, _, skipped = read(tmp_path, collection(features))
    assert sorted(shapes.ring_counts().tolist()) == [1, 1, 2, 2, 2]
    assert sorted(shapes.ring_sizes().tolist()) == [1, 1, 1, 2, 2, 2, 3, 3]
    assert skipped.count == 0


@pytest.mark.parametrize(
    "geometry",
    [
        None,
        {},
        {"type": "Circle", "coordinates": []},
        {"type": "Polygon", "coordinates": []},
        {"type": "Polygon"},
        {"type": "Polygon", "coordinates": 0},
        {"type": "Polygon", "coordinates": [[]]},
        {"type": "Polygon", "coordinates": [[1, 2], [3, 4]]},
        {"type": "Polygon", "coordinates": [[[1, 2], [3, 4], [5]]]},
        {"type": "LineString", "coordinates": [[1, 2], 3, [4, 5]]},
        {"type": "LineString", "coordinates": [[1, 2], [[4, 5]]]},
        {"type": "LineString", "coordinates": [[1, [2, 3]], [4, 5]]},
        {"type": "Point", "coordinates": ["a", 2]},
        {"type": "Point", "coordinates": [None, 2]},
        7,
    ],
)
def test_what_has_no_shape_is_skipped_with_its_reason(tmp_path: Path, geometry: Any) -> None:
    shapes, _, skipped = read(tmp_path, collection([{"geometry": geometry, "properties": {}}, cell(1)]))
    assert (shapes.corners / 4).tolist() == [[10, 5], [18, 5], [18, 9.25], [10, 9]]
    assert skipped.count == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no GeoJSON"),
        (b"PK\x03\x04", "no GeoJSON"),
        (b'{"type": "Topology"}', "no GeoJSON"),
        (collection([cell(1), cell(2)])[:-2], "cut off"),
        (collection([cell(1), cell(2)])[:-60], "cut off"),
        (b'{"features": [{"a": }]}', "no valid JSON"),
        (b'{"features": [{}, 5]}', "something else"),
        (b'{"features": [5, {}]}', "something else"),
        (b'{"features": [{}, 5, {}]}', "something else"),
        (b'{"features": [{"geometry": {"type": "Point", "coordinates": [1e99, 2]}}]}', "coordinates of less than"),
        (b'{"features": [{"geometry": {"type": "Point", "coordinates": [1' + b"0" * 400 + b", 2]}}]}", "too large"),
        (b'{"features": [{"geometry": {"type": "LineString", "coordinates": [[1,2][3,4]]}}]}', "no valid JSON"),
        (b'{"features": [{"geometry": {"type": "LineString", "coordinates": [[1,2],[3,,4]]}}]}', "no valid JSON"),
        (b'{"features": [{"geometry": {"type": "LineString", "coordinates": [[01,2],[3,4]]}}]}', "no valid JSON"),
        (b'{"features": [{"geometry": {"type": "LineString", "coordinates": [[1,2],[3,4]}}]}', "no valid JSON"),
        (b'{"features": [{"geometry": {"coordinates": [[1,2]],[[3,4]], "type": "LineString"}}]}', "no valid JSON"),
    ],
)
def test_what_is_no_geojson_is_refused_by_name(tmp_path: Path, text: bytes, reason: str) -> None:
    with pytest.raises(UnreadableSource, match=reason):
        read(tmp_path, text)


def test_a_feature_without_end_is_refused_before_memory_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geojson, "MAX_FEATURE", 3 << 20)
    with pytest.raises(UnreadableSource, match="more than 3 MiB"):
        read(tmp_path, b'{"features": [{"a": "' + b"x" * (9 << 20))


def test_corners_are_those_of_the_file(tmp_path: Path) -> None:
    shapes, _, _ = read(tmp_path, collection([cell(1)]))
    assert (shapes.corners / 4).tolist() == [[10, 5], [18, 5], [18, 9.25], [10, 9]]
