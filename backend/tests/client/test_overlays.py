"""Overlays by the Python client (PC43, PC44)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.test_overlays import NAMES, document
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


def test_pc43_a_local_store_has_none(world: Any) -> None:
    with open_slide(world.store / "lossless") as slide, pytest.raises(InvalidParameter, match="service"):
        slide.overlay("cells")
