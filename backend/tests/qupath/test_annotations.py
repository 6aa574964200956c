"""Annotations between QuPath and a service, both ways, through QuPath's own reader and writer."""

from __future__ import annotations

import json
import subprocess
import urllib.request
import uuid
import zipfile
from pathlib import Path
from typing import Any

import pytest

from qupath.images import ask, get_json, opened
from qupath.java import ROOT, Program, program

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]

OF_QUPATH = ROOT / "shared" / "vectors" / "annotations" / "qupath.geojson"
BOX: list[list[float]] = [[100, 100], [400.5, 100], [400.5, 300], [100, 300], [100, 100]]
LINES = [[[1, 2], [3, 4]], [[9, 9], [8, 1]]]
RING: list[list[float]] = [[10, 10], [90, 20], [70.25, 80], [10, 10]]
HOLE = [[x / 4 + 200, y / 4 + 200] for x, y in RING]
# QuPath has each class once, with the colour that it had first: these are not classes of OF_QUPATH.
CONTENTS: dict[str, dict[str, Any]] = {
    "point": {"geometry": {"type": "Point", "coordinates": [5, 6.5]}, "class": "Lymphocyte"},
    "points": {"kind": "point", "geometry": {"type": "MultiPoint", "coordinates": [[5, 6], [7.5, 8]]}},
    "text": {"geometry": {"type": "Point", "coordinates": [50, 60]}, "text": "Zwölf µm\nhere", "name": "A note"},
    "line": {"geometry": {"type": "LineString", "coordinates": [[1, 2], [301.75, 402.5]]}, "name": "Length"},
    "path": {"kind": "line", "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4], [9, 1]]}},
    "arrow": {"geometry": {"type": "LineString", "coordinates": [[1, 2], [30, 40]]}, "color": [10, 200, 30]},
    "angle": {"geometry": {"type": "LineString", "coordinates": [[1, 2], [30, 40], [50, 2]]}},
    "rectangle": {"geometry": {"type": "Polygon", "coordinates": [BOX]}, "class": "Benign: Positive"},
    "ellipse": {"geometry": {"type": "Polygon", "coordinates": [BOX]}, "plane": {"c": -1, "z": 1, "t": 0}},
    "polygon": {"geometry": {"type": "Polygon", "coordinates": [RING]}, "class": "Benign", "text": "seen twice"},
    "freehand": {"geometry": {"type": "Polygon", "coordinates": [[[x / 3, y / 7] for x, y in RING]]}},
    "hole": {"kind": "polygon", "geometry": {"type": "Polygon", "coordinates": [BOX, HOLE]}},
    "parts": {"kind": "polygon", "geometry": {"type": "MultiPolygon", "coordinates": [[BOX], [RING]]}},
}


def put(slide: str, name: str, content: dict[str, Any]) -> str:
    """Creates an annotation; its id."""
    own = str(uuid.uuid5(uuid.NAMESPACE_URL, name))
    send(f"{slide}/annotations/{own}", {"kind": name, **content}, "PUT", {"If-None-Match": "*"})
    return own


def send(url: str, content: object, method: str, headers: dict[str, str] | None = None) -> None:
    stated = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, json.dumps(content).encode(), stated, method=method)
    urllib.request.urlopen(request).close()


def contents(slide: str) -> dict[str, Any]:
    """What the service has, by id."""
    return {one["id"]: one["content"] for one in get_json(f"{slide}/annotations?limit=1000")["annotations"]}


def test_qp9_qp11_what_was_fetched_and_is_sent_back_is_unchanged(qupath: Program, service: str, tmp_path: Path) -> None:
    slide = f"{service}/api/v1/slides/planes"
    ids = {name: put(slide, name, content) for name, content in CONTENTS.items()}
    send(f"{slide}/annotations:classes", {"classes": {"Benign: Positive": [1, 2, 3]}}, "PATCH")
    before = contents(slide)
    opened(qupath, slide)
    assert ask(qupath, "fetch") == ask(qupath, "save", tmp_path / "all.geojson") == len(ids)
    fetched = {one["id"]: one for one in json.loads((tmp_path / "all.geojson").read_text())["features"]}
    assert set(fetched) == set(ids.values())
    properties = fetched[ids["polygon"]]["properties"]
    assert properties["classification"]["name"] == "Benign"
    assert properties["metadata"] == {"ANNOTATION_DESCRIPTION": "seen twice"}
    derived = fetched[ids["rectangle"]]["properties"]["classification"]
    assert derived == {"names": ["Benign", "Positive"], "color": [1, 2, 3]}
    assert fetched[ids["ellipse"]]["geometry"]["plane"]["z"] == 1
    assert fetched[ids["arrow"]]["properties"]["color"] == [10, 200, 30]
    sent = ask(qupath, "back")
    assert contents(slide) == before
    assert sent == {"created": 0, "unchanged": len(ids), "renumbered": 0, "skipped": 0, "reasons": []}


def test_qp10_objects_of_qupath_become_a_layer_and_come_back_with_all_they_had(
    qupath: Program, service: str, tmp_path: Path
) -> None:
    slide = f"{service}/api/v1/slides/odd"
    opened(qupath, slide)
    sent = ask(qupath, "send", OF_QUPATH)
    assert (sent["created"], sent["skipped"]) == (7, 0)
    stored = get_json(f"{slide}/annotations")["annotations"]
    assert {one["imported"] for one in stored} == {"QuPath"}
    assert ask(qupath, "fetch") == ask(qupath, "save", tmp_path / "a.geojson") == 7
    fetched = {one["id"]: one["properties"] for one in json.loads((tmp_path / "a.geojson").read_text())["features"]}
    for feature in json.loads(OF_QUPATH.read_text())["features"]:
        assert {key: fetched[feature["id"]][key] for key in feature["properties"]} == feature["properties"]


def test_qp10_a_line_of_several_parts_is_fetched_and_not_sent(qupath: Program, service: str) -> None:
    slide = f"{service}/api/v1/slides/grey"
    put(slide, "line", {"geometry": {"type": "MultiLineString", "coordinates": LINES}})
    opened(qupath, slide)
    assert ask(qupath, "fetch") == 1
    sent = ask(qupath, "back")
    assert (sent["created"], sent["unchanged"], sent["skipped"]) == (0, 0, 1)
    assert "QuPath writes no such shape" in sent["reasons"][0]


def test_qp9_qp10_the_scripts_of_the_jar_fetch_and_send(
    scripting: str, jar: Path, service: str, tmp_path: Path
) -> None:
    slide = f"{service}/api/v1/slides/lossless"
    for name in ("point", "polygon"):
        put(slide, name, CONTENTS[name])
    with zipfile.ZipFile(jar) as archive:
        files = [archive.extract(f"scripts/{name}-annotations.groovy", tmp_path) for name in ("fetch", "send")]
    command = [program("java"), "-Djava.awt.headless=true", "-cp", scripting, "Scripting", slide, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "2 annotations fetched",
        "0 added, 2 already there, 0 of them beside another version, 0 skipped",
        "2 in QuPath",
    ]


def test_qp10_what_changed_in_qupath_is_a_new_annotation_beside_the_old_one(
    qupath: Program, service: str, tmp_path: Path
) -> None:
    slide = f"{service}/api/v1/slides/visual"
    own = put(slide, "polygon", CONTENTS["polygon"])
    opened(qupath, slide)
    ask(qupath, "fetch")
    ask(qupath, "save", tmp_path / "a.geojson")
    document = json.loads((tmp_path / "a.geojson").read_text())
    document["features"][0]["properties"]["name"] = "Changed"
    (tmp_path / "b.geojson").write_text(json.dumps(document))
    sent = ask(qupath, "send", tmp_path / "b.geojson")
    assert (sent["created"], sent["renumbered"]) == (1, 1)
    found = contents(slide)
    assert found[own] == contents_of("polygon")
    assert {one.get("name", "") for one in found.values()} == {"", "Changed"}


def contents_of(name: str) -> dict[str, Any]:
    """As the service stores it."""
    return {"kind": name, **CONTENTS[name]}
