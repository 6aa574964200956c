"""Overlays as files: every shape is found, every count is exact (OV1 to OV10, OV18 to OV21)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pmtiles.reader import Reader

from overlays.shapes import cells, mixed, ring, shape
from overlays.test_tile import rows
from wavescope.errors import CorruptOverlay, InvalidParameter, TooLarge
from wavescope.overlays import builder as building
from wavescope.overlays.archive import Archive
from wavescope.overlays.builder import Builder
from wavescope.overlays.columns import decompressed
from wavescope.overlays.manifest import manifest_of
from wavescope.overlays.rings import begins_of
from wavescope.overlays.shapes import Shapes, joined, middles, shapes_of
from wavescope.overlays.tile import BINS, TILE

WIDTH, HEIGHT = 20_000, 15_000


def written(folder: Path, shapes: Shapes, scores: np.ndarray | None = None, name: str = "overlay") -> Path:
    work = folder / f"{name}-work"
    work.mkdir()
    builder = Builder(work, WIDTH, HEIGHT, "probability" if scores is not None else None)
    for of_class in range(int(shapes.classes.max()) + 1):
        builder.class_number(f"class {of_class}")
    builder.add(shapes, scores)
    builder.finish(folder / name)
    return folder / name


def opened(path: Path) -> Archive:
    data = path.read_bytes()
    return Archive(lambda offset, length: data[offset : offset + length])


def test_ov5_ov6_ov9_every_shape_is_in_one_tile_and_every_count_is_exact(tmp_path: Path) -> None:
    shapes = joined([mixed(1, 14_000.0), cells(2, 4000, 14_990.0)])
    archive = opened(written(tmp_path, shapes, shapes.scores / 255))
    found, symbols = [], 0
    sums: Counter[int] = Counter()
    for level, x, y in archive.places():
        tile = archive.tile(level, x, y)
        assert tile is not None
        found.append(tile.shapes)
        symbols += len(tile.symbols or ())
        if tile.counts is not None:
            for of_class, counts in tile.counts.shapes.items():
                sums[level] += int(counts.sum())
                expected = slow_count(shapes, of_class, level, x, y)
                assert np.array_equal(counts, expected[0])
                assert np.array_equal(tile.counts.scores[of_class], expected[1])
    assert rows(joined(found)) == rows(shapes)
    assert set(sums) == {3, 4, 5, 6}
    assert set(sums.values()) == {len(shapes)}
    assert symbols == sum(1 for size in sides(shapes) if size <= TILE)


def sides(shapes: Shapes) -> list[float]:
    least, most = shapes.boxes
    return ((most - least).max(axis=1) / 4).tolist()


def slow_count(shapes: Shapes, of_class: int, level: int, x: int, y: int) -> tuple[np.ndarray, np.ndarray]:
    counts, scores = np.zeros((BINS, BINS), int), np.zeros((BINS, BINS), int)
    square = 16 << level
    for (px, py), one, score in zip((middles(shapes) / 4).tolist(), shapes.classes, shapes.scores, strict=True):
        column, row = int(min(px, WIDTH - 0.25) // square) - BINS * x, int(min(py, HEIGHT - 0.25) // square) - BINS * y
        if one == of_class and 0 <= column < BINS and 0 <= row < BINS:
            counts[row, column] += 1
            scores[row, column] += score
    return counts, scores


def test_ov7_a_shape_reaches_at_most_a_quarter_of_a_tile_beyond_its_tile(tmp_path: Path) -> None:
    shapes = joined([shape(ring(3000 + 10 * n, 4000 + 7 * n, 3.0 * n + 1, 24)) for n in range(400)])
    archive = opened(written(tmp_path, shapes))
    levels = set()
    for level, x, y in archive.places():
        tile = archive.tile(level, x, y)
        assert tile is not None
        if len(tile.shapes):
            levels.add(level)
            least, most = tile.shapes.boxes
            side, reach = 2048 << level, 512 << level
            assert (least >= np.array([x, y]) * side - reach).all()
            assert (most <= np.array([x + 1, y + 1]) * side + reach).all()
    assert levels == {0, 1, 2, 3, 4}


def test_ov1_corners_are_within_an_eighth_of_a_pixel() -> None:
    rng = np.random.default_rng(4)
    places = rng.uniform(-100, 30_000, (500, 2))
    ends = np.arange(1, 501)
    nothing = np.zeros(500, np.uint8)
    assert np.abs(shapes_of(places, ends, ends, nothing, nothing).corners / 4 - places).max() <= 0.125


def test_ov4_rings_are_turned_and_lose_what_repeats() -> None:
    square = np.array([[0.0, 0], [0, 8], [8, 8], [8, 8.01], [8, 0], [0, 0.1], [0, 0]])
    assert shape(square).corners.tolist() == [[0, 0], [32, 0], [32, 32], [0, 32]]
    assert shape(np.array([[3.0, 3], [3, 3], [3, 3]])).corners.tolist() == [[12, 12]]


@pytest.mark.parametrize("corner", [np.nan, np.inf, 1e9, -(2.0**26)])
def test_ov1_a_corner_that_is_no_number_or_too_far_away_is_refused(corner: float) -> None:
    with pytest.raises(InvalidParameter):
        shape(np.array([[1.0, corner]]))


def test_ov20_the_same_shapes_make_the_same_file_however_often_they_are_spilled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes = mixed(6, 14_000.0)
    first = written(tmp_path, shapes, name="first").read_bytes()
    monkeypatch.setattr(building, "SPILL_CORNERS", 100)
    work = tmp_path / "work"
    work.mkdir()
    builder = Builder(work, WIDTH, HEIGHT)
    for of_class in range(4):
        builder.class_number(f"class {of_class}")
    for n in range(len(shapes)):
        builder.add(shapes.select(np.array([n])))
    builder.finish(tmp_path / "second")
    assert (tmp_path / "second").read_bytes() == first


def test_ov3_scores_are_stored_in_255_steps(tmp_path: Path) -> None:
    shapes = cells(3, 200, 10_000.0)
    values = np.linspace(-5, 45, 200, dtype=np.float32)
    archive = opened(written(tmp_path, shapes, values))
    assert archive.manifest.score is not None
    assert (archive.manifest.score.least, archive.manifest.score.most) == (-5, 45)
    expected = replace(shapes, scores=np.floor((values.astype(float) + 5) * 255 / 50 + 0.5).astype(np.uint8))
    found = [archive.tile(*place) for place in archive.places()]
    assert rows(joined([tile.shapes for tile in found if tile])) == rows(expected)


def test_ov21_a_damaged_file_shows_nothing_wrong_wherever_a_bit_flips(tmp_path: Path) -> None:
    path = written(tmp_path, cells(8, 3000, 14_000.0))
    data, whole = path.read_bytes(), opened(path)
    expected = {place: decompressed(whole.member(*place) or b"") for place in whole.places()}
    rng = np.random.default_rng(5)
    refused = 0
    for _ in range(60):
        flipped = bytearray(data)
        flipped[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
        try:
            archive = Archive(lambda offset, length, of=bytes(flipped): of[offset : offset + length])  # type: ignore[misc]
            assert archive.manifest == whole.manifest
            for place in archive.places():
                assert archive.tile(*place) is not None
                assert decompressed(archive.member(*place) or b"") == expected[place]
        except CorruptOverlay:
            refused += 1
    assert refused > 45  # of the others, most hit what says nothing, as the time in a member's head


def test_ov10_a_slide_of_one_tile_has_no_counts(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    builder = Builder(work, 500, 300)
    builder.class_number("cell")
    builder.add(cells(1, 20, 290.0, classes=1))
    builder.finish(tmp_path / "small")
    archive = opened(tmp_path / "small")
    assert list(archive.places()) == [(0, 0, 0)]
    tile = archive.tile(0, 0, 0)
    assert tile is not None
    assert len(tile.shapes) == 20
    assert archive.tile(0, 1, 0) is None
    assert archive.tile(3, 0, 0) is None


def test_ov17_shapes_are_in_rows_of_16_pixels_from_the_topmost_one(tmp_path: Path) -> None:
    tile = opened(written(tmp_path, cells(4, 3000, 2000.0))).tile(0, 1, 1)
    assert tile is not None
    begins = begins_of(tile.shapes.corners.astype(np.int64), tile.shapes.ring_sizes())
    top = int(begins[:, 1].min())
    order = [((y - top) // 64, x) for x, y in begins.tolist()]
    assert order == sorted(order)


def test_ov18_ov19_the_file_is_a_pmtiles_archive_whose_metadata_is_the_manifest(tmp_path: Path) -> None:
    data = written(tmp_path, cells(4, 3000, 2000.0)).read_bytes()
    reader = Reader(lambda offset, length: data[offset : offset + length])  # type: ignore[no-untyped-call]
    document = reader.metadata()  # type: ignore[no-untyped-call]
    assert manifest_of(document).document() == document
    assert (document["format"], document["version"], document["top"], document["shapes"]) == (
        "wavescope-overlay",
        5,
        6,
        3000,
    )
    assert (reader.header()["max_zoom"], reader.header()["clustered"]) == (6, True)  # type: ignore[no-untyped-call]
    assert reader.get(6, 1, 1) == opened(tmp_path / "overlay").member(0, 1, 1)  # type: ignore[no-untyped-call]


def test_ov19_the_manifest_says_how_many_outlines_each_level_has(tmp_path: Path) -> None:
    archive = opened(written(tmp_path, mixed(3, 3000.0)))
    found = [0] * (archive.manifest.top + 1)
    for level, x, y in archive.places():
        tile = archive.tile(level, x, y)
        assert tile is not None
        found[level] += len(tile.shapes)
    assert archive.manifest.outlines == tuple(found)
    assert sum(count > 0 for count in found) > 1


@pytest.mark.parametrize(
    "change",
    [
        {"version": 6},
        {"format": "other"},
        {"classes": []},
        {"classes": [{"name": "a", "color": "red", "count": 1}]},
        {"classes": 5},
        {"top": 99},
        {"width": 0},
        {"score": {"name": "p"}},
    ],
)
def test_ov19_a_manifest_of_another_kind_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    document = opened(written(tmp_path, cells(4, 30, 2000.0))).manifest.document()
    with pytest.raises(CorruptOverlay):
        manifest_of(document | change)


def test_ov2_an_overlay_has_at_most_256_classes(tmp_path: Path) -> None:
    builder = Builder(tmp_path, WIDTH, HEIGHT)
    assert [builder.class_number(f"{n}") for n in range(256)] == list(range(256))
    assert builder.class_number("7") == 7
    with pytest.raises(TooLarge):
        builder.class_number("one more")
