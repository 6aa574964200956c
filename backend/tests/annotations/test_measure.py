"""Measures against the shared vectors, worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotations.shapes import VECTORS
from wavescope.annotations.content import parse_content
from wavescope.annotations.measure import Mpp, measure

CASES = json.loads((VECTORS / "measures.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_shapes_measure_what_geometry_says_an13(case: dict[str, Any]) -> None:
    mpp = Mpp(*case["mpp"]) if case["mpp"] else None
    measures = measure(parse_content(case["content"]), mpp)
    for name in ("length", "area", "angle"):
        expected = case[name]
        assert getattr(measures, name) == (None if expected is None else pytest.approx(expected, rel=1e-9)), name


def test_a_flat_ellipse_has_nearly_the_perimeter_of_a_line_there_and_back_an13() -> None:
    flat = {"type": "Polygon", "coordinates": [[[0, 0], [1000, 0], [1000, 0.001], [0, 0.001], [0, 0]]]}
    measures = measure(parse_content({"kind": "ellipse", "geometry": flat}), None)
    assert measures.length == pytest.approx(2000, rel=5e-4)
