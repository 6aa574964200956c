"""The joint that everything turns on: who can give a block's stored bytes, from wherever they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from wavescope.errors import WavescopeError
from wavescope.geometry import Address


@dataclass(frozen=True)
class BlockRequest:
    """The layers ``layers`` (step 1) of one block. At the top level, ``(z, c, L, 0, 0)``, of the approximation."""

    address: Address
    layers: range


class BlockSource(Protocol):
    """Gives the stored bytes of blocks. ``slide`` is the digest of a slide version: what is returned never changes."""

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """The layers concatenated, ``b""`` for an empty block. Raises CorruptBlock, OutOfRange, StaleVersion ..."""
        ...

    def get_many(
        self, slide: str, requests: Sequence[BlockRequest]
    ) -> AsyncIterator[tuple[int, bytes | WavescopeError]]:
        """Every request once, in any order: its position and its bytes or what is wrong with just this block."""
        ...
