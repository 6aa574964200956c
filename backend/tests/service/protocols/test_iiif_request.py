"""Parameters of IIIF image requests, read without HTTP."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope.errors import InvalidImageRequest
from wavescope.service.protocols.iiif_request import (
    Api,
    Bounds,
    IiifQuality,
    ImageRequest,
    Rectangle,
    RequestText,
    Rotation,
    canonical,
    parse_region,
    parse_request,
    parse_rotation,
    parse_size,
    rotated_size,
)

BOUNDS = Bounds(16383, 4_000_000)
WIDE, REGION = (1000, 600), Rectangle(0, 0, 1000, 600)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("full", (0, 0, 1000, 600)),
        ("square", (200, 0, 600, 600)),
        ("10,20,30,40", (10, 20, 30, 40)),
        ("990,590,99,99", (990, 590, 10, 10)),
        ("pct:10,50,25,50", (100, 300, 250, 300)),
        ("pct:0,0,.05,0.1", (0, 0, 1, 1)),
    ],
)
def test_regions_are_cut_at_the_border_if3(text: str, found: tuple[int, ...]) -> None:
    assert parse_region(text, *WIDE) == found


@pytest.mark.parametrize(
    "text",
    ["", "all", "1,2,3", "0,0,0,5", "1000,0,1,1", "-1,0,5,5", "1.5,0,5,5", "pct:0,0,0,1", "pct:101,0,5,5", "٣,0,1,1"],
)
def test_a_region_without_pixels_is_invalid_if3(text: str) -> None:
    with pytest.raises(InvalidImageRequest):
        parse_region(text, *WIDE)


@pytest.mark.parametrize(
    ("api", "text", "found"),
    [
        ("3", "max", (1000, 600)),
        ("3", "500,", (500, 300)),
        ("3", ",300", (500, 300)),
        ("3", "pct:50", (500, 300)),
        ("3", "10,500", (10, 500)),
        ("3", "!500,500", (500, 300)),
        ("3", "!2000,300", (500, 300)),
        ("3", "^2000,", (2000, 1200)),
        ("3", "^!2000,5000", (2000, 1200)),
        ("3", "^max", (2581, 1549)),
        ("2", "full", (1000, 600)),
        ("2", "2000,", (2000, 1200)),
    ],
)
def test_sizes_if4(api: Api, text: str, found: tuple[int, int]) -> None:
    assert parse_size(text, REGION, BOUNDS, api)[:2] == found


@pytest.mark.parametrize(
    ("api", "text"),
    [("3", one) for one in ("full", "1001,", ",601", "pct:101", "!1001,601", "0,", "pct:0", ",", "!5,", "x")]
    + [("3", "^9999,9999")]
    + [("2", one) for one in ("^max", "9999,9999", ",0")],
)  # fmt: skip
def test_sizes_that_are_refused_if4(api: Api, text: str) -> None:
    with pytest.raises(InvalidImageRequest):
        parse_size(text, REGION, BOUNDS, api)


@pytest.mark.parametrize(
    ("text", "found"), [("0", (False, 0)), ("!90", (True, 90)), ("22.50", (False, 22.5)), ("360", (False, 0))]
)
def test_rotations_if5(text: str, found: tuple[bool, float]) -> None:
    assert parse_rotation(text) == found


@pytest.mark.parametrize("text", ["361", "-1", "!", "1e2", "90!", ""])
def test_a_rotation_that_is_none_is_refused_if5(text: str) -> None:
    with pytest.raises(InvalidImageRequest):
        parse_rotation(text)


def test_a_long_picture_is_not_turned_into_a_huge_one_if5() -> None:
    with pytest.raises(InvalidImageRequest, match="rotation"):
        parse_request(RequestText("full", "^16000,200", "45", "default", "jpg"), (1000, 600), BOUNDS, "3")


texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["full", "square", "max", "^max", "default", "jpg", "0"]),
    st.from_regex(r"\A[!^]?(pct:)?[0-9.]{0,6},?[0-9]{0,6}(,[0-9]{1,5},[0-9]{1,5})?\Z"),
)
sides = st.integers(1, 1 << 24)
apis: st.SearchStrategy[Api] = st.sampled_from(["2", "3"])


@given(region=texts, size=texts, rotation=texts, slide=st.tuples(sides, sides), api=apis)
def test_a_request_is_refused_or_within_the_slide_and_the_limits_if3_if4_if5(
    region: str, size: str, rotation: str, slide: tuple[int, int], api: Api
) -> None:
    try:
        found = parse_request(RequestText(region, size, rotation, "default", "png"), slide, BOUNDS, api)
    except InvalidImageRequest:
        return
    x, y, width, height = found.region
    assert 0 <= x < x + width <= slide[0]
    assert 0 <= y < y + height <= slide[1]
    assert 1 <= found.size.width <= BOUNDS.side
    assert 1 <= found.size.height <= BOUNDS.side
    assert found.size.width * found.size.height <= BOUNDS.area
    turned = rotated_size(found.size, found.rotation)
    assert turned[0] * turned[1] <= 2 * BOUNDS.area


@st.composite
def requests(draw: st.DrawFn) -> tuple[tuple[int, int], Api, ImageRequest]:
    """A valid request of a slide."""
    slide, api = (draw(st.integers(1, 9000)), draw(st.integers(1, 9000))), draw(apis)
    x, y = draw(st.integers(0, slide[0] - 1)), draw(st.integers(0, slide[1] - 1))
    region = f"{x},{y},{draw(st.integers(1, slide[0]))},{draw(st.integers(1, slide[1]))}"
    size = draw(st.one_of(st.just("max"), st.builds("{},{}".format, st.integers(1, 1500), st.integers(1, 1500))))
    size = f"^{size}" if api == "3" else size
    turns = st.just(0) if "max" in size else st.integers(0, 3600)
    rotation = f"{draw(st.sampled_from(['', '!']))}{draw(turns) / 10}"
    text = RequestText(region, size, rotation, draw(st.sampled_from(["default", "color", "gray"])), "jpg")
    return slide, api, parse_request(text, slide, BOUNDS, api)


@given(requests())
def test_the_canonical_address_stands_for_the_same_picture_if8(made: tuple[tuple[int, int], Api, ImageRequest]) -> None:
    slide, api, request = made
    address = canonical(request, slide, BOUNDS, 3, api)
    region, size, rotation, name = address.split("/")
    again = parse_request(RequestText(region, size, rotation, *name.split(".")), slide, BOUNDS, api)
    quality: IiifQuality = "default" if request.quality == "color" else request.quality
    assert again == request._replace(quality=quality)
    assert canonical(again, slide, BOUNDS, 3, api) == address


def test_canonical_forms_if8() -> None:
    request = parse_request(RequestText("pct:0,0,50,50", "250,", "!0.0", "color", "png"), WIDE, BOUNDS, "3")
    assert request.rotation == Rotation(True, 0)
    assert canonical(request, WIDE, BOUNDS, 3, "3") == "0,0,500,300/250,150/!0/default.png"
    assert canonical(request, WIDE, BOUNDS, 3, "2") == "0,0,500,300/250,/!0/default.png"
    assert canonical(request, WIDE, BOUNDS, 1, "2").endswith("color.png")
