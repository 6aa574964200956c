"""What every wrapper of a BlockSource starts from."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine, Sequence
from typing import Any

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.geometry import Address
from wavescope.store.version import SlideVersion


class SourceWrapper:
    """A BlockSource that passes everything on to ``inner``; a wrapper overrides the methods that it changes."""

    def __init__(self, inner: BlockSource) -> None:
        self._inner = inner

    def version(self, slide: str) -> Coroutine[Any, Any, SlideVersion]:
        return self._inner.version(slide)

    def get(self, slide: str, address: Address, layers: range) -> Coroutine[Any, Any, bytes]:
        return self._inner.get(slide, address, layers)

    def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        return self._inner.get_many(slide, requests)

    def approximation(self, slide: str, z: int, c: int, layers: range) -> Coroutine[Any, Any, bytes]:
        return self._inner.approximation(slide, z, c, layers)

    def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> Coroutine[Any, Any, bytes]:
        return self._inner.index_page(slide, z, c, level, page)

    def icc_profile(self, slide: str) -> Coroutine[Any, Any, bytes | None]:
        return self._inner.icc_profile(slide)

    def forget(self, slide: str) -> None:
        self._inner.forget(slide)

    def close(self) -> Coroutine[Any, Any, None]:
        return self._inner.close()
