"""Slides of format versions 1.0 and 1.1, stored when these were released, stay readable (ST79, CS13)."""

from __future__ import annotations

import json

import pytest

from store.make_golden import GOLDEN, OF_1_1, digests_of_levels
from wavescope.store.reader import StoreReader
from wavescope.store.verify import verify

EXPECTED: dict[str, list[list[str]]] = json.loads((GOLDEN / "expected.json").read_text())


@pytest.mark.parametrize("digest", EXPECTED)
def test_st79_cs13_a_slide_of_version_1_0_is_read_to_the_pixels_that_it_had(digest: str) -> None:
    reader = StoreReader.open(GOLDEN, digest)
    assert reader.manifest.to_json()["version"] == "1.0"
    assert digests_of_levels(reader) == EXPECTED[digest]
    assert list(verify(GOLDEN, digest)) == []


def test_st79_cs13_a_slide_of_version_1_1_is_read_to_the_samples_that_it_had() -> None:
    ((digest, expected),) = json.loads((OF_1_1 / "expected.json").read_text()).items()
    reader = StoreReader.open(OF_1_1, digest)
    assert reader.manifest.to_json()["version"] == "1.1"
    assert (reader.manifest.bit_depth, reader.manifest.channel_groups, reader.manifest.planes) == (16, 2, 2)
    assert {reader.version.parameters(0, c).profile for c in (0, 1)} == {"visual", "lossless"}
    assert [[digests_of_levels(reader, z, c) for c in (0, 1)] for z in (0, 1)] == expected
    assert list(verify(OF_1_1, digest)) == []
