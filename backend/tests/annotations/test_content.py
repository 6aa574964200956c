"""The content of annotations: what is taken, what is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from annotations.shapes import EVERY_KIND, SQUARE, content
from wavescope.annotations.content import parse_content
from wavescope.annotations.geometry import MAX_VERTICES
from wavescope.errors import InvalidParameter, TooLarge


@pytest.mark.parametrize("given", EVERY_KIND, ids=lambda one: f"{one['kind']} {one['geometry']['type']}")
def test_every_kind_comes_back_as_it_was_an3(given: dict[str, Any]) -> None:
    assert parse_content(given).to_json() == given


def test_equal_contents_have_one_canonical_text_an7() -> None:
    one = content("rectangle", "Polygon", [SQUARE], name="A", color=[1, 2, 3])
    other = content("rectangle", "Polygon", [[[float(x), float(y)] for x, y in SQUARE]], color=[1, 2, 3], name=" A ")
    assert parse_content(one).canonical() == parse_content(dict(reversed(other.items()))).canonical()


def test_open_rings_are_closed_and_heights_dropped_an3() -> None:
    made = parse_content(content("polygon", "Polygon", [[[0, 0, 7], [4, 0, 7], [4, 4, 7]]]))
    assert made.geometry.to_json()["coordinates"] == [[[0, 0], [4, 0], [4, 4], [0, 0]]]


FAULTS: dict[str, Any] = {
    "no object": 7,
    "no kind": {"geometry": {"type": "Point", "coordinates": [1, 2]}},
    "unknown kind": content("blob", "Point", [1, 2]),
    "unknown member": content("point", "Point", [1, 2], colour=[1, 2, 3]),
    "no geometry": {"kind": "point"},
    "unknown geometry": content("point", "Circle", [1, 2]),
    "collection": {"kind": "polygon", "geometry": {"type": "GeometryCollection", "geometries": []}},
    "another kind's geometry": content("line", "Point", [1, 2]),
    "an arrow of three": content("arrow", "LineString", [[1, 2], [3, 4], [5, 6]]),
    "an angle of two": content("angle", "LineString", [[1, 2], [3, 4]]),
    "a slanted rectangle": content("rectangle", "Polygon", [[[0, 0], [10, 1], [9, 10], [-1, 9], [0, 0]]]),
    "a flat ellipse": content("ellipse", "Polygon", [[[0, 0], [10, 0], [10, 0], [0, 0], [0, 0]]]),
    "a ring of two": content("polygon", "Polygon", [[[0, 0], [1, 1], [0, 0]]]),
    "no rings": content("polygon", "Polygon", []),
    "no positions": content("line", "LineString", []),
    "texts for numbers": content("point", "Point", ["1", "2"]),
    "truth for numbers": content("point", "Point", [True, False]),
    "unequal positions": content("line", "LineString", [[1, 2], [3]]),
    "a NaN": content("point", "Point", [float("nan"), 2]),
    "an infinity": content("point", "Point", [float("inf"), 2]),
    "beyond every slide": content("point", "Point", [2.0**40, 2]),
    "a number too large for a float": content("point", "Point", [10**400, 2]),
    "deep nesting": content("polygon", "Polygon", [[[[0, 0], [1, 1], [2, 0]]]]),
    "four colours": content("point", "Point", [1, 2], color=[1, 2, 3, 4]),
    "a colour beyond 255": content("point", "Point", [1, 2], color=[1, 2, 256]),
    "a fractional colour": content("point", "Point", [1, 2], color=[1, 2, 2.5]),
    "a name of two lines": content("point", "Point", [1, 2], name="a\nb"),
    "a name that is no text": content("point", "Point", [1, 2], name=7),
    "a NUL": content("point", "Point", [1, 2], text="a\0b"),
    "half a character": content("point", "Point", [1, 2], text="\ud800"),
    "a plane that is no number": content("point", "Point", [1, 2], plane={"z": "3"}),
    "a plane far away": content("point", "Point", [1, 2], plane={"z": 70000}),
    "foreign that is no object": content("point", "Point", [1, 2], foreign=[]),
}


@pytest.mark.parametrize("given", FAULTS.values(), ids=FAULTS.keys())
def test_what_is_no_content_is_refused_an3(given: Any) -> None:
    with pytest.raises(InvalidParameter):
        parse_content(given)


def test_what_is_too_large_is_refused_an10() -> None:
    line = [[number, 0] for number in range(MAX_VERTICES + 1)]
    for given in (
        content("line", "LineString", line),
        content("point", "Point", [1, 2], name="n" * 201),
        content("point", "Point", [1, 2], text="t" * 10_001),
        content("point", "Point", [1, 2], foreign={"x": "y" * 70_000}),
    ):
        with pytest.raises(TooLarge):
            parse_content(given)
