"""The joint that every deployment is composed of: stored bytes of slide versions by address, from any place."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import NamedTuple, Protocol

from wavescope.errors import WavescopeError
from wavescope.geometry import Address
from wavescope.store.version import SlideVersion

Answer = tuple[int, bytes | WavescopeError]
"""The position of a request in a batch, and its bytes or what is wrong with this block alone."""


class BlockRequest(NamedTuple):
    """The layers ``layers`` (step 1) of one block. At the top level, ``(z, c, L, 0, 0)``, of the approximation."""

    address: Address
    layers: range


class BlockSource(Protocol):
    """Returns the stored bytes of slide versions, never decoded. For one event loop.

    ``slide`` is the digest of a version, so that what is returned for it never changes. Every method but ``forget`` and
    ``close`` raises StaleVersion for a version that does not exist (any more), CorruptStore for one that is damaged and
    Unavailable where the place it comes from does not answer.
    """

    async def version(self, slide: str) -> SlideVersion:
        """The handle of a version: its manifest, and the checks of its addresses. Cached until it is forgotten."""
        ...

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """The layers of a block concatenated, ``b""`` for an empty block. Raises CorruptBlock, OutOfRange.

        What is in memory is returned without waiting for anything: then it may be called outside of a task, too.
        """
        ...

    def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """Every request once, in any order. Raises nothing of its own: each answer carries its own error. Answers that
        are in memory are yielded without waiting for anything.

        A caller that stops early closes the generator (``contextlib.aclosing``); what is being read is then cancelled.
        """
        ...

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """The layers of a plane's approximation concatenated. Raises CorruptBlock, OutOfRange."""
        ...

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """A page of the layer index in its wire form. Raises OutOfRange."""
        ...

    async def icc_profile(self, slide: str) -> bytes | None:
        """The ICC profile of the slide's file, None if it has none."""
        ...

    def forget(self, slide: str) -> None:
        """Release everything that is cached of a version that was replaced, repaired or removed. From any thread."""
        ...

    async def close(self) -> None:
        """Release everything. Nothing can be read afterwards."""
        ...
