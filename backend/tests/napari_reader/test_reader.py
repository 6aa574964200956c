"""The plugin of napari without napari: what its reader returns (NB10 to NB12)."""

from __future__ import annotations

from importlib import import_module
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
import yaml

from service.world import World
from wavescope.client import Annotation, open_slide
from wavescope.napari.annotations import layers_of, parts_of
from wavescope.napari.reader import get_reader, read


def test_nb10_the_manifest_names_the_reader() -> None:
    manifest: Any = yaml.safe_load(files("wavescope.napari").joinpath("napari.yaml").read_text())
    (command,) = manifest["contributions"]["commands"]
    module, _, name = command["python_name"].partition(":")
    assert getattr(import_module(module), name) is get_reader
    assert manifest["contributions"]["readers"][0]["command"] == command["id"]


def test_nb10_only_slides_are_read(world: World, service: str) -> None:
    assert get_reader(f"{service}/api/v1/slides/lossless") is read
    assert get_reader(f"{world.store}/lossless") is read
    for path in ("/nowhere/picture.png", "ftp://host/slides/a", ["a", "b"], "https://host/other"):
        assert get_reader(path) is None, path


def test_nb11_a_slide_is_a_pyramid_of_lazy_arrays(service: str) -> None:
    (levels, given, kind), *_ = read(f"{service}/api/v1/slides/lossless")
    slide = open_slide(f"{service}/api/v1/slides/lossless")
    assert kind == "image"
    assert given["rgb"]
    assert given["multiscale"]
    assert [level.shape[1::-1] for level in levels] == list(slide.level_dimensions)
    assert np.array_equal(levels[1][10:50, 20:90].compute(), slide.read_array(1, 20, 10, 70, 40))


def test_nb11_focal_planes_come_first(world: World) -> None:
    ((levels, given, _),) = read(f"{world.store}/planes")
    slide = open_slide(f"{world.store}/planes")
    assert levels[0].shape[0] == 2
    assert np.array_equal(levels[0][1, :30, :40].compute(), slide.read_array(0, 0, 0, 40, 30, plane=1))
    assert "scale" not in given or len(given["scale"]) == 3


RING = [[0, 0], [4, 0], [4, 2], [0, 0]]


@pytest.mark.parametrize(
    ("kind", "coordinates", "expected"),
    [
        ("Point", [1, 2], [("point", 1)]),
        ("MultiPoint", [[1, 2], [3, 4]], [("point", 2)]),
        ("LineString", [[1, 2], [3, 4]], [("path", 2)]),
        ("MultiLineString", [[[1, 2], [3, 4]], [[5, 6], [7, 8], [9, 9]]], [("path", 2), ("path", 3)]),
        ("Polygon", [RING, RING], [("polygon", 4), ("polygon", 4)]),
        ("MultiPolygon", [[RING], [RING, RING]], [("polygon", 4)] * 3),
    ],
)
def test_nb12_each_ring_line_and_point_is_a_shape(kind: str, coordinates: Any, expected: Any) -> None:
    content = {"kind": "polygon", "geometry": {"type": kind, "coordinates": coordinates}}
    parts = parts_of(Annotation("a", 1, "me", content))
    assert [(one.kind, len(one.corners)) for one in parts] == expected


def test_nb12_annotations_are_layers_in_the_place_of_the_slide() -> None:
    polygon = {"kind": "polygon", "geometry": {"type": "Polygon", "coordinates": [RING]}, "class": "tumour"}
    point = {"kind": "point", "geometry": {"type": "Point", "coordinates": [7, 9]}, "color": [255, 0, 16]}
    annotations = [Annotation("a", 1, "me", {**polygon, "plane": {"z": 3}}), Annotation("b", 1, "me", point)]
    shapes, points = layers_of(annotations, 5, scale=[1, 2, 3])
    assert shapes[0][0].tolist() == [[3, 0, 0], [3, 0, 4], [3, 2, 4], [3, 0, 0]]
    assert (shapes[1]["features"]["class"], shapes[1]["scale"], shapes[2]) == (["tumour"], [1, 2, 3], "shapes")
    assert points[0].tolist() == [[0, 9, 7]]
    assert (points[1]["face_color"], points[2]) == (["#ff0010"], "points")
    assert layers_of([], 1) == []


def test_nb12_those_of_the_service_are_read(service: str) -> None:
    slide = open_slide(f"{service}/api/v1/slides/visual")
    added = slide.annotations.add({"kind": "polygon", "geometry": {"type": "Polygon", "coordinates": [RING]}})
    layer = next(one for one in read(f"{service}/api/v1/slides/visual") if one[2] == "shapes")
    assert added.id in layer[1]["features"]["id"]
    slide.annotations.delete(added.id)
