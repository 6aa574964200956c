"""Contents for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wavescope.annotations.content import Content, parse_content
from wavescope.annotations.document import Exported

VECTORS = Path(__file__).resolve().parents[3] / "shared" / "vectors" / "annotations"
SQUARE = [[0, 0], [10, 0], [10, 20], [0, 20], [0, 0]]
TRIANGLE = [[0, 0], [10.5, 0], [3, 20], [0, 0]]


def content(kind: str, kind_of_geometry: str, coordinates: Any, **members: Any) -> dict[str, Any]:
    """A content as JSON."""
    return {"kind": kind, "geometry": {"type": kind_of_geometry, "coordinates": coordinates}, **members}


EVERY_KIND = [
    content("point", "Point", [1, 2]),
    content("point", "MultiPoint", [[1, 2], [3.5, 4]]),
    content("text", "Point", [5, 6], text="look\nhere"),
    content("line", "LineString", [[1, 2], [3, 4], [5.25, 6]]),
    content("line", "MultiLineString", [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]),
    content("arrow", "LineString", [[1, 2], [3, 4]], color=[1, 2, 255]),
    content("angle", "LineString", [[1, 2], [3, 4], [9, 9]], name="A"),
    content("rectangle", "Polygon", [SQUARE], **{"class": "Tumor"}),
    content("ellipse", "Polygon", [SQUARE], plane={"c": -1, "z": 3, "t": 0}),
    content("polygon", "Polygon", [TRIANGLE]),
    content("freehand", "Polygon", [SQUARE, [[2, 2], [4, 2], [4, 4], [2, 2]]]),
    content("polygon", "MultiPolygon", [[TRIANGLE], [[[50, 50], [60, 50], [60, 70.5], [50, 50]]]]),
]


def exported(one: dict[str, Any] | Content, annotation_id: str = "a") -> Exported:
    """A stored object on its way out."""
    made = one if isinstance(one, Content) else parse_content(one)
    return Exported(annotation_id, made, "2026-01-02T03:04:05.000Z", "2026-01-02T03:04:06.000Z", "local user")
