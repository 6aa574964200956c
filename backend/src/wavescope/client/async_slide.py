"""A slide for an event loop: what the synchronous ``Slide`` does, with the same names, awaitable."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavescope.blocks.base import BlockSource
from wavescope.channels.channel import Channel
from wavescope.channels.mixing import Raw
from wavescope.client import coefficients, description, features, patches
from wavescope.client.annotations import AsyncAnnotations
from wavescope.client.channels import ChannelsByName
from wavescope.client.coefficients import Coefficients, Wavelet
from wavescope.client.features import Energy, Mask
from wavescope.client.http import ServiceConnection, segment
from wavescope.client.locations import LocalLocation, Location, Options, RemoteLocation
from wavescope.client.overlays import AsyncOverlays
from wavescope.client.patches import Geometry, Patch, Position
from wavescope.client.problems import BadAnswer
from wavescope.client.reading import SlideReader, batched
from wavescope.client.sources import local_source, remote_source
from wavescope.errors import InvalidParameter, TooLarge
from wavescope.geometry import TILE, Address
from wavescope.pixels.images import Pixels
from wavescope.pixels.region import Fill, Region
from wavescope.registration.result import Registration
from wavescope.store.version import SlideVersion

Box = tuple[int, int, int, int]
"""x, y, width, height in pixels of a level."""
BATCH = 32  # patches, or rows of tiles of a feature, that are fetched together
TISSUE_SIDE = 4096  # pixels of the longer side of the level from which tissue is found


class AsyncSlide:
    """One version of a slide, local or remote. Opened by ``aio.open_slide``; for one event loop.

    Levels count from full resolution. ``read_region`` takes its corner in level-0 pixels, as openslide does; everything
    else takes pixels of the level.
    """

    def __init__(
        self,
        location: Location,
        reader: SlideReader,
        connection: ServiceConnection | None,
        mpp: tuple[float, float] | None,
    ) -> None:
        self.location, self.mpp = location, mpp
        self._reader, self._connection = reader, connection

    @classmethod
    async def open(cls, location: Location, options: Options) -> AsyncSlide:
        """Raises UnknownSlide, StaleVersion, CorruptStore, Unavailable, and what the service refuses it with."""
        if isinstance(location, LocalLocation):
            source = local_source(location, options)
            version = await source.version(location.digest)
            reader = SlideReader(source, version, options, ahead=False)
            return cls(location, reader, None, version.manifest.mpp)
        connection = ServiceConnection(location.base, options)
        try:
            response = await connection.request("GET", f"/slides/{segment(location.slide)}")
            digest = location.digest or response.member("digest", str)
            remote = remote_source(location, digest, options)
            try:
                version = await remote.version(digest)
                mpp = _mpp(response.object().get("mpp"))
            except BaseException:
                await remote.close()
                raise
        except BaseException:
            await connection.close()
            raise
        known = RemoteLocation(location.base, location.slide, digest)
        return cls(known, SlideReader(remote, version, options, ahead=True), connection, mpp)

    async def __aenter__(self) -> AsyncSlide:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.location)!r})"

    async def close(self) -> None:
        """Ends connections and releases the caches."""
        await self._reader.close()
        if self._connection is not None:
            await self._connection.close()

    # --- what it is ------------------------------------------------------------------------------------------------

    @property
    def version(self) -> SlideVersion:
        """The handle of the version, with its manifest."""
        return self._reader.version

    @property
    def level_count(self) -> int:
        return self.version.top + 1

    @property
    def level_dimensions(self) -> tuple[tuple[int, int], ...]:
        return description.level_dimensions(self.version)

    @property
    def level_downsamples(self) -> tuple[float, ...]:
        return description.level_downsamples(self.version)

    @property
    def properties(self) -> Mapping[str, str]:
        return description.properties(self.version, self.mpp)

    @property
    def blocks(self) -> BlockSource:
        """The stored bytes that pixels are made of."""
        return self._reader.blocks

    @property
    def connection(self) -> ServiceConnection | None:
        """To the service of the slide; None: it is in a local store."""
        return self._connection

    async def icc_profile(self) -> bytes | None:
        """The ICC profile of the slide's file; it is never applied to pixels."""
        return await self._reader.icc_profile()

    # --- pixels ----------------------------------------------------------------------------------------------------

    async def read_region(self, location: tuple[int, int], level: int, size: tuple[int, int]) -> Image.Image:
        """As openslide: RGBA, ``location`` in level-0 pixels; transparent outside of the slide. Raises OutOfRange."""
        self.version.level(level)
        region = Region(
            self.version.middle_plane, level, location[0] >> level, location[1] >> level, *size, fill="transparent"
        )
        return description.rgba(await self._reader.pixels(region))

    async def read_array(
        self,
        level: int,
        x: int,
        y: int,
        w: int,
        h: int,
        *,
        plane: int | None = None,
    ) -> Pixels:
        """Pixels (h, w, channels) of a region in pixels of ``level``, uint8; ``plane``: default the middle one. Of a
        slide of channels the stored samples of all of them, in their own type (``slide.dtype``).

        Raises OutOfRange outside of the level, TooLarge.
        """
        return await self._reader.pixels(self._region(level, (x, y, w, h), plane), view=self._reader.everything)

    async def tile(self, z: int, level: int, x: int, y: int, layers: int | None = None) -> Pixels:
        """A tile of the slide's picture, of channels of their default mix. Raises OutOfRange."""
        self.version.tile(z, level, x, y)
        size = self.version.pyramid.tile_size(level, x, y)
        return await self._reader.pixels(Region(z, level, x * TILE, y * TILE, *size), layers)

    @property
    def channels(self) -> Mapping[str, AsyncChannel]:
        """The channels of the slide by name; none of RGB or grey."""
        return ChannelsByName(self.version.manifest.descriptions, lambda c, one: AsyncChannel(self, c, one))

    async def read_channel(self, c: int, level: int, box: Box, *, plane: int | None = None) -> Pixels:
        """The stored samples (h, w) of one channel in ``box``: x, y, w, h in pixels of ``level``.

        Raises OutOfRange, TooLarge.
        """
        self.version.group(c)
        view = Raw((c,)) if self.version.manifest.descriptions else None
        return (await self._reader.pixels(self._region(level, box, plane), view=view))[:, :, 0]

    async def read_arrays(
        self,
        level: int,
        boxes: Sequence[Box],
        *,
        plane: int | None = None,
        layers: int | None = None,
        fill: Fill | None = None,
    ) -> list[Pixels]:
        """Pixels of several regions, whose blocks are fetched together, from the first ``layers`` layers (all).

        With ``fill`` a region may reach beyond the level (WI98). Raises OutOfRange, TooLarge, InvalidParameter.
        """
        regions = [self._region(level, box, plane, fill) for box in boxes]
        return await self._reader.many(regions, layers, self._reader.everything)

    async def patches(
        self,
        size: int,
        level: int = 0,
        *,
        step: int | None = None,
        mask: Mask | Sequence[Geometry] | str | None = None,
        least: float = 0.5,
        plane: int | None = None,
    ) -> AsyncIterator[Patch]:
        """Patches of ``size`` x ``size`` pixels of a level, row by row, ``step`` (default: size) apart.

        ``mask``: "tissue", an array (rows, columns) over the whole slide, or polygons (GeoJSON, level-0 pixels); of
        each patch at least ``least`` lies inside. Raises OutOfRange, InvalidParameter.
        """
        found = await self.positions(size, level, step=step, mask=mask, least=least)
        for group in batched(found, BATCH):
            boxes = [(x, y, size, size) for x, y in group]
            for (x, y), pixels in zip(group, await self.read_arrays(level, boxes, plane=plane), strict=True):
                yield Patch(level, x << level, y << level, pixels)

    async def positions(
        self,
        size: int,
        level: int = 0,
        *,
        step: int | None = None,
        mask: Mask | Sequence[Geometry] | str | None = None,
        least: float = 0.5,
    ) -> list[Position]:
        """The corners of ``patches`` in pixels of the level."""
        if isinstance(mask, str):
            if mask != "tissue":
                raise InvalidParameter("mask", mask, '"tissue", an array or polygons')
            mask = await self.tissue_mask()
        elif mask is not None and not isinstance(mask, np.ndarray):
            mask = patches.mask_of(mask, self.version.pyramid)
        return patches.positions(self.version.pyramid, level, size, step, mask, least)

    # --- coefficients ----------------------------------------------------------------------------------------------

    async def samples(
        self, level: int, region: Box, *, plane: int | None = None, layers: int | None = None
    ) -> NDArray[np.float32]:
        """Samples (channels, height, width) of a region inside the level: unclipped, centred on 0, in units of pixel
        values, in the slide's own colour channels. ``pixels_of`` makes pixels of them.
        """
        return await self._reader.samples(self._region(level, region, plane), layers)

    def pixels_of(self, samples: NDArray[np.floating]) -> Pixels:
        """The pixels (height, width, channels) of samples: exactly those of ``read_array``."""
        return self._reader.pixels_of(samples)

    async def coefficients(
        self,
        level: int,
        region: Box,
        depth: int = 1,
        *,
        wavelet: Wavelet = "rbio1.5",
        plane: int | None = None,
        layers: int | None = None,
    ) -> list[Coefficients]:
        """The wavelet coefficients of a region (x, y, width, height in pixels of ``level``), for each channel as
        PyWavelets has them: [cA, (cH, cV, cD) of the coarsest level, ..., (cH, cV, cD) of ``level``].

        ``pywt.waverec2(channel, wavelet, mode="periodization")`` gives the ``samples`` of the region to 1e-9. Raises
        OutOfRange unless width and height are multiples of 2^depth, and x and y too (the grid of the slide).
        """
        coefficients.check_grid(region, depth)
        found = await self.samples(level, region, plane=plane, layers=layers)
        return coefficients.decompose(found, depth, wavelet)

    async def details(
        self, level: int, x: int, y: int, *, plane: int | None = None, layers: int | None = None
    ) -> NDArray[np.float32]:
        """The stored details of one tile, dequantised: (channels, 3, 128, 128), the bands HL, LH, HH in the scale of
        PyWavelets. Of the block alone: no ancestor is fetched.
        """
        z = self.version.middle_plane if plane is None else plane
        addresses = [Address(z, c, level, x, y) for c in range(self.version.groups)]
        return np.concatenate(await self._reader.details(addresses, layers))

    async def texture_energy(self, level: int, cell: int = 16, *, plane: int | None = None) -> Energy:
        """The mean square of the details of each band, in cells of ``cell`` x ``cell`` pixels of the level:
        (channels, 3, rows, columns), from the blocks of the level alone. Raises OutOfRange, InvalidParameter, TooLarge.
        """
        z = self.version.middle_plane if plane is None else plane
        self.version.block(z, 0, level, 0, 0)
        side = features.check_cell(cell)
        (columns, rows), channels = self.version.grids[level], self.version.manifest.channels
        size = 3 * channels * columns * rows * side * side
        if size > self._reader.max_pixels:
            raise TooLarge("the texture of the level in values", size, self._reader.max_pixels)
        out = np.zeros((channels, 3, rows * side, columns * side), np.float32)
        groups = range(self.version.groups)
        tiles = [Address(z, c, level, x, y) for c in groups for y in range(rows) for x in range(columns)]
        for group in batched(tiles, BATCH * 4):
            for tile, details in zip(group, await self._reader.details(group), strict=True):
                top, left = tile.y * side, tile.x * side
                own = slice(tile.c, tile.c + 1) if self.version.groups > 1 else slice(None)
                out[own, :, top : top + side, left : left + side] = features.band_energy(details, cell)
        width, height = self.version.pyramid.level_size(level)
        return out[:, :, : -(-height // cell), : -(-width // cell)]

    async def tissue_mask(self, level: int | None = None, cell: int = 16) -> Mask:
        """Where tissue is (rows, columns), from the energy of the details of a level; default: a coarse one.

        A slide of one tile has no details: all of it counts.
        """
        if self.version.top == 0:
            return np.ones((1, 1), np.bool_)
        if level is None:
            sizes = self.level_dimensions[:-1]  # of level 0 perceptual steps leave little
            level = next((n for n, size in enumerate(sizes) if n and max(size) <= TISSUE_SIDE), len(sizes) - 1)
        return features.tissue_of(await self.texture_energy(level, cell))

    # --- the service -----------------------------------------------------------------------------------------------

    @property
    def annotations(self) -> AsyncAnnotations:
        """The slide's annotations. Raises InvalidParameter for a local store, which a service may be writing to."""
        if self._connection is None or not isinstance(self.location, RemoteLocation):
            raise InvalidParameter(
                "slide", str(self.location), "a slide of a service: a local store has no annotations"
            )
        return AsyncAnnotations(self._connection, self.location.slide)

    async def registration(self, other: str) -> Registration:
        """Where this slide's tissue lies on another slide of the same service: ``places.to`` and ``places.back`` map
        pixels of level 0 (n, 2). The first request of a pair takes seconds. Raises SectionsDiffer, UnknownSlide,
        InvalidParameter for a local store.
        """
        if self._connection is None or not isinstance(self.location, RemoteLocation):
            raise InvalidParameter("slide", str(self.location), "a slide of a service: it registers slides")
        path = f"/slides/{segment(self.location.slide)}/registrations/{segment(other)}"
        response = await self._connection.request("GET", path)
        try:
            return Registration.from_json(response.object())
        except (KeyError, TypeError, ValueError) as error:
            raise BadAnswer(path, "it is no registration") from error

    @property
    def overlays(self) -> AsyncOverlays:
        """The slide's overlays. Raises InvalidParameter for a local store."""
        if self._connection is None or not isinstance(self.location, RemoteLocation):
            raise InvalidParameter("slide", str(self.location), "a slide of a service: it has the overlays")
        return AsyncOverlays(self._connection, self.location.slide)

    def _region(self, level: int, box: Box, plane: int | None, fill: Fill | None = None) -> Region:
        z = self.version.middle_plane if plane is None else plane
        return Region(z, level, *box, fill=fill)


class AsyncChannel:
    """One channel of a slide."""

    def __init__(self, slide: AsyncSlide, c: int, description: Channel) -> None:
        self.number, self.description = c, description
        self._slide = slide

    async def read_array(self, level: int, x: int, y: int, w: int, h: int, *, plane: int | None = None) -> Pixels:
        """The stored samples (h, w), as AsyncSlide.read_channel."""
        return await self._slide.read_channel(self.number, level, (x, y, w, h), plane=plane)


def _mpp(value: object) -> tuple[float, float] | None:
    """Micrometres per pixel in the manifest of a service, if they are known."""
    if isinstance(value, dict):
        x, y = value.get("x"), value.get("y")
        if isinstance(x, int | float) and isinstance(y, int | float):
            return float(x), float(y)
    return None
