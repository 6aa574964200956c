"""A stored slide version as the source of another ingest (ST68)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from wavescope import kernel
from wavescope.caches import BoundedCache
from wavescope.geometry import TILE, Address
from wavescope.source.base import Pixels, SlideSource, SourceInfo, check_region
from wavescope.source.channels import Channels
from wavescope.source.window import Window
from wavescope.store.reader import StoreReader

PREFIX = "stored:"
CACHED = 384  # ancestors: 0.4 MB each with three channels


def spec_of(store: Path, digest: str) -> str:
    """The name of a version as a source."""
    return f"{PREFIX}{digest}:{store.absolute()}"


def parse(spec: str) -> tuple[Path, str]:
    """The store and the digest of a name made by ``spec_of``."""
    digest, _, store = spec.removeprefix(PREFIX).partition(":")
    return Path(store), digest


def stored_source(reader: StoreReader) -> SlideSource:
    """A version as a source, with all of its channel groups."""
    info = _info(reader)
    if not info.descriptions:
        return StoredSource(reader, info)
    groups = [StoredSource(reader, replace(info, channels=1, descriptions=()), c) for c in range(info.groups)]

    def read(z: int, c: int, *region: int) -> Pixels:
        return groups[c].read_region(z, *region)[:, :, 0]

    return Channels(info, read)


class StoredSource:
    """Level-0 pixels of a channel group of a version, decoded from all its layers. Thread-safe."""

    def __init__(self, reader: StoreReader, info: SourceInfo, c: int = 0) -> None:
        self._reader, self._c = reader, c
        self._layers = range(reader.manifest.layers)
        self._ancestors: BoundedCache[Address, kernel.Samples] = BoundedCache(CACHED)
        self._info = info

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        check_region(self._info, z, l0_x, l0_y, width, height)
        region = np.empty((height, width, self._info.channels), self._info.dtype)
        for y in range(l0_y // TILE, (l0_y + height - 1) // TILE + 1):
            for x in range(l0_x // TILE, (l0_x + width - 1) // TILE + 1):
                tile = self._tile(Address(z, self._c, 0, x, y))
                left, top = max(l0_x, x * TILE), max(l0_y, y * TILE)
                right, bottom = min(l0_x + width, (x + 1) * TILE), min(l0_y + height, (y + 1) * TILE)
                inside = tile[top - y * TILE : bottom - y * TILE, left - x * TILE : right - x * TILE]
                region[top - l0_y : bottom - l0_y, left - l0_x : right - l0_x] = inside
        return region

    def close(self) -> None:
        self._ancestors = BoundedCache(CACHED)

    def _tile(self, address: Address) -> Pixels:
        valid = self._reader.manifest.pyramid.tile_size(0, address.x, address.y)
        return kernel.pixels(self._decode(address), self._reader.version.parameters(0, self._c), *valid)

    def _ancestor(self, address: Address) -> kernel.Samples:
        return self._ancestors.get(address, lambda: self._decode(address))

    def _decode(self, address: Address) -> kernel.Samples:
        layers = kernel.split_layers(self._reader.read(address, self._layers))
        parameters = self._reader.version.parameters(address.level, address.c)
        if address.level == self._reader.manifest.top:
            return kernel.decode_approximation(layers, parameters, address.z)
        return kernel.decode_tile(self._ancestor(address.parent()), layers, parameters, address)


def _info(reader: StoreReader) -> SourceInfo:
    manifest = reader.manifest
    mpp_x, mpp_y = manifest.mpp or (None, None)
    return SourceInfo(
        width=manifest.width,
        height=manifest.height,
        channels=manifest.channels,
        format=manifest.source.format,
        source_bytes=manifest.source.bytes,
        properties={},
        planes=manifest.planes,
        plane_spacing_um=manifest.plane_spacing_um,
        mpp_x=mpp_x,
        mpp_y=mpp_y,
        objective_power=manifest.objective_power,
        vendor=manifest.vendor,
        icc_profile=reader.icc_profile(),
        tile_bytes=manifest.source.tile_bytes,
        window=Window(manifest.window.low, manifest.window.high) if manifest.window else None,
        descriptions=manifest.descriptions,
        bits=manifest.bit_depth,
        signed=manifest.signed,
    )
