"""A published slide, and copies of it to be damaged."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from ingest.worlds import ingested, tissue, write_tiff
from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.errors import WavescopeError
from wavescope.geometry import Address
from wavescope.store.reader import StoreReader

Slide = tuple[Path, str]


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Slide:
    """Three levels of blocks, some of glass, under one approximation: 1300 x 700."""
    folder = tmp_path_factory.mktemp("blocks")
    return folder, ingested(write_tiff(folder / "s.tif", tissue(1300, 700)), folder).digest


@pytest.fixture
def slide(published: Slide, tmp_path: Path) -> Slide:
    shutil.copytree(published[0] / "slides", tmp_path / "slides")
    return tmp_path, published[1]


@pytest.fixture
def requests(published: Slide) -> list[BlockRequest]:
    """Every block and the approximation, all layers."""
    manifest = StoreReader.open(*published).manifest
    levels = [(level, *manifest.pyramid.tiles(level)) for level in range(manifest.top + 1)]
    return [
        BlockRequest(Address(0, 0, level, x, y), range(manifest.layers))
        for level, columns, rows in levels
        for y in range(rows)
        for x in range(columns)
    ]


async def answers(
    source: BlockSource, slide: str, requests: Iterable[BlockRequest]
) -> dict[int, bytes | WavescopeError]:
    """What ``get_many`` gives, by position; each position once."""
    found: dict[int, bytes | WavescopeError] = {}
    async for position, answer in source.get_many(slide, list(requests)):
        assert position not in found
        found[position] = answer
    return found
