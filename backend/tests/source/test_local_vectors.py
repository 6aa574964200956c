"""The digests of shared/vectors/local are of what the service reads: the page has to come to the same ones."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from source.make_local_vectors import VECTORS, damaged_tiles, described

DIGESTS = json.loads((VECTORS / "digests.json").read_text())


@pytest.mark.parametrize("name", DIGESTS["files"])
def test_li2_the_service_reads_the_small_files_so(name: str) -> None:
    assert described(VECTORS / name) == DIGESTS["files"][name]


@pytest.mark.parametrize("name", ["CMU-1-Small-Region.svs", "tcga-cr-7395-01a-01-ts1.svs"])
def test_li2_the_service_reads_real_slides_so(name: str, real: Callable[[str], Path]) -> None:
    assert described(real(name)) == DIGESTS["real"][name]


def test_li10_the_service_notices_the_damage_of_a_jpeg_tile_so() -> None:
    """Of coefficients of no picture, other processors make other pixels."""
    stored = json.loads((VECTORS / "damaged-jpeg.json").read_text())
    found = damaged_tiles()
    if platform.machine() == "x86_64":
        assert found == stored
    pairs = zip(found["changes"], stored["changes"], strict=True)
    assert all((mine is None) == (its is None) for (*_, mine), (*_, its) in pairs)
    assert 50 < sum(pixels is None for *_, pixels in stored["changes"]) < 500
