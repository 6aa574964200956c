"""Tiles and levels of rasters (OV65 to OV69)."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from overlays.rasters import opened, whole
from wavescope.errors import CorruptOverlay
from wavescope.overlays.manifest import OverlayClass, OverlayManifest, Score, manifest_of
from wavescope.overlays.raster import (
    SIDE,
    Kind,
    Raster,
    colors_of,
    decoded_raster,
    encoded_raster,
    paste,
    pixels_of,
    placed,
    raster_of,
    reduced,
)
from wavescope.overlays.raster_builder import RasterBuilder
from wavescope.overlays.region import Region

LABELS = Raster("labels", 700, 600, 65535, (2.0, 0.0, 0.0, 0.0, 2.0, 0.0), True)
VALUES = replace(LABELS, kind="values")


def manifest(raster: Raster) -> OverlayManifest:
    score = Score("", 0.0, 1.0) if raster.kind == "values" else None
    return OverlayManifest(1400, 1200, raster.top, 0, (OverlayClass("", "999999", 0),), score, None, raster)


def built(folder: Path, raster: Raster, samples: np.ndarray, cut: int = SIDE) -> Path:
    """In windows of so many columns."""
    (folder / "work").mkdir()
    height, width = samples.shape
    places = [(left, top) for top in range(0, height, SIDE) for left in range(0, width, cut)]
    windows = ((left, top, samples[top : top + SIDE, left : left + cut]) for left, top in places)
    RasterBuilder(folder / "work", manifest(raster)).build(windows, folder / "raster")
    return folder / "raster"


@given(
    arrays.arrays(np.uint16, st.tuples(st.integers(1, 40), st.integers(1, 40)), elements=st.integers(0, 65535)),
    st.sampled_from(["values", "labels"]),
)
def test_ov68_every_tile_comes_back_byte_for_byte(samples: np.ndarray, kind: Kind) -> None:
    raster = replace(LABELS, kind=kind, width=samples.shape[1], height=samples.shape[0])
    found = decoded_raster(encoded_raster(samples, kind), raster, 0, 0, 0)
    assert found.dtype == np.uint16
    assert np.array_equal(found, samples)


@given(arrays.arrays(np.uint16, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.integers(0, 9)))
def test_ov67_labels_above_are_labels_that_are_there_and_values_are_means(samples: np.ndarray) -> None:
    labels, values = reduced(samples, "labels"), reduced(samples, "values")
    for y in range(labels.shape[0]):
        for x in range(labels.shape[1]):
            four = samples[2 * y : 2 * y + 2, 2 * x : 2 * x + 2].astype(int)
            there = four[four > 0]
            assert labels[y, x] == four[0, 0]
            assert values[y, x] == (int(np.floor(there.mean() + 0.5)) if there.size else 0)


@pytest.mark.parametrize("raster", [LABELS, VALUES], ids=["labels", "values"])
def test_ov66_a_raster_that_comes_in_strips_is_stored_with_its_levels(tmp_path: Path, raster: Raster) -> None:
    rng = np.random.default_rng(3)
    samples = np.kron(rng.integers(0, 65536, (60, 70)), np.ones((10, 10), int)).astype(np.uint16)
    archive = opened(built(tmp_path, raster, samples))
    sizes = [0, 0]
    for level, x, y in archive.places():
        sizes[level] += len(archive.member(level, x, y) or b"")
    assert archive.manifest == manifest(replace(raster, bytes=tuple(sizes)))
    assert np.array_equal(whole(archive), samples)
    assert np.array_equal(whole(archive, 1), reduced(samples, raster.kind))
    for level, x, y in archive.places():
        archive.check(level, x, y)


def test_ov75_a_wide_raster_takes_the_memory_of_a_row_of_tiles_of_each_level_above(tmp_path: Path) -> None:
    raster = replace(LABELS, width=1 << 15, height=1030)
    (tmp_path / "work").mkdir()
    window = np.ones((SIDE, 8 * SIDE), np.uint16)
    places = [(left, top) for top in range(0, 1030, SIDE) for left in range(0, 1 << 15, 8 * SIDE)]
    tracemalloc.start()
    windows = ((left, top, window[: 1030 - top]) for left, top in places)
    RasterBuilder(tmp_path / "work", manifest(raster)).build(windows, tmp_path / "raster")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    row = 2 * SIDE * raster.width
    assert most < row + 40 * 2 * SIDE * SIDE  # levels above: 1/2, 1/4, ...; a few copies of a tile


def test_ov20_the_same_raster_is_the_same_file_however_it_comes(tmp_path: Path) -> None:
    samples = np.arange(700 * 600, dtype=np.uint32).reshape(600, 700).astype(np.uint16)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = built(tmp_path / "a", LABELS, samples), built(tmp_path / "b", LABELS, samples, 2 * SIDE)
    assert one.read_bytes() == other.read_bytes()


def test_ov67_tiles_of_zeros_are_not_stored_but_the_top_one(tmp_path: Path) -> None:
    samples = np.zeros((600, 700), np.uint16)
    samples[-1, -1] = 5
    archive = opened(built(tmp_path, LABELS, samples))
    assert list(archive.places()) == [(1, 0, 0), (0, 1, 1)]
    assert archive.samples(0, 0, 0) is None


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_ov21_a_raster_tile_that_ends_early_is_refused(cut: int) -> None:
    member = encoded_raster(np.arange(2500, dtype=np.uint16).reshape(50, 50), "labels")
    with pytest.raises(CorruptOverlay):
        decoded_raster(member[:-cut], replace(LABELS, width=50, height=50), 0, 0, 0)


def test_ov21_a_raster_tile_is_refused_with_a_flipped_bit_another_size_or_a_sample_beyond_the_last() -> None:
    member = encoded_raster(np.arange(2500, dtype=np.uint16).reshape(50, 50), "labels")
    raster = replace(LABELS, width=50, height=50)
    flipped = bytearray(member)
    flipped[len(member) // 2] ^= 4
    for bytes_, of, place in (
        (bytes(flipped), raster, (0, 0, 0)),
        (member, replace(raster, width=51), (0, 0, 0)),
        (member, replace(raster, last=2498), (0, 0, 0)),
        (member, raster, (0, 1, 0)),
        (member, raster, (1, 0, 0)),
    ):
        with pytest.raises(CorruptOverlay):
            decoded_raster(bytes_, of, *place)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "heat"},
        {"width": 0},
        {"height": 1 << 19},
        {"last": 65536},
        {"transform": [1, 0, 0, 0, 1]},
        {"transform": [1, 0, 0, 0, float("nan"), 0]},
        {"transform": [1, 1, 0, 1, 1, 0]},
        {"labels": [0]},
        {"labels": [3, 3]},
        {"labels": None},
        {"bytes": [1]},
        {"bytes": [1, -1]},
    ],
)
def test_ov65_an_impossible_raster_is_refused(change: dict[str, object]) -> None:
    document = LABELS.document()
    assert raster_of(document) == LABELS
    with pytest.raises(CorruptOverlay):
        raster_of({**document, **change})


def test_ov65_a_manifest_has_to_fit_its_raster() -> None:
    document = manifest(VALUES).document()
    assert manifest_of(document) == manifest(VALUES)
    assert document["version"] == 3
    for change in ({"top": 2}, {"score": None}):
        with pytest.raises(CorruptOverlay):
            manifest_of({**document, **change})


@given(
    st.floats(0.5, 40),
    st.floats(-200, 200),
    st.integers(0, 1),
    st.tuples(st.integers(0, 1200), st.integers(0, 1000), st.integers(1, 300), st.integers(1, 300)),
)
def test_ov71_a_region_has_every_pixel_that_it_touches(
    scale: float, turn: float, level: int, region: tuple[int, int, int, int]
) -> None:
    raster = replace(LABELS, transform=(scale, turn / 1000, 3.0, -turn / 1000, scale, -2.0))
    left, top, right, bottom = pixels_of(raster, Region(*region), level)
    a, b, c, d, e, f = placed(raster, level, left, top)
    x, y, width, height = region
    middle = np.linalg.solve([[a, b], [d, e]], [x + width / 2 - c, y + height / 2 - f])
    wide, high = raster.size_at(level)
    if 0 <= middle[0] + left < wide and 0 <= middle[1] + top < high:
        assert 0 <= middle[0] <= right - left
        assert 0 <= middle[1] <= bottom - top
    assert 0 <= left <= right <= wide
    assert 0 <= top <= bottom <= high


def test_ov71_tiles_are_pasted_where_they_lie() -> None:
    samples = np.arange(700 * 600, dtype=np.uint32).reshape(600, 700).astype(np.uint16)
    target = np.zeros((200, 300), np.uint16)
    for x in range(2):
        for y in range(2):
            tile = samples[y * SIDE : (y + 1) * SIDE, x * SIDE : (x + 1) * SIDE]
            paste(target, (390, 395), tile, (x, y))
    assert np.array_equal(target, samples[395:595, 390:690])


def test_ov70_neighbouring_labels_have_colours_far_apart() -> None:
    colors = [np.array([int(one[n : n + 2], 16) for n in (0, 2, 4)]) for one in colors_of(range(1, 400))]
    assert min(np.abs(a - b).sum() for a, b in pairwise(colors)) > 100
    assert len({tuple(one) for one in colors}) > 390
