"""The pinned tiles, which the page reads as well."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from overlays.make_raster_vectors import RASTERS, digest
from overlays.make_vectors import ARCHIVE, VECTORS, expected
from wavescope.errors import CorruptOverlay
from wavescope.overlays.archive import Archive
from wavescope.overlays.raster import Raster, decoded_raster, raster_of
from wavescope.overlays.tile import Place, decoded

PINNED = {version: json.loads((VECTORS / f"tiles-{version}.json").read_text()) for version in (1, 2, 4, 5)}


def all_of(kind: str) -> list[Any]:
    return [
        pytest.param(one, id=f"version {version}, {one['name']}")
        for version, found in PINNED.items()
        for one in found[kind]
    ]


def place_of(one: dict[str, Any]) -> Place:
    return Place(one["level"], one["x"], one["y"], one["scored"])


@pytest.mark.parametrize("one", all_of("cases"))
def test_ov11_to_ov17_pinned_tiles_are_read(one: dict[str, Any]) -> None:
    place = place_of(one)
    assert expected(decoded(base64.b64decode(one["member"]), place), place) == one["expect"]


def test_ov18_the_pinned_archive_is_read_through_its_leaves() -> None:
    data = ARCHIVE.read_bytes()
    archive = Archive(lambda offset, length: data[offset : offset + length])
    for level, x, y in ((7, 0, 0), (3, 15, 9), (0, 127, 126), (0, 64, 2)):
        assert archive.member(level, x, y) == bytes([level, x, y])
    assert archive.member(0, 64, 3) is None


@pytest.mark.parametrize("one", all_of("damaged"))
def test_ov21_pinned_damage_is_refused(one: dict[str, Any]) -> None:
    with pytest.raises(CorruptOverlay):
        decoded(base64.b64decode(one["member"]), place_of(one))


RASTER = json.loads(RASTERS.read_text())


@pytest.mark.parametrize("one", RASTER["cases"], ids=lambda one: one["name"])
def test_ov65_to_ov68_pinned_rasters_are_read(one: dict[str, Any]) -> None:
    found = decoded_raster(*raster_case(one))
    assert digest(found) == one["samples"]


@pytest.mark.parametrize("one", RASTER["damaged"], ids=lambda one: one["name"])
def test_ov21_pinned_damage_of_rasters_is_refused(one: dict[str, Any]) -> None:
    with pytest.raises(CorruptOverlay):
        decoded_raster(*raster_case(one))


def raster_case(one: dict[str, Any]) -> tuple[bytes, Raster, int, int, int]:
    raster = raster_of(one["raster"])
    assert raster is not None
    return base64.b64decode(one["member"]), raster, one["level"], one["x"], one["y"]
