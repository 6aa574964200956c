"""A wrapper that makes a span of each read of a BlockSource (OP65)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeVar

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.geometry import Address

if TYPE_CHECKING:
    from wavescope.logs.spans import Spans

Result = TypeVar("Result", bound="bytes | None")


class TracedSource(SourceWrapper):
    """Reads that belong to a recorded request have spans; a batch has one."""

    def __init__(self, inner: BlockSource, spans: Spans) -> None:
        super().__init__(inner)
        self._spans = spans

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        return await self._traced("read block", slide, self._inner.get(slide, address, layers), *address)

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        span, size = self._spans.begin("read blocks", digest=slide, blocks=len(requests)), 0
        try:
            async with aclosing(self._inner.get_many(slide, requests)) as answers:
                async for position, data in answers:
                    size += len(data) if isinstance(data, bytes) else 0
                    yield position, data
        finally:
            span.set_attribute("bytes", size)
            span.end()

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        return await self._traced("read approximation", slide, self._inner.approximation(slide, z, c, layers), z, c)

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        read = self._inner.index_page(slide, z, c, level, page)
        return await self._traced("read index page", slide, read, z, c, level, page)

    async def icc_profile(self, slide: str) -> bytes | None:
        return await self._traced("read ICC profile", slide, self._inner.icc_profile(slide))

    async def _traced(self, name: str, slide: str, read: Coroutine[Any, Any, Result], *address: int) -> Result:
        with self._spans.inside(name, digest=slide, address=address) as span:
            data = await read
            span.set_attribute("bytes", 0 if data is None else len(data))
            return data
