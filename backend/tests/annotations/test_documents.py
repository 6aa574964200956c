"""QuPath's GeoJSON, Web Annotations and tables: out, in, and out again."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree

import pytest

from annotations.shapes import EVERY_KIND, SQUARE, VECTORS, content, exported
from wavescope.annotations.content import parse_content
from wavescope.annotations.measure import Mpp
from wavescope.annotations.qupath import read_qupath, write_qupath
from wavescope.annotations.table import write_csv
from wavescope.annotations.webannotation import read_page, write_page
from wavescope.errors import InvalidParameter

KINDS = pytest.mark.parametrize("given", EVERY_KIND, ids=lambda one: f"{one['kind']} {one['geometry']['type']}")
QUPATH = (VECTORS / "qupath.geojson").read_bytes()


def normal(feature: dict[str, Any]) -> dict[str, Any]:
    """A feature with an ellipse as its box: that is what QuPath reads of it."""
    geometry = feature["geometry"]
    if geometry.get("isEllipse"):
        ring = geometry["coordinates"][0]
        box = [min(p[0] for p in ring), min(p[1] for p in ring), max(p[0] for p in ring), max(p[1] for p in ring)]
        return feature | {"geometry": geometry | {"coordinates": box}}
    return feature


def test_a_file_of_qupath_comes_back_member_by_member_an16() -> None:
    reading = read_qupath(QUPATH)
    assert (reading.skipped, len(reading.found)) == (0, 7)
    written = write_qupath([exported(one.content, one.id) for one in reading.found], reading.classes)
    given = json.loads(QUPATH)
    assert [normal(one) for one in written["features"]] == [normal(one) for one in given["features"]]


def test_kinds_planes_classes_and_descriptions_are_understood_an16() -> None:
    reading = read_qupath(QUPATH)
    contents = [one.content for one in reading.found]
    kinds = ["polygon", "ellipse", "rectangle", "line", "point", "polygon", "polygon"]
    assert [one.kind for one in contents] == kinds
    assert (contents[1].plane.z, contents[1].text, contents[1].class_name) == (3, "seen twice", "Stroma: Positive")
    assert contents[1].geometry.box().max_x == 700
    assert reading.classes["Tumor"] == (200, 0, 0)


@KINDS
def test_every_kind_survives_geojson_an17(given: dict[str, Any]) -> None:
    document = json.dumps(write_qupath([exported(given)], {}))
    (found,) = read_qupath(document.encode()).found
    assert found.content.to_json() == given


@pytest.mark.parametrize("name", ["Tumor", "Tumor: Positive"])
def test_a_class_without_a_colour_is_its_name_alone_as_qupath_needs_it_an17(name: str) -> None:
    point = {"kind": "point", "geometry": {"type": "Point", "coordinates": [1, 2]}, "class": name}
    document = write_qupath([exported(point)], {})
    assert document["features"][0]["properties"]["classification"] == name
    (found,) = read_qupath(json.dumps(document).encode()).found
    assert found.content.class_name == name


def test_a_bare_list_and_a_single_feature_are_read_too_an16() -> None:
    features = json.loads(QUPATH)["features"]
    assert len(read_qupath(json.dumps(features).encode()).found) == 7
    assert len(read_qupath(json.dumps(features[0]).encode()).found) == 1


def test_older_files_are_understood_an16() -> None:
    feature = {
        "type": "Feature",
        "id": "PathAnnotationObject",
        "geometry": {"type": "Point", "coordinates": [1, 2]},
        "properties": {"classification": {"name": "Tumor", "colorRGB": -3670016}, "measurements": []},
    }
    reading = read_qupath(json.dumps([feature]).encode())
    assert (reading.found[0].id, reading.classes) == ("", {"Tumor": (200, 0, 0)})


def test_what_cannot_be_read_is_counted_and_the_rest_is_taken_an20() -> None:
    good = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": None}
    bad = [None, 7, {"geometry": None}, {"geometry": {"type": "GeometryCollection", "geometries": []}}]
    worse = [good | {"properties": 3}, good | {"geometry": {"type": "Point", "coordinates": [1, "2"]}}]
    reading = read_qupath(json.dumps([*bad, good, *worse]).encode())
    assert (len(reading.found), reading.skipped, len(reading.reasons)) == (1, 6, 6)


@pytest.mark.parametrize("body", [b"", b"{", b"7", b"{}", b'{"features": 3}', b"\xff\xfe", b"[" * 100_000])
@pytest.mark.parametrize("read", [read_qupath, read_page])
def test_what_is_no_document_is_refused_an20(read: Any, body: bytes) -> None:
    with pytest.raises(InvalidParameter):
        read(body)


@KINDS
def test_every_kind_survives_a_web_annotation_an18(given: dict[str, Any]) -> None:
    page = write_page([exported(given, "7a5ad4b4-6f4e-4c6b-9d51-1f6f0a0c2b11")], {}, "http://h/api/v1/slides/s")
    (found,) = read_page(json.dumps(page).encode()).found
    assert found.id == "7a5ad4b4-6f4e-4c6b-9d51-1f6f0a0c2b11"
    assert found.content.to_json() == given


def test_a_page_says_what_the_standard_says_an18() -> None:
    square = content("rectangle", "Polygon", [SQUARE], name="N", text="T", **{"class": "Tumor"})
    page = write_page([exported(square)], {"Tumor": (1, 2, 3)}, "http://h/api/v1/slides/s")
    (item,) = page["items"]
    assert (page["type"], item["type"], item["target"]["source"]) == (
        "AnnotationPage",
        "Annotation",
        "http://h/api/v1/slides/s",
    )
    assert item["target"]["selector"]["value"] == "xywh=pixel:0,0,10,20"
    assert [body["purpose"] for body in item["body"]] == ["tagging", "identifying", "commenting"]


def test_a_point_has_a_point_selector_of_whole_pixels_before_its_exact_place_an18() -> None:
    page = write_page([exported(content("point", "Point", [0.25, 7.6]))], {}, "http://h/api/v1/slides/s")
    point, shape = page["items"][0]["target"]["selector"]
    assert point == {"type": "PointSelector", "x": 1, "y": 8}
    assert shape["type"] == "SvgSelector"
    item = {"target": {"source": "x", "selector": point}}
    (found,) = read_page(json.dumps([item]).encode()).found
    assert (found.content.kind, found.content.to_json()["geometry"]["coordinates"]) == ("point", [1, 8])


@KINDS
def test_every_shape_is_one_path_which_is_all_that_mirador_draws_an18(given: dict[str, Any]) -> None:
    page = write_page([exported(given)], {}, "http://h/api/v1/slides/s")
    selectors = page["items"][0]["target"]["selector"]
    for selector in selectors if isinstance(selectors, list) else [selectors]:
        if selector["type"] == "SvgSelector":
            assert [element.tag.rpartition("}")[2] for element in ElementTree.fromstring(selector["value"])] == ["path"]


@pytest.mark.parametrize("prefix", ["urn:uuid:", "http://h/api/v1/slides/s/iiif/canvas/annotations/", ""])
def test_an_id_that_is_a_uuid_is_kept_an18(prefix: str) -> None:
    uuid = "7a5ad4b4-6f4e-4c6b-9d51-1f6f0a0c2b11"
    item = {"id": prefix + uuid, "target": "x#xywh=1,2,3,4"}
    assert [one.id for one in read_page(json.dumps([item]).encode()).found] == [uuid]


SVGS = {
    "polygon": ('<polygon points="0,0 10,0 10,20"/>', "polygon", 4),
    "relative path": ('<path d="m 0 0 h 10 v 20 h -10 z"/>', "polygon", 5),
    "path without spaces": ('<path d="M0,0L10-5L-3.5.5Z"/>', "polygon", 4),
    "open path": ('<path d="M 0 0 L 10 0"/>', "line", 2),
    "circle": ('<g><circle cx="5" cy="5" r="5"/></g>', "ellipse", 5),
    "rect": ('<rect x="1" y="2" width="3" height="4"/>', "rectangle", 5),
    "line": ('<line x1="1" y1="2" x2="3" y2="4"/>', "line", 2),
}


@pytest.mark.parametrize(("shape", "kind", "vertices"), SVGS.values(), ids=SVGS.keys())
def test_other_programs_svg_is_understood_an18(shape: str, kind: str, vertices: int) -> None:
    svg = {"type": "SvgSelector", "value": f'<svg xmlns="http://www.w3.org/2000/svg">{shape}</svg>'}
    item = {"type": "Annotation", "body": {"value": "seen"}, "target": {"source": "x", "selector": [svg]}}
    (found,) = read_page(json.dumps(item).encode()).found
    assert (found.content.kind, found.content.geometry.vertices, found.content.text) == (kind, vertices, "seen")


BAD_TARGETS: dict[str, Any] = {
    "curves": {"type": "SvgSelector", "value": '<svg><path d="M 0 0 C 1 1 2 2 3 3"/></svg>'},
    "entities": {"type": "SvgSelector", "value": '<!DOCTYPE a [<!ENTITY b "c">]><svg>&b;</svg>'},
    "no svg": {"type": "SvgSelector", "value": "<svg"},
    "an empty svg": {"type": "SvgSelector", "value": "<svg/>"},
    "letters for numbers": {"type": "SvgSelector", "value": '<svg><rect width="wide"/></svg>'},
    "nan": {"type": "SvgSelector", "value": '<svg><rect width="nan" height="3"/></svg>'},
    "percent": {"type": "FragmentSelector", "value": "xywh=percent:1,2,3,4"},
    "a flat box": {"type": "FragmentSelector", "value": "xywh=1,2,0,4"},
    "text": {"type": "TextQuoteSelector", "exact": "x"},
}


@pytest.mark.parametrize("selector", BAD_TARGETS.values(), ids=BAD_TARGETS.keys())
def test_a_selector_that_is_not_understood_is_skipped_with_its_reason_an20(selector: Any) -> None:
    reading = read_page(json.dumps([{"target": {"selector": selector}}]).encode())
    assert (len(reading.found), reading.skipped) == (0, 1)
    assert reading.reasons[0].startswith("object 0: ")


def test_the_table_tells_measures_and_runs_no_formula_an19() -> None:
    square = parse_content(content("rectangle", "Polygon", [SQUARE], name="=1+1", **{"class": 'Tumor, "A"'}))
    text = write_csv([exported(square)], Mpp(0.5, 0.5))
    (row,) = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert (row["length_um"], row["area_um2"], row["angle_deg"]) == ("30.000", "50.000", "")
    assert (row["name"], row["class"], row["width_px"]) == ("'=1+1", 'Tumor, "A"', "10.00")
    assert "length_px" in write_csv([], None)
