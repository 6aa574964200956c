"""The handle of a slide version checks every address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from wavescope.errors import OutOfRange
from wavescope.geometry import Address
from wavescope.store.reader import StoreReader
from wavescope.store.version import SlideVersion


@pytest.fixture
def version(reader: StoreReader) -> SlideVersion:
    """3 x 3 tiles, two levels of blocks and an approximation, 3 layers."""
    return SlideVersion.of("digest", replace(reader.manifest, width=650, height=550, layers=3))


def test_what_is_inside_is_given_back(version: SlideVersion) -> None:
    assert version.block(0, 0, 1, 1, 1) == Address(0, 0, 1, 1, 1)
    assert version.tile(0, 2, 0, 0) == Address(0, 0, 2, 0, 0)
    assert version.layer_range(None, None) == range(3)
    assert version.layer_range(1, 2) == range(1, 2)
    assert version.layer_count(None) == 3
    assert version.index_page(0, 0, 1, 0) == 0


@pytest.mark.parametrize("layers", [range(3), range(1, 2), range(2, 2)])
@pytest.mark.parametrize("address", [Address(0, 0, 0, 2, 2), Address(0, 0, 2, 0, 0)])
def test_what_a_source_can_be_asked_passes(version: SlideVersion, address: Address, layers: range) -> None:
    version.check_request(address, layers)


OUTSIDE: dict[str, Callable[[SlideVersion], Any]] = {
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
    "a level of a request": lambda v: v.check_request(Address(0, 0, 3, 0, 0), range(1)),
    "a channel group of a request": lambda v: v.check_request(Address(0, 1, 0, 0, 0), range(1)),
    "layers of a request beyond the last": lambda v: v.check_request(Address(0, 0, 0, 0, 0), range(4)),
    "every second layer": lambda v: v.check_request(Address(0, 0, 0, 0, 0), range(0, 2, 2)),
    "zero layers of pixels": lambda v: v.layer_count(0),
    "too many layers of pixels": lambda v: v.layer_count(4),
}


@pytest.mark.parametrize("ask", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_what_lies_outside_is_refused(version: SlideVersion, ask: Callable[[SlideVersion], Any]) -> None:
    with pytest.raises(OutOfRange):
        ask(version)
