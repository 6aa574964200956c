"""Origins of the tests: blocks made of their addresses behind links; they fail on order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from wavescope.blocks.base import Answer, BlockRequest
from wavescope.errors import CorruptBlock, StaleVersion, Unavailable
from wavescope.geometry import Address

Fault = Literal["none", "killed", "stalled", "corrupting", "500"]


@dataclass
class Link:
    """One after another through a link of ``bandwidth`` bytes per second, each ``latency`` seconds later."""

    bandwidth: float
    latency: float
    free: float = 0.0

    async def carry(self, size: int) -> None:
        now = asyncio.get_running_loop().time()
        self.free = max(self.free, now) + size / self.bandwidth
        await asyncio.sleep(self.free - now)


@dataclass
class ShapedOrigin:
    """A BlockSource with ``slides``. ``fault`` may change at any time; ``extra`` seconds delay the next request."""

    link: Link
    slides: set[str]
    block: int = 4096
    fault: Fault = "none"
    extra: float = 0.0
    asked: list[BlockRequest] = field(default_factory=list)
    cancelled: int = 0
    closed: bool = False
    probed: int = 0
    most_in_flight: int = 0
    in_flight: int = 0

    async def probe(self) -> None:
        self.probed += 1
        await self._reach()

    async def version(self, slide: str) -> Any:
        return await self._single(slide, lambda: f"version {slide}")

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        request = BlockRequest(address, layers)
        self.asked.append(request)
        return await self._single(slide, lambda: content(slide, request, self.block), address)

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        self.asked.extend(requests)
        self.in_flight += len(requests)
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        left = len(requests)
        try:
            await self._reach()
            for position, request in enumerate(requests):
                if slide in self.slides:
                    await self.link.carry(self.block)
                self._check()
                if self.fault == "stalled":
                    await asyncio.Event().wait()
                left -= 1
                self.in_flight -= 1
                yield position, self._answer(slide, request)
        except (asyncio.CancelledError, GeneratorExit):
            self.cancelled += 1
            raise
        finally:
            self.in_flight -= left

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        return await self._single(slide, lambda: b"approximation", Address(z, c, 9, 0, 0))

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        return await self._single(slide, lambda: b"page %d" % page)

    async def icc_profile(self, slide: str) -> bytes | None:
        return await self._single(slide, lambda: None)

    def forget(self, slide: str) -> None:
        pass

    async def close(self) -> None:
        self.closed = True

    def _answer(self, slide: str, request: BlockRequest) -> bytes | StaleVersion | CorruptBlock:
        if slide not in self.slides:
            return StaleVersion(slide, slide)
        if self.fault == "corrupting":
            return CorruptBlock(request.address, "its checksum is wrong")
        return content(slide, request, self.block)

    async def _single(self, slide: str, value: Callable[[], Any], address: Address | None = None) -> Any:
        await self._reach()
        if slide not in self.slides:
            raise StaleVersion(slide, slide)
        await self.link.carry(self.block)
        self._check()
        if self.fault == "stalled":
            await asyncio.Event().wait()
        if self.fault == "corrupting" and address is not None:
            raise CorruptBlock(address, "its checksum is wrong")
        return value()

    async def _reach(self) -> None:
        if self.fault == "killed":
            raise Unavailable("the origin", "connection refused")
        extra, self.extra = self.extra, 0.0
        await asyncio.sleep(self.link.latency + extra)
        self._check()
        if self.fault == "stalled":
            await asyncio.Event().wait()

    def _check(self) -> None:
        if self.fault in ("killed", "500"):
            raise Unavailable("the origin", self.fault)


def content(slide: str, request: BlockRequest, size: int) -> bytes:
    """The bytes of a block, the same at every origin."""
    return f"{slide} {tuple(request.address)} {request.layers}".encode().ljust(size, b".")


def blocks(count: int, level: int = 0) -> list[BlockRequest]:
    """Different blocks."""
    return [BlockRequest(Address(0, 0, level, n % 64, n // 64), range(1)) for n in range(count)]
