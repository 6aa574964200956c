"""Overlays by the Python client (PC43, PC44)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from api.test_overlays import NAMES, SPATIAL_DATA, document
from overlays.rasters import heat
from overlays.shapes import mixed
from wavescope.client import open_slide
from wavescope.client.uploads import IngestFailed
from wavescope.errors import InvalidParameter, UnknownOverlay
from wavescope.overlays.region import Region
from wavescope.overlays.selection import touching
from wavescope.overlays.shapes import QUARTERS

pytestmark = pytest.mark.slow


class Frame:
    """As a DataFrame writes itself."""

    def to_csv(self, path: Path, **options: Any) -> None:
        assert options == {"index": False}
        path.write_text("x,y,class\n10,20,a\n30,40,b\n")


def test_pc43_pc44_shapes_are_added_and_come_back_as_arrays(slide_url: str, tmp_path: Path) -> None:
    shapes = mixed(6, 1000)
    path = tmp_path / "cells.geojson"
    path.write_text(json.dumps(document(shapes)))
    with open_slide(slide_url) as slide:
        overlay = slide.overlays.add(path, name="Nuclei", score="Probability")
        assert (overlay.name, len(overlay), overlay.score is not None) == ("Nuclei", len(shapes), True)
        assert [one.name for one in slide.overlays] == ["Nuclei"]
        found = slide.overlay("Nuclei").region(100, 200, 300, 250)
        expected = touching(shapes, Region(100, 200, 300, 250))
        assert len(found) == len(expected)
        assert 0 < len(found) < len(shapes)
        assert sorted(found.corners.tolist()) == sorted((expected.corners / QUARTERS).tolist())
        assert found.scores is not None
        assert np.allclose(np.sort(found.scores), np.sort(expected.scores / 255))
        named = sorted(found.class_names[n] for n in found.classes)
        assert named == sorted(NAMES[n] for n in expected.classes)
        assert [len(one) for one in found.outlines()] == np.diff(found.shape_ends, prepend=0).tolist()
        assert sorted(slide.overlay(overlay.id).all().corners.tolist()) == sorted((shapes.corners / 4).tolist())
        points = slide.overlays.add(Frame(), transform=(2, 0, 1, 0, 2, 1))
        assert sorted(points.all().corners.tolist()) == [[21, 41], [61, 81]]
        assert points.all().scores is None
        overlay.delete()
        points.delete()
        with pytest.raises(UnknownOverlay):
            slide.overlay("Nuclei")
        path.write_text("x,y\nb,c")
        assert len(slide.overlays.add(path).all()) == 0
        path.write_text("{")
        with pytest.raises(IngestFailed, match="unreadable-source"):
            slide.overlays.add(path)
        with pytest.raises(InvalidParameter, match="source"):
            slide.overlays.add(7)


def test_ov71_rasters_are_added_and_come_back_as_arrays(slide_url: str, tmp_path: Path) -> None:
    made, mask = heat(700, 600), np.arange(90 * 80, dtype=np.uint16).reshape(80, 90)
    tifffile.imwrite(tmp_path / "heat.tif", made)
    tifffile.imwrite(tmp_path / "mask.tif", mask)
    with open_slide(slide_url) as slide:
        overlay = slide.overlays.add(tmp_path / "heat.tif", name="heat", transform=(2, 0, 10, 0, 2, 20))
        assert repr(overlay) == "Overlay('heat', values of 700 x 600 pixels)"
        found = slide.overlay("heat").region(10 + 2 * 500, 20 + 2 * 100, 2 * 60, 2 * 450)
        assert found.transform == (2, 0, 1010, 0, 2, 220)
        assert found.samples.shape == (450, 60)
        assert np.abs(found.samples - made[100:550, 500:560]).max() <= 0.5 / 65534 + 1e-12
        whole = overlay.all().samples
        assert np.array_equal(np.isnan(whole), np.isnan(made))
        assert overlay.region(0, 0, 3000, 3000, level=1).samples.shape == (300, 350)
        assert overlay.region(-50, -50, 10, 10).samples.size == 0
        with pytest.raises(InvalidParameter, match="level"):
            overlay.region(0, 0, 9, 9, level=2)
        labels = slide.overlays.add(tmp_path / "mask.tif", content="labels", transform=(1, 0, 0, 0, 1, 0))
        part = labels.region(3, 5, 20, 30)
        assert part.samples.dtype == np.uint16
        assert np.array_equal(part.samples, mask[5:35, 3:23])
        assert part.names == {}
        with pytest.raises(IngestFailed, match="unsupported-source"):
            slide.overlays.add(tmp_path / "heat.tif", content="labels")
        for one in (overlay, labels):
            one.delete()


def test_pc43_a_local_store_has_none(world: Any) -> None:
    with open_slide(world.store / "lossless") as slide, pytest.raises(InvalidParameter, match="service"):
        slide.overlay("cells")


def test_pc43_an_element_of_an_archive_is_added(slide_url: str, tmp_path: Path) -> None:
    path = tmp_path / "data.zarr.zip"
    path.write_bytes(SPATIAL_DATA)
    with open_slide(slide_url) as slide:
        assert len(slide.overlays.add(path, element="shapes/cells", transform=(1, 0, 0, 0, 1, 0))) == 30
        with pytest.raises(IngestFailed, match="shapes/cells"):
            slide.overlays.add(path)
        with pytest.raises(InvalidParameter, match="elements"):
            slide.overlays.add(path, elements="shapes/cells")
