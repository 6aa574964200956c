"""What may be asked of a version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.world import World
from wavescope.errors import OutOfRange
from wavescope.geometry import Address
from wavescope.service.slides.versions import Version
from wavescope.store.manifest import load_manifest


@pytest.fixture(scope="module")
def version(world: World) -> Version:
    digest = world.digests["lossless"]
    return Version.of(digest, load_manifest(world.store / "slides", digest))


def test_what_is_inside_is_given_back(version: Version) -> None:
    assert version.block(0, 0, 1, 1, 1) == Address(0, 0, 1, 1, 1)
    assert version.tile(0, 2, 0, 0) == Address(0, 0, 2, 0, 0)
    assert version.layer_range(None, None) == range(3)
    assert version.layer_range(1, 2) == range(1, 2)
    assert version.layer_count(None) == 3
    assert version.index_page(0, 0, 1, 0) == 0


OUTSIDE: dict[str, Callable[[Version], Any]] = {
    "a plane": lambda v: v.block(1, 0, 0, 0, 0),
    "a negative plane": lambda v: v.block(-1, 0, 0, 0, 0),
    "a channel group": lambda v: v.block(0, 1, 0, 0, 0),
    "the top level as a block": lambda v: v.block(0, 0, 2, 0, 0),
    "a negative level": lambda v: v.block(0, 0, -1, 0, 0),
    "a column": lambda v: v.block(0, 0, 0, 3, 0),
    "a negative column": lambda v: v.block(0, 0, 0, -1, 0),
    "a row": lambda v: v.block(0, 0, 0, 0, 3),
    "a huge row": lambda v: v.block(0, 0, 0, 0, 10**30),
    "a level of tiles": lambda v: v.tile(0, 3, 0, 0),
    "a tile": lambda v: v.tile(0, 2, 1, 0),
    "a page": lambda v: v.index_page(0, 0, 0, 1),
    "a page of the top": lambda v: v.index_page(0, 0, 2, 0),
    "layers beyond the last": lambda v: v.layer_range(0, 4),
    "no layer": lambda v: v.layer_range(1, 1),
    "layers backwards": lambda v: v.layer_range(2, 1),
    "a negative layer": lambda v: v.layer_range(-1, None),
    "zero layers of pixels": lambda v: v.layer_count(0),
    "too many layers of pixels": lambda v: v.layer_count(4),
}


@pytest.mark.parametrize("ask", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_what_lies_outside_is_refused(version: Version, ask: Callable[[Version], Any]) -> None:
    with pytest.raises(OutOfRange):
        ask(version)
