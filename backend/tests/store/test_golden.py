"""A slide of format version 1.0, stored when the format was released, stays readable (ST79, CS13)."""

from __future__ import annotations

import json

import pytest

from store.make_golden import GOLDEN, digests_of_levels
from wavescope.store.reader import StoreReader
from wavescope.store.verify import verify

EXPECTED: dict[str, list[list[str]]] = json.loads((GOLDEN / "expected.json").read_text())


@pytest.mark.parametrize("digest", EXPECTED)
def test_st79_cs13_a_slide_of_version_1_0_is_read_to_the_pixels_that_it_had(digest: str) -> None:
    reader = StoreReader.open(GOLDEN, digest)
    assert reader.manifest.to_json()["version"] == "1.0"
    assert digests_of_levels(reader) == EXPECTED[digest]
    assert list(verify(GOLDEN, digest)) == []
