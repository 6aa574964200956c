"""Which blocks are empty, by the layer index: they are never sent (WI117)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavescope.blocks.base import BlockSource
from wavescope.caches import BoundedCache
from wavescope.errors import WavescopeError
from wavescope.geometry import Address
from wavescope.store.layout import PAGE, page_size
from wavescope.store.page import decode_page, page_seed
from wavescope.store.version import SlideVersion

PAGES = 1024  # a kilobyte each
Occupied = NDArray[np.bool_]
Key = tuple[str, int, int, int, int]


class EmptyBlocks:
    """Reads pages of the layer index from a block source and caches what they say."""

    def __init__(self, source: BlockSource) -> None:
        self._source = source
        self._pages: BoundedCache[Key, Occupied] = BoundedCache(PAGES)

    async def contains(self, version: SlideVersion, address: Address) -> bool:
        """Whether nothing is stored for the block. False where its page cannot be read:
        the block then says why.
        """
        columns, _ = version.page_grids[address.level]
        page = address.y // PAGE * columns + address.x // PAGE
        key = version.digest, address.z, address.c, address.level, page
        occupied = self._pages.find(key)
        if occupied is None:
            try:
                occupied = await self._read(version, address, page)
            except (WavescopeError, ValueError):
                return False
            self._pages.put(key, occupied)
        return not occupied[address.y % PAGE, address.x % PAGE]

    def forget(self, slide: str) -> None:
        """Drops what is cached of a version."""
        self._pages.drop(lambda key: key[0] == slide)

    async def _read(self, version: SlideVersion, address: Address, page: int) -> Occupied:
        """(rows, columns): which blocks of the page are stored. Raises ValueError, WavescopeError."""
        data = await self._source.index_page(version.digest, address.z, address.c, address.level, page)
        shape = (*page_size(version.pyramid, address.level, page), version.layers)
        lengths = decode_page(data, shape, page_seed(version.binding(address), address.z, page))
        return np.asarray(lengths.any(axis=2))
