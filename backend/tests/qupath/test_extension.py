"""The extension in the real qupath-core, on slides of a real service. ``WAVESCOPE_QUPATH_JARS`` names QuPath's jars."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from qupath.images import ask, get, get_json, opened
from qupath.java import Program, build, built

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]

REGIONS = 50  # of each level
SLIDES = ("lossless", "visual", "planes", "odd", "grey", "cells", "signed")
Samples = NDArray[np.int64]


def manifest_of(service: str, slide: str) -> dict[str, Any]:
    return get_json(f"{service}/api/v1/slides/{slide}")


def of_service(service: str, slide: str, size: dict[str, int], z: int) -> Samples:
    """The pixels that the service has of a level: of a PNG, of channels the samples."""
    width, height, level = size["width"], size["height"], size["level"]
    query = f"x=0&y=0&width={width}&height={height}&level={level}&z={z}"
    address = f"{service}/api/v1/slides/{slide}/region?{query}"
    if slide in ("cells", "signed"):
        found = np.load(io.BytesIO(get(f"{address}&format=npy")))
    else:
        found = np.asarray(Image.open(io.BytesIO(get(f"{address}&format=png"))))
    return found.reshape(height, width, -1).astype(np.int64)


def of_qupath(qupath: Program, level: int, box: tuple[int, int, int, int], z: int, file: Path) -> Samples:
    """The pixels of the open image, of a request in pixels of level 0."""
    x, y, w, h = (side << level for side in box)
    shape = ask(qupath, "region", level, 1 << level, x, y, w, h, z, file)
    assert isinstance(shape, list), shape
    return np.fromfile(file, "<i4").reshape(shape).astype(np.int64)


@pytest.mark.parametrize("slide", SLIDES)
def test_qp2_a_slide_has_its_size_levels_planes_and_scale_in_qupath(qupath: Program, service: str, slide: str) -> None:
    manifest, found = manifest_of(service, slide), opened(qupath, f"{service}/slides/{slide}")
    metadata = found["metadata"]
    assert (metadata["width"], metadata["height"]) == (manifest["width"], manifest["height"])
    levels = [(each["downsample"], each["width"], each["height"]) for each in metadata["levels"]]
    assert levels == [(2.0 ** each["level"], each["width"], each["height"]) for each in manifest["sizes"]]
    assert metadata["sizeZ"] == manifest["planes"]
    assert metadata["name"] == manifest["title"]
    assert metadata.get("magnification") == manifest["objective_power"]
    assert found["um"] == (manifest["mpp"]["x"] if manifest["mpp"] else pytest.approx(float("nan"), nan_ok=True))
    assert found["z"] == (manifest["plane_spacing_um"] or pytest.approx(float("nan"), nan_ok=True))
    assert metadata["isRGB"] == (manifest["channels"] == 3)
    described = manifest.get("channel_descriptions")
    if described:
        assert [each["name"] for each in metadata["channels"]] == [each["name"] for each in described]
        colours = [f"{each['color'] & 0xFFFFFF:06X}" for each in metadata["channels"]]
        assert colours == [each["colour"] for each in described]
    assert metadata["pixelType"] == {"cells": "UINT16", "signed": "INT16"}.get(slide, "UINT8")


@pytest.mark.parametrize("slide", SLIDES)
def test_qp3_qp4_every_level_has_the_pixels_of_the_service(
    qupath: Program, service: str, slide: str, tmp_path: Path
) -> None:
    chance, manifest = random.Random(slide), manifest_of(service, slide)
    opened(qupath, f"{service}/slides/{slide}")
    for size in manifest["sizes"]:
        level, width, height = size["level"], size["width"], size["height"]
        planes = [of_service(service, slide, size, z) for z in range(manifest["planes"])]
        boxes = [(0, 0, width, height), (width - 1, height - 1, 1, 1), (0, height - 1, width, 1)]
        for _ in range(REGIONS):
            w, h = chance.randint(1, min(width, 400)), chance.randint(1, min(height, 400))
            boxes.append((chance.randrange(width - w + 1), chance.randrange(height - h + 1), w, h))
        for number, (x, y, w, h) in enumerate(boxes):
            z = number % len(planes)
            found = of_qupath(qupath, level, (x, y, w, h), z, tmp_path / "pixels")
            assert np.array_equal(found, planes[z][y : y + h, x : x + w]), (level, x, y, w, h, z)


def test_qp5_an_open_slide_is_one_version_also_in_a_project(qupath: Program, service: str) -> None:
    digest = manifest_of(service, "odd")["digest"]
    by_page, by_version = (
        opened(qupath, f"{service}{path}") for path in ("/slides/odd", f"/api/v1/slides/odd/v/{digest}")
    )
    assert by_page["path"] == by_version["path"] == f"Wavescope: {service}/api/v1/slides/odd/v/{digest}"
    again = ask(qupath, "reopen")
    assert (again["path"], again["metadata"]) == (by_version["path"], by_version["metadata"])
    assert json.loads(by_page["builder"])["uri"] == f"{service}/slides/odd"


def test_qp12_the_same_sources_make_the_same_jar(tmp_path: Path) -> None:
    first, second = (built(tmp_path / name).read_bytes() for name in ("a", "b"))
    assert first == second


def test_qp12_where_qupath_is_not_the_build_says_so(tmp_path: Path) -> None:
    done = build(tmp_path, tmp_path)
    assert (done.returncode, done.stderr.strip()) == (2, f"{tmp_path} has no qupath-core-VERSION.jar.")
