"""A wrapper that counts and times what is read of a BlockSource, for metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import aclosing
from time import perf_counter
from typing import Any, Literal, TypeVar

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.damage import DamageLog
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.geometry import Address

ReadKind = Literal["block", "batch", "approximation", "index_page", "icc_profile"]
"""What was read: ``batch`` is a block of ``get_many``."""

Result = TypeVar("Result", bound="bytes | None")


class Reads:
    """What was read of one kind: how often, how many bytes, how many seconds of waiting, failures by error class."""

    __slots__ = ("bytes", "count", "failures", "seconds")

    def __init__(self) -> None:
        self.count = self.bytes = 0
        self.seconds = 0.0
        self.failures: Counter[str] = Counter()

    def add(self, size: int, seconds: float) -> None:
        """Count a read that succeeded."""
        self.count += 1
        self.bytes += size
        self.seconds += seconds


class SourceReads:
    """What was read of one source, by kind."""

    def __init__(self) -> None:
        self.of: dict[ReadKind, Reads] = {
            "block": Reads(),
            "batch": Reads(),
            "approximation": Reads(),
            "index_page": Reads(),
            "icc_profile": Reads(),
        }


class MeasuredSource(SourceWrapper):
    """Counts every read of ``inner`` in ``reads``. A read that was cancelled is not counted."""

    def __init__(self, inner: BlockSource, reads: SourceReads) -> None:
        super().__init__(inner)
        self._reads = reads.of
        self._blocks = reads.of["block"]
        self._damage = DamageLog()

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """Measured as ``block``; on the fast route, so it calls neither ``_measured`` nor ``add``."""
        started = perf_counter()
        try:
            data = await self._inner.get(slide, address, layers)
        except Exception as error:
            self._blocks.failures[type(error).__name__] += 1
            self._damage.note(slide, error)
            raise
        blocks = self._blocks
        blocks.count += 1
        blocks.bytes += len(data)
        blocks.seconds += perf_counter() - started
        return data

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """Measured as ``batch``: the seconds are those that a caller waits for each answer."""
        reads = self._reads["batch"]
        async with aclosing(self._inner.get_many(slide, requests)) as answers:
            started = perf_counter()
            async for position, data in answers:
                if isinstance(data, bytes):  # as ``add``, which a call would make slower
                    reads.count += 1
                    reads.bytes += len(data)
                    reads.seconds += perf_counter() - started
                else:
                    reads.failures[type(data).__name__] += 1
                    self._damage.note(slide, data)
                yield position, data
                started = perf_counter()

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """Measured as ``approximation``."""
        return await self._measured("approximation", slide, self._inner.approximation(slide, z, c, layers))

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """Measured as ``index_page``."""
        return await self._measured("index_page", slide, self._inner.index_page(slide, z, c, level, page))

    async def icc_profile(self, slide: str) -> bytes | None:
        """Measured as ``icc_profile``."""
        return await self._measured("icc_profile", slide, self._inner.icc_profile(slide))

    async def _measured(self, kind: ReadKind, slide: str, read: Coroutine[Any, Any, Result]) -> Result:
        reads, started = self._reads[kind], perf_counter()
        try:
            data = await read
        except Exception as error:
            reads.failures[type(error).__name__] += 1
            self._damage.note(slide, error)
            raise
        reads.add(0 if data is None else len(data), perf_counter() - started)
        return data
