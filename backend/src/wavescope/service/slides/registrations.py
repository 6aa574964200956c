"""Registrations of two slides, for those who may see both (RE6, RE7)."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from wavescope.blocks.base import BlockSource
from wavescope.caches import AsyncCache
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.registrations import RegistrationTable
from wavescope.errors import MissingPackage, SectionsDiffer, Unavailable
from wavescope.pixels.images import Pixels
from wavescope.pixels.region import Region, thumbnail_level
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.access.gate import Gate, Principal, require_in_thread
from wavescope.service.children import start_child

METHOD = 1
"""Raised whenever the same slides get another registration."""
SIDE = 1024
"""Of the level that is read, along the longer side: no finer one is (RE1)."""
CACHED = 256
WAITING = 16


class _Section(NamedTuple):
    pixels: Pixels
    pixel: int  # of level 0, along a side of one
    um: float | None


class RegistrationService:
    """One registration is made at a time, in a process of its own; the others wait for their turn."""

    def __init__(
        self, table: RegistrationTable, catalog: Catalog, gate: Gate, pixels: PixelRenderer, blocks: BlockSource
    ) -> None:
        self._table, self._catalog, self._gate = table, catalog, gate
        self._pixels, self._blocks = pixels, blocks
        self._results: AsyncCache[tuple[str, str], Mapping[str, Any]] = AsyncCache(CACHED)
        self._turn, self._waiting = asyncio.Semaphore(1), 0

    async def get(self, principal: Principal, left: str, right: str) -> tuple[tuple[str, str], Mapping[str, Any]]:
        """The digests of both slides' current versions, and their registration (RE3, RE4). Raises UnknownSlide,
        SectionsDiffer, MissingPackage, CorruptBlock, CorruptStore, Unavailable.
        """
        for slide in (left, right):
            await require_in_thread(self._gate, principal, "view slide", slide)
        slides = [await asyncio.to_thread(self._catalog.get, slide) for slide in (left, right)]
        digests = slides[0].digest, slides[1].digest
        scales = [None if slide.mpp is None else float(slide.mpp["x"]) for slide in slides]

        async def load() -> Mapping[str, Any]:
            found = await asyncio.to_thread(self._table.find, *digests)
            return found if found is not None else await self._made(digests, scales)

        result = await self._results.get(digests, load)
        if "differ" in result:
            raise SectionsDiffer(result["differ"])
        return digests, result

    def forget(self, digest: str) -> None:
        """A version was replaced, repaired or removed. From any thread."""
        self._results.drop(lambda digests: digest in digests)

    async def _made(self, digests: tuple[str, str], scales: list[float | None]) -> Mapping[str, Any]:
        if self._waiting >= WAITING:
            raise Unavailable("the registration", f"{self._waiting} others are waiting")
        self._waiting += 1
        try:
            async with self._turn:
                sections = [await self._section(*one) for one in zip(digests, scales, strict=True)]
                result = await _in_child(*sections)
        finally:
            self._waiting -= 1
        await asyncio.to_thread(self._table.store, *digests, result)
        return result

    async def _section(self, digest: str, um: float | None) -> _Section:
        version = await self._blocks.version(digest)
        level = thumbnail_level(version, SIDE)
        region = Region(version.middle_plane, level, 0, 0, *version.pyramid.level_size(level))
        pixels = await self._pixels.region_pixels(version, region, version.layers)
        return _Section(pixels, 1 << level, None if um is None else um * (1 << level))


async def _in_child(left: _Section, right: _Section) -> Mapping[str, Any]:
    order = {
        name: {
            "shape": list(section.pixels.shape), "dtype": str(section.pixels.dtype), "pixel": section.pixel,
            "um": section.um,
        }
        for name, section in (("left", left), ("right", right))
    }  # fmt: skip
    process = await start_child("wavescope.service.slides.registration_child", order)
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(ConnectionError):
            for section in (left, right):
                process.stdin.write(section.pixels.tobytes())
                await process.stdin.drain()
        line = await process.stdout.readline()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.wait()
    if not line.endswith(b"\n"):
        raise Unavailable("the registration", "its process ended without a result")
    result: Mapping[str, Any] = json.loads(line)
    if "missing" in result:
        raise MissingPackage("opencv-python-headless", "a registration", "registration")
    return result
