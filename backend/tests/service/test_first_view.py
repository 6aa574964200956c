"""The blocks of a first view: the page plans the same (``frontend/viewer/src/core/firstView.test.ts``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wavescope.blocks.base import BlockRequest
from wavescope.geometry import Pyramid
from wavescope.service.slides.first_view import View, first_blocks
from wavescope.store.manifest import Manifest, OccupancyMap, Quality, SourceRecord
from wavescope.store.version import SlideVersion

VECTORS = Path(__file__).parents[3] / "shared/vectors/first-view/blocks.json"
CASES = json.loads(VECTORS.read_text())["cases"]


def version_of(slide: dict[str, Any]) -> SlideVersion:
    """A version whose manifest says what a case says."""
    pyramid, psnr, empty = Pyramid(slide["width"], slide["height"]), slide["psnr"], slide["empty"]
    manifest = Manifest(
        width=pyramid.width,
        height=pyramid.height,
        planes=slide["planes"],
        channels=3,
        profile="visual",
        layers=slide["layers"],
        codec={},
        source=SourceRecord("a.tif", "tiff", 1, None, ""),
        bytes=(),
        layer_index_bytes=0,
        layer_index_sha256="",
        quality=None if psnr is None else Quality(1, tuple(map(tuple, psnr))),
        empty=None if empty is None else OccupancyMap(empty["plane"], tuple(map(tuple, empty["runs"]))),
    )
    return SlideVersion.of("0" * 32, manifest)


def listed(requests: list[BlockRequest]) -> list[list[int]]:
    return [[*address, layers.start, layers.stop] for address, layers in requests]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_blocks_of_a_view_in_the_order_in_which_the_page_asks_for_them_wi139_wi140(case: dict[str, Any]) -> None:
    assert listed(first_blocks(version_of(case["slide"]), View(**case["view"]), 4096)) == case["blocks"]


def test_no_more_blocks_than_a_batch_may_have_wi141() -> None:
    case = CASES[0]
    found = listed(first_blocks(version_of(case["slide"]), View(**case["view"]), 5))
    assert found == case["blocks"][:5]


def test_where_the_manifest_does_not_tell_what_is_stored_nothing_is_sent_wi139() -> None:
    slide = CASES[0]["slide"] | {"empty": None}
    assert first_blocks(version_of(slide), View(800, 600), 4096) == []
