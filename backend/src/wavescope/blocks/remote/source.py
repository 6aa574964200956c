"""A BlockSource over HTTP: a service that holds the slides. Everything it answers is verified."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from wavescope.blocks.base import Answer, BlockRequest
from wavescope.blocks.remote.client import MAX_ENTRY_BYTES, OriginClient, Permit, Permits
from wavescope.blocks.remote.frames import Frame, frames_of
from wavescope.caches import BoundedCache
from wavescope.config.values import without_password
from wavescope.deferred import deferred
from wavescope.errors import CodecError, CorruptBlock, CorruptStore, StaleVersion, Unavailable, WavescopeError
from wavescope.geometry import Address
from wavescope.kernel.layers import check_layer, split_layers
from wavescope.store.layer_index import PageKey
from wavescope.store.layout import PAGE, page_size
from wavescope.store.manifest import parse_manifest
from wavescope.store.page import Lengths, decode_page, page_seed
from wavescope.store.version import SlideVersion, coded_place

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = deferred("aiohttp")

BATCH = 512  # entries of one request
VERSIONS = 256  # that are open
PAGES = 256  # of layer indexes, 12 kB each


class RemoteSource:
    """BlockSource of the service at ``url``. ``timeout``: seconds without a byte after which it does not answer.

    Blocks and index pages are checked against the parameter sets of the manifest, the manifest against the digest, so
    that a damaged or wrong answer is CorruptBlock or CorruptStore. Raises Unavailable if the service does not answer.
    ``client``: what asks the service, if its answers mean something else than to an edge; it replaces the rest.
    """

    def __init__(
        self,
        url: str,
        permits: Permits,
        *,
        connections: int = 32,
        timeout: float = 10.0,
        client: OriginClient | None = None,
    ) -> None:
        self._client = client or OriginClient(url, permits, connections, timeout)
        self.url, self.counts = self._client.url, self._client.counts
        self._versions: BoundedCache[str, SlideVersion] = BoundedCache(VERSIONS)
        self._pages: BoundedCache[tuple[str, PageKey], Lengths] = BoundedCache(PAGES)
        self.forgotten: Callable[[str], None] = lambda _: None  # called with each version that is forgotten

    def when_progressing(self, call: Callable[[], None]) -> None:
        """``call`` is called with each piece of an answer that arrives."""
        self._client.progressed = call

    # --- BlockSource -----------------------------------------------------------------------------------------------

    async def version(self, slide: str) -> SlideVersion:
        """See BlockSource."""
        found = self._versions.find(slide)
        if found is None:
            data = await self._entry(slide, "manifest")
            found = self._known(slide, data)
        return found

    async def confirm(self, slide_id: str, slide: str, headers: Mapping[str, str], own: bool = True) -> bytes:
        """The manifest as the service answers it now for this slide and version, verified. ``own``: see Permit.

        Raises StaleVersion if the slide does not have the version.
        """
        data = await self._entry(slide, "manifest", permit=Permit(slide_id, headers, 0.0, own))
        self._known(slide, data)
        return data

    def adopt(self, slide: str, manifest: bytes) -> None:
        """Opens a version from a manifest that was stored. Raises CorruptStore."""
        self._known(slide, manifest)

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """See BlockSource."""
        version = await self.version(slide)
        version.check_request(address, layers)
        if not layers:
            return b""
        if address.level == version.top:
            return await self.approximation(slide, address.z, address.c, layers)
        z, c, level, x, y = address
        return await self._layers(version, BlockRequest(address, layers), f"blocks/{z}/{c}/{level}/{x}/{y}")

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """See BlockSource."""
        version = await self.version(slide)
        address = Address(z, c, version.top, 0, 0)
        version.check_request(address, layers)
        return await self._layers(version, BlockRequest(address, layers), f"approximation/{z}/{c}")

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """See BlockSource."""
        version = await self.version(slide)
        version.index_page(z, c, level, page)
        data = await self._entry(slide, f"layer-index/{z}/{c}/{level}/{page}")
        self._lengths(version, data, PageKey(z, c, level, page))
        return data

    async def icc_profile(self, slide: str) -> bytes | None:
        """See BlockSource."""
        expected = (await self.version(slide)).manifest.icc_sha256
        if expected is None:
            return None
        data = await self._entry(slide, "icc")
        if sha256(data).hexdigest() != expected:
            raise CorruptStore(slide, "the ICC profile", "its SHA-256 does not match")
        return data

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """See BlockSource. In the order in which the service answers."""
        try:
            version = await self.version(slide)
        except WavescopeError as error:
            for position in range(len(requests)):
                yield position, error
            return
        blocks: list[int] = []
        for position, request in enumerate(requests):
            try:
                version.check_request(request.address, request.layers)
            except WavescopeError as error:
                yield position, error
                continue
            if request.address.level < version.top and request.layers:
                blocks.append(position)
            else:
                yield position, await self._one(slide, request)
        for start in range(0, len(blocks), BATCH):
            some = blocks[start : start + BATCH]
            async for position, data in self._batch(version, [requests[at] for at in some]):
                yield some[position], data

    def forget(self, slide: str) -> None:
        """See BlockSource."""
        self._versions.drop(lambda key: key == slide)
        self._pages.drop(lambda key: key[0] == slide)
        self.forgotten(slide)

    async def drained(self) -> None:
        """Returns when no request is in flight."""
        await self._client.drained()

    async def close(self) -> None:
        """See BlockSource."""
        await self._client.close()
        self._versions.clear()

    async def _layers(self, version: SlideVersion, request: BlockRequest, path: str) -> bytes:
        layers = request.layers
        try:
            data = await self._entry(version.digest, f"{path}?from={layers.start}&to={layers.stop}")
        except CorruptStore as error:
            raise CorruptBlock(request.address, error.reason) from error
        return await self._checked(version, request, data)

    async def _entry(self, slide: str, path: str, permit: Permit | None = None) -> bytes:
        """The body of an answer; a version that is gone is forgotten."""
        try:
            return await self._client.bytes(slide, path, permit=permit)
        except StaleVersion:
            self.forget(slide)
            raise

    # --- answers ---------------------------------------------------------------------------------------------------

    async def _one(self, slide: str, request: BlockRequest) -> bytes | WavescopeError:
        try:
            return await self.get(slide, request.address, request.layers) if request.layers else b""
        except WavescopeError as error:
            return error

    async def _batch(self, version: SlideVersion, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """Every request once, whatever the service answers."""
        entries = [[*request.address, request.layers.start, request.layers.stop] for request in requests]
        missing = set(range(len(requests)))
        failure: WavescopeError = Unavailable(without_password(self.url), "its answer was cut short")
        try:
            async with self._client.request(
                version.digest, "blocks:batch", json.dumps({"blocks": entries})
            ) as response:
                async for frame in frames_of(self._client.chunks(response), MAX_ENTRY_BYTES):
                    self.counts.bytes += len(frame.payload)
                    if frame.position not in missing:
                        raise ValueError("a frame that was not requested, or was sent before")
                    missing.discard(frame.position)
                    yield frame.position, await self._framed(version, requests[frame.position], frame)
        except WavescopeError as error:
            failure = error
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            failure = self._client.failed(error)
        for position in sorted(missing):
            yield position, failure

    async def _framed(self, version: SlideVersion, request: BlockRequest, frame: Frame) -> bytes | WavescopeError:
        if frame.corrupt:
            return await self._damaged(version.digest, request.address)
        if frame.unavailable:
            return Unavailable(without_password(self.url), "it cannot read the block now")
        try:
            return await self._checked(version, request, frame.payload)
        except WavescopeError as error:
            return error

    async def _damaged(self, slide: str, address: Address) -> WavescopeError:
        """What a frame with damage means: a damaged block, or a version that is gone."""
        self.counts.failures[CorruptBlock.__name__] += 1
        try:
            await self._entry(slide, "manifest")
        except StaleVersion as error:
            return error
        except WavescopeError:
            pass
        return CorruptBlock(address, "the origin's copy is damaged")

    async def _checked(self, version: SlideVersion, request: BlockRequest, data: bytes) -> bytes:
        """``data``, if it is exactly these layers of this block. Raises what ``index_page`` does, and CorruptBlock."""
        address, layers = request.address, request.layers
        if not data:
            if address.level < version.top and not await self._is_empty(version, address):
                self.counts.failures[CorruptBlock.__name__] += 1
                raise CorruptBlock(address, "the origin answers nothing, and the layer index lists the block")
            return data
        try:
            found, binding = split_layers(data), version.binding(address)
            if len(found) != len(layers):
                raise CodecError("order", f"{len(found)} layers instead of {len(layers)}")
            for index, layer in zip(layers, found, strict=True):
                check_layer(layer, index, binding, coded_place(address, binding))
        except CodecError as error:
            self.counts.failures[CorruptBlock.__name__] += 1
            raise CorruptBlock(address, f"from the origin: {error}") from error
        return data

    async def _is_empty(self, version: SlideVersion, address: Address) -> bool:
        columns = version.page_grids[address.level][0]
        key = PageKey(address.z, address.c, address.level, address.y // PAGE * columns + address.x // PAGE)
        lengths = self._pages.find((version.digest, key))
        if lengths is None:
            data = await self.index_page(version.digest, address.z, address.c, address.level, key.page)
            lengths = self._lengths(version, data, key)
            self._pages.put((version.digest, key), lengths)
        return not lengths[address.y % PAGE, address.x % PAGE].any()

    def _lengths(self, version: SlideVersion, data: bytes, key: PageKey) -> Lengths:
        """Of the layers of all blocks of a page. Raises CorruptStore."""
        columns, rows = page_size(version.pyramid, key.level, key.page)
        seed = page_seed(version.bindings[key.level][key.c], key.z, key.page)
        try:
            return decode_page(data, (columns, rows, version.layers), seed)
        except ValueError as error:
            self.counts.failures[CorruptStore.__name__] += 1
            raise CorruptStore(version.digest, f"layer-index page {tuple(key)}", str(error)) from error

    def _known(self, slide: str, manifest: bytes) -> SlideVersion:
        try:
            version = SlideVersion.of(slide, parse_manifest(manifest, slide))
        except CorruptStore:
            self.counts.failures[CorruptStore.__name__] += 1
            raise
        self._versions.put(slide, version)
        return version
